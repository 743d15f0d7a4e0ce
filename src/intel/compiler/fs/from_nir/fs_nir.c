/* SPDX-License-Identifier: MIT */
/*
 * NIR -> fs IR: values, constants and control flow. The instructions
 * themselves are in fs_nir_alu.c, fs_nir_intrinsics.c, fs_nir_memory.c,
 * fs_nir_tex.c, fs_nir_urb.c and a file for each stage.
 *
 * Expects conventional SSA (nir_isolate_phis), with derefs of inputs, outputs
 * and blocks lowered away.
 */
#include "fs_nir.h"

#include <inttypes.h>

unsigned
fs_raw_type(unsigned bit_size)
{
   switch (bit_size) {
   case 1: return ISA_TYPE_D;
   case 8: return ISA_TYPE_UB;
   case 16: return ISA_TYPE_UW;
   case 32: return ISA_TYPE_UD;
   case 64: return ISA_TYPE_UQ;
   default: unreachable("no such bit size");
   }
}

unsigned
fs_type_for_nir(nir_alu_type type, unsigned bit_size)
{
   const unsigned size = nir_type_bits(type) ? nir_type_bits(type) : bit_size;

   switch (nir_type_base(type)) {
   case nir_type_float:
      return size == 16 ? ISA_TYPE_HF : size == 64 ? ISA_TYPE_DF : ISA_TYPE_F;
   case nir_type_int:
      return size == 8    ? ISA_TYPE_B
             : size == 16 ? ISA_TYPE_W
             : size == 64 ? ISA_TYPE_Q
                          : ISA_TYPE_D;
   case nir_type_uint: return size == 1 ? ISA_TYPE_D : fs_raw_type(size);
   default: return size == 1 ? ISA_TYPE_D : fs_raw_type(size);
   }
}

/* ---- constants ---- */

/* A scalar of the pool, as the instructions of n's builder have it: 16 bytes
 * and one component of these in all channels. */
static eu_reg
as_operand(const struct nir_to_fs *n, eu_reg r)
{
   if (n->b.align16) {
      const unsigned c = r.offset % 16 / eu_type_sz(r.type);
      r.offset &= ~15u;
      r.swz = (uint8_t)(c * 0x55);
   }
   return r;
}

static bool
is_in(const struct util_dynarray *list, unsigned size_B, uint64_t bits,
      eu_reg *r)
{
   util_dynarray_foreach(list, struct fs_pooled_const, c) {
      if (c->size_B == size_B && c->bits == bits) {
         r->nr = c->vgrf;
         r->offset = c->offset_B;
         return true;
      }
   }
   return false;
}

static bool
is_pooled(struct nir_to_fs *n, unsigned size_B, uint64_t bits, eu_reg *r)
{
   return is_in(&n->consts, size_B, bits, r) ||
          is_in(&n->block_consts.list, size_B, bits, r);
}

/* A block has its own, if no other one has the same. */
static void
note_shared_consts(struct nir_to_fs *n, nir_function_impl *impl)
{
   nir_foreach_instr_of(instr, impl) {
      if (instr->kind != nir_kind_load_const || instr->result.bit_size != 64)
         continue;
      bool shared = false;
      nir_foreach_use(use, &instr->result)
         shared |= use->nif || nir_use_block(use) != instr->block;
      const nir_load_const_instr *load = nir_instr_as_load_const(instr);
      for (unsigned c = 0; c < instr->result.num_components; c++) {
         const uint64_t bits = load->value[c].u64;
         const bool again = hash_table_has(&n->shared_consts, bits);
         hash_table_insert(&n->shared_consts, bits,
                           shared || again ? n : NULL);
      }
   }
}

static bool
is_of_block(const struct nir_to_fs *n, unsigned size_B, uint64_t bits)
{
   return size_B == 8 && !n->arm_tail && n->block_consts.tail &&
          hash_table_has(&n->shared_consts, bits) &&
          !hash_table_get(&n->shared_consts, bits);
}

