/* SPDX-License-Identifier: MIT */
/*
 * A shader on drawn inputs: on the NIR interpreter, or as machine code on
 * the simulated EU, and what came out beside each other.
 *
 * What is drawn are small numbers that floats hold exactly, so that sums of
 * products are exact in any order; by the types that the shader gives its
 * inputs and blocks. Textures are planes over their coordinates, another one
 * for each. An output that changes with the last digits of the inputs, a
 * comparison of what is nearly the same, says nothing and is left out.
 */
#ifndef BISECT_TRIAL_H
#define BISECT_TRIAL_H

#include "compiler/nir/nir_interp.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/tools/compile_resources.h"
#include "util/dynarray.h"

struct intel_device_info;

#define TRIAL_MAX_LANES 64
#define TRIAL_BUFFERS 240 /* entries of the binding table */
#define TRIAL_BUFFER_B 1024
#define TRIAL_PUSH_B 256
#define TRIAL_WORKGROUPS_BTI 239 /* intel_cs_key.num_workgroups_bti */

/* A word of an output that nobody writes. */
#define TRIAL_UNWRITTEN 0xbadc0de5u

/* How a word of data is drawn. */
enum trial_kind {
   TRIAL_MIXED, /* nobody says what it is */
   TRIAL_FLOAT,
   TRIAL_INT,
   TRIAL_BOOL,
   TRIAL_HALVES,
   TRIAL_DOUBLE_LOW,
   TRIAL_DOUBLE_HIGH,
};

/* What does not change from one draw to the next. */
struct trial_layout {
   gl_shader_stage stage;
   struct compile_resources resources;
   unsigned targets;  /* of fragments: others are not written */
   unsigned lanes;    /* invocations */
   unsigned together; /* of them, in one run of the interpreter: a subgroup */
   bool uses_subgroups;
   unsigned vertices; /* of an input, in stages that have several */
   unsigned vertices_out;
   unsigned local_size[3];
   uint8_t flat[NIR_INTERP_SLOTS]; /* one value for all fragments */
   /* By word, of enum trial_kind. */
   uint8_t inputs[NIR_INTERP_SLOTS * 4];
   uint8_t push[TRIAL_PUSH_B / 4];
   uint8_t buffers[TRIAL_BUFFERS][TRIAL_BUFFER_B / 4];
};

/* One draw. */
struct trial {
   const struct trial_layout *layout;
   uint64_t seed;
   nir_interp_slot *inputs; /* [lane][vertex][NIR_INTERP_SLOTS] */
   /* Of fragments: inputs are planes r + p b1 + q b2 of barycentrics. */
   float plane[NIR_INTERP_SLOTS][4][3]; /* p, q, r */
   float bary[TRIAL_MAX_LANES][2];
   uint8_t buffers[TRIAL_BUFFERS][TRIAL_BUFFER_B];
   uint8_t push[TRIAL_PUSH_B];
};

/* What came of it. */
struct trial_result {
   const char *error; /* it did not run: why */
   /* It says nothing: the shader did not end, or asked for a resource that
    * is not there. */
   bool undefined;
   uint64_t killed;
   nir_interp_slot *outputs; /* [lane][NIR_INTERP_SLOTS], and one more */
   uint8_t buffers[TRIAL_BUFFERS][TRIAL_BUFFER_B];
   struct util_dynarray emitted; /* nir_interp_slot, of geometry shaders */
};

/* From a shader as the front end gives it; false, with *what, if there is
 * something that cannot be drawn. `resources` as a driver would give them
 * out; NULL: none are yet. */
bool trial_layout_init(struct trial_layout *l, const nir_shader *nir,
                       const struct compile_resources *resources,
                       const char **what);

/* The first entry of a variable's block or texture; -1: none was given. */
int trial_find_entry(const struct compile_resources *given,
                     const nir_variable *var);

struct trial *trial_create(struct arena *arena, const struct trial_layout *l,
                           uint64_t seed);
struct trial_result *trial_result_create(struct arena *arena,
                                         const struct trial *t);

/* A word of a system value of a lane; false: it is none that is drawn. */
bool trial_sysval(const struct trial *t, nir_intrinsic_op op, unsigned lane,
                  unsigned component, uint32_t *word);
/* A component of what the texture in an entry gives at u, v. */
uint32_t trial_texel(unsigned entry, unsigned component, float u, float v);
/* What a query of a texture gives in each component. */
#define TRIAL_TEXTURE_SIZE 4

/* What may be otherwise without anything being wrong. */
struct trial_nudge {
   int digits;         /* inputs are so many units of their last digits off */
   uint32_t undefined; /* bits of values that the shader leaves undefined */
};

/* Runs the shader on the interpreter, with a nudge or (NULL) without. The
 * result's error says what went wrong. */
void trial_run_nir(const struct trial *t, nir_shader *nir,
                   const struct trial_nudge *nudge, struct trial_result *r,
                   struct arena *arena);

/* NULL, or why machine code like this is not run. */
const char *trial_refusal(const struct intel_shader *sh);
/* Runs the code of one width on the simulated EU. False: there is no code
 * of that width. */
bool trial_run_code(const struct trial *t,
                    const struct intel_device_info *dev,
                    const struct intel_shader *sh, unsigned width,
                    struct trial_result *r, struct arena *arena);

/* NULL, or the first output that is not as in `want`, in `arena`. `nudged`
 * are results of the same with nudges, up to a NULL. */
const char *trial_compare(const struct trial *t,
                          const struct trial_result *want,
                          const struct trial_result *const *nudged,
                          const struct trial_result *got,
                          struct arena *arena);

#endif
