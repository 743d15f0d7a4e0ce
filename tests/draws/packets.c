/* SPDX-License-Identifier: MIT */
/*
 * What a driver sends for a change of state: `bin/saffron bench packets`.
 *
 * Draws all changes once, then again: what is told the chip before a draw of
 * the second round is for its change alone. The names of the rows are
 * printed. Draws have two instances, by which they can be told from those
 * that a driver makes itself. Without a window, 64 x 64.
 */
#include <stdio.h>
#include <stdlib.h>

#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#define SIDE_PX 64
#define INSTANCES 2

static GLuint programs[2], buffers[2], textures[2];
static GLint uniforms[2];

static void
fail(const char *what)
{
   fprintf(stderr, "packets: %s\n", what);
   exit(1);
}

static void
create_context(void)
{
   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
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
create_target(void)
{
   GLuint framebuffer, color, depth;
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE_PX, SIDE_PX);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, color);
   glGenRenderbuffers(1, &depth);
   glBindRenderbuffer(GL_RENDERBUFFER, depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, SIDE_PX,
                         SIDE_PX);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                             GL_RENDERBUFFER, depth);
   glViewport(0, 0, SIDE_PX, SIDE_PX);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void
attach(GLuint program, GLenum stage, const char *source)
{
   GLuint shader = glCreateShader(stage);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}

static void
create_programs(void)
{
   static const char *const fragment[] = {
      "#version 330\nuniform vec4 tint;\nuniform sampler2D image;\n"
      "out vec4 color;\n"
      "void main() { color = tint + texture(image, vec2(0.5)); }\n",
      "#version 330\nuniform vec4 tint;\nuniform sampler2D image;\n"
      "out vec4 color;\n"
      "void main() { color = tint * texture(image, vec2(0.5)); }\n",
   };
   for (unsigned i = 0; i < 2; i++) {
      programs[i] = glCreateProgram();
      attach(programs[i], GL_VERTEX_SHADER,
             "#version 330\nin vec4 position;\n"
             "void main() { gl_Position = position; }\n");
      attach(programs[i], GL_FRAGMENT_SHADER, fragment[i]);
      glBindAttribLocation(programs[i], 0, "position");
      glLinkProgram(programs[i]);
      GLint ok;
      glGetProgramiv(programs[i], GL_LINK_STATUS, &ok);
      if (!ok)
         fail("a shader does not compile");
      uniforms[i] = glGetUniformLocation(programs[i], "tint");
   }
   glUseProgram(programs[0]);
}

static void
create_data(void)
{
   static const float triangle[] = { -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1 };
   static const unsigned char texels[4 * 4 * 4];
   GLuint array;
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glGenBuffers(2, buffers);
   glGenTextures(2, textures);
   for (unsigned i = 0; i < 2; i++) {
      glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
      glBufferData(GL_ARRAY_BUFFER, sizeof(triangle), triangle,
                   GL_STATIC_DRAW);
      glBindTexture(GL_TEXTURE_2D, textures[i]);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, texels);
   }
   glEnableVertexAttribArray(0);
}

/* ---- changes ---- */

static void
use_buffer(unsigned i)
{
   glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void
reset(void)
{
   glDisable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glColorMask(1, 1, 1, 1);
   glDisable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   glDepthMask(1);
   glDisable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 0, 0xff);
   glDisable(GL_DEPTH_CLAMP);
   glDisable(GL_CULL_FACE);
   glDisable(GL_SCISSOR_TEST);
   glDisable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(1, 1);
   glViewport(0, 0, SIDE_PX, SIDE_PX);
   glScissor(0, 0, SIDE_PX / 2, SIDE_PX);
   glUseProgram(programs[0]);
   glUniform4f(uniforms[0], 1, 0, 0, 1);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   use_buffer(0);
}

#define CHANGE(name, statement)                                              \
   static void name(void)                                                    \
   {                                                                         \
      statement;                                                             \
   }

CHANGE(nothing, )
CHANGE(blend, glEnable(GL_BLEND))
CHANGE(blend_function, glBlendFunc(GL_ONE, GL_ZERO))
CHANGE(blend_constant, glBlendColor(0, 1, 0, 1); glBlendColor(1, 0, 0, 1))
CHANGE(color_mask, glColorMask(1, 0, 1, 1))
CHANGE(uniform, glUniform4f(uniforms[0], 0, 1, 0, 1))
CHANGE(texture, glBindTexture(GL_TEXTURE_2D, textures[1]))
CHANGE(vertices, use_buffer(1))
CHANGE(program, glUseProgram(programs[1]);
       glUniform4f(uniforms[1], 0, 0, 1, 1))
CHANGE(depth_test, glEnable(GL_DEPTH_TEST))
CHANGE(depth_function, glDepthFunc(GL_ALWAYS))
CHANGE(depth_mask, glDepthMask(0))
CHANGE(stencil_test, glEnable(GL_STENCIL_TEST))
CHANGE(stencil_reference, glStencilFunc(GL_ALWAYS, 1, 0xff))
CHANGE(depth_clamp, glEnable(GL_DEPTH_CLAMP))
CHANGE(cull, glEnable(GL_CULL_FACE))
CHANGE(offset, glEnable(GL_POLYGON_OFFSET_FILL))
CHANGE(viewport, glViewport(0, 0, SIDE_PX / 2, SIDE_PX))
CHANGE(scissor, glEnable(GL_SCISSOR_TEST))
CHANGE(scissor_rectangle, glScissor(0, 0, SIDE_PX, SIDE_PX / 2))

static const struct row {
   const char *name;
   void (*change)(void);
} rows[] = {
   { "all of them back", reset },
   { "nothing", nothing },
   { "blending", blend },
   { "blend factors", blend_function },
   { "blend constants, as they were", blend_constant },
   { "colour mask", color_mask },
   { "uniform", uniform },
   { "texture", texture },
   { "vertex buffer", vertices },
   { "program", program },
   { "depth test", depth_test },
   { "depth comparison", depth_function },
   { "depth writes", depth_mask },
   { "stencil test", stencil_test },
   { "stencil reference", stencil_reference },
   { "depth clamp", depth_clamp },
   { "culling", cull },
   { "depth bias", offset },
   { "viewport", viewport },
   { "scissor test", scissor },
   { "scissor", scissor_rectangle },
};

int
main(void)
{
   create_context();
   create_target();
   create_programs();
   create_data();
   for (unsigned round = 0; round < 2; round++) {
      for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
         rows[i].change();
         glDrawArraysInstanced(GL_TRIANGLES, 0, 3, INSTANCES);
         if (!round)
            printf("%s\n", rows[i].name);
      }
   }
   glFinish();
   return glGetError() != GL_NO_ERROR;
}
