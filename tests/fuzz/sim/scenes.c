/* SPDX-License-Identifier: MIT */
/*
 * Small OpenGL programs, whose batches are what fuzz_sim damages: a few
 * vertices on 16x16 pixels, and a flush after each draw, so that there are
 * many small batches and not a few large ones. Together they reach what a
 * driver can ask of the GPU. What they draw is not looked at.
 *
 *    scenes            the names
 *    scenes NAME       draws one
 *
 * Exits with 77 where OpenGL has not what the scene needs.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define SIZE 16
#define SKIPPED 77

static int version; /* 42 and so on */

static bool
open_context(void)
{
   static const int versions[] = { 46, 45, 42, 33 };
   const EGLDisplay d = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                              EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(versions); i++) {
      const EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION,
                                 versions[i] / 10,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 versions[i] % 10,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE };
      const EGLContext c =
         eglCreateContext(d, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
      version = versions[i];
      if (c && eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, c))
         return true;
   }
   return false;
}

static void
need(bool there)
{
   if (!there)
      exit(SKIPPED);
}

static bool
has(const char *extension)
{
   GLint n = 0;
   glGetIntegerv(GL_NUM_EXTENSIONS, &n);
   for (GLint i = 0; i < n; i++) {
      if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i),
                 extension) == 0)
         return true;
   }
   return false;
}

/* Programs: the texts start after the version and the extensions. */

static void
attach(GLuint program, GLenum stage, const char *text)
{
   /* clang-format off */
   static const char *const extensions[] = {
      "GL_ARB_gpu_shader5", "GL_ARB_gpu_shader_fp64",
      "GL_ARB_tessellation_shader", "GL_ARB_compute_shader",
      "GL_ARB_shader_storage_buffer_object", "GL_ARB_cull_distance",
      "GL_ARB_shader_image_load_store", "GL_ARB_vertex_attrib_64bit",
      "GL_ARB_viewport_array", "GL_ARB_shading_language_420pack",
      "GL_ARB_shader_draw_parameters", "GL_ARB_texture_gather",
      "GL_ARB_texture_cube_map_array", "GL_ARB_texture_query_lod",
      "GL_ARB_sample_shading", "GL_ARB_arrays_of_arrays",
      "GL_ARB_shader_image_size",
   };
   /* clang-format on */
   char head[2000] = "";
   unsigned n = 0;
   n += (unsigned)snprintf(head, sizeof(head), "#version %s\n",
                           version >= 43   ? "430"
                           : version >= 42 ? "420"
                                           : "330");
   for (unsigned i = 0; i < ARRAY_SIZE(extensions); i++) {
      if (has(extensions[i]))
         n += (unsigned)snprintf(head + n, sizeof(head) - n,
                                 "#extension %s : enable\n", extensions[i]);
   }
   const char *const parts[] = { head, text };
   const GLuint s = glCreateShader(stage);
   glShaderSource(s, 2, parts, NULL);
   glCompileShader(s);
   glAttachShader(program, s);
}

static void
link_program(GLuint program)
{
   GLint ok = 0;
   char log[2000];
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      GLuint shaders[8];
      GLsizei n = 0;
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fprintf(stderr, "%s\n", log);
      glGetAttachedShaders(program, 8, &n, shaders);
      for (GLsizei i = 0; i < n; i++) {
         glGetShaderInfoLog(shaders[i], sizeof(log), NULL, log);
         fprintf(stderr, "%s\n", log);
      }
      exit(SKIPPED);
   }
   glUseProgram(program);
}

static GLuint
make_program(const char *vs, const char *fs)
{
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, vs);
   attach(p, GL_FRAGMENT_SHADER, fs);
   link_program(p);
   return p;
}

static GLuint
make_compute(const char *text)
{
   const GLuint p = glCreateProgram();
   attach(p, GL_COMPUTE_SHADER, text);
   link_program(p);
   return p;
}

#define VS_PLAIN                                                             \
   "layout(location = 0) in vec4 pos;\n"                                     \
   "out vec4 v;\n"                                                           \
   "void main() { gl_Position = pos; v = pos * 0.5 + 0.5; }\n"

#define FS_PLAIN                                                             \
   "in vec4 v;\n"                                                            \
   "layout(location = 0) out vec4 color;\n"                                  \
   "void main() { color = v; }\n"

/* Targets and vertices */

static GLuint
make_texture(GLenum target, GLenum format, GLsizei levels)
{
   GLuint t;
   glGenTextures(1, &t);
   glBindTexture(target, t);
   switch (target) {
   case GL_TEXTURE_1D: glTexStorage1D(target, levels, format, SIZE); break;
   case GL_TEXTURE_3D:
   case GL_TEXTURE_2D_ARRAY:
      glTexStorage3D(target, levels, format, SIZE, SIZE, 4);
      break;
   case GL_TEXTURE_CUBE_MAP_ARRAY:
      glTexStorage3D(target, levels, format, SIZE, SIZE, 12);
      break;
   default: glTexStorage2D(target, levels, format, SIZE, SIZE); break;
   }
   return t;
}

static GLuint
make_framebuffer(GLenum color, GLenum depth, GLsizei samples)
{
   GLuint fb, rb[2];
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenRenderbuffers(2, rb);
   for (unsigned i = 0; i < 2; i++) {
      const GLenum format = i ? depth : color;
      if (!format)
         continue;
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, SIZE,
                                       SIZE);
      const bool stencil = format == GL_DEPTH24_STENCIL8 ||
                           format == GL_DEPTH32F_STENCIL8;
      glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                                !i        ? GL_COLOR_ATTACHMENT0
                                : stencil ? GL_DEPTH_STENCIL_ATTACHMENT
                                          : GL_DEPTH_ATTACHMENT,
                                GL_RENDERBUFFER, rb[i]);
   }
   glViewport(0, 0, SIZE, SIZE);
   return fb;
}

static void
make_vertices(void)
{
   static const float v[][4] = {
      { -0.9f, -0.8f, 0.2f, 1 },    { 0.8f, -0.9f, 0.5f, 1 },
      { -0.7f, 0.9f, -0.5f, 1 },    { 0.9f, 0.8f, 0.9f, 1.5f },
      { 0.1f, 1.7f, 0.4f, 1.2f },   { 0.5f, -0.3f, 0.1f, 1 },
      { -1.6f, 0.3f, -0.2f, 1.3f }, { 0.2f, 0.2f, 0.3f, 1 },
   };
   GLuint vao, buffer;
   glGenVertexArrays(1, &vao);
   glBindVertexArray(vao);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
   glEnableVertexAttribArray(0);
}