/* In the arm of an if, if that is not in a loop: constants of a loop are made
 * in front of it. */
static void
begin_block_consts(struct nir_to_fs *n)
{
   util_dynarray_clear(&n->block_consts.list);
   n->block_consts.used_B = REG_SIZE_B;
   n->block_consts.tail =
      n->if_depth && !n->loop_depth && !n->host ? n->s->insts.prev : NULL;
}

eu_reg
fs_const(struct nir_to_fs *n, unsigned type, uint64_t bits)
{
   const unsigned size = MAX2(2, eu_type_sz(type));
   eu_reg r = eu_vgrf_reg(0, type);

   if (is_pooled(n, size, bits, &r)) {
      r.stride = 0;
      return as_operand(n, r);
   }

   const bool own = is_of_block(n, size, bits);
   struct eu_builder cb = eu_scalar(n->b);
   struct list_head **tail = own           ? &n->block_consts.tail
                             : n->arm_tail ? &n->arm_tail
                                           : &n->const_tail;
   uint32_t *vgrf = own ? &n->block_consts.vgrf : &n->const_vgrf;
   unsigned *used_B = own ? &n->block_consts.used_B : &n->const_used_B;
   cb.nir = NULL;
   cb.before = (*tail)->next;
   *used_B = ALIGN(*used_B, size);
   if (*used_B + size > REG_SIZE_B) {
      eu_reg v = eu_vgrf_reg(eu_alloc_vgrf(n->s, 1), ISA_TYPE_UD);
      eu_undef(&cb, v);
      *vgrf = v.nr;
      *used_B = 0;
   }
   r = eu_vgrf_reg(*vgrf, type);
   r.offset = *used_B;
   if (size == 8)
      eu_MOV(&cb, eu_retype(r, ISA_TYPE_DF), eu_imm(ISA_TYPE_DF, bits));
   else
      eu_MOV(&cb, eu_retype(r, eu_uint_type(size)),
             eu_imm(eu_uint_type(size), bits));
   *tail = cb.before->prev;

   struct fs_pooled_const c = { bits, (uint8_t)size, *vgrf,
                                (uint16_t)*used_B };
   util_dynarray_append(own ? &n->block_consts.list : &n->consts,
                        struct fs_pooled_const, c);
   *used_B += size;
   r.stride = 0;
   return as_operand(n, r);
}

eu_reg
fs_signed_const(struct nir_to_fs *n, eu_reg imm)
{
   const unsigned size = MAX2(2, eu_type_sz(imm.type));
   const uint64_t opposite = imm.imm ^ 1ull << (size * 8 - 1);
   eu_reg r = imm;

   if (is_pooled(n, size, imm.imm, &r) || !is_pooled(n, size, opposite, &r))
      return fs_const(n, imm.type, imm.imm);
   return eu_negate(fs_const(n, imm.type, opposite));
}

eu_reg
fs_no_imm(struct nir_to_fs *n, eu_reg r)
{
   if (r.file != EU_IMM)
      return r;
   return fs_const(n, r.type, r.imm);
}

eu_reg
fs_uniformize(struct nir_to_fs *n, eu_reg r)
{
   if (r.file == EU_IMM || r.stride == 0)
      return r;
   eu_reg chan = eu_vgrf_scalar(&n->b, ISA_TYPE_UD);
   eu_reg dst = eu_vgrf_scalar(&n->b, r.type);
   const struct eu_builder sb = eu_scalar(n->b);
   struct eu_inst *inst;

   chan.stride = dst.stride = 1;
   inst = eu_emit0(&sb, EU_OP_FIND_LIVE_CHANNEL);
   inst->dst = chan;
   inst->size_written = 4;
   chan.stride = 0;
   inst = eu_emit2(&sb, EU_OP_BROADCAST, dst, r, chan);
   inst->src_channels = n->b.exec_size;
   dst.stride = 0;
   return dst;
}

/* ---- values ---- */

eu_reg
fs_alloc_value(struct nir_to_fs *n, unsigned bit_size, unsigned comps)
{
   return eu_vgrf(&n->b, fs_raw_type(bit_size), comps);
}

