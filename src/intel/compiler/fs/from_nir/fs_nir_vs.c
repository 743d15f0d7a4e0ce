/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders, SIMD8.
 *
 * Thread payload (PRM SKL vol 7, "SIMD8 VS Thread Payload"): g0 header, g1
 * URB return handles, one dword a vertex; then push constants; then the
 * attributes, four GRFs a slot (x, y, z, w of eight vertices).
 */
#include "fs_nir.h"

/* The lowest location that a load reads, and how many slots from there. */
static unsigned
input_slots(const nir_intrinsic_instr *intr, unsigned *first)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned dw = (unsigned)nir_intrinsic_component(intr) +
                       intr->instr.result.num_components * MAX2(1, bits / 32);

   *first = (unsigned)nir_intrinsic_base(intr);
   if (nir_use_is_const(intr->src[0]))
      *first += (unsigned)nir_use_as_uint(intr->src[0]);
   return DIV_ROUND_UP(dw, 4);
}

static void
gather_input(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_vs_prog_data *pd = s->prog_data.vs;
   unsigned first, slots = input_slots(intr, &first);

   if (!nir_use_is_const(intr->src[0])) {
      eu_fail(s, "vertex attribute with a dynamic index");
      return;
   }
   if (first + slots > 32) {
      eu_fail(s, "vertex attribute location %u", first);
      return;
   }
   for (unsigned i = 0; i < slots; i++)
      pd->inputs_read |= BITFIELD64_BIT(first + i);
   if (intr->instr.result.bit_size == 64) {
      pd->double_inputs |= BITFIELD64_BIT(first);
      if (slots > 1)
         pd->dual_slot_inputs |= BITFIELD64_BIT(first);
   }
}

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_vs_prog_data *pd = s->prog_data.vs;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input: gather_input(s, intr); break;
   case nir_intrinsic_load_vertex_id_zero_base:
   case nir_intrinsic_load_vertex_id:
      pd->uses_vertexid = true;
      if (intr->intrinsic == nir_intrinsic_load_vertex_id)
         pd->uses_firstvertex = true;
      break;
   case nir_intrinsic_load_instance_id: pd->uses_instanceid = true; break;
   case nir_intrinsic_load_first_vertex:
   case nir_intrinsic_load_base_vertex: pd->uses_firstvertex = true; break;
   case nir_intrinsic_load_base_instance: pd->uses_baseinstance = true; break;
   case nir_intrinsic_load_draw_id:
   case nir_intrinsic_load_view_index: pd->uses_drawid = true; break;
   default: break;
   }
}

static void
setup_outputs(struct eu_shader *s, uint64_t written)
{
   struct intel_vs_prog_data *pd = s->prog_data.vs;

   fs_set_vue_outputs(s, written, s->key.vs->extra_slots_valid, &pd->out);
   pd->urb_entry_size = DIV_ROUND_UP(pd->out.vue_map.num_slots, 4);
}

void
fs_setup_vs(struct eu_shader *s)
{
   struct intel_vs_prog_data *pd = s->prog_data.vs;
   nir_function_impl *impl = nir_entry_point(s->nir);
   uint64_t written = 0;

   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         const nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         gather(s, intr);
         if (intr->intrinsic == nir_intrinsic_store_output)
            fs_gather_io_slots(intr, &written, NULL);
      }
   }
   setup_outputs(s, written);

   pd->nr_attribute_slots = (unsigned)__builtin_popcountll(pd->inputs_read);
   unsigned slots = pd->nr_attribute_slots;
   pd->sgvs_slot = (uint8_t)slots;
   if (pd->uses_vertexid || pd->uses_instanceid || pd->uses_firstvertex ||
       pd->uses_baseinstance)
      slots++;
   pd->drawid_slot = (uint8_t)slots;
   if (pd->uses_drawid)
      slots++;
   /* The hardware does not allow a read length of 0 (PRM SKL vol 2a,
    * 3DSTATE_VS, Vertex URB Entry Read Length). */
   pd->urb_read_length = MAX2(1, DIV_ROUND_UP(slots, 2));

   s->payload.urb_handles = 1;
   s->payload.num_regs = 2;
}

/* Dword `dw` of an attribute slot, for eight vertices. */
static eu_reg
attr(unsigned slot, unsigned dw)
{
   return (eu_reg) { .file = EU_ATTR,
                     .type = ISA_TYPE_UD,
                     .stride = 1,
                     .offset = (slot * 4 + dw) * REG_SIZE_B };
}

static void
load_input(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct intel_vs_prog_data *pd = n->s->prog_data.vs;
   unsigned first;
   const unsigned slots = input_slots(intr, &first);
   const unsigned dw = (unsigned)nir_intrinsic_component(intr);
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned comps = intr->instr.result.num_components;
   const unsigned slot = (unsigned)__builtin_popcountll(
      pd->inputs_read & BITFIELD64_MASK(first));

   (void)slots;
   if (bits == 32) {
      fs_set_dest(n, &intr->instr.result, attr(slot, dw));
      return;
   }
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);
   if (bits == 64)
      eu_undef(&n->b, dst);
   for (unsigned c = 0; c < comps; c++) {
      const eu_reg d = eu_offset(dst, &n->b, c);

      if (bits == 64) {
         for (unsigned h = 0; h < 2; h++)
            eu_MOV(&n->b, eu_subscript(d, ISA_TYPE_UD, h),
                   attr(slot, dw + c * 2 + h));
      } else {
         /* Vertex fetch delivers small formats as dwords. */
         eu_MOV(&n->b, d, eu_subscript(attr(slot, dw + c), d.type, 0));
      }
   }
}

bool
fs_emit_vs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const struct intel_vs_prog_data *pd = n->s->prog_data.vs;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input: load_input(n, intr); return true;
   case nir_intrinsic_load_first_vertex:
   case nir_intrinsic_load_base_vertex:
      fs_set_dest(n, &intr->instr.result, attr(pd->sgvs_slot, 0));
      return true;
   case nir_intrinsic_load_base_instance:
      fs_set_dest(n, &intr->instr.result, attr(pd->sgvs_slot, 1));
      return true;
   case nir_intrinsic_load_vertex_id_zero_base:
      fs_set_dest(n, &intr->instr.result, attr(pd->sgvs_slot, 2));
      return true;
   case nir_intrinsic_load_vertex_id:
      eu_ADD(&n->b, fs_get_dest(n, &intr->instr.result),
             attr(pd->sgvs_slot, 2), attr(pd->sgvs_slot, 0));
      return true;
   case nir_intrinsic_load_instance_id:
      fs_set_dest(n, &intr->instr.result, attr(pd->sgvs_slot, 3));
      return true;
   case nir_intrinsic_load_draw_id:
      fs_set_dest(n, &intr->instr.result, attr(pd->drawid_slot, 0));
      return true;
   case nir_intrinsic_load_view_index:
      fs_set_dest(n, &intr->instr.result, attr(pd->drawid_slot, 1));
      return true;
   case nir_intrinsic_store_output: fs_store_vue_output(n, intr); return true;
   default: return false;
   }
}
