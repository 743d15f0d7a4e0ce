/* SPDX-License-Identifier: MIT */
/*
 * What a fragment shader needs of the payload and of the state around it:
 * its program data, and where in the payload things lie (fs_nir_fs.c).
 */
#include "fs_nir.h"

enum intel_barycentric_mode
fs_bary_mode(const struct eu_shader *s, const nir_intrinsic_instr *bary)
{
   const bool linear = nir_intrinsic_interp_mode(bary) ==
                       INTERP_MODE_NOPERSPECTIVE;
   unsigned where = 0;

   if (bary->intrinsic == nir_intrinsic_load_barycentric_centroid)
      where = 1;
   else if (bary->intrinsic == nir_intrinsic_load_barycentric_sample)
      where = 2;
   /* An invocation for each sample interpolates there. */
   if (s->prog_data.wm->persample_dispatch)
      where = 2;
   return (enum intel_barycentric_mode)(where + (linear ? 3 : 0));
}

unsigned
fs_io_slot(const nir_intrinsic_instr *intr, const nir_use *off)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   return sem.location +
          (nir_use_is_const(*off) ? (unsigned)nir_use_as_uint(*off) : 0);
}

static void
gather_input(struct eu_shader *s, const nir_intrinsic_instr *intr,
             const nir_use *off)
{
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned dw = (unsigned)nir_intrinsic_component(intr) +
                       intr->instr.result.num_components * MAX2(1, bits / 32);
   const unsigned slot = fs_io_slot(intr, off);

   if (!nir_use_is_const(*off)) {
      eu_fail(s, "fragment input with a dynamic index");
      return;
   }
   for (unsigned i = 0; i < DIV_ROUND_UP(dw, 4); i++) {
      if (slot + i < 64)
         s->prog_data.wm->inputs_read |= BITFIELD64_BIT(slot + i);
   }
}

static void
gather_output(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);

   switch (sem.location) {
   case FRAG_RESULT_DEPTH: pd->computed_depth = INTEL_DEPTH_ANY; break;
   case FRAG_RESULT_STENCIL: pd->computed_stencil = true; break;
   case FRAG_RESULT_SAMPLE_MASK: pd->uses_omask = true; break;
   case FRAG_RESULT_COLOR: pd->color_outputs_written |= 0xff; break;
   default:
      if (sem.dual_source_blend_index)
         pd->dual_src_blend = true;
      else if (sem.location >= FRAG_RESULT_DATA0)
         pd->color_outputs_written |=
            (uint8_t)(1u << (sem.location - FRAG_RESULT_DATA0));
      break;
   }
}

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr, bool *per_sample)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_input: gather_input(s, intr, &intr->src[0]); break;
   case nir_intrinsic_load_interpolated_input:
      gather_input(s, intr, &intr->src[1]);
      break;
   case nir_intrinsic_load_point_coord:
      pd->inputs_read |= VARYING_BIT(PNTC);
      break;
   case nir_intrinsic_load_primitive_id:
      pd->inputs_read |= VARYING_BIT(PRIMITIVE_ID);
      break;
   case nir_intrinsic_load_layer_id:
      pd->inputs_read |= VARYING_BIT(LAYER);
      break;
   case nir_intrinsic_load_frag_coord:
      pd->uses_src_depth = pd->uses_src_w = true;
      break;
   case nir_intrinsic_load_sample_id: *per_sample = true; break;
   case nir_intrinsic_load_sample_pos:
      *per_sample = true;
      pd->uses_pos_offset = true;
      break;
   case nir_intrinsic_load_sample_pos_or_center:
      pd->uses_pos_offset = true;
      break;
   case nir_intrinsic_load_sample_mask_in:
      pd->uses_sample_mask_in = true;
      pd->post_depth_coverage = s->nir->info.fs.post_depth_coverage;
      break;
   case nir_intrinsic_load_barycentric_sample: *per_sample = true; break;
   case nir_intrinsic_load_barycentric_at_sample:
   case nir_intrinsic_load_barycentric_at_offset:
      pd->pulls_barycentrics = true;
      pd->uses_nonperspective |= nir_intrinsic_interp_mode(intr) ==
                                 INTERP_MODE_NOPERSPECTIVE;
      break;
   case nir_intrinsic_store_output: gather_output(s, intr); break;
   default:
      pd->base.has_side_effects |= fs_is_buffer_write(intr->intrinsic) ||
                                   fs_is_image_write(intr->intrinsic);
      break;
   }
}

static void
gather_barycentrics(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
      pd->barycentric_modes |= 1u << fs_bary_mode(s, intr);
      break;
   case nir_intrinsic_load_point_coord:
      pd->barycentric_modes |= 1u << INTEL_BARY_PERSPECTIVE_PIXEL;
      break;
   default: break;
   }
}

