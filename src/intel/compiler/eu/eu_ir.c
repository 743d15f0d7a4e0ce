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
   if (s->num_vgrfs >= UINT16_MAX - 1) {
      eu_fail(s, "too many virtual registers");
      return 0;
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

const char *
eu_opcode_name(unsigned op)
{
   if (op < ISA_OPCODE_COUNT)
      return isa_opcode_info((enum isa_opcode)op)->name;
   switch ((enum eu_opcode)op) {
   case EU_OP_UNDEF: return "undef";
   case EU_OP_DO: return "do";
   case EU_OP_HALT_TARGET: return "halt_target";
   case EU_OP_FIND_LIVE_CHANNEL: return "find_live_channel";
   case EU_OP_BROADCAST: return "broadcast";
   case EU_OP_MOV_INDIRECT: return "mov_indirect";
   case EU_OP_COUNT: break;
   }
   return "?";
}

bool
eu_is_control_flow(const struct eu_inst *inst)
{
   switch (inst->op) {
   case ISA_OPCODE_IF:
   case ISA_OPCODE_ELSE:
   case ISA_OPCODE_ENDIF:
   case ISA_OPCODE_WHILE:
   case ISA_OPCODE_BREAK:
   case ISA_OPCODE_CONT:
   case ISA_OPCODE_HALT:
   case EU_OP_DO:
   case EU_OP_HALT_TARGET:
      return true;
   default:
      return false;
   }
}

bool
eu_reg_equal(const eu_reg *a, const eu_reg *b)
{
   return a->file == b->file && a->type == b->type &&
          a->stride == b->stride && a->negate == b->negate &&
          a->abs == b->abs && a->region == b->region &&
          (!a->region ||
           (a->vs == b->vs && a->w == b->w && a->hs == b->hs)) &&
          a->nr == b->nr && a->offset == b->offset && a->imm == b->imm;
}

bool
eu_same_space(const eu_reg *a, const eu_reg *b)
{
   if (a->file != b->file)
      return false;
   switch (a->file) {
   case EU_VGRF:
   case EU_ARF:
      return a->nr == b->nr;
   case EU_GRF:
   case EU_UNIFORM:
   case EU_ATTR:
      return true;
   default:
      return false;
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
eu_size_read(const struct eu_inst *inst, unsigned i)
{
   const eu_reg *r = &inst->src[i];

   if (r->file == EU_IMM || r->file == EU_BAD || eu_is_null(r))
      return 0;
   if (eu_is_send(inst)) {
      if (i == 0)
         return inst->mlen * REG_SIZE_B;
      if (i == 2)
         return inst->ex_mlen * REG_SIZE_B;
      return 4;
   }
   switch (inst->op) {
   case EU_OP_MOV_INDIRECT:
      if (i == 0)
         return (unsigned)inst->src[2].imm;
      break;
   case EU_OP_BROADCAST:
      if (i == 0)
         return eu_region_size(r, MAX2(8, inst->src_channels));
      break;
   case ISA_OPCODE_PLN:
      /* Four dwords of plane coefficients; two GRFs of barycentrics for
       * each eight channels. */
      return i == 0 ? 16 : inst->exec_size / 8 * 2 * REG_SIZE_B;
   default:
      break;
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
                         last / 16 - inst->group / 16 + 1) & 0xf;
}

unsigned
eu_flags_written(const struct eu_inst *inst)
{
   unsigned mask = 0;

   if (inst->op == EU_OP_FIND_LIVE_CHANNEL)
      return 0;
   if (inst->cond_mod != ISA_COND_MOD_NONE &&
       inst->op != ISA_OPCODE_SEL && inst->op != ISA_OPCODE_CSEL)
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
eu_writes_flag(const struct eu_inst *inst)
{
   return eu_flags_written(inst) != 0;
}

bool
eu_reads_flag(const struct eu_inst *inst)
{
   return eu_flags_read(inst) != 0;
}

bool
eu_writes_acc(const struct eu_inst *inst)
{
   return inst->op == ISA_OPCODE_ADDC || inst->op == ISA_OPCODE_SUBB ||
          inst->op == ISA_OPCODE_MACH ||
          (inst->dst.file == EU_ARF && (inst->dst.nr & 0xf0) == ISA_ARF_ACC);
}

bool
eu_uses_acc(const struct eu_inst *inst)
{
   if (eu_writes_acc(inst) || inst->op == ISA_OPCODE_MAC)
      return true;
   for (unsigned i = 0; i < inst->sources; i++) {
      if (inst->src[i].file == EU_ARF &&
          (inst->src[i].nr & 0xf0) == ISA_ARF_ACC)
         return true;
   }
   return false;
}

bool
eu_has_side_effects(const struct eu_inst *inst)
{
   return inst->eot || inst->side_effects || eu_is_control_flow(inst);
}

bool
eu_is_partial_write(const struct eu_inst *inst)
{
   if (inst->pred != ISA_PRED_NONE && inst->op != ISA_OPCODE_SEL)
      return true;
   if (eu_is_send(inst) || inst->op == EU_OP_UNDEF)
      return false;
   return inst->dst.stride != 1 || inst->dst.offset % REG_SIZE_B != 0 ||
          inst->size_written % REG_SIZE_B != 0;
}

bool
eu_can_do_source_mods(const struct eu_inst *inst)
{
   switch (inst->op) {
   case ISA_OPCODE_ADDC:
   case ISA_OPCODE_SUBB:
   case ISA_OPCODE_BFE:
   case ISA_OPCODE_BFI1:
   case ISA_OPCODE_BFI2:
   case ISA_OPCODE_BFREV:
   case ISA_OPCODE_CBIT:
   case ISA_OPCODE_FBH:
   case ISA_OPCODE_FBL:
   case EU_OP_BROADCAST:
   case EU_OP_MOV_INDIRECT:
   case EU_OP_FIND_LIVE_CHANNEL:
      return false;
   default:
      return inst->op < ISA_OPCODE_COUNT && !eu_is_send(inst);
   }
}

bool
eu_can_do_saturate(const struct eu_inst *inst)
{
   return inst->op < ISA_OPCODE_COUNT &&
          isa_opcode_info((enum isa_opcode)inst->op)->may_saturate;
}

bool
eu_can_do_cmod(const struct eu_inst *inst)
{
   return inst->op < ISA_OPCODE_COUNT &&
          isa_opcode_info((enum isa_opcode)inst->op)->may_cond_mod;
}

bool
eu_is_commutative(const struct eu_inst *inst)
{
   switch (inst->op) {
   case ISA_OPCODE_AND:
   case ISA_OPCODE_OR:
   case ISA_OPCODE_XOR:
   case ISA_OPCODE_ADD:
      return true;
   case ISA_OPCODE_MUL:
      /* D x W has a fixed order. */
      return eu_type_sz(inst->src[0].type) == eu_type_sz(inst->src[1].type);
   case ISA_OPCODE_SEL:
      /* min and max */
      return inst->cond_mod == ISA_COND_MOD_GE ||
             inst->cond_mod == ISA_COND_MOD_L;
   default:
      return false;
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
