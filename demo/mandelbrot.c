/* SPDX-License-Identifier: MIT */
/*
 * A deep zoom into the Mandelbrot set, by an ordinary OpenGL 3.3 program.
 *
 * It knows nothing of Saffron: it links libEGL and libOpenGL, asks for a
 * surfaceless core context, draws one quad with a fragment shader that
 * iterates z^2 + c in `float` or in `double`, and writes a binary PPM. At
 * this zoom one pixel is about a twentieth of a float's unit in the last
 * place, so float shows blocks where double shows the set.
 *
 * usage: mandelbrot {float|double} WIDTH HEIGHT FILE.ppm
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

/* A mini-brot's neighbourhood in the seahorse valley, and the picture's
 * width in the complex plane. */
static const double centre[2] = { -0.7436447, 0.1318267 };
static const double extent = 1.6e-6;
static const int max_iterations = 800;

/* Rows drawn per call, so that progress can be shown. */
#define BAND_ROWS 32

static const char vertex_source[] =
   "#version 330 core\n"
   "in vec2 corner;\n"
   "out vec2 place;\n"
   "void main() {\n"
   "   place = corner;\n"
   "   gl_Position = vec4(corner, 0.0, 1.0);\n"
   "}\n";

/* REAL, REAL2 stand for float, vec2 or double, dvec2. */
static const char fragment_source[] =
   "uniform REAL2 centre;\n"
   "uniform REAL2 half_extent;\n"
   "uniform int max_iterations;\n"
   "in vec2 place;\n"
   "out vec4 colour;\n"
   "void main() {\n"
   "   REAL2 c = centre + half_extent * REAL2(place);\n"
   "   REAL2 z = REAL2(0.0);\n"
   "   REAL2 z2 = REAL2(0.0);\n"
   "   int n = 0;\n"
   "   while (n < max_iterations && z2.x + z2.y <= REAL(16.0)) {\n"
   "      z = REAL2(z2.x - z2.y, REAL(2.0) * z.x * z.y) + c;\n"
   "      z2 = z * z;\n"
   "      n++;\n"
   "   }\n"
   "   if (n >= max_iterations) {\n"
   "      colour = vec4(0.0, 0.0, 0.0, 1.0);\n"
   "      return;\n"
   "   }\n"
   "   float m = float(n) + 1.0 - log2(0.5 * log2(float(z2.x + z2.y)));\n"
   "   float t = 0.045 * m;\n"
   "   vec3 wave = 0.5 - 0.5 * cos(vec3(t, t + 0.6, t + 1.2));\n"
   "   colour = vec4(wave, 1.0);\n"
   "}\n";

static void
fail(const char *what)
{
   fprintf(stderr, "mandelbrot: %s\n", what);
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
   if (!eglInitialize(display, NULL, NULL))
      fail("eglInitialize failed: no driver for a surfaceless display");
   if (!eglBindAPI(EGL_OPENGL_API))
      fail("this EGL has no desktop OpenGL");

   static const EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE };
   EGLContext context =
      eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
   if (context == EGL_NO_CONTEXT)
      fail("no OpenGL 3.3 core context to be had");
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("eglMakeCurrent failed");
}

static GLuint
compile(GLenum stage, unsigned count, const char *const *sources)
{
   GLuint shader = glCreateShader(stage);
   glShaderSource(shader, (GLsizei)count, sources, NULL);
   glCompileShader(shader);
   GLint ok;
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[4096];
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail(log);
   }
   return shader;
}

static GLuint
create_program(bool use_double)
{
   const char *const vs[] = { vertex_source };
   const char *const fs[] = {
      "#version 330 core\n",
      use_double ? "#extension GL_ARB_gpu_shader_fp64 : require\n"
                   "#define REAL double\n#define REAL2 dvec2\n"
                 : "#define REAL float\n#define REAL2 vec2\n",
      fragment_source
   };

   GLuint program = glCreateProgram();
   glAttachShader(program, compile(GL_VERTEX_SHADER, 1, vs));
   glAttachShader(program, compile(GL_FRAGMENT_SHADER, 3, fs));
   glBindAttribLocation(program, 0, "corner");
   glLinkProgram(program);
   GLint ok;
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      char log[4096];
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fail(log);
   }
   return program;
}

