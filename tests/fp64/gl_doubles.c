/* SPDX-License-Identifier: MIT */
/*
 * Every function of doubles in GLSL 4.60 as an OpenGL program gets it:
 * through libEGL's compiler and the driver behind it, in each stage, in
 * scalars and vectors, plain and `precise`, compared with the host's results.
 *
 * A program of OpenGL, which must not know what runs it, with the references
 * of fp64_ops.c. Functions go together in programs of a few, with storage
 * buffers for operands and results; without --all one width and one of plain
 * and `precise` for each function and stage, all of them in turn.
 *
 * usage: gl_doubles [--trials=N] [--all] [WORD...]: N operands of each
 * function in each stage (3072); words choose rows by their names. Prints
 * the version of OpenGL and the renderer, then a line for each function:
 * name, samples, wrong ones, the largest error in units of the last place,
 * plain, then precise. Exit codes: 0, 1 if any is wrong, 77 without OpenGL
 * 4.6.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_builtins.h"
#include "operands.h"
#include "util/half.h"

#define COUNT 3072 /* operands of a program: a multiple of 1 to 4 */
#define TOGETHER 8 /* functions in a program */
#define GRID 64    /* fragments in a row */
#define MAX_REPORTS 4
#define NEAR_ULP 8.0 /* of the largest term */

struct tally {
   uint64_t samples, wrong;
   double max_ulp;
};

static struct tally tallies[128][2]; /* plain, precise */
static uint64_t in[COUNT][GL_OPERANDS];
static uint64_t out[TOGETHER][COUNT];
static GLuint in_buffer, out_buffer;

static void
skip(const char *why)
{
   printf("%s\n", why);
   exit(77);
}

/* ---- operands ---- */

static uint64_t
operand(const struct gl_builtin *f, unsigned which, uint64_t other)
{
   const enum fp64_kind kind = which < 3 ? FP64_DOUBLE : FP64_INT32;
   uint64_t v =
      fp64_random() % 2
         ? fp64_random_value(kind, other)
         : fp64_special_value(
              kind, (unsigned)(fp64_random() % fp64_num_specials(kind)));
   if (f->domain == GL_TAME && which < 3)
      v = (v & 0x800fffffffffffff) | (1003 + fp64_random() % 40) << 52;
   return v;
}

static void
fill_operands(const struct gl_builtin *f)
{
   for (unsigned i = 0; i < COUNT; i++) {
      for (unsigned k = 0; k < GL_OPERANDS; k++)
         in[i][k] = operand(f, k, k ? in[i][k - 1] : fp64_random());
      /* Some of fma's cancel. */
      if (i % 4 == 0)
         in[i][2] = util_double_bits(
            -(util_bits_double(in[i][0]) * util_bits_double(in[i][1])));
   }
}

/* ---- shaders ---- */

static const struct {
   const char *name;
   GLenum stage;
   const char *head, *index;
} stages[] = {
   { "compute", GL_COMPUTE_SHADER, "layout(local_size_x = 64) in;\n",
     "int(gl_GlobalInvocationID.x)" },
   { "vertex", GL_VERTEX_SHADER, "", "gl_VertexID" },
   { "control", GL_TESS_CONTROL_SHADER, "layout(vertices = 1) out;\n",
     "gl_PrimitiveID" },
   { "evaluation", GL_TESS_EVALUATION_SHADER,
     "layout(isolines, point_mode) in;\n", "gl_PrimitiveID" },
   { "geometry", GL_GEOMETRY_SHADER,
     "layout(points) in;\nlayout(points, max_vertices = 1) out;\n",
     "gl_PrimitiveIDIn" },
   { "fragment", GL_FRAGMENT_SHADER, "",
     "int(gl_FragCoord.y) * 64 + int(gl_FragCoord.x)" },
};

static const char *const version = "#version 460 core\n";

/* What stands around the one under test. */
static const struct {
   GLenum stage;
   const char *text;
} others[] = {
   { GL_VERTEX_SHADER,
     "void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, "
     "gl_VertexID / 2 * 4 - 1, 0, 1); }\n" },
   { GL_TESS_CONTROL_SHADER,
     "layout(vertices = 1) out;\n"
     "void main() { gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0; }\n" },
   { GL_TESS_EVALUATION_SHADER,
     "layout(isolines, point_mode) in;\n"
     "void main() { gl_Position = vec4(0, 0, 0, 1); }\n" },
};

struct text {
   char *at;
   size_t left;
};

static void __attribute__((format(printf, 2, 3)))
say(struct text *t, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   const int n = vsnprintf(t->at, t->left, fmt, ap);
   va_end(ap);
   if (n < 0 || (size_t)n >= t->left)
      abort();
   t->at += n;
   t->left -= (size_t)n;
}