uint64_t
fs_const_bits(nir_const_value v, unsigned bit_size)
{
   return bit_size == 1 ? (v.b ? 0xffffffffu : 0)
                        : nir_const_value_as_uint(v, bit_size);
}

eu_reg
fs_src_comp(struct nir_to_fs *n, const nir_use *src, unsigned c)
{
   if (nir_use_is_const(*src)) {
      const unsigned bits = src->value->bit_size;
      const uint64_t v =
         fs_const_bits(nir_use_comp_as_const_value(*src, c), bits);

      if (bits == 64)
         return fs_const(n, ISA_TYPE_UQ, v);
      if (bits == 8) /* no byte immediates: EU */
         return eu_imm(ISA_TYPE_UW, v);
      return eu_imm(fs_raw_type(bits), v);
   }
   if (n->host)
      return n->host->src_comp(n, src, c);
   return eu_offset(fs_get_src(n, src), &n->b, c);
}

eu_reg
fs_no_value(struct nir_to_fs *n, const nir_use *src)
{
   eu_fail(n->s, "%s is read as a number",
           src->value->instr->kind == nir_kind_deref
              ? "a dereference"
              : "what no instruction has written");
   return fs_alloc_value(n, src->value->bit_size, src->value->num_components);
}

eu_reg
fs_get_src(struct nir_to_fs *n, const nir_use *src)
{
   eu_reg *r = &n->ssa[src->value->index];
   if (r->file == EU_BAD && src->value->instr->kind == nir_kind_load_const) {
      /* A vector constant that is wanted as a register: made at each use,
       * for a value made here may not dominate the next one. */
      const nir_value *def = src->value;
      const nir_load_const_instr *lc = nir_instr_as_load_const(def->instr);
      eu_reg v = fs_alloc_value(n, def->bit_size, def->num_components);

      for (unsigned c = 0; c < def->num_components; c++) {
         const uint64_t bits = fs_const_bits(lc->value[c], def->bit_size);
         eu_reg s = def->bit_size == 64
                       ? fs_const(n, ISA_TYPE_UQ, bits)
                       : eu_imm(def->bit_size == 8
                                   ? ISA_TYPE_UW
                                   : fs_raw_type(def->bit_size),
                                bits);
         eu_MOV(&n->b, eu_offset(v, &n->b, c), s);
      }
      return v;
   }
   return r->file == EU_BAD ? fs_no_value(n, src) : *r;
}

eu_reg
fs_get_dest(struct nir_to_fs *n, nir_value *dest)
{
   if (n->host) {
      if (n->result.file == EU_BAD)
         n->result = fs_alloc_value(n, dest->bit_size, dest->num_components);
      return n->result;
   }
   eu_reg *r = &n->ssa[dest->index];
   if (!fs_in_web(n, dest))
      *r = fs_alloc_value(n, dest->bit_size, dest->num_components);
   return *r;
}

void
fs_set_dest(struct nir_to_fs *n, nir_value *dest, eu_reg reg)
{
   if (n->host) {
      n->result = eu_retype(reg, fs_raw_type(dest->bit_size));
      return;
   }
   if (!fs_in_web(n, dest)) {
      n->ssa[dest->index] = eu_retype(reg, fs_raw_type(dest->bit_size));
      return;
   }
   const eu_reg d = fs_get_dest(n, dest);
   for (unsigned c = 0; c < dest->num_components; c++)
      eu_MOV(&n->b, eu_offset(d, &n->b, c),
             eu_offset(eu_retype(reg, d.type), &n->b, c));
}

/* ---- instructions and control flow ---- */

static void
emit_undef(struct nir_to_fs *n, nir_instr *undef)
{
   eu_reg r =
      fs_alloc_value(n, undef->result.bit_size, undef->result.num_components);

   eu_undef(&n->b, r);
   n->ssa[undef->result.index] = r;
}

