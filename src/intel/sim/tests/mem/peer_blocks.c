/* SPDX-License-Identifier: MIT */
/*
 * By hand: compares what the simulator's sampler makes of compressed blocks
 * with what the OpenGL implementation that is there makes of them. Textures
 * of random blocks are fetched texel by texel into floats.
 *
 *    LIBGL_ALWAYS_SOFTWARE=1 \
 *       build/src/intel/sim/tests/peer_blocks [BLOCKS] [SEED]
 *
 * Mesa's software rasteriser decodes them on the CPU, by code that knows no
 * Intel GPU; over a driver on the simulated GPU the layout is tested, too. An
 * implementation may decode to bytes: then a step of those is allowed, and
 * two where end points are bytes and interpolated as such.
 *
 * With the third argument "golden" it prints some of theirs as rows for
 * golden_blocks.h.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/isl/isl.h"
#include "intel/sim/mem/surface.h"
#include "util/macros.h"

#define COLUMNS 16

/* Allowed differences. */
#define EXACT 1e-6f
#define BYTE (1.01f / 255)
#define SRGB 2e-3f /* the software rasteriser's curve */

struct row {
   GLenum gl;
   enum isl_format format;
   float tolerance;
   bool opaque;
};

#define ASTC(SIZE, LOWER)                                                    \
   { GL_COMPRESSED_RGBA_ASTC_##LOWER##_KHR,                                  \
     ISL_FORMAT_ASTC_LDR_2D_##SIZE##_FLT16, BYTE, false },                   \
   {                                                                         \
      GL_COMPRESSED_SRGB8_ALPHA8_ASTC_##LOWER##_KHR,                         \
         ISL_FORMAT_ASTC_LDR_2D_##SIZE##_U8SRGB, BYTE, false                 \
   }

static const struct row rows[] = {
   { GL_COMPRESSED_RGB_S3TC_DXT1_EXT, ISL_FORMAT_DXT1_RGB, 2 * BYTE, true },
   { GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, ISL_FORMAT_BC1_UNORM, 2 * BYTE,
     false },
   { GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, ISL_FORMAT_BC2_UNORM, 2 * BYTE,
     false },
   { GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, ISL_FORMAT_BC3_UNORM, 2 * BYTE,
     false },
   { GL_COMPRESSED_RED_RGTC1, ISL_FORMAT_BC4_UNORM, 2 * BYTE, false },
   { GL_COMPRESSED_SIGNED_RED_RGTC1, ISL_FORMAT_BC4_SNORM, 4 * BYTE, false },
   { GL_COMPRESSED_RG_RGTC2, ISL_FORMAT_BC5_UNORM, 2 * BYTE, false },
   { GL_COMPRESSED_SIGNED_RG_RGTC2, ISL_FORMAT_BC5_SNORM, 4 * BYTE, false },
   { GL_COMPRESSED_RGBA_BPTC_UNORM, ISL_FORMAT_BC7_UNORM, EXACT, false },
   { GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, ISL_FORMAT_BC7_UNORM_SRGB, EXACT,
     false },
   { GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, ISL_FORMAT_BC6H_SF16, EXACT, true },
   { GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, ISL_FORMAT_BC6H_UF16, EXACT,
     true },
   { GL_COMPRESSED_RGBA_FXT1_3DFX, ISL_FORMAT_FXT1, EXACT, false },
   { GL_COMPRESSED_RGB8_ETC2, ISL_FORMAT_ETC2_RGB8, EXACT, true },
   { GL_COMPRESSED_SRGB8_ETC2, ISL_FORMAT_ETC2_SRGB8, SRGB, true },
   { GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, ISL_FORMAT_ETC2_RGB8_PTA,
     EXACT, false },
   { GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, ISL_FORMAT_ETC2_SRGB8_PTA,
     SRGB, false },
   { GL_COMPRESSED_RGBA8_ETC2_EAC, ISL_FORMAT_ETC2_EAC_RGBA8, EXACT, false },
   { GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, ISL_FORMAT_ETC2_EAC_SRGB8_A8, SRGB,
     false },
   { GL_COMPRESSED_R11_EAC, ISL_FORMAT_EAC_R11, 1.0f / 60000, false },
   { GL_COMPRESSED_RG11_EAC, ISL_FORMAT_EAC_RG11, 1.0f / 60000, false },
   { GL_COMPRESSED_SIGNED_R11_EAC, ISL_FORMAT_EAC_SIGNED_R11, 1.0f / 30000,
     false },
   { GL_COMPRESSED_SIGNED_RG11_EAC, ISL_FORMAT_EAC_SIGNED_RG11, 1.0f / 30000,
     false },
   ASTC(4X4, 4x4),
   ASTC(5X4, 5x4),
   ASTC(5X5, 5x5),
   ASTC(6X5, 6x5),
   ASTC(6X6, 6x6),
   ASTC(8X5, 8x5),
   ASTC(8X6, 8x6),
   ASTC(8X8, 8x8),
   ASTC(10X5, 10x5),
   ASTC(10X6, 10x6),
   ASTC(10X8, 10x8),
   ASTC(10X10, 10x10),
   ASTC(12X10, 12x10),
   ASTC(12X12, 12x12),
};

static bool
open_context(void)
{
   const EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                              EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      return false;
   const EGLContext c =
      eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
   return c && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c);
}

