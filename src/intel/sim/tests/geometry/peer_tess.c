/* SPDX-License-Identifier: MIT */
/*
 * By hand: compares the simulator's tessellator with the one of whatever
 * OpenGL implementation is there, over random patches of every domain and
 * spacing. Evaluation shaders give their gl_TessCoord to transform feedback;
 * all points must be equal bit by bit, and all primitives as sets.
 *
 *    LIBGL_ALWAYS_SOFTWARE=1 \
 *       build/src/intel/sim/tests/peer_tess [TRIALS] [SEED]
 *
 * Mesa's software rasteriser follows the rules of Direct3D 11, as the
 * hardware does.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intel/genxml/gen9_pack.h"
#include "intel/sim/geometry/tessellator.h"
#include "util/macros.h"

/* One corner: its coordinates as fixed point. */
struct corner {
   uint32_t u, v;
};

struct prim {
   struct corner c[3];
};

static struct prim got[SIM_TESS_MAX_INDICES], want[SIM_TESS_MAX_INDICES];
static struct sim_tess tess;

static int
compare(const void *a, const void *b)
{
   return memcmp(a, b, sizeof(struct prim));
}

/* The same primitive looks the same: the least of its rotations. */
static void
sort_prims(struct prim *p, unsigned n, unsigned vertices)
{
   for (unsigned i = 0; i < n; i++) {
      const struct prim copy = p[i];
      for (unsigned first = 1; first < vertices; first++) {
         struct prim turned = copy;
         for (unsigned k = 0; k < vertices; k++)
            turned.c[k] = copy.c[(first + k) % vertices];
         if (compare(&turned, &p[i]) < 0)
            p[i] = turned;
      }
   }
   qsort(p, n, sizeof(*p), compare);
}

static bool
open_context(void)
{
   static const EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION,
                                     4,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     0,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE };
   const EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                              EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      return false;
   const EGLContext c =
      eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
   return c && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c);
}

/* Without a surface there must be something to draw to. */
static void
make_target(void)
{
   GLuint fb, rb;
   glGenFramebuffers(1, &fb);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, rb);
}

static void
attach(GLuint program, GLenum stage, const char *text)
{
   const GLuint s = glCreateShader(stage);
   glShaderSource(s, 1, &text, NULL);
   glCompileShader(s);
   glAttachShader(program, s);
}

static const char *const domains[] = { "quads", "triangles", "isolines" };
static const char *const spacings[] = { "equal_spacing",
                                        "fractional_odd_spacing",
                                        "fractional_even_spacing" };

static GLuint
make_program(unsigned domain, unsigned spacing, bool ccw, bool points)
{
   static const char *const varying = "coord";
   char text[500], log[1000];
   GLint ok;
   const GLuint p = glCreateProgram();
   snprintf(text, sizeof(text),
            "#version 400\n"
            "layout(%s, %s, %s%s) in;\n"
            "out vec3 coord;\n"
            "void main() { coord = gl_TessCoord; gl_Position = vec4(0); }\n",
            domains[domain], spacings[spacing], ccw ? "ccw" : "cw",
            points ? ", point_mode" : "");
   attach(p, GL_VERTEX_SHADER,
          "#version 400\nvoid main() { gl_Position = vec4(0); }\n");
   attach(p, GL_TESS_EVALUATION_SHADER, text);
   glTransformFeedbackVaryings(p, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(p);
   glGetProgramiv(p, GL_LINK_STATUS, &ok);
   if (!ok) {
      glGetProgramInfoLog(p, sizeof(log), NULL, log);
      fprintf(stderr, "%s\n%s\n", text, log);
      exit(1);
   }
   return p;
}

/* Draws one patch; the primitives go to got[]. */
static unsigned
peer(GLuint program, GLenum mode, unsigned vertices,
     const struct sim_tess_factors *f)
{
   GLuint query;
   GLuint n = 0;
   glUseProgram(program);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, f->outer);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, f->inner);
   glGenQueries(1, &query);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
   glBeginTransformFeedback(mode);
   glDrawArrays(GL_PATCHES, 0, 1);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   const GLenum error = glGetError();
   if (error) {
      fprintf(stderr, "OpenGL error 0x%x\n", error);
      exit(1);
   }
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &n);
   glDeleteQueries(1, &query);
   const float *data = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                                        (GLsizeiptr)(n * vertices * 12 + 12),
                                        GL_MAP_READ_BIT);
   memset(got, 0, n * sizeof(got[0]));
   for (unsigned i = 0; i < n * vertices; i++)
      got[i / vertices].c[i % vertices] =
         (struct corner) { (uint32_t)(data[3 * i] * SIM_TESS_ONE),
                           (uint32_t)(data[3 * i + 1] * SIM_TESS_ONE) };
   glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
   return n;
}