void
fs_emit_jump(struct nir_to_fs *n, nir_jump_instr *jump)
{
   switch (jump->type) {
   case nir_jump_break: eu_emit0(&n->b, ISA_OPCODE_BREAK); break;
   case nir_jump_continue: eu_emit0(&n->b, ISA_OPCODE_CONT); break;
   case nir_jump_halt:
      if (n->s->stage == MESA_SHADER_FRAGMENT) {
         fs_emit_discard(n, NULL, FS_TERMINATE);
         break;
      }
      FALLTHROUGH;
   default: eu_fail(n->s, "jump that is no break or continue"); break;
   }
}

static void
emit_instr(struct nir_to_fs *n, nir_instr *instr)
{
   n->b.nir = instr;
   if (n->host) {
      n->host->instr(n, instr);
      return;
   }
   switch (instr->kind) {
   case nir_kind_alu: fs_emit_alu(n, nir_instr_as_alu(instr)); break;
   case nir_kind_tex: fs_emit_tex(n, nir_instr_as_tex(instr)); break;
   case nir_kind_intrinsic:
      fs_emit_intrinsic(n, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_load_const: break; /* at its uses */
   case nir_kind_undef: emit_undef(n, instr); break;
   case nir_kind_jump: fs_emit_jump(n, nir_instr_as_jump(instr)); break;
   case nir_kind_deref: break; /* left over: whatever uses it complains */
   case nir_kind_phi: break;   /* its web has one register */
   case nir_kind_call:
      eu_fail(n->s, "NIR instruction that the back end does not take");
      break;
   }
}

/* An arm that is only a jump out of the loop, or to its end: the jump takes
 * the predicate and the IF goes. */
static bool
fold_jump(struct nir_to_fs *n, struct eu_inst *if_inst)
{
   struct eu_inst *last = list_last_entry(&n->s->insts, struct eu_inst, link);

   if (last->link.prev != &if_inst->link ||
       (last->op != ISA_OPCODE_BREAK && last->op != ISA_OPCODE_CONT))
      return false;
   last->pred = if_inst->pred;
   last->pred_inv = if_inst->pred_inv;
   last->flag = if_inst->flag;
   list_del(&if_inst->link);
   return true;
}

void
fs_set_flag(struct nir_to_fs *n, const nir_use *src, eu_reg cond)
{
   const nir_instr *def = src->value->instr;
   struct eu_inst *inst;

   if (def->kind == nir_kind_intrinsic && !n->host &&
       nir_instr_as_intrinsic(def)->intrinsic ==
          nir_intrinsic_load_front_face) {
      fs_set_flag_if_front(n);
      return;
   }
   inst = eu_MOV(&n->b, eu_null(ISA_TYPE_D),
                 eu_retype(fs_no_imm(n, cond), ISA_TYPE_D));
   inst->cond_mod = ISA_COND_MOD_NZ;
}

/* Sets the flag for an `if`; true: by what its condition is not. */
static bool
set_flag_for_if(struct nir_to_fs *n, const nir_if *nif)
{
   const nir_use *src = &nif->condition;
   unsigned comp = 0;
   bool inverted = false;

   while (src->value->instr->kind == nir_kind_alu &&
          !fs_in_web(n, src->value)) {
      const nir_alu_instr *alu = nir_instr_as_alu(src->value->instr);

      if (alu->op != nir_op_inot || fs_in_web(n, alu->src[0].use.value))
         break;
      src = &alu->src[0].use;
      comp = alu->src[0].swizzle[comp];
      inverted = !inverted;
   }
   fs_set_flag(n, src, fs_src_comp(n, src, comp));
   return inverted;
}

/* Those of nir_guard_doubles(). */
static bool
is_unlikely(const struct nir_to_fs *n, const nir_if *nif)
{
   return !n->host && nif->control == nir_selection_control_unlikely;
}

/* The arms of an `if` that is seldom taken make their own constants. */
static void
emit_arm(struct nir_to_fs *n, const nir_if *nif, struct list_head *list)
{
   const size_t size_B = n->consts.size_B;
   const uint32_t vgrf = n->const_vgrf;
   const unsigned used_B = n->const_used_B;
   struct list_head *tail = n->arm_tail;

   if (!is_unlikely(n, nif)) {
      n->if_depth++;
      fs_emit_cf_list(n, list);
      n->if_depth--;
      return;
   }
   n->arm_tail = n->s->insts.prev;
   n->const_used_B = REG_SIZE_B;
   fs_emit_cf_list(n, list);
   n->consts.size_B = size_B;
   n->const_vgrf = vgrf;
   n->const_used_B = used_B;
   n->arm_tail = tail;
}

static void
emit_if(struct nir_to_fs *n, nir_if *nif)
{
   const bool no_then = nir_cf_list_is_empty_block(&nif->then_list);
   const bool no_else = nir_cf_list_is_empty_block(&nif->else_list);
   struct eu_inst *inst;

   if (no_then && no_else)
      return;
   const bool inverted = set_flag_for_if(n, nif);
   const bool divergent = nif->condition.value->divergent;
   n->divergent_depth += divergent;
   inst = eu_emit0(&n->b, ISA_OPCODE_IF);
   inst->pred = ISA_PRED_NORMAL;
   inst->pred_inv = no_then != inverted;
   inst->unlikely = is_unlikely(n, nif) && no_else;

   emit_arm(n, nif, no_then ? &nif->else_list : &nif->then_list);
   if (!n->s->failed && !no_then && !no_else) {
      eu_emit0(&n->b, ISA_OPCODE_ELSE);
      emit_arm(n, nif, &nif->else_list);
   }
   n->divergent_depth -= divergent;
   if (n->s->failed || ((no_then || no_else) && fold_jump(n, inst)))
      return;
   n->b.nir = NULL;
   eu_emit0(&n->b, ISA_OPCODE_ENDIF);
}

static void
emit_loop(struct nir_to_fs *n, nir_loop *loop)
{
   n->loop_depth++;
   n->divergent_depth += loop->divergent;
   n->s->loops++;
   eu_emit0(&n->b, EU_OP_DO);
   fs_emit_cf_list(n, &loop->body);
   eu_emit0(&n->b, ISA_OPCODE_WHILE);
   n->divergent_depth -= loop->divergent;
   n->loop_depth--;
}

void
fs_emit_cf_list(struct nir_to_fs *n, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (n->s->failed)
         return;
      n->b.nir = NULL;
      switch (node->type) {
      case nir_cf_node_block: {
         nir_block *block = nir_cf_node_as_block(node);
         util_dynarray_clear(&n->pulled);
         util_dynarray_clear(&n->spread);
         util_dynarray_clear(&n->paired);
         begin_block_consts(n);
         list_for_each_entry(nir_instr, instr, &block->instr_list, node) {
            emit_instr(n, instr);
            if (n->s->failed)
               return;
         }
         break;
      }
      case nir_cf_node_if: emit_if(n, nir_cf_node_as_if(node)); break;
      case nir_cf_node_loop: emit_loop(n, nir_cf_node_as_loop(node)); break;
      case nir_cf_node_function: unreachable("a function inside a function");
      }
   }
}

