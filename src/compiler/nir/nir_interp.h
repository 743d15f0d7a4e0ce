/* SPDX-License-Identifier: MIT */
/*
 * Runs a shader on the CPU: the oracle that passes and machine code are
 * compared with. Any stage, before or after I/O lowering. Invocations run in
 * lockstep by lanes; four that follow each other make a quad (top left, top
 * right, bottom left, bottom right) for derivatives.
 *
 * All data is given by the caller: slots of inputs, bytes of buffers, and
 * callbacks for what depends on more than the shader.
 */
#ifndef NIR_INTERP_H
#define NIR_INTERP_H

#include "nir.h"
#include "ssa/nir_phi_webs.h"

#define NIR_INTERP_MAX_LANES 64
/* Slots by VERT_ATTRIB, VARYING_SLOT or FRAG_RESULT; blend source 1 of a
 * fragment output stands NIR_INTERP_SRC1 higher. */
#define NIR_INTERP_SLOTS 160
#define NIR_INTERP_SRC1 64

typedef uint32_t nir_interp_slot[4];

struct nir_interp_buffer {
   void *data;
   size_t size_B;
};

struct nir_interp;

struct nir_interp_callbacks {
   /* A system value or barycentric; false: not known, an error. */
   bool (*sysval)(void *data, unsigned lane, const nir_intrinsic_instr *intr,
                  const nir_const_value *src0, nir_const_value *out);
   /* A texture operation on one lane; srcs[i] is the value of source i.
    * `index` is the element of an array of textures (derefs: flattened). */
   bool (*tex)(void *data, unsigned lane, const nir_tex_instr *tex,
               const nir_const_value *const *srcs, unsigned index,
               nir_const_value *out);
   /* Image operations and whatever else is not known here. */
   bool (*intrinsic)(void *data, unsigned lane,
                     const nir_intrinsic_instr *intr,
                     const nir_const_value *const *srcs,
                     nir_const_value *out);
   void (*emit_vertex)(void *data, unsigned lane, unsigned stream,
                       const nir_interp_slot *outputs);
   void (*end_primitive)(void *data, unsigned lane, unsigned stream);
};

struct nir_interp_params {
   unsigned num_lanes; /* a multiple of 4 where derivatives are taken */
   /* By lane; `num_vertices` arrays of slots for each where inputs are
    * per vertex, else one. */
   const nir_interp_slot *inputs; /* [lane][vertex][NIR_INTERP_SLOTS] */
   unsigned num_vertices;         /* 0 counts as 1 */
   /* [lane][NIR_INTERP_SLOTS]. In tessellation control the lanes are the
    * invocations of one patch and share their outputs:
    * [vertex][NIR_INTERP_SLOTS], and after the last of
    * num_output_vertices one more with those of the patch. */
   nir_interp_slot *outputs;
   unsigned num_output_vertices;
   /* Lanes that were killed (discard, demote, terminate) at the end. */
   uint64_t killed;
   /* Lanes that run only for their neighbours. */
   uint64_t helpers;
   const struct nir_interp_buffer *ubos, *ssbos;
   unsigned num_ubos, num_ssbos;
   struct nir_interp_buffer push_constants;
   struct nir_interp_buffer shared;
   const struct nir_interp_callbacks *callbacks; /* may be NULL */
   void *data;
   uint64_t max_steps; /* blocks executed; 0: a default of 10^6 */
   /* The low bits of undefined values: any are as good. */
   uint32_t undefined;
   /* NULL, or the webs of conventional SSA: the values of a web are written
    * to one place and phis do nothing, as in a back end's code. */
   const struct nir_phi_webs *webs;
   /* How a mem_ubo or mem_ssbo variable finds its buffer: NULL takes the
    * binding as index into ubos or ssbos. */
   unsigned (*buffer_index)(void *data, const nir_variable *var);
};

/* Runs the entry point. NULL when it went well, else the fault as a
 * sentence in `arena`. Reads of a buffer beyond its end give zero, writes
 * there do nothing. */
const char *nir_interp_run(nir_shader *shader,
                           struct nir_interp_params *params,
                           struct arena *arena);

#endif