/* Types and operators for vectors of so many components. */
static void
say_types(struct text *t, unsigned width)
{
   static const char *const kinds = "TIUBF";
   static const char *const scalars[] = { "double", "int", "uint", "bool",
                                          "float" };
   static const char *const vectors[] = { "dvec", "ivec", "uvec", "bvec",
                                          "vec" };
   for (unsigned i = 0; i < 5; i++) {
      if (width == 1)
         say(t, "#define %c %s\n", kinds[i], scalars[i]);
      else
         say(t, "#define %c %s%u\n", kinds[i], vectors[i], width);
   }
   say(t, width == 1
             ? "#define LESS(a, b) ((a) < (b))\n"
               "#define LESS_EQUAL(a, b) ((a) <= (b))\n"
               "#define EQUAL(a, b) ((a) == (b))\n"
               "#define NOT_EQUAL(a, b) ((a) != (b))\n"
             : "#define LESS lessThan\n#define LESS_EQUAL lessThanEqual\n"
               "#define EQUAL equal\n#define NOT_EQUAL notEqual\n");
   say(t, "#define FLOAT_BITS(a) intBitsToFloat(a)\n");
}

/* Results are stored as doubles: whoever takes a double apart may be given
 * what the front end has not put together. */
static void
say_result(struct text *t, const struct gl_builtin *f, unsigned slot,
           unsigned width)
{
   static const char *const format[] = {
      ['T'] = "%s",
      ['I'] = "packDouble2x32(uvec2(uint(%s), 0u))",
      ['U'] = "packDouble2x32(uvec2(%s, 0u))",
      ['B'] = "packDouble2x32(uvec2(uint(%s), 0u))",
      ['F'] = "packDouble2x32(uvec2(floatBitsToUint(%s), 0u))",
   };
   for (unsigned c = 0; c < width; c++) {
      char value[16];
      snprintf(value, sizeof(value), width == 1 ? "r" : "r[%u]", c);
      say(t, "results[%u + i * %u + %u] = ", slot * COUNT, width, c);
      say(t, format[(unsigned char)f->type], value);
      say(t, ";\n");
   }
}

static void
say_operand(struct text *t, const char *name, const char *type,
            const char *value, unsigned width)
{
   say(t, "%s %s = %s(", type, name, type);
   for (unsigned c = 0; c < width; c++) {
      say(t, c ? ", " : "");
      say(t, value, width, c);
   }
   say(t, ");\n");
}

/* `which[slot]`: numbers of the functions. */
static void
say_shader(struct text *t, unsigned stage, unsigned width, bool precise,
           const unsigned *which, unsigned count)
{
   say(t, "%s%s", version, stages[stage].head);
   say_types(t, width);
   say(t,
       "struct operands { double x, y, z; int e, unused; };\n"
       "layout(std430, binding = 0) readonly buffer In { operands s[]; };\n"
       "layout(std430, binding = 1) writeonly buffer Out "
       "{ double results[]; };\n"
       "void main() {\n"
       "const int i = %s;\nif (i >= %u) return;\n",
       stages[stage].index, COUNT / width);
   say_operand(t, "x", "T", "s[i * %u + %u].x", width);
   say_operand(t, "y", "T", "s[i * %u + %u].y", width);
   say_operand(t, "z", "T", "s[i * %u + %u].z", width);
   say_operand(t, "e", "I", "s[i * %u + %u].e", width);
   for (unsigned slot = 0; slot < count; slot++) {
      const struct gl_builtin *f = &gl_builtins[which[slot]];
      say(t, "{ %s %c r;\n%s\n", precise ? "precise" : "", f->type, f->code);
      say_result(t, f, slot, width);
      say(t, "}\n");
   }
   if (stages[stage].stage == GL_TESS_CONTROL_SHADER)
      say(t, "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 0.0;\n");
   say(t, "}\n");
}

static void
attach(GLuint program, GLenum stage, const char *head, const char *source)
{
   char log[2000] = "";
   GLint ok = 0;
   const GLuint shader = glCreateShader(stage);
   const char *const parts[] = { head, source };
   glShaderSource(shader, 2, parts, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fprintf(stderr, "%s\n%s\n", source, log);
      exit(1);
   }
   glAttachShader(program, shader);
   glDeleteShader(shader);
}

