/* SPDX-License-Identifier: MIT */
/*
 * The operations on doubles whose accuracy is measured, each with its
 * reference and with what is claimed of it.
 */
#ifndef FP64_H
#define FP64_H

#include "compiler/nir/nir_builder.h"

/* What a value in a 64-bit slot is; the low bits hold it. */
enum fp64_kind {
   FP64_NONE,
   FP64_DOUBLE,
   FP64_FLOAT,
   FP64_HALF,
   FP64_INT32,
   FP64_UINT32,
   FP64_INT64,
   FP64_UINT64,
};

enum fp64_claim {
   FP64_EXACT,   /* the result is representable, and is this one */
   FP64_ROUNDED, /* nearest, ties to even; subnormals too */
   FP64_ONE_ULP, /* less than one ulp from the real number */
};

struct fp64_op {
   const char *name;
   enum fp64_claim claim;
   enum fp64_kind src[3], dst;
   nir_value *(*build)(nir_builder *b, nir_value *const *src);
   /* The right bits; false where GLSL leaves the result open. */
   bool (*reference)(const uint64_t *in, uint64_t *out);
   /* The distance of a finite result from the real number, in ulp; NULL:
    * the distance from the reference's result. */
   double (*error)(const uint64_t *in, uint64_t got);
   /* Results that are as good as the reference's, or NULL. */
   bool (*also_right)(const uint64_t *in, uint64_t got);
};

extern const struct fp64_op fp64_ops[];
extern const unsigned fp64_num_ops;

unsigned fp64_kind_bits(enum fp64_kind kind);

#endif
