/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>

#include "gp_glsl.h"

/* Built-in names of GLSL 1.10 to 1.20 and what stands for them. A name may
 * need another one, which then comes later in the table. */
static const struct {
   const char *name, *declaration;
} builtins[] = {
   { "ftransform", "#define ftransform() "
                   "(gl_ModelViewProjectionMatrix * gl_Vertex)" },
   { "gl_Vertex", "#define gl_Vertex saffron_Vertex\n"
                  "in vec4 saffron_Vertex;" },
   { "gl_Normal", "#define gl_Normal saffron_Normal\n"
                  "in vec3 saffron_Normal;" },
   { "gl_Color", "#define gl_Color saffron_Color\n"
                 "in vec4 saffron_Color;" },
   { "gl_SecondaryColor", "#define gl_SecondaryColor saffron_Color2\n"
                          "in vec4 saffron_Color2;" },
   { "gl_FogCoord", "#define gl_FogCoord saffron_FogCoord\n"
                    "in float saffron_FogCoord;" },
#define COORD(n)                                                             \
   {                                                                         \
      "gl_MultiTexCoord" #n,                                                 \
         "#define gl_MultiTexCoord" #n " saffron_Coord" #n                   \
         "\nin vec4 saffron_Coord" #n ";"                                    \
   }
   COORD(0),
   COORD(1),
   COORD(2),
   COORD(3),
   COORD(4),
   COORD(5),
   COORD(6),
   COORD(7),
#undef COORD
   { "gl_ModelViewProjectionMatrix",
     "#define gl_ModelViewProjectionMatrix saffron_MVP\n"
     "uniform mat4 saffron_MVP;" },
   { "gl_ModelViewMatrix", "#define gl_ModelViewMatrix saffron_MV\n"
                           "uniform mat4 saffron_MV;" },
   { "gl_ProjectionMatrix", "#define gl_ProjectionMatrix saffron_Proj\n"
                            "uniform mat4 saffron_Proj;" },
   { "gl_NormalMatrix", "#define gl_NormalMatrix saffron_NormalMatrix\n"
                        "uniform mat3 saffron_NormalMatrix;" },
   { "gl_TextureMatrix", "#define gl_TextureMatrix saffron_TexMatrix\n"
                         "uniform mat4 saffron_TexMatrix[8];" },
   { "gl_FrontColor", "#define gl_FrontColor saffron_FrontColor\n"
                      "out vec4 saffron_FrontColor;" },
   { "gl_BackColor", "#define gl_BackColor saffron_BackColor\n"
                     "out vec4 saffron_BackColor;" },
   { "gl_FrontSecondaryColor",
     "#define gl_FrontSecondaryColor saffron_FrontColor2\n"
     "out vec4 saffron_FrontColor2;" },
   { "gl_BackSecondaryColor",
     "#define gl_BackSecondaryColor saffron_BackColor2\n"
     "out vec4 saffron_BackColor2;" },
   { "gl_FogFragCoord", "#define gl_FogFragCoord saffron_Fog\n"
                        "out float saffron_Fog;" },
   { "gl_TexCoord", "#define gl_TexCoord saffron_TexCoord\n"
                    "out vec4 saffron_TexCoord[4];" },
   { "gl_ClipVertex", "#define gl_ClipVertex saffron_ClipVertex\n"
                      "vec4 saffron_ClipVertex;" },
};

/* Texture functions that have another name since; the machine has no
 * textures, which the compiler says where one is used. */
static const struct {
   const char *name, *now;
} functions[] = {
   { "texture2D", "texture" },
   { "texture2DLod", "textureLod" },
   { "texture2DProj", "textureProj" },
   { "texture2DProjLod", "textureProjLod" },
   { "texture2DLodEXT", "textureLod" },
   { "texture1D", "texture" },
   { "texture1DLod", "textureLod" },
   { "texture3D", "texture" },
   { "texture3DLod", "textureLod" },
   { "textureCube", "texture" },
   { "textureCubeLod", "textureLod" },
};

/* Words that came to the language after 1.20 and ES 1.00: of these a shader
 * may make names of its own. */
static const char *const keywords[] = {
   "atomic_uint", "buffer",   "case",          "coherent",
   "common",      "default",  "demote",        "dmat2",
   "dmat3",       "dmat4",    "double",        "dvec2",
   "dvec3",       "dvec4",    "filter",        "image1D",
   "image2D",     "image3D",  "imageBuffer",   "imageCube",
   "isampler2D",  "layout",   "noperspective", "partition",
   "patch",       "precise",  "readonly",      "resource",
   "restrict",    "sample",   "sampler",       "samplerBuffer",
   "shared",      "smooth",   "subroutine",    "switch",
   "texture",     "uint",     "uvec2",         "uvec3",
   "uvec4",       "volatile", "writeonly",
};
static const char *const new_functions[] = {
   "acosh",
   "asinh",
   "atanh",
   "bitCount",
   "bitfieldExtract",
   "bitfieldInsert",
   "bitfieldReverse",
   "cosh",
   "determinant",
   "findLSB",
   "findMSB",
   "floatBitsToInt",
   "floatBitsToUint",
   "fma",
   "frexp",
   "intBitsToFloat",
   "inverse",
   "isinf",
   "isnan",
   "ldexp",
   "modf",
   "outerProduct",
   "packHalf2x16",
   "packSnorm2x16",
   "packSnorm4x8",
   "packUnorm2x16",
   "packUnorm4x8",
   "round",
   "roundEven",
   "sinh",
   "tanh",
   "texelFetch",
   "textureGather",
   "textureGrad",
   "textureLod",
   "textureOffset",
   "textureProj",
   "textureSize",
   "transpose",
   "trunc",
   "uintBitsToFloat",
   "unpackHalf2x16",
   "unpackSnorm2x16",
   "unpackUnorm2x16",
   "unpackUnorm4x8",
};