static GLuint
make_buffer(GLenum target, GLsizeiptr size_B, const void *data)
{
   GLuint b;
   glGenBuffers(1, &b);
   glBindBuffer(target, b);
   glBufferData(target, size_B, data, GL_DYNAMIC_COPY);
   return b;
}

static void
start(void)
{
   make_framebuffer(GL_RGBA8, GL_DEPTH24_STENCIL8, 0);
   make_vertices();
}

static void
draw(GLenum mode, GLsizei count)
{
   glDrawArrays(mode, 0, count);
   glFlush();
}

/* Waits for what was drawn. glFinish() does not: over zink 22.3 it was seen
 * to return without a wait of Vulkan's, before the batch was submitted. */
static void
read_back(void)
{
   uint8_t pixels[SIZE * SIZE * 4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/*
 * The scenes
 */

static void
scene_clear(void)
{
   start();
   glClearColor(0.3f, 0.7f, 1, 0.5f);
   glClearStencil(3);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glFlush();
   glEnable(GL_SCISSOR_TEST);
   glScissor(3, 2, 7, 9);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
   glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glFlush();
   glClear(GL_DEPTH_BUFFER_BIT);
   read_back();
}

static void
scene_triangles(void)
{
   static const GLenum modes[] = {
      GL_TRIANGLES,  GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, GL_LINES,
      GL_LINE_STRIP, GL_LINE_LOOP,      GL_POINTS,
   };
   start();
   make_program(VS_PLAIN, FS_PLAIN);
   for (unsigned i = 0; i < ARRAY_SIZE(modes); i++)
      draw(modes[i], 6);
   glEnable(GL_CULL_FACE);
   glFrontFace(GL_CW);
   draw(GL_TRIANGLES, 6);
   glDisable(GL_CULL_FACE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   draw(GL_TRIANGLES, 6);
   glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
   glPointSize(3.5f);
   draw(GL_TRIANGLES, 6);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glEnable(GL_LINE_SMOOTH);
   glLineWidth(3);
   draw(GL_LINES, 6);
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(2, 3);
   glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
   glEnable(GL_RASTERIZER_DISCARD);
   draw(GL_TRIANGLE_FAN, 8);
   read_back();
}

static void
scene_indexed(void)
{
   static const uint16_t indices[] = { 0, 1, 2, 3, 0xffff, 4, 5, 6, 7, 1 };
   start();
   make_program("layout(location = 0) in vec4 pos;\n"
                "layout(location = 1) in ivec3 i;\n"
                "layout(location = 2) in vec4 n;\n"
                "flat out vec4 v;\n"
                "void main() { gl_Position = pos + vec4(i, 0) * 0.01;\n"
                "  v = n + float(gl_VertexID + gl_InstanceID) * 0.1; }\n",
                "flat in vec4 v;\n"
                "layout(location = 0) out vec4 color;\n"
                "void main() { color = v; }\n");
   make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices);
   glVertexAttribIPointer(1, 3, GL_SHORT, 6, NULL);
   glEnableVertexAttribArray(1);
   glVertexAttribPointer(2, 4, GL_INT_2_10_10_10_REV, GL_TRUE, 4, NULL);
   glVertexAttribDivisor(2, 1);
   glEnableVertexAttribArray(2);
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffff);
   glDrawElements(GL_TRIANGLE_STRIP, 10, GL_UNSIGNED_SHORT, NULL);
   glFlush();
   glDrawElementsInstancedBaseVertex(GL_LINE_STRIP, 6, GL_UNSIGNED_SHORT,
                                     NULL, 2, 1);
   glFlush();
   glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, NULL);
   glFlush();
   if (version >= 42) {
      static const GLuint command[] = { 4, 2, 0, 0, 1 };
      make_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof(command), command);
      glDrawElementsIndirect(GL_TRIANGLE_FAN, GL_UNSIGNED_SHORT, NULL);
      glFlush();
      glDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL);
      /* In the same batch: the parameters lie elsewhere. */
      glDrawArrays(GL_TRIANGLES, 1, 3);
   }
   read_back();
}