static GLuint
link_program(unsigned stage, const char *source)
{
   const GLenum kind = stages[stage].stage;
   const bool tessellates = kind == GL_TESS_CONTROL_SHADER ||
                            kind == GL_TESS_EVALUATION_SHADER;
   GLint ok = 0;
   const GLuint program = glCreateProgram();
   attach(program, kind, "", source);
   if (kind != GL_COMPUTE_SHADER) {
      for (unsigned i = 0; i < ARRAY_SIZE(others); i++) {
         if (others[i].stage != kind && (i == 0 || tessellates))
            attach(program, others[i].stage, version, others[i].text);
      }
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      fprintf(stderr, "%s: does not link\n", stages[stage].name);
      exit(1);
   }
   return program;
}

static void
run_program(unsigned stage, GLuint program, unsigned invocations)
{
   const GLenum kind = stages[stage].stage;
   glUseProgram(program);
   if (kind == GL_COMPUTE_SHADER) {
      glDispatchCompute((invocations + 63) / 64, 1, 1);
   } else if (kind == GL_FRAGMENT_SHADER) {
      glDrawArrays(GL_TRIANGLES, 0, 3);
   } else {
      glEnable(GL_RASTERIZER_DISCARD);
      glDrawArrays(kind == GL_VERTEX_SHADER || kind == GL_GEOMETRY_SHADER
                      ? GL_POINTS
                      : GL_PATCHES,
                   0, (GLsizei)invocations);
      glDisable(GL_RASTERIZER_DISCARD);
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
}

/* ---- judging ---- */

static bool
is_nan(char type, uint64_t v)
{
   return type == 'T'   ? isnan(util_bits_double(v))
          : type == 'F' ? isnan(util_bits_float((uint32_t)v))
                        : false;
}

static double
ulp_of(double x)
{
   int e;
   (void)frexp(x, &e);
   return ldexp(1.0, e - 53);
}

static void
judge(unsigned stage, unsigned row, unsigned width, bool precise, unsigned i,
      uint64_t got)
{
   const struct gl_builtin *f = &gl_builtins[row];
   struct tally *t = &tallies[row][precise];
   const unsigned first = i / width * width;
   uint64_t want;
   double scale = 0.0, ulp = 0.0;

   if (!f->reference(&in[first], width, i - first, precise, &want, &scale))
      return;
   t->samples++;
   bool right = got == want ||
                (is_nan(f->type, got) && is_nan(f->type, want)) ||
                (f->also_right && f->also_right(in[i], got));
   if (!right && f->judge == GL_NEAR) {
      ulp = fabs(util_bits_double(got) - util_bits_double(want)) /
            ulp_of(scale);
      right = ulp <= NEAR_ULP;
   }
   t->max_ulp = fmax(t->max_ulp, ulp);
   if (right)
      return;
   if (t->wrong++ < MAX_REPORTS)
      fprintf(stderr,
              "%s%s in %s, width %u: x 0x%" PRIx64 " y 0x%" PRIx64
              " z 0x%" PRIx64 " e %d: 0x%" PRIx64 ", expected 0x%" PRIx64
              "\n",
              precise ? "precise " : "", f->code, stages[stage].name, width,
              in[i][0], in[i][1], in[i][2], (int)in[i][3], got, want);
}

static void
run_some(unsigned stage, unsigned width, bool precise, const unsigned *which,
         unsigned count, unsigned rounds)
{
   static char source[1 << 16];
   struct text t = { source, sizeof(source) };
   say_shader(&t, stage, width, precise, which, count);
   const GLuint program = link_program(stage, source);
   for (unsigned round = 0; round < rounds; round++) {
      fill_operands(&gl_builtins[which[0]]);
      glNamedBufferSubData(in_buffer, 0, sizeof(in), in);
      glClearNamedBufferData(out_buffer, GL_R32UI, GL_RED_INTEGER,
                             GL_UNSIGNED_INT, &(GLuint) { 0xcdcdcdcd });
      run_program(stage, program, COUNT / width);
      glGetNamedBufferSubData(out_buffer, 0, sizeof(out), out);
      for (unsigned slot = 0; slot < count; slot++) {
         for (unsigned i = 0; i < COUNT; i++)
            judge(stage, which[slot], width, precise, i, out[slot][i]);
      }
   }
   glDeleteProgram(program);
}

/* ---- the walk ---- */

static bool
is_chosen(const struct gl_builtin *f, int argc, char **argv)
{
   bool any = false;
   for (int i = 1; i < argc; i++) {
      any |= argv[i][0] != '-';
      if (argv[i][0] != '-' && strstr(f->name, argv[i]))
         return true;
   }
   return !any;
}

/* Which of widths 1 to 4, plain and precise, by turns. */
static bool
has_its_turn(unsigned row, unsigned stage, unsigned width, bool precise)
{
   const struct gl_builtin *f = &gl_builtins[row];
   const unsigned n = row + stage;
   if (f->width ? width != f->width : width != 1 + n / 2 % 4)
      return false;
   return precise == (bool)(n % 2);
}

static void
walk(unsigned stage, bool all, unsigned rounds, int argc, char **argv)
{
   for (unsigned v = 0; v < 16; v++) {
      const unsigned width = 1 + v / 4;
      const bool precise = v & 1;
      const enum gl_domain tame = v & 2 ? GL_TAME : GL_ALL;
      unsigned which[TOGETHER], count = 0;
      for (unsigned row = 0; row < gl_num_builtins; row++) {
         const struct gl_builtin *f = &gl_builtins[row];
         if (f->domain != tame || (f->width && f->width != width) ||
             !is_chosen(f, argc, argv) ||
             !(all || has_its_turn(row, stage, width, precise)))
            continue;
         which[count++] = row;
         if (count == TOGETHER) {
            run_some(stage, width, precise, which, count, rounds);
            count = 0;
         }
      }
      if (count)
         run_some(stage, width, precise, which, count, rounds);
   }
}

static void
make_context(void)
{
   const EGLint attribs[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      4,
      EGL_CONTEXT_MINOR_VERSION,
      6,
      EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
      EGL_NONE,
   };
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
         "eglGetPlatformDisplayEXT");
   EGLDisplay display = get_display
                           ? get_display(EGL_PLATFORM_SURFACELESS_MESA,
                                         EGL_DEFAULT_DISPLAY, NULL)
                           : EGL_NO_DISPLAY;
   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      skip("no surfaceless display with OpenGL");
   EGLContext context =
      eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      skip("no OpenGL 4.6");
}

