/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders, SIMD4x2.
 *
 * Thread payload (PRM IVB vol 2 part 1, "VS Thread Payload"; HSW vol 7,
 * "SIMD4x2 VS Thread Payload"): g0 header, of which dwords 0 and 1 are the
 * URB return handles of the two vertices; then push constants; then the
 * attributes, a GRF a slot, of the first vertex in its low half.
 */
#include "vec4_nir.h"

void
vec4_setup_vs(struct eu_shader *s)
{
   fs_setup_vs(s);
   s->prog_data.vs->dispatch_mode = INTEL_DISPATCH_4X2;
   s->payload.urb_handles = 0;
   s->payload.num_regs = 1;
}

/* Dword `dw` of an attribute slot, and those after it. */
static eu_reg
attr(unsigned slot, unsigned dw)
{
   unsigned swz = 0;

   for (unsigned c = 0; c < 4; c++)
      swz |= MIN2(dw + c, 3) << 2 * c;
   return (eu_reg) { .file = EU_ATTR,
                     .type = ISA_TYPE_UD,
                     .stride = 1,
                     .offset = slot * REG_SIZE_B,
                     .swz = (uint8_t)swz };
}

/*
 * Doubles: a slot has 16 bytes of each vertex, a register 32 bytes of one.
 * All four components are written, as there is no mask for two; those that
 * the attribute does not have are others of the slots that it has.
 */
static eu_reg
load_doubles(struct nir_to_vec4 *v, unsigned slot, unsigned dw,
             unsigned comps)
{
   const eu_reg dst = vec4_new(v, ISA_TYPE_DF);
   eu_reg from = attr(slot, 0);
   unsigned swz = 0;

   for (unsigned c = 0; c < 4; c++)
      swz |= MIN2(dw / 2 + (comps == 3 ? c : c % comps), 3) << 2 * c;
   from.type = ISA_TYPE_DF;
   from.stride = 2;
   from.swz = (uint8_t)swz;
   vec4_mov(v, dst, ISA_WRITEMASK_XYZW, from);
   return dst;
}

static void
load_input(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const struct intel_vs_prog_data *pd = v->n.s->prog_data.vs;
   const unsigned first = (unsigned)nir_intrinsic_base(intr) +
                          (unsigned)nir_use_as_uint(intr->src[0]);
   const unsigned dw = (unsigned)nir_intrinsic_component(intr);
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;
   const unsigned slot = (unsigned)__builtin_popcountll(
      pd->inputs_read & BITFIELD64_MASK(first));

   if (bits == 64) {
      vec4_set_dest(v, &intr->instr.result, load_doubles(v, slot, dw, comps));
      return;
   }
   if (bits != 32) {
      eu_fail(v->n.s, "vertex attribute of %u bits", bits);
      return;
   }
   eu_reg r = attr(slot, dw);
   if (comps == 1) {
      /* In all channels. */
      eu_reg t = vec4_new(v, ISA_TYPE_UD);
      vec4_mov(v, t, ISA_WRITEMASK_XYZW, vec4_swizzle(r, ISA_SWIZZLE_XXXX));
      r = t;
   }
   vec4_set_dest(v, &intr->instr.result, r);
}

/* A dword that vertex fetch delivers besides. */
static eu_reg
system_value(struct nir_to_vec4 *v, unsigned slot, unsigned dw)
{
   eu_reg t = vec4_new(v, ISA_TYPE_UD);

   vec4_mov(v, t, ISA_WRITEMASK_XYZW,
            vec4_swizzle(attr(slot, dw), ISA_SWIZZLE_XXXX));
   return t;
}

static void
load_vertex_id(struct nir_to_vec4 *v, nir_intrinsic_instr *intr)
{
   const unsigned slot = v->n.s->prog_data.vs->sgvs_slot;
   struct eu_builder b = v->n.b;
   eu_reg t = vec4_new(v, ISA_TYPE_UD);

   b.align16 = ISA_WRITEMASK_XYZW;
   eu_ADD(&b, t, vec4_swizzle(attr(slot, 2), ISA_SWIZZLE_XXXX),
          vec4_swizzle(attr(slot, 0), ISA_SWIZZLE_XXXX));
   vec4_set_dest(v, &intr->instr.result, t);
}

bool
vec4_emit_vs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct intel_vs_prog_data *pd = n->s->prog_data.vs;
   struct nir_to_vec4 *v = vec4_of(n);
   int dw;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input: load_input(v, intr); return true;
   case nir_intrinsic_store_output:
      vec4_store_vue_output(v, intr, &pd->out.vue_map);
      return true;
   case nir_intrinsic_load_vertex_id: load_vertex_id(v, intr); return true;
   case nir_intrinsic_load_draw_id:
      vec4_set_dest(v, &intr->instr.result,
                    system_value(v, pd->drawid_slot, 0));
      return true;
   case nir_intrinsic_load_view_index:
      vec4_set_dest(v, &intr->instr.result,
                    system_value(v, pd->drawid_slot, 1));
      return true;
   case nir_intrinsic_load_first_vertex:
   case nir_intrinsic_load_base_vertex: dw = 0; break;
   case nir_intrinsic_load_base_instance: dw = 1; break;
   case nir_intrinsic_load_vertex_id_zero_base: dw = 2; break;
   case nir_intrinsic_load_instance_id: dw = 3; break;
   default: return false;
   }
   vec4_set_dest(v, &intr->instr.result,
                 system_value(v, pd->sgvs_slot, (unsigned)dw));
   return true;
}
