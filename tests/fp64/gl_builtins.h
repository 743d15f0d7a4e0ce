/* SPDX-License-Identifier: MIT */
/* Built-in functions of doubles in GLSL 4.60, as a program writes them, and
 * what is right for each. */
#ifndef GL_BUILTINS_H
#define GL_BUILTINS_H

#include "fp64.h"

/* Operands of an invocation: x, y, z, and an exponent. */
#define GL_OPERANDS 4

enum gl_domain {
   GL_ALL,   /* any bits */
   GL_TAME,  /* magnitudes from 2^-20 to 2^20, either sign */
   GL_FINITE /* any but infinities and NaN */
};

/* How results are judged. */
enum gl_judge {
   GL_BITS, /* those of the reference; a NaN is any NaN */
   GL_NEAR, /* within some units of the last place of the largest term */
};

struct gl_builtin {
   const char *name; /* of the row in docs/fp64.rst */
   const char *code; /* sets r of type `type`; T, I, U, B, F are the types */
   char type;        /* T, I, U, B or F */
   /* Vectors of this many components alone; 0: 1 to 4, each by itself. */
   unsigned width;
   enum gl_domain domain;
   enum gl_judge judge;
   /* Component c of the result for `width` operands from in[0] on. False:
    * GLSL leaves it open. With GL_NEAR scale is the largest term's size. */
   bool (*reference)(const uint64_t (*in)[GL_OPERANDS], unsigned width,
                     unsigned c, bool precise, uint64_t *out, double *scale);
   /* Results that are as good; NULL: none. */
   bool (*also_right)(const uint64_t *in, uint64_t got);
};

extern const struct gl_builtin gl_builtins[];
extern const unsigned gl_num_builtins;

#endif