static void
set_uniforms(GLuint program, bool use_double, int width, int height)
{
   const double half[2] = { extent / 2, extent / 2 * height / width };
   const GLint c = glGetUniformLocation(program, "centre");
   const GLint h = glGetUniformLocation(program, "half_extent");

   glUseProgram(program);
   if (use_double) {
      PFNGLUNIFORM2DPROC uniform2d =
         (PFNGLUNIFORM2DPROC)eglGetProcAddress("glUniform2d");
      if (!uniform2d)
         fail("glUniform2d is missing");
      uniform2d(c, centre[0], centre[1]);
      uniform2d(h, half[0], half[1]);
   } else {
      glUniform2f(c, (float)centre[0], (float)centre[1]);
      glUniform2f(h, (float)half[0], (float)half[1]);
   }
   glUniform1i(glGetUniformLocation(program, "max_iterations"),
               max_iterations);
}

static void
create_target(int width, int height)
{
   GLuint fbo, rb, vao, vbo;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, rb);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("the framebuffer is incomplete");

   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glGenBuffers(1, &vbo);
   glBindBuffer(GL_ARRAY_BUFFER, vbo);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glViewport(0, 0, width, height);
}

static void
draw(int width, int height)
{
   const bool progress = getenv("SAFFRON_PROGRESS") != NULL;
   glEnable(GL_SCISSOR_TEST);
   for (int y = 0; y < height; y += BAND_ROWS) {
      glScissor(0, y, width, BAND_ROWS);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glFinish();
      if (progress) {
         const int done = y + BAND_ROWS < height ? y + BAND_ROWS : height;
         fprintf(stderr, "\r  %3d %%", 100 * done / height);
      }
   }
   if (progress)
      fprintf(stderr, "\r       \r");
}

static void
write_ppm(const char *name, int width, int height)
{
   unsigned char *pixels = malloc((size_t)width * (size_t)height * 4);
   if (!pixels)
      fail("out of memory");
   glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);

   FILE *f = fopen(name, "wb");
   if (!f) {
      fprintf(stderr, "mandelbrot: %s: %s\n", name, strerror(errno));
      exit(1);
   }
   fprintf(f, "P6\n%d %d\n255\n", width, height);
   for (int y = height - 1; y >= 0; y--) {
      for (int x = 0; x < width; x++)
         fwrite(pixels + 4 * ((size_t)y * (size_t)width + (size_t)x), 1, 3,
                f);
   }
   if (fclose(f) != 0) {
      fprintf(stderr, "mandelbrot: %s: %s\n", name, strerror(errno));
      exit(1);
   }
   free(pixels);
}

int
main(int argc, char **argv)
{
   const bool known = argc == 5 && (strcmp(argv[1], "float") == 0 ||
                                    strcmp(argv[1], "double") == 0);
   const int width = known ? atoi(argv[2]) : 0;
   const int height = known ? atoi(argv[3]) : 0;
   if (width < 1 || height < 1 || width > 16384 || height > 16384) {
      fprintf(stderr,
              "usage: mandelbrot {float|double} WIDTH HEIGHT FILE.ppm\n");
      return 2;
   }
   const bool use_double = argv[1][0] == 'd';

   create_context();
   create_target(width, height);
   set_uniforms(create_program(use_double), use_double, width, height);

   const double start = now_s();
   draw(width, height);
   const double seconds = now_s() - start;
   write_ppm(argv[4], width, height);
   if (glGetError() != GL_NO_ERROR)
      fail("OpenGL reported an error");

   printf("GL_RENDERER  %s\n", (const char *)glGetString(GL_RENDERER));
   printf("GL_VERSION   %s\n", (const char *)glGetString(GL_VERSION));
   printf("precision    %s\n", argv[1]);
   printf("size         %d x %d\n", width, height);
   printf("seconds      %.2f\n", seconds);
   return 0;
}