static void
scene_textures(void)
{
   static const GLenum targets[] = {
      GL_TEXTURE_1D,       GL_TEXTURE_2D,       GL_TEXTURE_3D,
      GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
   };
   static const char *const fs[] = {
      "uniform sampler1D s; in vec4 v; out vec4 c;\n"
      "void main() { c = texture(s, v.x, 0.5) + texelFetch(s, 3, 1); }\n",
      "uniform sampler2D s; in vec4 v; out vec4 c;\n"
      "void main() { c = textureOffset(s, v.xy, ivec2(2, -3)) +\n"
      "  textureGrad(s, v.xy, v.zw, v.xw) + textureProj(s, v.xyz) +\n"
      "  textureLod(s, v.xy, v.z * 4.0) +\n"
      "  vec4(textureSize(s, 1), textureQueryLOD(s, v.xy)); }\n",
      "uniform sampler3D s; in vec4 v; out vec4 c;\n"
      "void main() { c = texture(s, v.xyz) +\n"
      "  texelFetch(s, ivec3(v * 9.0), 0); }\n",
      "uniform sampler2DArray s; in vec4 v; out vec4 c;\n"
      "void main() { c = texture(s, v.xyz * 3.0) +\n"
      "  textureGather(s, v.xyz, 1); }\n",
      "uniform samplerCube s; in vec4 v; out vec4 c;\n"
      "void main() { c = texture(s, v.xyz - 0.5) +\n"
      "  textureLod(s, v.zxy, 1.5); }\n",
   };
   uint8_t data[SIZE * SIZE * 4 * 4];
   for (unsigned i = 0; i < sizeof(data); i++)
      data[i] = (uint8_t)(i * 37);
   start();
   for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
      const GLenum t = targets[i];
      make_texture(t, i & 1 ? GL_SRGB8_ALPHA8 : GL_RGBA8, 4);
      if (t == GL_TEXTURE_1D)
         glTexSubImage1D(t, 0, 0, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, data);
      else if (t == GL_TEXTURE_CUBE_MAP)
         glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 0, 0, SIZE, SIZE,
                         GL_RGBA, GL_UNSIGNED_BYTE, data);
      else if (t == GL_TEXTURE_2D)
         glTexSubImage2D(t, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE,
                         data);
      else
         glTexSubImage3D(t, 0, 0, 0, 0, SIZE, SIZE, 4, GL_RGBA,
                         GL_UNSIGNED_BYTE, data);
      if (t != GL_TEXTURE_3D)
         glGenerateMipmap(t);
      glTexParameteri(t, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
      glTexParameteri(t, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
      glTexParameteri(t, GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
      glTexParameterf(t, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4);
      glFlush();
      make_program(VS_PLAIN, fs[i]);
      draw(GL_TRIANGLE_STRIP, 4);
   }
   read_back();
}

static void
scene_shadow(void)
{
   start();
   make_program(VS_PLAIN,
                "uniform sampler2DShadow s; uniform isampler2D i;\n"
                "in vec4 v; out vec4 c;\n"
                "void main() { c = vec4(texture(s, v.xyz),\n"
                "  textureGather(s, v.yx, v.z).xy,\n"
                "  float(texelFetch(i, ivec2(v * 9.0), 0).y)); }\n");
   make_texture(GL_TEXTURE_2D, GL_DEPTH_COMPONENT24, 1);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE,
                   GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   glActiveTexture(GL_TEXTURE1);
   make_texture(GL_TEXTURE_2D, GL_RGBA16I, 1);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glUniform1i(glGetUniformLocation(1, "i"), 1);
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_formats(void)
{
   static const GLenum formats[] = {
      GL_R8,      GL_RG16F,          GL_RGBA16F,
      GL_RGBA32F, GL_R11F_G11F_B10F, GL_RGB10_A2,
      GL_RGB565,  GL_SRGB8_ALPHA8,   GL_RGBA8_SNORM,
      GL_RGBA16,  GL_RGB5_A1,
   };
   make_vertices();
   make_program(VS_PLAIN, FS_PLAIN);
   glEnable(GL_BLEND);
   glEnable(GL_FRAMEBUFFER_SRGB);
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      make_framebuffer(
         formats[i], i & 1 ? GL_DEPTH_COMPONENT16 : GL_DEPTH32F_STENCIL8, 0);
      glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_DST_COLOR, GL_ONE,
                          GL_CONSTANT_ALPHA);
      draw(GL_TRIANGLE_STRIP, 4);
      read_back();
   }
}

static void
scene_integers(void)
{
   static const GLenum formats[] = { GL_R8UI, GL_RGBA16UI, GL_RG32UI,
                                     GL_RGBA8UI, GL_RGB10_A2UI };
   make_vertices();
   make_program(VS_PLAIN, "in vec4 v; out uvec4 c;\n"
                          "void main() { uvec4 u = uvec4(v * 999.0);\n"
                          "  c = u % 7u + bitfieldReverse(u) / 3u; }\n");
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      make_framebuffer(formats[i], 0, 0);
      draw(GL_TRIANGLE_STRIP, 4);
   }
   glFinish();
}

static void
scene_targets(void)
{
   static const GLenum buffers[] = {
      GL_COLOR_ATTACHMENT0,
      GL_COLOR_ATTACHMENT1,
      GL_COLOR_ATTACHMENT2,
      GL_COLOR_ATTACHMENT3,
   };
   static const GLenum formats[] = { GL_RGBA8, GL_RG16F, GL_RGBA32F, GL_R8 };
   start();
   for (unsigned i = 0; i < 4; i++) {
      const GLuint t = make_texture(GL_TEXTURE_2D, formats[i], 1);
      glFramebufferTexture(GL_FRAMEBUFFER, buffers[i], t, 0);
   }
   glDrawBuffers(4, buffers);
   make_program(VS_PLAIN,
                "in vec4 v; layout(location = 0) out vec4 c[4];\n"
                "void main() { c[0] = v; c[1] = v.yzwx; c[2] = v.zwxy;\n"
                "  c[3] = v * v; if (v.x > 0.8) discard; }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   glEnablei(GL_BLEND, 0);
   glBlendEquation(GL_MAX);
   glEnablei(GL_BLEND, 2);
   glColorMaski(1, 1, 0, 0, 1);
   draw(GL_TRIANGLES, 6);
   glEnable(GL_COLOR_LOGIC_OP);
   glLogicOp(GL_XOR);
   draw(GL_TRIANGLES, 6);
   glDrawBuffers(1, buffers);
   glDisable(GL_COLOR_LOGIC_OP);
   /* Components that the shader leaves open. */
   make_program(VS_PLAIN,
                "in vec4 v; out float c;\nvoid main() { c = v.x; }\n");
   draw(GL_TRIANGLES, 6);
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, VS_PLAIN);
   attach(p, GL_FRAGMENT_SHADER,
          "in vec4 v; out vec4 a; out vec4 b;\n"
          "void main() { a = v; b = v.wzyx; gl_FragDepth = v.x; }\n");
   glBindFragDataLocationIndexed(p, 0, 0, "a");
   glBindFragDataLocationIndexed(p, 0, 1, "b");
   link_program(p);
   glBlendFunc(GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_ALPHA);
   draw(GL_TRIANGLES, 6);
   read_back();
}

static void
scene_depth(void)
{
   start();
   make_program(VS_PLAIN, FS_PLAIN);
   glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_STENCIL_TEST);
   glStencilOpSeparate(GL_FRONT, GL_INCR_WRAP, GL_DECR, GL_REPLACE);
   glStencilOpSeparate(GL_BACK, GL_INVERT, GL_ZERO, GL_INCR);
   glStencilFunc(GL_GEQUAL, 2, 0xf);
   draw(GL_TRIANGLES, 6);
   glDepthFunc(GL_GREATER);
   glStencilFunc(GL_NOTEQUAL, 1, 0xff);
   draw(GL_TRIANGLE_STRIP, 6);
   glEnable(GL_DEPTH_CLAMP);
   glDepthMask(GL_FALSE);
   draw(GL_TRIANGLE_FAN, 6);
   make_framebuffer(GL_RGBA8, GL_DEPTH_COMPONENT32F, 0);
   glDepthMask(GL_TRUE);
   glClear(GL_DEPTH_BUFFER_BIT);
   make_program(VS_PLAIN,
                "in vec4 v; layout(early_fragment_tests) in; out vec4 c;\n"
                "void main() { c = v; if (v.y > 0.5) discard; }\n");
   draw(GL_TRIANGLES, 6);
   read_back();
}

