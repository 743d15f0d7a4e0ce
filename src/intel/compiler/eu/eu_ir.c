/* SPDX-License-Identifier: MIT */
/* Creation and properties of fs instructions; no pass lives here. */
#include "eu_ir.h"

#include "intel/compiler/intel_compiler_private.h"

struct eu_shader *
eu_shader_create(struct arena *arena, const struct intel_compiler *compiler,
                 gl_shader_stage stage, unsigned dispatch_width)
{
   struct eu_shader *s = arena_new(arena, struct eu_shader);

   s->arena = arena;
   s->compiler = compiler;
   s->devinfo = compiler->devinfo;
   s->gen = compiler->gen;
   s->stage = stage;
   s->dispatch_width = dispatch_width;
   list_inithead(&s->insts);
   return s;
}

uint32_t
eu_alloc_vgrf(struct eu_shader *s, unsigned grfs)
{
   assert(grfs > 0);
   if (s->num_vgrfs == s->max_vgrfs) {
      const uint32_t max = MAX2(256, s->max_vgrfs * 2);

      s->vgrf_size = arena_grow(s->arena, s->vgrf_size,
                                s->max_vgrfs * sizeof(*s->vgrf_size),
                                max * sizeof(*s->vgrf_size));
      s->max_vgrfs = max;
   }
   s->vgrf_size[s->num_vgrfs] = (uint16_t)grfs;
   return s->num_vgrfs++;
}

void
eu_fail(struct eu_shader *s, const char *fmt, ...)
{
   va_list ap;

   if (s->failed)
      return;
   va_start(ap, fmt);
   s->fail_msg = arena_vprintf(s->arena, fmt, ap);
   va_end(ap);
   s->failed = true;
}

bool
eu_may_fold_modifier(const struct eu_inst *inst, unsigned type)
{
   const struct eu_opcode_info *info = eu_info(inst);
   const eu_reg *d = &inst->dst;

   if (!eu_may_modify(inst) || info->is_logic)
      return false;
   if (eu_type_is_float(type))
      return true;
   return info->wraps && !inst->saturate &&
          inst->cond_mod == ISA_COND_MOD_NONE &&
          (d->file != EU_ARF || eu_is_null(d)) &&
          !eu_type_is_float(d->type) &&
          eu_type_sz(d->type) <= eu_type_sz(type);
}

bool
eu_reg_equal(const eu_reg *a, const eu_reg *b)
{
   return a->file == b->file && a->type == b->type &&
          a->stride == b->stride && a->negate == b->negate &&
          a->abs == b->abs && a->region == b->region &&
          (!a->region ||
           (a->vs == b->vs && a->w == b->w && a->hs == b->hs)) &&
          a->nr == b->nr && a->offset == b->offset && a->imm == b->imm &&
          a->swz == b->swz;
}

bool
eu_same_space(const eu_reg *a, const eu_reg *b)
{
   if (a->file != b->file)
      return false;
   switch (a->file) {
   case EU_VGRF:
   case EU_ARF: return a->nr == b->nr;
   case EU_GRF:
   case EU_UNIFORM:
   case EU_ATTR: return true;
   default: return false;
   }
}

unsigned
eu_reg_offset(const eu_reg *r)
{
   return r->file == EU_GRF ? r->nr * REG_SIZE_B + r->offset : r->offset;
}

bool
eu_regions_overlap(const eu_reg *a, unsigned a_size_B, const eu_reg *b,
                   unsigned b_size_B)
{
   if (!eu_same_space(a, b))
      return false;
   const unsigned ao = eu_reg_offset(a), bo = eu_reg_offset(b);
   return ao < bo + b_size_B && bo < ao + a_size_B;
}

/* ---- align16 ---- */

/* Channels of one vertex that are written, as bits of components. */
static unsigned
write_mask(const struct eu_inst *inst)
{
   const unsigned mask = inst->dst.swz;

   /* The hardware's for doubles: XY is {x, z}, ZW is {y, w}. */
   if (inst->dst.region && eu_type_sz(inst->dst.type) == 8) {
      if (mask == 0x3)
         return 0x5;
      if (mask == 0xc)
         return 0xa;
   }
   return mask;
}

/* Components as dwords of one vector. */
static uint32_t
dwords_of_components(unsigned comps, unsigned size_B)
{
   uint32_t dwords = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (comps & (1u << c))
         dwords |= size_B == 8 ? 3u << 2 * c : 1u << c;
   }
   return dwords;
}

/* What the channels of all of an instruction's vectors read of a source in
 * the hardware's form. A row of 16 bytes holds four components, of doubles
 * two; in the second half vstride 0 may have moved on by a GRF. */
