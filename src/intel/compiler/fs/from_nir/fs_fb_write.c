/* SPDX-License-Identifier: MIT */
/*
 * Render target writes, the end of a fragment shader.
 *
 * Payload (PRM SKL vol 7, "Render Target Write"), each part only when there:
 *    header      2 GRFs: g0 and g1, with the fields ISA_HDR_RT_*: source 0
 *                alpha follows, stencil follows, which blend state, live
 *                pixels
 *    source 0 alpha, oMask (one GRF of words), R G B A, second R G B A,
 *    depth, stencil (one GRF of bytes)
 *
 * Without a header the pixels are those that the instruction enables. Of
 * replicated colour the payload is one GRF, whose first four dwords are R G B
 * A of all pixels.
 */
#include "fs_nir.h"

struct fb_write {
   unsigned target;
   bool has_color, dual, last;
};

static bool
needs_header(const struct nir_to_fs *n, const struct fb_write *w)
{
   /* Where the message has no predicate, the header says what was killed. */
   const bool killed = n->s->prog_data.wm->uses_kill &&
                       !n->s->devinfo->eu.rt_write_predicates;

   return n->s->key.wm->nr_color_regions > 1 || w->dual || killed ||
          n->s->prog_data.wm->computed_stencil ||
          n->s->prog_data.wm->replicate_alpha;
}

static void
emit_header(struct nir_to_fs *n, const struct fb_write *w, eu_reg p,
            uint32_t bits)
{
   struct eu_builder b = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   const eu_reg ud = eu_retype(p, ISA_TYPE_UD);

   for (unsigned i = 0; i < 2; i++)
      eu_MOV(&b, eu_byte_offset(ud, i * REG_SIZE_B), eu_grf(i, ISA_TYPE_UD));
   if (bits) {
      eu_reg g0 = eu_grf(0, ISA_TYPE_UD);
      g0.stride = 0;
      eu_OR(&sb, ud, g0, eu_imm_ud(bits));
   }
   if (w->target)
      eu_MOV(&sb, eu_byte_offset(ud, ISA_HDR_BYTE(RT_INDEX)),
             eu_imm_ud(ISA_HDR_SET(RT_INDEX, w->target)));
   if (n->s->prog_data.wm->uses_kill)
      eu_MOV(&sb,
             eu_byte_offset(eu_retype(ud, ISA_TYPE_UW),
                            ISA_HDR_BYTE(RT_PIXELS)),
             eu_flag_reg(FS_LIVE_FLAG));
}

/* A component of an output, or EU_BAD when it was not written. */
static eu_reg
out_comp(const struct nir_to_fs *n, unsigned slot, unsigned c)
{
   if (n->out[slot].file == EU_BAD || !(n->out_written[slot] & (1u << c)))
      return (eu_reg) { 0 };
   return eu_offset(n->out[slot], &n->b, c);
}

static unsigned
color_slot(const struct nir_to_fs *n, unsigned target)
{
   return n->out[FRAG_RESULT_DATA0 + target].file == EU_BAD &&
                n->out[FRAG_RESULT_COLOR].file != EU_BAD
             ? FRAG_RESULT_COLOR
             : FRAG_RESULT_DATA0 + target;
}

/* Moves a value into the payload at GRF `at`; EU_BAD: anything will do. */
static void
put(struct nir_to_fs *n, eu_reg p, unsigned at, eu_reg v)
{
   if (v.file != EU_BAD)
      eu_MOV(&n->b, eu_byte_offset(eu_retype(p, v.type), at * REG_SIZE_B), v);
   else
      eu_undef_grfs(&n->b, p, at, n->b.exec_size / 8u);
}

/* A colour's component, which the target may keep: what the shader leaves
 * open is zero, not what an earlier thread left in the register. */
static void
put_color(struct nir_to_fs *n, eu_reg p, unsigned at, unsigned slot,
          unsigned c)
{
   const eu_reg v = out_comp(n, slot, c);
   put(n, p, at, v.file != EU_BAD ? v : eu_imm_ud(0));
}

static struct eu_inst *
send_write(const struct eu_builder *b, const struct isa_message *m, eu_reg p)
{
   struct eu_inst *inst =
      eu_emit_send(b, m, (eu_reg) { 0 }, (eu_reg) { 0 }, p);

   inst->op = ISA_OPCODE_SENDC; /* waits for older threads on the pixel */
   inst->side_effects = true;
   inst->eot = m->last_rt;
   return inst;
}