static void
scene_samples(void)
{
   static const GLsizei samples[] = { 2, 4, 8, 16 };
   GLint max = 0;
   glGetIntegerv(GL_MAX_SAMPLES, &max);
   make_vertices();
   for (unsigned i = 0; i < ARRAY_SIZE(samples) && samples[i] <= max; i++) {
      const GLuint from =
         make_framebuffer(GL_RGBA8, GL_DEPTH24_STENCIL8, samples[i]);
      glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      glEnable(GL_DEPTH_TEST);
      glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
      make_program(VS_PLAIN, FS_PLAIN);
      draw(GL_TRIANGLE_STRIP, 4);
      glEnable(GL_SAMPLE_MASK);
      glSampleMaski(0, 0xa5);
      make_program(
         VS_PLAIN,
         "in vec4 v; out vec4 c;\n"
         "void main() { c = v; c.x *= float(gl_SampleID);\n"
         "  c.yz = gl_SamplePosition; gl_SampleMask[0] = 0x7b; }\n");
      draw(GL_TRIANGLES, 6);
      make_program(VS_PLAIN, "in vec4 v; out vec4 c;\n"
                             "void main() { c = interpolateAtSample(v, 1) +\n"
                             "  interpolateAtOffset(v, v.xy - 0.5) +\n"
                             "  interpolateAtCentroid(v); }\n");
      draw(GL_TRIANGLES, 6);
      const GLuint to = make_framebuffer(GL_RGBA8, 0, 0);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE,
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glFlush();
   }
   glFinish();
}

static void
scene_sampled(void)
{
   GLuint t;
   start();
   glGenTextures(1, &t);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, SIZE, SIZE,
                           GL_TRUE);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, 0, 0);
   make_program(VS_PLAIN, FS_PLAIN);
   glClear(GL_COLOR_BUFFER_BIT);
   draw(GL_TRIANGLES, 6);
   make_framebuffer(GL_RGBA8, 0, 0);
   make_program(VS_PLAIN,
                "uniform sampler2DMS s; in vec4 v; out vec4 c;\n"
                "void main() { c = texelFetch(s, ivec2(v * 15.0), 3) +\n"
                "  texelFetch(s, ivec2(v * 15.0), int(v.z * 3.0)); }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_tessellation(void)
{
   /* The second divides quads in one direction alone (FF-43). */
   static const float factors[][6] = { { 2.3f, 3, 2, 1.5f, 2.5f, 3.2f },
                                       { 1, 3, 1, 3, 3, 1 } };
   static const char *const layouts[] = {
      "layout(triangles, fractional_odd_spacing, ccw) in;\n",
      "layout(quads, fractional_even_spacing, cw) in;\n",
      "layout(isolines, equal_spacing) in;\n",
      "layout(quads, equal_spacing, point_mode) in;\n",
   };
   need(version >= 42);
   start();
   glPatchParameteri(GL_PATCH_VERTICES, 4);
   for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++) {
      char text[1000];
      const GLuint p = glCreateProgram();
      attach(p, GL_VERTEX_SHADER, VS_PLAIN);
      attach(
         p, GL_TESS_CONTROL_SHADER,
         "layout(vertices = 3) out;\n"
         "in vec4 v[]; out vec4 w[]; patch out vec4 x;\n"
         "uniform vec4 outer; uniform vec2 inner;\n"
         "void main() {\n"
         "  gl_out[gl_InvocationID].gl_Position =\n"
         "     gl_in[gl_InvocationID].gl_Position;\n"
         "  w[gl_InvocationID] = v[gl_InvocationID]; barrier();\n"
         "  if (gl_InvocationID == 0) x = w[1] + w[2];\n"
         "  for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = outer[i];\n"
         "  gl_TessLevelInner[0] = inner.x;\n"
         "  gl_TessLevelInner[1] = inner.y; }\n");
      snprintf(
         text, sizeof(text),
         "%sin vec4 w[]; patch in vec4 x; out vec4 v;\n"
         "void main() { vec3 t = gl_TessCoord;\n"
         "  gl_Position = mix(mix(gl_in[0].gl_Position,\n"
         "     gl_in[1].gl_Position, t.x), gl_in[2].gl_Position, t.y);\n"
         "  v = w[0] * t.z + w[2] + x + float(gl_PrimitiveID); }\n",
         layouts[i]);
      attach(p, GL_TESS_EVALUATION_SHADER, text);
      attach(p, GL_FRAGMENT_SHADER, FS_PLAIN);
      link_program(p);
      for (unsigned k = 0; k < ARRAY_SIZE(factors); k++) {
         glUniform4fv(glGetUniformLocation(p, "outer"), 1, factors[k]);
         glUniform2fv(glGetUniformLocation(p, "inner"), 1, factors[k] + 4);
         draw(GL_PATCHES, 8);
      }
   }
   read_back();
}