static uint32_t
dwords_of_region(const struct eu_inst *inst, const eu_reg *r)
{
   const bool wide = eu_type_sz(r->type) == 8;
   const unsigned per_row = wide ? 2 : 4;
   const unsigned rows = MAX2(1, inst->exec_size / per_row);
   const unsigned mask = eu_info(inst)->crosses ? 0xf : write_mask(inst);
   uint32_t dwords = 0;

   for (unsigned row = 0; row < rows; row++) {
      const unsigned at_dw = r->vs                           ? row * 4
                             : wide && row >= 2 && r->w == 1 ? 8
                                                             : 0;
      for (unsigned c = 0; c < per_row; c++) {
         if (!(mask & (1u << (row * per_row + c) % 4)))
            continue;
         if (wide)
            dwords |= 1u << (at_dw + ((r->swz >> 4 * c) & 3)) |
                      1u << (at_dw + ((r->swz >> (4 * c + 2)) & 3));
         else
            dwords |= 1u << (at_dw + ((r->swz >> 2 * c) & 3));
      }
   }
   return dwords;
}

uint32_t
eu_dwords_read(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];
   const unsigned size = eu_type_sz(r->type);
   const unsigned mask = eu_info(inst)->crosses ? 0xf : write_mask(inst);
   /* Vertices alternate, halves of a vector are a GRF apart. */
   const bool slots = r->stride == 2;
   uint32_t dwords;

   if (r->region)
      return dwords_of_region(inst, r);
   dwords = dwords_of_components(eu_components_read(r->swz, mask), size);
   if (slots)
      dwords = (dwords & 0xf) | (dwords & 0xf0) << 4;
   if (r->stride && inst->exec_size > 4)
      dwords |= dwords << (slots ? 4 : size);
   return dwords;
}

uint32_t
eu_dwords_written(const struct eu_inst *inst)
{
   const unsigned size = eu_type_sz(inst->dst.type);
   uint32_t dwords = dwords_of_components(write_mask(inst), size);

   if (inst->exec_size > 4)
      dwords |= dwords << size;
   return dwords;
}

/* Bytes up to the last of some dwords. */
static unsigned
dwords_size(uint32_t dwords)
{
   return dwords ? 4 * (32 - (unsigned)__builtin_clz(dwords)) : 0;
}

unsigned
eu_region_size(const eu_reg *r, unsigned exec_size)
{
   const unsigned size = eu_type_sz(r->type);

   if (r->file == EU_IMM || r->file == EU_BAD)
      return 0;
   if (r->region) {
      const unsigned w = MIN2(r->w, exec_size);
      const unsigned rows = exec_size / w;
      return ((rows - 1) * r->vs + (w - 1) * r->hs + 1) * size;
   }
   return ((exec_size - 1) * r->stride + 1) * size;
}

unsigned
eu_default_size(const struct eu_inst *inst)
{
   if (inst->dst.file != EU_VGRF && inst->dst.file != EU_GRF)
      return 0;
   if (inst->align16)
      return dwords_size(eu_dwords_written(inst));
   return eu_region_size(&inst->dst, inst->exec_size);
}

unsigned
eu_size_read(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   if (r->file == EU_IMM || r->file == EU_BAD || eu_is_null(r))
      return 0;
   if (inst->align16)
      return dwords_size(eu_dwords_read(inst, i));
   switch (eu_info(inst)->reads) {
   case EU_READS_MESSAGE:
      return i == 0                             ? inst->mlen * REG_SIZE_B
             : i == 2 && !eu_sends_handle(inst) ? inst->ex_mlen * REG_SIZE_B
                                                : 4;
   case EU_READS_INDIRECT:
      if (i == 0)
         return (unsigned)inst->src[2].imm;
      break;
   case EU_READS_BROADCAST:
      if (i == 0)
         return eu_region_size(r, MAX2(8, inst->src_channels));
      break;
   case EU_READS_PLANE:
      return i == 0 ? 16 : inst->exec_size / 8 * 2 * REG_SIZE_B;
   default: break;
   }
   return eu_region_size(r, inst->exec_size);
}

/* Flags that predicate, or are written by, the channels of an instruction:
 * sixteen channels each. */
static unsigned
flags_of_channels(const struct eu_inst *inst)
{
   const unsigned last = inst->group + inst->exec_size - 1u;

   return BITFIELD_RANGE(inst->flag + inst->group / 16,
                         last / 16 - inst->group / 16 + 1) &
          0xf;
}

unsigned
eu_flags_written(const struct eu_inst *inst)
{
   unsigned mask = 0;

   /* Those that emission uses: others are not live across blocks. */
   if (inst->op == EU_OP_CALL_ROUTINE)
      return inst->exec_size > 16 ? 0xf : 1u | 1u << EU_FLAG_SCRATCH;
   if (inst->cond_mod != ISA_COND_MOD_NONE && !eu_info(inst)->selects)
      mask |= flags_of_channels(inst);
   if (inst->dst.file == EU_ARF && (inst->dst.nr & 0xf0) == ISA_ARF_FLAG) {
      const unsigned f = (inst->dst.nr & 0xf) * 2 + inst->dst.offset / 2;
      mask |= (eu_type_sz(inst->dst.type) == 4 ? 3u : 1u) << f;
   }
   return mask;
}

