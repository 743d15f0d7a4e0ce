/* SPDX-License-Identifier: MIT */
/* Intrinsics and calls. */
#ifndef NIR_INTRINSIC_H
#define NIR_INTRINSIC_H

#include "ir/nir_alu.h"

#define NIR_INTRINSIC_MAX_CONST_INDEX 8
#define NIR_INTRINSIC_MAX_INPUTS 11

typedef struct nir_io_semantics {
   unsigned location : 7; /* VERT_ATTRIB, VARYING_SLOT or FRAG_RESULT */
   unsigned num_slots : 6;
   unsigned dual_source_blend_index : 1;
   unsigned fb_fetch_output : 1;
   unsigned gs_streams : 8; /* 2 bits for each component */
   unsigned medium_precision : 1;
   unsigned per_view : 1;
   unsigned high_16bits : 1;
   unsigned invariant : 1;
   unsigned no_varying : 1;
   unsigned no_sysval_output : 1;
   unsigned _pad : 3;
} nir_io_semantics;

typedef enum {
   NIR_MEMORY_ACQUIRE = 1 << 0,
   NIR_MEMORY_RELEASE = 1 << 1,
   NIR_MEMORY_ACQ_REL = NIR_MEMORY_ACQUIRE | NIR_MEMORY_RELEASE,
   NIR_MEMORY_MAKE_AVAILABLE = 1 << 2,
   NIR_MEMORY_MAKE_VISIBLE = 1 << 3,
} nir_memory_semantics;

typedef enum {
   NIR_SCOPE_NONE,
   NIR_SCOPE_INVOCATION,
   NIR_SCOPE_SUBGROUP,
   NIR_SCOPE_SHADER_CALL,
   NIR_SCOPE_WORKGROUP,
   NIR_SCOPE_QUEUE_FAMILY,
   NIR_SCOPE_DEVICE,
} nir_scope;

typedef enum {
   NIR_INTRINSIC_CAN_ELIMINATE = 1 << 0,
   NIR_INTRINSIC_CAN_REORDER = 1 << 1,
   NIR_INTRINSIC_CONVERGENT = 1 << 2, /* sees which lanes run it */
} nir_intrinsic_semantic_flag;

#include "nir_intrinsics.h"

/* A row of nir_intrinsics.py. */
typedef struct nir_intrinsic_info {
   const char *name;
   nir_intrinsic_semantic_flag flags;

   /* What it computes. */
   bool has_dest;
   int8_t bit_size_src;     /* the source that has its size too; -1: none */
   uint8_t dest_bit_sizes;  /* bits that may be set; 0: any */
   uint8_t dest_components; /* 0: as many as num_components */

   /* What it reads. */
   uint8_t num_srcs;
   uint8_t num_derefs; /* of the sources, the first ones */
   /* 0: as many as num_components of the instruction; -1: any. */
   int8_t src_components[NIR_INTRINSIC_MAX_INPUTS];

   /* Its constant indices; where each one is, counted from 1 (0: has not). */
   uint8_t index_map[NIR_INTRINSIC_NUM_INDEX_FLAGS];
   uint8_t indices[NIR_INTRINSIC_MAX_CONST_INDEX];
   uint8_t num_indices;
} nir_intrinsic_info;

extern const nir_intrinsic_info nir_intrinsic_infos[nir_num_intrinsics];
extern const char
   *const nir_intrinsic_index_names[NIR_INTRINSIC_NUM_INDEX_FLAGS];

typedef struct nir_intrinsic_instr {
   nir_instr instr;
   nir_intrinsic_op intrinsic;
   uint8_t num_components; /* of the sources and destination of size 0 */
   int const_index[NIR_INTRINSIC_MAX_CONST_INDEX];
   const char *name;
   nir_use src[];
} nir_intrinsic_instr;

#include "nir_intrinsics_indices.h"

nir_io_semantics nir_intrinsic_io_semantics(const nir_intrinsic_instr *instr);
void nir_intrinsic_set_io_semantics(nir_intrinsic_instr *instr,
                                    nir_io_semantics sem);
static inline bool
nir_intrinsic_has_io_semantics(const nir_intrinsic_instr *instr)
{
   return nir_intrinsic_infos[instr->intrinsic]
             .index_map[NIR_INTRINSIC_IO_SEMANTICS] != 0;
}

unsigned nir_intrinsic_result_components(const nir_intrinsic_instr *intr);
void nir_intrinsic_copy_const_indices(nir_intrinsic_instr *dst,
                                      nir_intrinsic_instr *src);
bool nir_intrinsic_can_reorder(const nir_intrinsic_instr *instr);
bool nir_intrinsic_writes_external_memory(const nir_intrinsic_instr *instr);
/* The address is `offset` above a multiple of `mul`, a power of two. */
static inline void
nir_intrinsic_set_align(nir_intrinsic_instr *instr, unsigned mul,
                        unsigned offset)
{
   assert(util_is_power_of_two_nonzero(mul) && offset < mul);
   nir_intrinsic_set_align_offset(instr, (int)offset);
   nir_intrinsic_set_align_mul(instr, (int)mul);
}

/* The source that holds the offset or vertex of an I/O intrinsic; NULL. */
/* Whether it is an image_deref_* operation; and its change into the form that
 * names the image by `src`, an index or (bindless) a handle. Format and
 * access of the variable are kept. */
bool nir_intrinsic_is_image_deref(const nir_intrinsic_instr *instr);
void nir_rewrite_image_intrinsic(nir_intrinsic_instr *instr, nir_value *src,
                                 bool bindless);
nir_use *nir_get_io_offset_src(nir_intrinsic_instr *instr);
nir_use *nir_get_io_arrayed_index_src(nir_intrinsic_instr *instr);
/* The opcode that a memory operation becomes, by variable mode. */
bool nir_is_arrayed_io(const nir_variable *var, gl_shader_stage stage);

/* --- Calls ------------------------------------------------------------- */

typedef struct nir_call_instr {
   nir_instr instr;
   struct nir_function *callee;
   unsigned num_params;
   nir_use params[];
} nir_call_instr;

#endif