static void
scene_geometry(void)
{
   static const struct {
      const char *text;
      GLenum mode;
   } g[] = {
      { "layout(points) in;\n"
        "layout(triangle_strip, max_vertices = 4) out;\n"
        "in vec4 v[]; out vec4 w;\n"
        "void main() { for (int i = 0; i < 4; i++) {\n"
        "  gl_Position = gl_in[0].gl_Position +\n"
        "     0.3 * vec4(i & 1, i >> 1, 0, 0);\n"
        "  w = v[0] * float(i); EmitVertex(); } EndPrimitive(); }\n",
        GL_POINTS },
      { "layout(triangles, invocations = 3) in;\n"
        "layout(line_strip, max_vertices = 6) out;\n"
        "in vec4 v[]; out vec4 w;\n"
        "void main() { for (int i = 0; i < 3; i++) {\n"
        "  gl_Position = gl_in[i].gl_Position;\n"
        "  w = v[i] + float(gl_InvocationID); gl_Layer = 0;\n"
        "  gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex();\n"
        "  if (i == 1) EndPrimitive(); } }\n",
        GL_TRIANGLES },
      { "layout(triangles_adjacency) in;\n"
        "layout(points, max_vertices = 6) out;\n"
        "in vec4 v[]; out vec4 w;\n"
        "void main() { for (int i = 0; i < 6; i++) {\n"
        "  gl_Position = gl_in[i].gl_Position; gl_PointSize = 2.0;\n"
        "  w = v[i]; EmitVertex(); } }\n",
        GL_TRIANGLE_STRIP_ADJACENCY },
      { "layout(lines_adjacency) in;\n"
        "layout(triangle_strip, max_vertices = 4) out;\n"
        "in vec4 v[]; out vec4 w; uniform int u;\n"
        "void main() { vec4 a[5];\n"
        "  for (int i = 0; i < 4; i++) a[i] = v[i] * 1.5;\n"
        "  for (int i = 0; i < 4; i++) {\n"
        "  gl_Position = gl_in[i ^ 1].gl_Position; w = a[(i + u) & 3];\n"
        "  EmitVertex(); } }\n",
        GL_LINES_ADJACENCY },
   };
   start();
   for (unsigned i = 0; i < ARRAY_SIZE(g); i++) {
      const GLuint p = glCreateProgram();
      attach(p, GL_VERTEX_SHADER, VS_PLAIN);
      attach(p, GL_GEOMETRY_SHADER, g[i].text);
      attach(p, GL_FRAGMENT_SHADER,
             "in vec4 w; out vec4 c; void main() { c = w; }\n");
      link_program(p);
      draw(g[i].mode, 8);
   }
   read_back();
}

/* What is drawn to is sampled, too: first what glClear left, which needs no
 * barrier, then what was drawn before one. */
static void
scene_loops(void)
{
   need(version >= 45 || has("GL_ARB_texture_barrier"));
   start();
   const GLuint t = make_texture(GL_TEXTURE_2D, GL_RGBA8, 1);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0);
   make_program(VS_PLAIN,
                "in vec4 v; uniform sampler2D t; out vec4 color;\n"
                "void main() {\n"
                "  ivec2 at = ivec2(gl_FragCoord.yx);\n"
                "  color = texelFetch(t, at, 0) * 0.5 + v * 0.25; }\n");
   glClearColor(0.25f, 0.5f, 0.75f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < 3; i++) {
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glTextureBarrier();
   }
   read_back();
}

static void
scene_layers(void)
{
   start();
   const GLuint t = make_texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, 2);
   const GLuint z =
      make_texture(GL_TEXTURE_2D_ARRAY, GL_DEPTH_COMPONENT24, 2);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, 0, 0);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, z, 0);
   glEnable(GL_DEPTH_TEST);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, VS_PLAIN);
   attach(p, GL_GEOMETRY_SHADER,
          "layout(triangles) in;\n"
          "layout(triangle_strip, max_vertices = 6) out;\n"
          "in vec4 v[]; out vec4 w;\n"
          "void main() { for (int i = 0; i < 6; i++) {\n"
          "  gl_Position = gl_in[i % 3].gl_Position; w = v[i % 3];\n"
          "  gl_Layer = i / 3 + 1; gl_ViewportIndex = i / 3 * 2;\n"
          "  EmitVertex(); if (i == 2) EndPrimitive(); } }\n");
   attach(p, GL_FRAGMENT_SHADER,
          "in vec4 w; out vec4 c;\n"
          "void main() { c = w * float(gl_PrimitiveID + 1); }\n");
   link_program(p);
   draw(GL_TRIANGLES, 6);
   glEnable(GL_SCISSOR_TEST);
   if (version >= 42) {
      glViewportIndexedf(2, 3.5f, 2.25f, 10, 11);
      glScissorIndexed(2, 4, 4, 7, 8);
   }
   draw(GL_TRIANGLES, 6);
   read_back();
}

static void
scene_feedback(void)
{
   static const char *const varyings[] = { "v", "gl_Position" };
   start();
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, VS_PLAIN);
   attach(p, GL_FRAGMENT_SHADER, FS_PLAIN);
   glTransformFeedbackVaryings(p, 2, varyings, GL_SEPARATE_ATTRIBS);
   link_program(p);
   for (unsigned i = 0; i < 2; i++) {
      const GLuint b =
         make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 16 * (i ? 7 : 64), NULL);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, b);
   }
   GLuint queries[2];
   glGenQueries(2, queries);
   glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[0]);
   glBeginQuery(GL_PRIMITIVES_GENERATED, queries[1]);
   glBeginTransformFeedback(GL_TRIANGLES);
   draw(GL_TRIANGLE_STRIP, 5);
   draw(GL_TRIANGLES, 6);
   glEndTransformFeedback();
   glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   GLuint n;
   glGetQueryObjectuiv(queries[0], GL_QUERY_RESULT, &n);
   if (version < 42)
      return;
   GLuint object;
   glGenTransformFeedbacks(1, &object);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
   for (unsigned i = 0; i < 2; i++)
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i,
                       make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 512, NULL));
   glBeginTransformFeedback(GL_LINES);
   draw(GL_LINE_LOOP, 4);
   glPauseTransformFeedback();
   draw(GL_LINES, 4);
   glResumeTransformFeedback();
   draw(GL_LINES, 4);
   glEndTransformFeedback();
   glDrawTransformFeedback(GL_LINES, object);
   read_back();
}

static void
scene_streams(void)
{
   static const char *const varyings[] = { "a", "gl_NextBuffer", "b" };
   need(version >= 42);
   start();
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, VS_PLAIN);
   attach(p, GL_GEOMETRY_SHADER,
          "layout(points) in;\nlayout(points, max_vertices = 6) out;\n"
          "in vec4 v[]; layout(stream = 0) out vec4 a;\n"
          "layout(stream = 1) out vec2 b;\n"
          "void main() { for (int i = 0; i < 3; i++) {\n"
          "  a = v[0] + float(i); gl_Position = gl_in[0].gl_Position;\n"
          "  EmitStreamVertex(0); b = v[0].zw; EmitStreamVertex(1); } }\n");
   glTransformFeedbackVaryings(p, 3, varyings, GL_INTERLEAVED_ATTRIBS);
   link_program(p);
   for (unsigned i = 0; i < 2; i++)
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i,
                       make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 512, NULL));
   glBeginTransformFeedback(GL_POINTS);
   draw(GL_POINTS, 8);
   glEndTransformFeedback();
   glFinish();
}