static void
emit_fb_write(struct nir_to_fs *n, const struct fb_write *w)
{
   const struct intel_wm_prog_data *pd = n->s->prog_data.wm;
   const struct eu_builder *b = &n->b;
   const unsigned width = b->exec_size / 8u;
   const bool header = needs_header(n, w);
   const bool alpha = pd->replicate_alpha && w->target > 0;
   const bool omask = pd->uses_omask &&
                      n->out[FRAG_RESULT_SAMPLE_MASK].file != EU_BAD;
   const bool depth = pd->computed_depth != INTEL_DEPTH_NONE;
   eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, 16), ISA_TYPE_UD);
   unsigned at = 0;

   if (header) {
      emit_header(n, w, p,
                  ISA_HDR_SET(RT_SRC0_ALPHA, alpha) |
                     ISA_HDR_SET(RT_STENCIL, pd->computed_stencil));
      at = 2;
   }
   if (alpha) {
      put_color(n, p, at, color_slot(n, 0), 3);
      at += width;
   }
   if (omask) {
      /* Words of 16 channels, whatever the width. */
      eu_undef_grfs(b, p, at, 1);
      eu_MOV(b, eu_byte_offset(eu_retype(p, ISA_TYPE_UW), at * REG_SIZE_B),
             eu_subscript(out_comp(n, FRAG_RESULT_SAMPLE_MASK, 0),
                          ISA_TYPE_UW, 0));
      at++;
   }
   for (unsigned c = 0; c < 4; c++, at += width) {
      if (w->has_color)
         put_color(n, p, at, color_slot(n, w->target), c);
      else
         put(n, p, at, (eu_reg) { 0 });
   }
   if (w->dual) {
      for (unsigned c = 0; c < 4; c++, at += width)
         put_color(n, p, at, FS_OUT_DUAL, c);
   }
   if (depth) {
      put(n, p, at, out_comp(n, FRAG_RESULT_DEPTH, 0));
      at += width;
   }
   if (pd->computed_stencil) {
      const eu_reg v = out_comp(n, FRAG_RESULT_STENCIL, 0);
      eu_undef_grfs(b, p, at, 1);
      if (v.file != EU_BAD)
         eu_MOV(b, eu_byte_offset(eu_retype(p, ISA_TYPE_UB), at * REG_SIZE_B),
                eu_subscript(v, ISA_TYPE_UB, 0));
      at++;
   }
   if (at > 15) {
      eu_fail(n->s, "render target write of %u registers", at);
      return;
   }

   const struct isa_message m = {
      .msg = ISA_MSG_RT_WRITE,
      .bti = (uint16_t)(n->s->key.wm->render_target_start + w->target),
      .rt_kind = w->dual      ? ISA_RT_SIMD8_DUAL_LOW
                 : width == 1 ? ISA_RT_SIMD8
                              : ISA_RT_SIMD16,
      .last_rt = w->last,
      .header = header,
      .mlen = (uint8_t)at,
   };
   struct eu_inst *inst = send_write(b, &m, p);
   if (pd->uses_kill && n->s->devinfo->eu.rt_write_predicates) {
      inst->pred = ISA_PRED_NORMAL;
      inst->flag = FS_LIVE_FLAG;
   }
   n->s->vgrf_size[p.nr] = (uint16_t)at;
}

/* "The pixel shader kernel requires no attributes, and delivers a value of
 * 0xFFFFFFFF in all channels of the render target write message. The
 * replicated color message should be used" (PRM IVB vol 2 part 1, "MCS Buffer
 * for Render Target(s)"). */
static void
emit_fast_clear(struct nir_to_fs *n)
{
   const struct eu_builder b = eu_exec_all(eu_group(n->b, 8, 0));
   const eu_reg p = eu_vgrf_reg(eu_alloc_vgrf(n->s, 1), ISA_TYPE_UD);
   const struct isa_message m = {
      .msg = ISA_MSG_RT_WRITE,
      .bti = n->s->key.wm->render_target_start,
      .rt_kind = ISA_RT_SIMD16_REPLICATED,
      .last_rt = true,
      .mlen = 1,
   };

   eu_MOV(&b, p, eu_imm_ud(~0u));
   send_write(&n->b, &m, p);
   n->ends_thread = true;
}

void
fs_emit_fb_writes(struct nir_to_fs *n)
{
   const struct intel_wm_prog_data *pd = n->s->prog_data.wm;
   const struct intel_wm_key *key = n->s->key.wm;
   struct fb_write w[9];
   unsigned count = 0;

   if (key->fast_clear) {
      emit_fast_clear(n);
      return;
   }
   if (n->s->uses_halt)
      eu_emit0(&n->b, EU_OP_HALT_TARGET);

   for (unsigned t = 0; t < MIN2(8, key->nr_color_regions); t++) {
      if (!(key->color_outputs_valid & (1u << t)) ||
          !(pd->color_outputs_written & (1u << t)))
         continue;
      w[count++] = (struct fb_write) {
         .target = t,
         .has_color = true,
         .dual = t == 0 && pd->dual_src_blend,
      };
   }
   /* Depth, coverage and the end of the thread need some message. */
   if (count == 0)
      w[count++] = (struct fb_write) { .has_color = false };
   w[count - 1].last = true;
   for (unsigned i = 0; i < count && !n->s->failed; i++) {
      n->b.nir = w[i].has_color ? n->out_nir[color_slot(n, w[i].target)]
                                : n->out_nir[FRAG_RESULT_DEPTH];
      emit_fb_write(n, &w[i]);
   }
   n->b.nir = NULL;
   n->ends_thread = true;
}