static void
attach(GLuint program, GLenum stage, const char *text)
{
   const GLuint s = glCreateShader(stage);
   glShaderSource(s, 1, &text, NULL);
   glCompileShader(s);
   glAttachShader(program, s);
}

static void
make_program(void)
{
   GLint ok;
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER,
          "#version 130\n"
          "void main() {\n"
          "   gl_Position = vec4(gl_VertexID % 2 * 4 - 1,\n"
          "                      gl_VertexID / 2 * 4 - 1, 0, 1);\n"
          "}\n");
   attach(p, GL_FRAGMENT_SHADER,
          "#version 130\n"
          "uniform sampler2D s;\n"
          "out vec4 color;\n"
          "void main() {\n"
          "   color = texelFetch(s, ivec2(gl_FragCoord.xy), 0);\n"
          "}\n");
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok) {
      fprintf(stderr, "the program does not link\n");
      exit(1);
   }
   glUseProgram(p);
}

/* The texels of `blocks`; NULL: there is no such format. */
static float *
peer(const struct row *r, const uint8_t *blocks, int w, int h, size_t size_B)
{
   GLuint texture, target, fb;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glCompressedTexImage2D(GL_TEXTURE_2D, 0, r->gl, w, h, 0, (GLsizei)size_B,
                          blocks);
   if (glGetError()) {
      glDeleteTextures(1, &texture);
      return NULL;
   }
   float *texels = calloc((size_t)(w * h), 4 * sizeof(float));
   glGenRenderbuffers(1, &target);
   glBindRenderbuffer(GL_RENDERBUFFER, target);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, w, h);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, target);
   glViewport(0, 0, w, h);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, w, h, GL_RGBA, GL_FLOAT, texels);
   const GLenum error = glGetError();
   if (error) {
      fprintf(stderr, "OpenGL error 0x%x\n", error);
      exit(1);
   }
   glDeleteTextures(1, &texture);
   glDeleteRenderbuffers(1, &target);
   glDeleteFramebuffers(1, &fb);
   return texels;
}

static bool
close_enough(float a, float b, float tolerance)
{
   if (!isfinite(a) || !isfinite(b))
      return memcmp(&a, &b, 4) == 0 || (isnan(a) && isnan(b));
   /* Floats are relative where they are large. */
   return fabsf(a - b) <= tolerance * MAX2(fabsf(a), 1.0f);
}

/* How many blocks differ; prints the first few. */
static unsigned
compare(const struct row *r, const uint8_t *blocks, const float *theirs,
        int w, int h)
{
   const struct isl_format_layout *l = isl_format_get_layout(r->format);
   const unsigned block_B = l->bpb / 8;
   unsigned bad = 0;
   for (unsigned b = 0; b < (unsigned)(w / l->bw * (h / l->bh)); b++) {
      const uint8_t *block = blocks + b * block_B;
      bool differs = false;
      for (unsigned t = 0; t < (unsigned)(l->bw * l->bh) && !differs; t++) {
         const unsigned x = t % l->bw, y = t / l->bw;
         const unsigned px = b % COLUMNS * l->bw + x;
         const unsigned py = b / COLUMNS * l->bh + y;
         const float *want = theirs + 4 * (py * (unsigned)w + px);
         uint32_t words[4];
         float got[4];
         sim_format_unpack_block(r->format, block, x, y, words);
         memcpy(got, words, sizeof(got));
         if (r->opaque)
            got[3] = 1;
         for (unsigned c = 0; c < 4; c++)
            differs |= !close_enough(got[c], want[c], r->tolerance);
         if (!differs || bad >= 3)
            continue;
         printf("   block");
         for (unsigned i = 0; i < block_B; i++)
            printf(" %02x", block[i]);
         printf(" texel %u, %u: ours %g %g %g %g, theirs %g %g %g %g\n", x, y,
                (double)got[0], (double)got[1], (double)got[2],
                (double)got[3], (double)want[0], (double)want[1],
                (double)want[2], (double)want[3]);
      }
      bad += differs;
   }
   return bad;
}