static void
scene_compute(void)
{
   need(has("GL_ARB_compute_shader"));
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0,
                    make_buffer(GL_SHADER_STORAGE_BUFFER, 4096, NULL));
   make_compute("layout(local_size_x = 8, local_size_y = 4) in;\n"
                "layout(std430, binding = 0) buffer B { uint d[]; };\n"
                "shared uint s[32];\n"
                "void main() { uint i = gl_LocalInvocationIndex;\n"
                "  s[i] = i * 3u; barrier();\n"
                "  atomicAdd(s[(i + 1u) % 32u], s[31u - i]); barrier();\n"
                "  d[gl_WorkGroupID.x * 32u + i] = s[i];\n"
                "  atomicMax(d[500], i); }\n");
   glDispatchCompute(3, 1, 1);
   glFlush();
   /* The second of none. */
   static const GLuint groups[] = { 2, 1, 2, 2, 0, 2 };
   make_buffer(GL_DISPATCH_INDIRECT_BUFFER, sizeof(groups), groups);
   glDispatchComputeIndirect(0);
   glDispatchComputeIndirect(12);
   glFlush();
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   make_compute("layout(local_size_x = 16) in;\n"
                "layout(std430, binding = 0) buffer B { vec4 d[]; };\n"
                "uniform vec4 u[4];\n"
                "void main() { vec4 a[9]; uint x = gl_GlobalInvocationID.x;\n"
                "  for (uint i = 0u; i < 9u; i++)\n"
                "     a[i] = d[i + x] * u[i & 3u];\n"
                "  vec4 sum = vec4(0);\n"
                "  for (uint i = 0u; i < x % 5u + 2u; i++)\n"
                "     sum += sin(a[(i * x) % 9u]) + exp2(sum);\n"
                "  d[x] = sum; }\n");
   glDispatchCompute(1, 2, 1);
   glFinish();
}

static void
scene_images(void)
{
   static const GLenum formats[] = { GL_RGBA8, GL_R32UI, GL_RG16F };
   need(has("GL_ARB_compute_shader"));
   for (unsigned i = 0; i < 3; i++)
      glBindImageTexture(i, make_texture(GL_TEXTURE_2D, formats[i], 1), 0,
                         GL_FALSE, 0, GL_READ_WRITE, formats[i]);
   make_compute("layout(local_size_x = 8, local_size_y = 8) in;\n"
                "layout(rgba8, binding = 0) uniform image2D a;\n"
                "layout(r32ui, binding = 1) uniform uimage2D b;\n"
                "layout(rg16f, binding = 2) uniform image2D c;\n"
                "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
                "  vec4 v = imageLoad(c, p) + imageLoad(a, p.yx);\n"
                "  imageStore(a, p, v + 0.25); imageStore(c, p, v);\n"
                "  uint n = imageAtomicAdd(b, p / 2, 3u);\n"
                "  imageAtomicCompSwap(b, p, n, 9u);\n"
                "  imageAtomicExchange(b, p.yx, n); }\n");
   glDispatchCompute(2, 2, 1);
   glFlush();
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   start();
   make_program(VS_PLAIN,
                "layout(rgba8, binding = 0) uniform image2D a;\n"
                "layout(r32ui, binding = 1) uniform uimage2D b;\n"
                "in vec4 v; out vec4 c;\n"
                "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
                "  c = imageLoad(a, p); imageStore(a, p + 1, v);\n"
                "  imageAtomicMin(b, p, 5u); if (v.x < 0.3) discard; }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_storage(void)
{
   need(has("GL_ARB_shader_storage_buffer_object"));
   start();
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0,
                    make_buffer(GL_SHADER_STORAGE_BUFFER, 4096, NULL));
   glBindBufferBase(GL_UNIFORM_BUFFER, 0,
                    make_buffer(GL_UNIFORM_BUFFER, 1024, NULL));
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0,
                    make_buffer(GL_ATOMIC_COUNTER_BUFFER, 64, NULL));
   make_program("layout(location = 0) in vec4 pos; out vec4 v;\n"
                "layout(std140, binding = 0) uniform U { vec4 u[40]; };\n"
                "void main() { gl_Position = pos;\n"
                "  v = pos + u[gl_VertexID * 3 + int(pos.x)]; }\n",
                "layout(std430, binding = 0) buffer B { uint n[64];\n"
                "  vec4 d[]; };\n"
                "layout(binding = 0) uniform atomic_uint t;\n"
                "in vec4 v; out vec4 c;\n"
                "void main() { uint i = atomicCounterIncrement(t);\n"
                "  d[i % 100u] = v; atomicXor(n[i % 64u], 77u);\n"
                "  c = d[uint(v.x * 50.0)] + float(d.length()); }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_doubles(void)
{
   need(has("GL_ARB_gpu_shader_fp64"));
   start();
   if (has("GL_ARB_vertex_attrib_64bit")) {
      glVertexAttribLPointer(1, 3, GL_DOUBLE, 24, NULL);
      glEnableVertexAttribArray(1);
      make_program("layout(location = 0) in vec4 pos;\n"
                   "layout(location = 1) in dvec3 d; out vec4 v;\n"
                   "void main() { gl_Position = pos; dvec3 e = d * d.zxy;\n"
                   "  v = vec4(e / (e.yzx + 1.0LF), dot(d, e)); }\n",
                   FS_PLAIN);
      draw(GL_TRIANGLES, 6);
   }
   make_program(VS_PLAIN,
                "in vec4 v; out vec4 c; uniform dmat3 m;\n"
                "void main() { dvec3 d = m * dvec3(v.xyz);\n"
                "  double s = sqrt(double(v.w)) + floor(d.x * 9.0LF);\n"
                "  for (int i = 0; i < int(v.x * 4.0); i++)\n"
                "     s = fma(s, d.y, inversesqrt(s + 1.0LF));\n"
                "  c = vec4(fract(d), s > 0.5LF ? 1.0 : float(s)); }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_queries(void)
{
   static const GLenum targets[] = { GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED,
                                     GL_TIME_ELAPSED,
                                     GL_PRIMITIVES_GENERATED };
   GLuint q[ARRAY_SIZE(targets)], n;
   start();
   make_program(VS_PLAIN, FS_PLAIN);
   glGenQueries(ARRAY_SIZE(targets), q);
   for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
      if (i == 1)
         glBeginConditionalRender(q[0], GL_QUERY_NO_WAIT);
      glBeginQuery(targets[i], q[i]);
      draw(GL_TRIANGLES, 6);
      glEndQuery(targets[i]);
      if (i == 1)
         glEndConditionalRender();
   }
   for (unsigned i = 0; i < ARRAY_SIZE(targets); i++)
      glGetQueryObjectuiv(q[i], GL_QUERY_RESULT, &n);
   if (has("GL_ARB_query_buffer_object")) {
      make_buffer(GL_QUERY_BUFFER, 64, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(targets); i++)
         glGetQueryObjectuiv(q[i], GL_QUERY_RESULT, NULL);
   }
   glFinish();
}

static void
scene_clip(void)
{
   start();
   make_program("layout(location = 0) in vec4 pos; out vec4 v;\n"
                "noperspective out vec2 w; flat out int f;\n"
                "void main() { gl_Position = pos * vec4(3, 2, 4, 1.5);\n"
                "  gl_ClipDistance[0] = pos.x + 0.4;\n"
                "  gl_ClipDistance[1] = 0.8 - pos.y; v = pos;\n"
                "  w = pos.yx; f = gl_VertexID; }\n",
                "in vec4 v; noperspective in vec2 w; flat in int f;\n"
                "out vec4 c; void main() { c = v + vec4(w, dFdx(w.x), f);\n"
                "  if (!gl_FrontFacing) c.yx = fwidth(w); }\n");
   glEnable(GL_CLIP_DISTANCE0);
   glEnable(GL_CLIP_DISTANCE1);
   draw(GL_TRIANGLES, 6);
   draw(GL_LINE_STRIP, 6);
   if (version >= 45) {
      glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
      draw(GL_TRIANGLE_STRIP, 8);
   }
   glEnable(GL_PROGRAM_POINT_SIZE);
   make_program("layout(location = 0) in vec4 pos;\n"
                "void main() { gl_Position = pos; gl_PointSize = 5.0; }\n",
                "out vec4 c; void main() { c = gl_PointCoord.xyxy; }\n");
   draw(GL_POINTS, 8);
   read_back();
}

static void
scene_copies(void)
{
   static const uint8_t pixels[SIZE * SIZE * 4] = { 1, 2, 3 };
   start();
   const GLuint to = make_framebuffer(GL_RGBA16F, GL_DEPTH24_STENCIL8, 0);
   const GLuint from = make_framebuffer(GL_RGBA8, GL_DEPTH24_STENCIL8, 0);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 12, 1, 2, 14, GL_COLOR_BUFFER_BIT,
                     GL_LINEAR);
   glFlush();
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE,
                     GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
   glFlush();
   const GLuint t = make_texture(GL_TEXTURE_2D, GL_RGBA8, 3);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 3, 1, 1, 9, 10);
   glFlush();
   glGenerateMipmap(GL_TEXTURE_2D);
   glFlush();
   if (has("GL_ARB_copy_image")) {
      const GLuint u = make_texture(GL_TEXTURE_2D, GL_R32F, 1);
      glCopyImageSubData(t, GL_TEXTURE_2D, 0, 0, 0, 0, u, GL_TEXTURE_2D, 0, 1,
                         2, 0, 5, 6, 1);
      glFlush();
   }
   const GLuint b = make_buffer(GL_PIXEL_PACK_BUFFER, 4096, NULL);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glFlush();
   glBindBuffer(GL_COPY_WRITE_BUFFER, b);
   make_buffer(GL_COPY_READ_BUFFER, 1024, pixels);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 16, 4, 500);
   glFinish();
}