static unsigned
ours(const struct sim_tess_state *s, const struct sim_tess_factors *f)
{
   sim_tessellate(s, f, &tess);
   const unsigned n = tess.num_indices / tess.vertices;
   memset(want, 0, n * sizeof(want[0]));
   for (unsigned i = 0; i < tess.num_indices; i++) {
      const struct sim_tess_point p = tess.point[tess.index[i]];
      want[i / tess.vertices].c[i % tess.vertices] =
         (struct corner) { p.u, p.v };
   }
   return n;
}

static float
random_factor(void)
{
   static const float special[] = { 1,         2,         3,         63,
                                    64,        62.99999f, 63.00001f, 1.00001f,
                                    0.5f,      1.000001f, 1e-20f,    1000,
                                    2.000001f, 3.00002f,  1.5f };
   const unsigned kind = (unsigned)rand() % 10;
   if (kind == 0)
      return special[(unsigned)rand() % ARRAY_SIZE(special)];
   if (kind == 1)
      return (float)(1 + rand() % 64);
   if (kind < 6)
      return 7.0f * (float)drand48() + 0.5f;
   return 66.0f * (float)drand48();
}

/* What `p` has and `other` lacks; both are sorted. */
static void
print_prims(const char *who, const struct prim *p, unsigned n,
            const struct prim *other, unsigned m, unsigned vertices)
{
   unsigned printed = 0;
   for (unsigned i = 0, k = 0; i < n && printed < 20; i++) {
      while (k < m && compare(&other[k], &p[i]) < 0)
         k++;
      if (k < m && compare(&other[k], &p[i]) == 0)
         continue;
      printf("   %s:", who);
      for (unsigned c = 0; c < vertices; c++)
         printf(" (%05x %05x)", p[i].c[c].u, p[i].c[c].v);
      printf("\n");
      printed++;
   }
}

int
main(int argc, char **argv)
{
   const int trials = argc > 1 ? atoi(argv[1]) : 1000;
   const long seed = argc > 2 ? atol(argv[2]) : 1;
   GLuint program[3][3][2][2], vao, buffer;
   unsigned bad = 0, seen[3] = { 0 };
   if (!open_context()) {
      fprintf(stderr, "no OpenGL 4.0 context\n");
      return 1;
   }
   printf("%s\n", (const char *)glGetString(GL_RENDERER));
   make_target();
   srand((unsigned)seed);
   srand48(seed);
   for (unsigned i = 0; i < 36; i++)
      program[i % 3][i / 3 % 3][i / 9 % 2][i / 18] =
         make_program(i % 3, i / 3 % 3, i / 9 % 2, i / 18);
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, SIM_TESS_MAX_INDICES * 12, NULL,
                GL_STREAM_READ);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   glEnable(GL_RASTERIZER_DISCARD);

   for (int t = 0; t < trials; t++) {
      const unsigned d = (unsigned)rand() % 3, s = (unsigned)rand() % 3;
      const bool ccw = rand() & 1, points = rand() % 8 == 0;
      const unsigned vertices = points ? 1 : d == TE_DOMAIN_ISOLINE ? 2 : 3;
      const GLenum modes[] = { GL_POINTS, GL_LINES, GL_TRIANGLES };
      const bool same = rand() % 4 == 0;
      struct sim_tess_factors f;
      for (unsigned i = 0; i < 6; i++)
         (i < 4 ? f.outer : f.inner - 4)[i] = i && same ? f.outer[0]
                                                        : random_factor();
      const struct sim_tess_state state = {
         .domain = d,
         .partitioning = s,
         /* Clockwise is meant with v pointing downwards. */
         .topology = points                   ? OUTPUT_POINT
                     : d == TE_DOMAIN_ISOLINE ? OUTPUT_LINE
                     : ccw                    ? OUTPUT_TRI_CW
                                              : OUTPUT_TRI_CCW,
         .max_odd = 63,
         .max_not_odd = 64,
      };
      const unsigned n =
         peer(program[d][s][ccw][points], modes[vertices - 1], vertices, &f);
      const unsigned m = ours(&state, &f);
      sort_prims(got, n, vertices);
      sort_prims(want, m, vertices);
      seen[d]++;
      if (n == m && memcmp(got, want, n * sizeof(got[0])) == 0)
         continue;
      printf("%s, %s%s: outer %.9g %.9g %.9g %.9g inner %.9g %.9g: ours %u, "
             "theirs %u\n",
             domains[d], spacings[s], points ? ", points" : "",
             (double)f.outer[0], (double)f.outer[1], (double)f.outer[2],
             (double)f.outer[3], (double)f.inner[0], (double)f.inner[1], m,
             n);
      print_prims("ours", want, m, got, n, vertices);
      print_prims("theirs", got, n, want, m, vertices);
      bad++;
   }
   printf("quads %u, triangles %u, isolines %u: %u differ\n", seen[0],
          seen[1], seen[2], bad);
   return bad != 0;
}