/* What ASTC calls a void extent has only one legal form for us: a colour, and
 * no extent. Some are wanted, as random blocks have few. */
static void
make_legal(const struct isl_format_layout *l, uint8_t *block, unsigned index)
{
   if (l->txc != ISL_TXC_ASTC)
      return;
   if (index % 16 == 0) {
      block[0] = 0xfc;
      block[1] |= 1;
   }
   if (block[0] == 0xfc && block[1] & 1) {
      block[1] = 0xfd;
      memset(block + 2, 0xff, 6);
   }
}

/* Rows of golden_blocks.h: one texel each of blocks that are not
 * erroneous. */
static void
print_golden(const struct row *r, const uint8_t *blocks, const float *theirs,
             int w)
{
   const struct isl_format_layout *l = isl_format_get_layout(r->format);
   unsigned printed = 0;
   for (unsigned b = 0; printed < 6 && b < COLUMNS; b++) {
      const unsigned t = 7 * (b + 1) % (unsigned)(l->bw * l->bh);
      const unsigned x = t % l->bw, y = t / l->bw;
      const float *v = theirs + 4 * (y * (unsigned)w + b * l->bw + x);
      if (l->txc == ISL_TXC_ASTC && v[0] == 1 && v[1] == 0 && v[2] == 1)
         continue;
      printf("   { ISL_FORMAT_%s, \"", l->name);
      for (unsigned i = 0; i < l->bpb / 8u; i++)
         printf("%02x", blocks[b * l->bpb / 8 + i]);
      printf("\",\n     %u, %u, { %#.9gf, %#.9gf, %#.9gf, %#.9gf },\n"
             "     %#.3gf },\n",
             x, y, (double)v[0], (double)v[1], (double)v[2],
             r->opaque ? -1.0 : (double)v[3], (double)r->tolerance);
      printed++;
   }
}

int
main(int argc, char **argv)
{
   const int count = argc > 1 ? atoi(argv[1]) : 1024;
   const bool golden = argc > 3 && !strcmp(argv[3], "golden");
   srand(argc > 2 ? (unsigned)atoi(argv[2]) : 1);
   if (count < COLUMNS) {
      fprintf(stderr, "at least %u blocks\n", COLUMNS);
      return 1;
   }
   if (!open_context()) {
      fprintf(stderr, "no OpenGL context\n");
      return 1;
   }
   printf(golden ? "/* %s */\n" : "%s\n",
          (const char *)glGetString(GL_RENDERER));
   make_program();
   unsigned bad_formats = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct isl_format_layout *l =
         isl_format_get_layout(rows[i].format);
      const int w = COLUMNS * l->bw, h = count / COLUMNS * l->bh;
      const size_t size_B = (size_t)(count / COLUMNS * COLUMNS) *
                            (l->bpb / 8);
      uint8_t *blocks = malloc(size_B);
      for (size_t b = 0; b < size_B; b++)
         blocks[b] = (uint8_t)(rand() >> 8);
      for (unsigned b = 0; b < size_B / (l->bpb / 8u); b++)
         make_legal(l, blocks + b * (l->bpb / 8u), b);
      float *theirs = peer(&rows[i], blocks, w, h, size_B);
      if (!theirs) {
         printf("%s: not there\n", l->name);
      } else if (golden) {
         print_golden(&rows[i], blocks, theirs, w);
      } else {
         const unsigned bad = compare(&rows[i], blocks, theirs, w, h);
         printf("%s: %u of %u blocks differ\n", l->name, bad,
                (unsigned)(count / COLUMNS * COLUMNS));
         bad_formats += bad != 0;
      }
      free(theirs);
      free(blocks);
   }
   return bad_formats != 0;
}