static void
scene_compressed(void)
{
   static const GLenum formats[] = {
      GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_COMPRESSED_RG_RGTC2,
      GL_COMPRESSED_RGBA_BPTC_UNORM,    GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT,
      GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGB9_E5,
   };
   uint8_t blocks[SIZE * SIZE * 4];
   for (unsigned i = 0; i < sizeof(blocks); i++)
      blocks[i] = (uint8_t)(i * i + 13 * i);
   start();
   make_program(VS_PLAIN, "uniform sampler2D s; in vec4 v; out vec4 c;\n"
                          "void main() { c = texture(s, v.xy); }\n");
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      make_texture(GL_TEXTURE_2D, formats[i], 1);
      const bool small = formats[i] == GL_COMPRESSED_RGBA_S3TC_DXT1_EXT;
      if (formats[i] == GL_RGB9_E5)
         glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGB,
                         GL_UNSIGNED_INT_5_9_9_9_REV, blocks);
      else
         glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE,
                                   formats[i], SIZE * SIZE / (small ? 2 : 1),
                                   blocks);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
      draw(GL_TRIANGLE_STRIP, 4);
   }
   read_back();
}

static void
scene_texel_buffers(void)
{
   GLuint t;
   start();
   glGenTextures(1, &t);
   glBindTexture(GL_TEXTURE_BUFFER, t);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA16F,
               make_buffer(GL_TEXTURE_BUFFER, 1024, NULL));
   make_program(VS_PLAIN,
                "uniform samplerBuffer s; in vec4 v; out vec4 c;\n"
                "void main() { c = texelFetch(s, int(v.x * 140.0)) +\n"
                "  float(textureSize(s)); }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   make_program(VS_PLAIN,
                "uniform samplerBuffer s[4]; in vec4 v; out vec4 c;\n"
                "uniform int n;\n"
                "void main() { c = texelFetch(s[n], int(v.y * 9.0)); }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

static void
scene_control(void)
{
   start();
   make_program(VS_PLAIN,
                "in vec4 v; out vec4 c; uniform int n; uniform float f[20];\n"
                "vec4 g(vec4 x, int d) { if (d > 3) return x.wzyx;\n"
                "  for (int i = 0; i < 5; i++) { if (x.x > float(i)) break;\n"
                "     if (x.y < 0.2) continue; x = x * 1.3 - f[i + d]; }\n"
                "  return x; }\n"
                "void main() { vec4 a[16]; c = v; int i = 0;\n"
                "  for (int k = 0; k < 16; k++) a[k] = v * float(k) + f[k];\n"
                "  while (c.x < 3.0 && i < 9) { c = g(c, i);\n"
                "     a[(i + n) & 15] += c; i++;\n"
                "     switch (int(c.y * 4.0)) { case 0: c.z += 1.0;\n"
                "     case 1: c = pow(abs(c), a[i]); break;\n"
                "     default: c.w = atan(c.x, c.y); } }\n"
                "  if (c.w > 9.0) discard;\n"
                "  c += a[int(v.x * 15.0)] + a[int(v.y * 15.0)]; }\n");
   draw(GL_TRIANGLE_STRIP, 4);
   read_back();
}

/* What one draw writes, the next one reads by another way, all in one batch:
 * here flushes, invalidates and stalls matter. */

static void
chain_of_textures(void)
{
   GLuint fb[2], color[2], depth;
   make_program("layout(location = 0) in vec4 pos;\nout vec4 v;\n"
                "void main() { gl_Position = pos; v = pos; }\n",
                "in vec4 v;\nuniform sampler2D s;\n"
                "layout(location = 0) out vec4 c;\n"
                "void main() { c = texture(s, v.xy) * 0.5 + v; }\n");
   depth = make_texture(GL_TEXTURE_2D, GL_DEPTH_COMPONENT32F, 1);
   glGenFramebuffers(2, fb);
   for (unsigned i = 0; i < 2; i++) {
      color[i] = make_texture(GL_TEXTURE_2D, GL_RGBA8, 1);
      glBindFramebuffer(GL_FRAMEBUFFER, fb[i]);
      glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color[i], 0);
   }
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, depth, 0);
   glEnable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < 5; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, fb[i & 1]);
      glBindTexture(GL_TEXTURE_2D, i == 2 ? depth : color[~i & 1]);
      glDrawArrays(GL_TRIANGLES, (GLint)i & 3, 3);
   }
   glDisable(GL_DEPTH_TEST);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 0, 0, 4, 4);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