/* Buffers, and a target of as many pixels as there are invocations. */
static void
make_objects(void)
{
   GLuint vao, fbo;
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glCreateFramebuffers(1, &fbo);
   glNamedFramebufferParameteri(fbo, GL_FRAMEBUFFER_DEFAULT_WIDTH, GRID);
   glNamedFramebufferParameteri(fbo, GL_FRAMEBUFFER_DEFAULT_HEIGHT,
                                COUNT / GRID);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glViewport(0, 0, GRID, COUNT / GRID);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   glCreateBuffers(1, &in_buffer);
   glCreateBuffers(1, &out_buffer);
   glNamedBufferStorage(in_buffer, sizeof(in), NULL, GL_DYNAMIC_STORAGE_BIT);
   glNamedBufferStorage(out_buffer, sizeof(out), NULL,
                        GL_DYNAMIC_STORAGE_BIT);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in_buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out_buffer);
}

/* Rows of one name are one function. */
static uint64_t
report(void)
{
   uint64_t bad = 0;
   for (unsigned row = 0; row < gl_num_builtins; row++) {
      const char *name = gl_builtins[row].name;
      if (row && !strcmp(name, gl_builtins[row - 1].name))
         continue;
      struct tally sum[2] = { { 0 } };
      for (unsigned n = row;
           n < gl_num_builtins && !strcmp(name, gl_builtins[n].name); n++) {
         for (unsigned p = 0; p < 2; p++) {
            sum[p].samples += tallies[n][p].samples;
            sum[p].wrong += tallies[n][p].wrong;
            sum[p].max_ulp = fmax(sum[p].max_ulp, tallies[n][p].max_ulp);
         }
      }
      for (unsigned p = 0; p < 2; p++)
         bad += sum[p].wrong;
      if (sum[0].samples + sum[1].samples)
         printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%.2g\t%" PRIu64 "\t%" PRIu64
                "\t%.2g\n",
                name, sum[0].samples, sum[0].wrong, sum[0].max_ulp,
                sum[1].samples, sum[1].wrong, sum[1].max_ulp);
   }
   return bad;
}

int
main(int argc, char **argv)
{
   unsigned rounds = 1;
   bool all = false;
   for (int i = 1; i < argc; i++) {
      all |= !strcmp(argv[i], "--all");
      if (!strncmp(argv[i], "--trials=", 9))
         rounds =
            (unsigned)((strtoul(argv[i] + 9, NULL, 10) + COUNT - 1) / COUNT);
   }
   assert(gl_num_builtins <= ARRAY_SIZE(tallies));
   fp64_set_seed(FP64_SEED);
   make_context();
   printf("%s\t%s\n", (const char *)glGetString(GL_VERSION),
          (const char *)glGetString(GL_RENDERER));
   make_objects();
   for (unsigned stage = 0; stage < ARRAY_SIZE(stages); stage++)
      walk(stage, all, rounds, argc, argv);
   return report() ? 1 : 0;
}
