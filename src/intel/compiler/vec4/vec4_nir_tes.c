/* SPDX-License-Identifier: MIT */
/*
 * Tessellation evaluation shaders, SIMD4x2: two points of one patch.
 *
 * Thread payload (PRM IVB vol 2 part 1, "DS Thread Payload"; HSW vol 7): g0
 * header, of which dwords 0 and 1 are the URB return handles; g1 u, v, w of
 * either point in its halves, g1.3 the handle of the patch's URB entry, g1.7
 * the primitive ID; then push constants; then the start of the patch's entry,
 * two slots a GRF, for both points.
 */
#include "vec4_nir.h"

#define COORD_GRF 1

void
vec4_setup_tes(struct eu_shader *s)
{
   fs_setup_tes(s);
   s->prog_data.tes->dispatch_mode = INTEL_DISPATCH_4X2;
   s->payload.tess_coord = COORD_GRF;
   s->payload.urb_handles = 0;
   s->payload.patch_handle_dw = COORD_GRF * 8 + 3;
   s->payload.primitive_id_dw = COORD_GRF * 8 + 7;
   s->payload.num_regs = 2;
}

static void
load_tess_coord(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   eu_reg r = vec4_src(eu_grf(COORD_GRF, ISA_TYPE_UD));

   if (!v->n.s->prog_data.tes->compute_w) {
      const eu_reg t = vec4_new(v, ISA_TYPE_UD);
      eu_undef(&v->n.b, t);
      vec4_mov(v, t, VEC4_X | VEC4_Y, r);
      vec4_mov(v, t, VEC4_Z, eu_imm_ud(0));
      r = t;
   }
   vec4_set_dest(v, &intr->instr.result, r);
}

bool
vec4_emit_tes_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   struct nir_to_vec4 *v = vec4_of(n);

   switch (intr->intrinsic) {
   case nir_intrinsic_load_tess_coord: load_tess_coord(v, intr); return true;
   case nir_intrinsic_store_output:
      vec4_store_vue_output(v, intr, &n->s->prog_data.tes->out.vue_map);
      return true;
   default:
      n->result = (eu_reg) { 0 };
      if (!fs_emit_tes_intrinsic(n, intr))
         return false;
      if (!n->s->failed)
         vec4_take_result(v, &intr->instr.result);
      return true;
   }
}