/*
 * Subnormals are kept: cr0.0 bits 6 (DF), 7 (F), 10 (HF), which a thread
 * starts with clear (PRM SKL vol 7, "Control Register"). Those of 32 bits are
 * flushed if the shader asks for that; nir_flush_subnormals() has seen to the
 * others. fs_opt_float_controls() takes the instruction away from shaders
 * that need not keep any.
 */
void
fs_emit_float_controls(struct nir_to_fs *n)
{
   const struct eu_builder sb = eu_scalar(n->b);
   const eu_reg cr0 = {
      .file = EU_ARF, .nr = ISA_ARF_CONTROL, .type = ISA_TYPE_UD, .stride = 0
   };
   const unsigned mode = n->s->nir->info.float_controls_execution_mode;
   const bool flush = mode & FLOAT_CONTROLS_DENORM_FLUSH_TO_ZERO_FP32;
   eu_reg dst = cr0;

   n->s->keeps_subnormals = mode & FLOAT_CONTROLS_DENORM_PRESERVE_FP32;
   dst.stride = 1;
   eu_OR(&sb, dst, cr0, eu_imm_ud(flush ? 0x440 : 0x4c0))->side_effects =
      true;
}

/* A register for each web, which its values have from the start. */
static void
make_web_registers(struct nir_to_fs *n, nir_function_impl *impl)
{
   eu_reg *regs = arena_new_array(n->s->arena, eu_reg, n->webs.count);
   for (uint32_t w = 0; w < n->webs.count; w++) {
      const nir_value *like = n->webs.like[w];
      const struct eu_builder wide = n->b;
      const bool uniform = fs_is_uniform_web(like);
      if (uniform)
         n->b = eu_scalar(n->b);
      regs[w] = fs_alloc_value(n, like->bit_size, like->num_components);
      eu_undef(&n->b, regs[w]);
      regs[w].stride = uniform ? 0 : 1;
      n->b = wide;
   }
   for (uint32_t i = 0; i < impl->num_values; i++) {
      if (n->webs.of[i])
         n->ssa[i] = regs[n->webs.of[i] - 1];
   }
}