chain_of_feedback(void)
{
   static const char *const varyings[] = { "gl_Position" };
   const GLuint p = glCreateProgram();
   attach(p, GL_VERTEX_SHADER, VS_PLAIN);
   attach(p, GL_FRAGMENT_SHADER, FS_PLAIN);
   glTransformFeedbackVaryings(p, 1, varyings, GL_INTERLEAVED_ATTRIBS);
   link_program(p);
   const GLuint b = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, NULL);
   for (unsigned i = 0; i < 2; i++) {
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
      glBeginTransformFeedback(GL_TRIANGLES);
      glDrawArrays(GL_TRIANGLES, (GLint)i, 6);
      glEndTransformFeedback();
      glBindBuffer(GL_ARRAY_BUFFER, b);
      glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
      glDrawArrays(GL_TRIANGLES, 0, 6);
      make_vertices();
   }
}

static void
chain_of_stores(void)
{
   const GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 4096, NULL);
   const GLuint stores = make_compute(
      "layout(local_size_x = 8) in;\n"
      "layout(std430, binding = 0) buffer B { uint d[]; };\n"
      "uniform uint add;\n"
      "void main() { uint i = gl_GlobalInvocationID.x;\n"
      "  d[i] += add * i; if (i < 4u) d[256u + i] = i == 3u ? 0u : 3u >> i;\n"
      "}\n");
   const GLuint draws =
      make_program("layout(location = 0) in vec4 pos;\n"
                   "layout(std140) uniform U { vec4 u[4]; };\nout vec4 v;\n"
                   "uniform samplerBuffer t;\n"
                   "void main() { gl_Position = pos; v = u[gl_VertexID & 3]\n"
                   "  + texelFetch(t, gl_VertexID); }\n",
                   "in vec4 v;\nlayout(location = 0) out vec4 c;\n"
                   "void main() { c = v; }\n");
   GLuint t;
   glGenTextures(1, &t);
   glBindTexture(GL_TEXTURE_BUFFER, t);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, b);
   glBindBuffer(GL_ARRAY_BUFFER, b);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, b);
   for (unsigned i = 0; i < 3; i++) {
      glUseProgram(stores);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
      glUniform1ui(glGetUniformLocation(stores, "add"), i + 1);
      glDispatchCompute(4, 1, 1);
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
      glUseProgram(draws);
      glBindBufferBase(GL_UNIFORM_BUFFER, 0, b);
      glDrawArraysIndirect(GL_TRIANGLES, (void *)1024);
      glDrawArrays(GL_TRIANGLES, 0, 6);
   }
   make_vertices();
}

static void
scene_chains(void)
{
   start();
   chain_of_textures();
   start();
   chain_of_feedback();
   if (version >= 43 && has("GL_ARB_compute_shader"))
      chain_of_stores();
   read_back();
}

static const struct {
   const char *name;
   void (*draw)(void);
} scenes[] = {
   { "chains", scene_chains },
   { "clear", scene_clear },
   { "clip", scene_clip },
   { "compressed", scene_compressed },
   { "compute", scene_compute },
   { "control", scene_control },
   { "copies", scene_copies },
   { "depth", scene_depth },
   { "doubles", scene_doubles },
   { "feedback", scene_feedback },
   { "formats", scene_formats },
   { "geometry", scene_geometry },
   { "images", scene_images },
   { "indexed", scene_indexed },
   { "integers", scene_integers },
   { "layers", scene_layers },
   { "loops", scene_loops },
   { "queries", scene_queries },
   { "sampled", scene_sampled },
   { "samples", scene_samples },
   { "shadow", scene_shadow },
   { "storage", scene_storage },
   { "streams", scene_streams },
   { "targets", scene_targets },
   { "tessellation", scene_tessellation },
   { "texel_buffers", scene_texel_buffers },
   { "textures", scene_textures },
   { "triangles", scene_triangles },
};

int
main(int argc, char **argv)
{
   for (unsigned i = 0; i < ARRAY_SIZE(scenes); i++) {
      if (argc < 2) {
         printf("%s\n", scenes[i].name);
      } else if (strcmp(argv[1], scenes[i].name) == 0) {
         need(open_context());
         scenes[i].draw();
         glFinish();
         return glGetError() ? 1 : 0;
      }
   }
   return argc < 2 ? 0 : 2;
}