static bool
is_name_char(char c)
{
   return isalnum((unsigned char)c) || c == '_';
}

static bool
has_name(const char *text, const char *name)
{
   const size_t n = strlen(name);

   for (const char *p = text; (p = strstr(p, name)); p += n) {
      if ((p == text || !is_name_char(p[-1])) && !is_name_char(p[n]))
         return true;
   }
   return false;
}

static bool
needs(const char *text, const char *name)
{
   if (has_name(text, name))
      return true;
   return (!strcmp(name, "gl_Vertex") ||
           !strcmp(name, "gl_ModelViewProjectionMatrix")) &&
          has_name(text, "ftransform");
}

/* Whether the shader declares the word itself: a type stands before it. */
static bool
declares(const char *text, const char *name)
{
   const size_t n = strlen(name);

   for (const char *p = text; (p = strstr(p, name)); p += n) {
      const char *end = p, *begin;
      if ((p > text && is_name_char(p[-1])) || is_name_char(p[n]))
         continue;
      while (end > text && isspace((unsigned char)end[-1]))
         end--;
      for (begin = end; begin > text && is_name_char(begin[-1]);)
         begin--;
      if (begin < end && end < p && !isdigit((unsigned char)*begin) &&
          strncmp(begin, "return", 6) && strncmp(begin, "else", 4))
         return true;
   }
   return false;
}

/* Of #version; 110 without one. */
static unsigned
version_of(const char *text, const char *body)
{
   const char *p = strstr(text, "version");

   return body == text || !p || p > body ? 110
                                         : (unsigned)strtoul(p + 7, NULL, 10);
}

static void
put_words(const char *text, const char *body, struct strbuf *out)
{
   if (version_of(text, body) > 120)
      return;
   for (unsigned i = 0; i < ARRAY_SIZE(keywords); i++) {
      if (declares(body, keywords[i]))
         strbuf_printf(out, "#define %s saffron_%s\n", keywords[i],
                       keywords[i]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(new_functions); i++) {
      if (declares(body, new_functions[i]))
         strbuf_printf(out, "#define %s saffron_%s\n", new_functions[i],
                       new_functions[i]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
      if (has_name(body, functions[i].name))
         strbuf_printf(out, "#define %s %s\n", functions[i].name,
                       functions[i].now);
   }
}

/* GL_ES, which a shader may ask for, cannot be defined: the preprocessor's
 * lines ask for another name. */
static void
put_body(const char *text, const char *body, struct strbuf *out)
{
   const bool es = version_of(text, body) == 100;

   for (const char *p = body; *p;) {
      const char *next = es ? strstr(p, "GL_ES") : NULL;
      const char *end = next ? next : p + strlen(p);
      strbuf_printf(out, "%.*s", (int)(end - p), p);
      if (!next)
         return;
      const bool whole = (next == body || !is_name_char(next[-1])) &&
                         !is_name_char(next[5]);
      strbuf_puts(out, whole ? "saffron_ES" : "GL_ES");
      p = next + 5;
   }
}

/* The end of the line with #version, and its number; or the begin. */
static const char *
after_version(const char *text, unsigned *line)
{
   *line = 1;
   for (const char *p = text; *p; p++) {
      while (*p == ' ' || *p == '\t')
         p++;
      if (*p == '#' &&
          strncmp(p + 1 + strspn(p + 1, " \t"), "version", 7) == 0) {
         (*line)++;
         const char *end = strchr(p, '\n');
         return end ? end + 1 : p + strlen(p);
      }
      p = strchr(p, '\n');
      if (!p)
         break;
      (*line)++;
   }
   *line = 1;
   return text;
}

void
gpc_modernize_glsl(const char *text, struct strbuf *out)
{
   unsigned line;
   const char *body = after_version(text, &line);

   strbuf_puts(out, "#version 450\n");
   if (has_name(text, "attribute"))
      strbuf_puts(out, "#define attribute in\n");
   if (has_name(text, "varying"))
      strbuf_puts(out, "#define varying out\n");
   for (unsigned i = 0; i < ARRAY_SIZE(builtins); i++) {
      if (needs(text, builtins[i].name))
         strbuf_printf(out, "%s\n", builtins[i].declaration);
   }
   put_words(text, body, out);
   if (version_of(text, body) == 100)
      strbuf_puts(out, "#define saffron_ES 1\n");
   strbuf_printf(out, "#line %u\n", line);
   put_body(text, body, out);
}