static void
assign_setup(struct intel_wm_prog_data *pd, const struct intel_wm_key *key)
{
   for (unsigned i = 0; i < 64; i++) {
      pd->urb_setup[i] = -1;
      if (!(pd->inputs_read & BITFIELD64_BIT(i)))
         continue;
      pd->urb_setup[i] = key->numbers_inputs ? key->input_numbers[i]
                                             : (int8_t)pd->num_varying_inputs;
      assert(pd->urb_setup[i] >= 0 && "each input has a number");
      pd->num_varying_inputs =
         MAX2(pd->num_varying_inputs, (uint32_t)pd->urb_setup[i] + 1);
   }
   if (pd->urb_setup[VARYING_SLOT_PNTC] >= 0)
      pd->point_coord_inputs |= 1u << pd->urb_setup[VARYING_SLOT_PNTC];
   /* Integers in the vertex header are not interpolated. */
   static const uint8_t flat[] = { VARYING_SLOT_LAYER, VARYING_SLOT_VIEWPORT,
                                   VARYING_SLOT_PRIMITIVE_ID };
   for (unsigned i = 0; i < ARRAY_SIZE(flat); i++) {
      if (pd->urb_setup[flat[i]] >= 0)
         pd->flat_inputs |= 1u << pd->urb_setup[flat[i]];
   }
}

static void
mark_flat(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const unsigned bits = intr->instr.result.bit_size;
   const unsigned dw = (unsigned)nir_intrinsic_component(intr) +
                       intr->instr.result.num_components * MAX2(1, bits / 32);
   const unsigned slot = fs_io_slot(intr, &intr->src[0]);

   for (unsigned i = 0; i < DIV_ROUND_UP(dw, 4); i++) {
      if (slot + i < 64 && pd->urb_setup[slot + i] >= 0)
         pd->flat_inputs |= 1u << pd->urb_setup[slot + i];
   }
}

static void
setup_payload(struct eu_shader *s)
{
   const struct intel_wm_prog_data *pd = s->prog_data.wm;
   const unsigned w = s->dispatch_width / 8;
   unsigned g = 2;

   for (unsigned i = 0; i < INTEL_BARY_COUNT; i++) {
      if (pd->barycentric_modes & (1u << i)) {
         s->payload.bary[i] = (uint8_t)g;
         g += 2 * w;
      }
   }
   if (pd->uses_src_depth) {
      s->payload.src_depth = (uint8_t)g;
      g += w;
   }
   if (pd->uses_src_w) {
      s->payload.src_w = (uint8_t)g;
      g += w;
   }
   if (pd->uses_pos_offset)
      s->payload.sample_pos = (uint8_t)g++;
   if (pd->uses_sample_mask_in) {
      s->payload.sample_mask_in = (uint8_t)g;
      g += w;
   }
   s->payload.num_regs = (uint8_t)g;
}

typedef void (*intrinsic_fn)(struct eu_shader *, const nir_intrinsic_instr *);

static void
for_each_intrinsic(struct eu_shader *s, intrinsic_fn fn)
{
   nir_foreach_block(block, nir_entry_point(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            fn(s, nir_instr_as_intrinsic(instr));
      }
   }
}

static void
gather_flat(struct eu_shader *s, const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic == nir_intrinsic_load_input)
      mark_flat(s, intr);
}

void
fs_setup_fs(struct eu_shader *s)
{
   struct intel_wm_prog_data *pd = s->prog_data.wm;
   const struct shader_info *info = &s->nir->info;
   bool per_sample = s->key.wm->persample_shading ||
                     info->fs.uses_sample_qualifier ||
                     info->fs.uses_sample_shading;

   nir_foreach_block(block, nir_entry_point(s->nir)) {
      nir_foreach_instr(instr, block) {
         pd->uses_kill |= nir_instr_ends_channels(instr) ||
                          (instr->kind == nir_kind_jump &&
                           nir_instr_as_jump(instr)->type == nir_jump_halt);
         if (instr->kind == nir_kind_intrinsic)
            gather(s, nir_instr_as_intrinsic(instr), &per_sample);
      }
   }
   pd->persample_dispatch = per_sample && s->key.wm->multisample_fbo;
   if (pd->persample_dispatch && pd->uses_src_depth)
      pd->uses_pos_offset = true; /* x and y of gl_FragCoord */
   for_each_intrinsic(s, gather_barycentrics);
   if (pd->computed_stencil && !s->devinfo->eu.has_stencil_export) {
      eu_fail(s, "stencil values from a fragment shader");
      return;
   }
   assign_setup(pd, s->key.wm);
   for_each_intrinsic(s, gather_flat);
   pd->uses_nonperspective |= (pd->barycentric_modes >> 3) != 0;
   pd->early_fragment_tests = info->fs.early_fragment_tests;
   if (pd->computed_depth == INTEL_DEPTH_ANY) {
      if (info->fs.depth_layout == FRAG_DEPTH_LAYOUT_GREATER)
         pd->computed_depth = INTEL_DEPTH_GREATER;
      else if (info->fs.depth_layout == FRAG_DEPTH_LAYOUT_LESS)
         pd->computed_depth = INTEL_DEPTH_LESS;
   }
   pd->replicate_alpha = s->key.wm->alpha_to_coverage &&
                         s->key.wm->nr_color_regions > 1 &&
                         (pd->color_outputs_written & 1);
   setup_payload(s);
}