unsigned
eu_flags_read(const struct eu_inst *inst)
{
   unsigned mask = 0;

   if (inst->pred != ISA_PRED_NONE)
      mask |= flags_of_channels(inst);
   for (unsigned i = 0; i < inst->sources; i++) {
      const eu_reg *r = &inst->src[i];
      if (r->file == EU_ARF && (r->nr & 0xf0) == ISA_ARF_FLAG) {
         const unsigned f = (r->nr & 0xf) * 2 + r->offset / 2;
         mask |= (eu_type_sz(r->type) == 4 ? 3u : 1u) << f;
      }
   }
   return mask;
}

bool
eu_writes_acc(const struct eu_inst *inst)
{
   return eu_info(inst)->writes_acc ||
          (inst->dst.file == EU_ARF && (inst->dst.nr & 0xf0) == ISA_ARF_ACC);
}

bool
eu_uses_acc(const struct eu_inst *inst)
{
   if (eu_writes_acc(inst) || eu_info(inst)->reads_acc)
      return true;
   eu_foreach_source(r, inst) {
      if (r->file == EU_ARF && (r->nr & 0xf0) == ISA_ARF_ACC)
         return true;
   }
   return false;
}

bool
eu_has_side_effects(const struct eu_inst *inst)
{
   return inst->eot || inst->side_effects || eu_info(inst)->is_flow;
}

bool
eu_keeps_channels(const struct eu_inst *inst)
{
   return inst->pred != ISA_PRED_NONE && !eu_info(inst)->selects;
}

bool
eu_reads_by_halves(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *d = &inst->dst, *r = &inst->src[i];
   const unsigned step_B = d->stride * eu_type_sz(d->type);

   return eu_is_alu(inst) && !inst->align16 && d->file == EU_VGRF &&
          (r->file == EU_VGRF || r->file == EU_GRF) && !r->region &&
          r->stride * eu_type_sz(r->type) == step_B &&
          d->offset % REG_SIZE_B == 0 && eu_reg_offset(r) % REG_SIZE_B == 0 &&
          inst->size_written == 2 * REG_SIZE_B &&
          inst->exec_size * step_B == 2 * REG_SIZE_B;
}

bool
eu_is_partial_write(const struct eu_inst *inst)
{
   if (eu_keeps_channels(inst))
      return true;
   if (eu_info(inst)->whole_dst)
      return false;
   if (inst->align16 && inst->dst.swz != ISA_WRITEMASK_XYZW)
      return true;
   return inst->dst.stride != 1 || inst->dst.offset % REG_SIZE_B != 0 ||
          inst->size_written % REG_SIZE_B != 0;
}

bool
eu_is_commutative(const struct eu_inst *inst)
{
   switch (eu_info(inst)->mixes) {
   case EU_MIXES_YES: return true;
   case EU_MIXES_SAME_SIZE:
      /* MACH goes on with the same sources in the same places. */
      return inst->dst.file != EU_ARF &&
             eu_type_sz(inst->src[0].type) == eu_type_sz(inst->src[1].type);
   case EU_MIXES_MINMAX:
      return inst->cond_mod == ISA_COND_MOD_GE ||
             inst->cond_mod == ISA_COND_MOD_L;
   default: return false;
   }
}

/* PRM SKL vol 7, "Execution Data Type": the widest source type, where words
 * stand for bytes and floats win over integers of the same size. */
unsigned
eu_exec_type(const struct eu_inst *inst)
{
   unsigned best = ISA_TYPE_UD;
   bool any = false;

   for (unsigned i = 0; i < inst->sources; i++) {
      unsigned t = inst->src[i].type;

      if (inst->src[i].file == EU_BAD)
         continue;
      if (t == ISA_TYPE_B || t == ISA_TYPE_V)
         t = ISA_TYPE_W;
      else if (t == ISA_TYPE_UB || t == ISA_TYPE_UV)
         t = ISA_TYPE_UW;
      else if (t == ISA_TYPE_VF)
         t = ISA_TYPE_F;
      if (!any || eu_type_sz(t) > eu_type_sz(best) ||
          (eu_type_sz(t) == eu_type_sz(best) && eu_type_is_float(t)))
         best = t;
      any = true;
   }
   if (!any)
      return inst->dst.type;
   /* A conversion to a wider float happens in the destination's type. */
   if (inst->dst.file != EU_BAD && !eu_is_null(&inst->dst) &&
       eu_type_is_float(inst->dst.type) && !eu_type_is_float(best) &&
       eu_type_sz(inst->dst.type) > eu_type_sz(best))
      best = inst->dst.type;
   return best;
}