/* Threads of which each channel is an invocation. */
static bool
has_whole_threads(const struct eu_shader *s)
{
   const struct shader_info *info = &s->nir->info;

   if (s->stage != MESA_SHADER_COMPUTE || info->workgroup_size_variable)
      return false;
   const unsigned invocations = info->workgroup_size[0] *
                                info->workgroup_size[1] *
                                info->workgroup_size[2];
   return invocations && invocations % s->dispatch_width == 0;
}

static void
begin_function(struct nir_to_fs *n, nir_function_impl *impl)
{
   nir_find_phi_webs(&n->webs, impl, n->s->arena);
   n->ssa = arena_new_array(n->s->arena, eu_reg, impl->num_values);
   n->const_used_B = REG_SIZE_B;
   n->const_tail = n->s->insts.prev;
   note_shared_consts(n, impl);
}

void
fs_emit_function(struct nir_to_fs *n, nir_function_impl *impl)
{
   begin_function(n, impl);
   make_web_registers(n, impl);
   fs_emit_cf_list(n, &impl->body);
   n->b.nir = NULL;
}

void
fs_free_lists(struct nir_to_fs *n)
{
   util_dynarray_fini(&n->consts);
   util_dynarray_fini(&n->block_consts.list);
   hash_table_finish(&n->shared_consts);
   util_dynarray_fini(&n->pulled);
   util_dynarray_fini(&n->spread);
   util_dynarray_fini(&n->paired);
   util_dynarray_fini(&n->routines);
}

void
fs_emit_nir(struct eu_shader *s)
{
   struct nir_to_fs n = { .s = s,
                          .b = eu_builder_at_end(s),
                          .stage = &fs_stages[s->stage],
                          .starts_all_on = has_whole_threads(s) };
   nir_function_impl *impl = nir_entry_point(s->nir);

   if (s->stage < MESA_SHADER_FRAGMENT && !s->devinfo->has_scalar_geometry) {
      eu_fail(s, "no scalar back end for this stage on %s", s->devinfo->name);
      return;
   }
   if (!n.stage->setup) {
      eu_fail(s, "no back end for this stage");
      return;
   }
   fs_setup_scratch(s);
   n.stage->setup(s);
   if (s->failed)
      return;
   fs_emit_float_controls(&n);
   begin_function(&n, impl);
   if (n.stage->prologue)
      n.stage->prologue(&n);

   make_web_registers(&n, impl);
   if (s->scratch_B)
      fs_prepare_scratch(&n);

   if (!s->failed)
      fs_emit_cf_list(&n, &impl->body);
   n.b.nir = NULL;
   if (!s->failed)
      n.stage->end(&n);
   if (!s->failed)
      fs_emit_routines(&n);
   s->input_grfs = n.stage->input_grfs(s);
   fs_free_lists(&n);
}
