/* SPDX-License-Identifier: MIT */
/*
 * Scenes that are mostly texturing, by an ordinary OpenGL 3.3 program: what
 * `bin/saffron bench textures` measures. It draws without a window, reads the
 * last frame back, and prints the time of a frame and a hash of the picture;
 * or it draws a frame, does nothing for some seconds, and prints the CPU time
 * that all of its threads have taken meanwhile (`bin/saffron bench idle`).
 *
 * usage: textures {effect|desktop|terrain} FRAMES
 *        textures idle SECONDS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#define SIZE 400
#define TEXTURE 256

/* A filter of 5x5 texels over the whole picture; windows over each other,
 * blended; ground with four textures and mip levels. */
static const struct scene {
   const char *name;
   unsigned layers; /* rectangles, smaller and smaller */
   const char *colour;
} scenes[] = {
   { "effect", 1,
     "   vec4 sum = vec4(0.0);\n"
     "   for (int y = -2; y <= 2; y++)\n"
     "      for (int x = -2; x <= 2; x++)\n"
     "         sum += texture(image, place + vec2(x, y) / 256.0);\n"
     "   colour = sum / 25.0;\n" },
   { "desktop", 6, "   colour = vec4(texture(image, place).rgb, 0.5);\n" },
   { "terrain", 1,
     "   vec2 at = place * 8.0 / (0.15 + place.y);\n"
     "   vec4 a = texture(image, at), b = texture(image, at * 3.1);\n"
     "   vec4 c = texture(image, at * 0.37), d = texture(image, place);\n"
     "   colour = mix(mix(a, b, c.r), mix(b, c, d.g), d.b);\n" },
};

static void
fail(const char *what)
{
   fprintf(stderr, "textures: %s\n", what);
   exit(1);
}

static double
now_s(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
create_context(void)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
         "eglGetPlatformDisplayEXT");
   if (!get_platform_display)
      fail("this libEGL has no eglGetPlatformDisplayEXT");
   EGLDisplay display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA,
                                             EGL_DEFAULT_DISPLAY, NULL);
   static const EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
                                     EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE };
   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      fail("no driver for a surfaceless display");
   EGLContext context =
      eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("no OpenGL 3.3 context to be had");
}

static void
attach(GLuint program, GLenum stage, const char *head, const char *body,
       const char *tail)
{
   const char *const source[] = { "#version 330 core\n", head, body, tail };
   GLuint shader = glCreateShader(stage);
   glShaderSource(shader, 4, source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}

static GLuint
create_program(const struct scene *s)
{
   GLuint program = glCreateProgram();
   attach(program, GL_VERTEX_SHADER,
          "uniform vec4 box;\nout vec2 place;\nvoid main() {\n",
          "   place = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n",
          "   gl_Position = vec4(mix(box.xy, box.zw, place), 0.0, 1.0);\n"
          "}\n");
   attach(program, GL_FRAGMENT_SHADER,
          "uniform sampler2D image;\nin vec2 place;\nout vec4 colour;\n"
          "void main() {\n",
          s->colour, "}\n");
   glLinkProgram(program);
   GLint ok;
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok)
      fail("the program does not link");
   glUseProgram(program);
   return program;
}

static void
create_texture(void)
{
   static uint8_t texel[TEXTURE][TEXTURE][4];
   GLuint texture;
   for (unsigned y = 0; y < TEXTURE; y++) {
      for (unsigned x = 0; x < TEXTURE; x++) {
         texel[y][x][0] = (uint8_t)(x ^ y);
         texel[y][x][1] = (uint8_t)(x * y >> 4);
         texel[y][x][2] = (uint8_t)((x * x + y * y) >> 6);
         texel[y][x][3] = 255;
      }
   }
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE, TEXTURE, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, texel);
   glGenerateMipmap(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                   GL_LINEAR_MIPMAP_LINEAR);
}

static void
create_target(void)
{
   GLuint buffer, framebuffer, vao;
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, buffer);
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glViewport(0, 0, SIZE, SIZE);
}

static void
draw_frame(const struct scene *s, GLint box, unsigned frame)
{
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < s->layers; i++) {
      const float size = 1.0f - 0.1f * (float)i;
      const float shift = 0.02f * (float)(i * (frame % 8));
      glUniform4f(box, -size + shift, -size, size + shift, size);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   }
}

static double
cpu_s(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
be_idle(unsigned seconds)
{
   const struct timespec t = { .tv_sec = seconds };
   const double begin = cpu_s();
   nanosleep(&t, NULL);
   printf("idle: %.3f ms\n", 1e3 * (cpu_s() - begin));
}

static uint64_t
hash_picture(void)
{
   static uint8_t pixel[SIZE * SIZE * 4];
   uint64_t hash = 0xcbf29ce484222325;
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned i = 0; i < sizeof(pixel); i++)
      hash = (hash ^ pixel[i]) * 0x100000001b3;
   return hash;
}

int
main(int argc, char **argv)
{
   const bool idle = argc == 3 && !strcmp(argv[1], "idle");
   const struct scene *s = idle ? &scenes[0] : NULL;
   for (unsigned i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
      if (argc == 3 && !strcmp(argv[1], scenes[i].name))
         s = &scenes[i];
   }
   const unsigned frames = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
   if (!s || !frames) {
      fprintf(stderr, "usage: textures {effect|desktop|terrain} FRAMES\n"
                      "       textures idle SECONDS\n");
      return 2;
   }
   create_context();
   create_target();
   create_texture();
   const GLint box = glGetUniformLocation(create_program(s), "box");
   if (s->layers > 1) {
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   }
   draw_frame(s, box, 0);
   glFinish();
   if (idle) {
      be_idle(frames);
      return 0;
   }
   const double begin = now_s();
   for (unsigned i = 0; i < frames; i++) {
      draw_frame(s, box, i);
      glFinish();
   }
   printf("%s: %.3f ms a frame, picture %016llx\n", s->name,
          1e3 * (now_s() - begin) / frames,
          (unsigned long long)hash_picture());
   return 0;
}
