/* SPDX-License-Identifier: MIT */
/*
 * Control flow. Both sides have structure; what differs is that a loop of
 * SPIR-V has one block, the continue target, from which it goes round:
 *
 *    before              OpBranch header
 *    header              phis; OpLoopMerge merge continue; OpBranch body
 *    body ...            continue: OpBranch continue; break: OpBranch merge
 *    continue            a phi for each of the header's; OpBranch header
 *    merge ...
 *
 * A phi reads its sources at the ends of the blocks that it comes from, as
 * the type that it has: bitcasts stand there, before the branch.
 */
#include "compiler/spirv/write/write_private.h"

static void write_list(struct wr *w, struct list_head *list, uint32_t after);

static void
begin_block(struct wr *w, uint32_t label)
{
   WR(&w->code, SpvOpLabel, label);
   w->label = label;
   /* A line is in force to the end of its block. */
   w->location = 0;
}

static void
branch(struct wr *w, uint32_t label)
{
   WR(&w->code, SpvOpBranch, label);
}

void
wr_end_if(struct wr *w, uint32_t condition, SpvOp op)
{
   const uint32_t end = wr_new_id(w), on = wr_new_id(w);

   WR(&w->code, SpvOpSelectionMerge, on, SpvSelectionControlMaskNone);
   WR(&w->code, SpvOpBranchConditional, condition, end, on);
   begin_block(w, end);
   wr_words(&w->code, op, NULL, 0);
   if (op == SpvOpDemoteToHelperInvocationEXT)
      branch(w, on);
   begin_block(w, on);
}

/* --- Lines -------------------------------------------------------------- */

static uint32_t
file_id(struct wr *w, const nir_source_file *file)
{
   uint32_t id =
      (uint32_t)(uintptr_t)hash_table_get(&w->ids, hash_key_ptr(file));

   if (!id) {
      id = wr_new_id(w);
      hash_table_insert(&w->ids, hash_key_ptr(file), (void *)(uintptr_t)id);
      wr_string_op(&w->strings, SpvOpString, &id, 1, file->name);
   }
   return id;
}

static void
line(struct wr *w, const nir_instr *instr)
{
   const nir_location *at = nir_instr_location(w->nir, instr);

   if (instr->location == w->location)
      return;
   w->location = instr->location;
   if (at)
      WR(&w->code, SpvOpLine, file_id(w, at->file), at->line, at->column);
   else
      wr_words(&w->code, SpvOpNoLine, NULL, 0);
}

/* --- Phis --------------------------------------------------------------- */

/* What the phis behind the block read at its end. */
static void
read_for_phis(struct wr *w, nir_block *block)
{
   for (unsigned s = 0; s < 2; s++) {
      nir_block *next = block->successors[s];
      if (!next || (s && next == block->successors[0]))
         continue;
      nir_foreach_instr(instr, next) {
         nir_phi_instr *phi = nir_maybe_phi(instr);
         if (!phi)
            break;
         nir_phi_source *src = nir_phi_source_from(phi, block);
         const uint32_t id =
            wr_as(w, src->use.value, w->values[instr->result.index].base);
         hash_table_insert(&w->ids, hash_key_ptr(src), (void *)(uintptr_t)id);
      }
   }
}

static uint32_t
source_id(const struct wr *w, const nir_phi_source *src)
{
   return (uint32_t)(uintptr_t)hash_table_get(&w->ids, hash_key_ptr(src));
}

/* Of all sources but that from `apart`. 0: there are none. */
static uint32_t
phi_of(struct wr *w, uint32_t id, nir_phi_instr *phi, const nir_block *apart)
{
   const uint32_t type = wr_own_type(w, &phi->instr.result);
   struct util_dynarray words = { 0 };

   util_dynarray_append(&words, uint32_t, type);
   util_dynarray_append(&words, uint32_t, id);
   nir_foreach_phi_source(src, phi) {
      if (src->pred == apart)
         continue;
      util_dynarray_append(&words, uint32_t, source_id(w, src));
      util_dynarray_append(&words, uint32_t, w->last_label[src->pred->index]);
   }
   const size_t n = words.size_B / 4;
   if (n > 2)
      wr_words(&w->code, SpvOpPhi, words.data, n);
   util_dynarray_fini(&words);
   return n > 2 ? id : 0;
}

/* Of a block that is no loop's first one. */
static void
phis(struct wr *w, nir_block *block)
{
   nir_foreach_instr(instr, block) {
      nir_phi_instr *phi = nir_maybe_phi(instr);
      if (!phi)
         return;
      /* None: the block is never reached. */
      w->values[instr->result.index].id = phi_of(w, wr_new_id(w), phi, NULL);
   }
}

/* Of a loop: from before it, and from its continue target, whose phi has the
 * id that follows. */
static void
header_phis(struct wr *w, nir_block *first, nir_block *before,
            uint32_t continues)
{
   nir_foreach_instr(instr, first) {
      nir_phi_instr *phi = nir_maybe_phi(instr);
      nir_phi_source *entry = NULL;
      if (!phi)
         return;
      nir_foreach_phi_source(src, phi) {
         if (src->pred == before)
            entry = src;
      }
      const uint32_t id = wr_new_id(w), round = wr_new_id(w);
      const uint32_t type = wr_own_type(w, &instr->result);
      assert(round == id + 1);
      w->values[instr->result.index].id = id;
      WR(&w->code, SpvOpPhi, type, id,
         entry ? source_id(w, entry) : wr_made(w, SpvOpUndef, type, NULL, 0),
         w->last_label[before->index], round, continues);
   }
}

static void
continue_phis(struct wr *w, nir_block *first, nir_block *before)
{
   nir_foreach_instr(instr, first) {
      nir_phi_instr *phi = nir_maybe_phi(instr);
      if (!phi)
         return;
      const uint32_t round = w->values[instr->result.index].id + 1;
      /* A loop that never goes round. */
      if (!phi_of(w, round, phi, before))
         WR(&w->code, SpvOpUndef, wr_own_type(w, &instr->result), round);
   }
}

/* --- Instructions ------------------------------------------------------- */

static void
jump(struct wr *w, const nir_jump_instr *j)
{
   switch (j->type) {
   case nir_jump_break: branch(w, w->loop_merge); return;
   case nir_jump_continue: branch(w, w->loop_continue); return;
   case nir_jump_return:
   case nir_jump_halt: wr_words(&w->code, SpvOpReturn, NULL, 0); return;
   case nir_jump_goto:
   case nir_jump_goto_if: break;
   }
   wr_fail(w, "control flow without structure");
}

static void
intrinsic(struct wr *w, nir_intrinsic_instr *intr)
{
   if (!wr_memory(w, intr) && !wr_image(w, intr) && !wr_other(w, intr))
      wr_fail(w, "%s is not written as SPIR-V",
              nir_intrinsic_infos[intr->intrinsic].name);
}

static void
instruction(struct wr *w, nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu:
      line(w, instr);
      wr_alu(w, nir_instr_as_alu(instr));
      break;
   case nir_kind_tex:
      line(w, instr);
      wr_tex(w, nir_instr_as_tex(instr));
      break;
   case nir_kind_intrinsic:
      line(w, instr);
      intrinsic(w, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_call: wr_fail(w, "a call that is not inlined");
   /* Where they are read; phis before, jumps after the others. */
   case nir_kind_deref:
   case nir_kind_load_const:
   case nir_kind_undef:
   case nir_kind_phi:
   case nir_kind_jump: break;
   }
}

/* --- Blocks, ifs, loops ------------------------------------------------- */

/* What jumps out of the block, or NULL. */
static nir_jump_instr *
jump_of(nir_block *block)
{
   nir_instr *last = nir_block_last_instr(block);

   return last ? nir_maybe_jump(last) : NULL;
}

/* All but the branch at the end. */
static void
write_block(struct wr *w, nir_block *block)
{
   nir_foreach_instr(instr, block)
      instruction(w, instr);
   read_for_phis(w, block);
   w->last_label[block->index] = w->label;
}

static void
write_if(struct wr *w, nir_if *nif)
{
   const uint32_t merge = wr_new_id(w), yes = wr_new_id(w), no = wr_new_id(w);
   const uint32_t control = nif->control == nir_selection_control_flatten
                               ? SpvSelectionControlFlattenMask
                            : nif->control ==
                                  nir_selection_control_dont_flatten
                               ? SpvSelectionControlDontFlattenMask
                               : SpvSelectionControlMaskNone;
   const uint32_t condition = wr_as(w, nif->condition.value, WR_BOOL);

   WR(&w->code, SpvOpSelectionMerge, merge, control);
   WR(&w->code, SpvOpBranchConditional, condition, yes, no);
   begin_block(w, yes);
   write_list(w, &nif->then_list, merge);
   begin_block(w, no);
   write_list(w, &nif->else_list, merge);
   begin_block(w, merge);
}

static void
write_loop(struct wr *w, nir_loop *loop)
{
   const uint32_t header = wr_new_id(w), merge = wr_new_id(w);
   const uint32_t outer_merge = w->loop_merge;
   const uint32_t outer_continue = w->loop_continue;
   const uint32_t body = wr_new_id(w), round = wr_new_id(w);
   nir_block *first = nir_loop_first_block(loop);
   nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
   const uint32_t control = loop->control == nir_loop_control_unroll
                               ? SpvLoopControlUnrollMask
                            : loop->control == nir_loop_control_dont_unroll
                               ? SpvLoopControlDontUnrollMask
                               : SpvLoopControlMaskNone;

   branch(w, header);
   begin_block(w, header);
   header_phis(w, first, before, round);
   WR(&w->code, SpvOpLoopMerge, merge, round, control);
   branch(w, body);
   w->loop_merge = merge;
   w->loop_continue = round;
   begin_block(w, body);
   write_list(w, &loop->body, round);
   begin_block(w, round);
   continue_phis(w, first, before);
   branch(w, header);
   w->loop_merge = outer_merge;
   w->loop_continue = outer_continue;
   begin_block(w, merge);
}

static bool
is_first_of_loop(const nir_block *block)
{
   const nir_cf_node *parent = block->cf_node.parent;

   return parent->type == nir_cf_node_loop &&
          nir_loop_first_block(nir_cf_node_as_loop(parent)) == block;
}

/* Its label stands. `after`: where the list goes at its end; 0: it returns.
 */
static void
write_list(struct wr *w, struct list_head *list, uint32_t after)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_if) {
         write_if(w, nir_cf_node_as_if(node));
         continue;
      }
      if (node->type == nir_cf_node_loop) {
         write_loop(w, nir_cf_node_as_loop(node));
         continue;
      }
      nir_block *block = nir_cf_node_as_block(node);
      const nir_jump_instr *j = jump_of(block);
      if (!is_first_of_loop(block))
         phis(w, block);
      write_block(w, block);
      if (j) {
         jump(w, j);
         if (nir_cf_node_next(node))
            begin_block(w, wr_new_id(w));
      } else if (!nir_cf_node_next(node)) {
         if (after)
            branch(w, after);
         else
            wr_words(&w->code, SpvOpReturn, NULL, 0);
      }
   }
}

void
wr_function(struct wr *w, nir_function_impl *impl, uint32_t id)
{
   const uint32_t nothing = wr_made(w, SpvOpTypeVoid, 0, NULL, 0);
   const uint32_t type = WR_TYPE(w, SpvOpTypeFunction, nothing);

   nir_metadata_require(impl, nir_metadata_block_index);
   nir_number_values(impl);
   wr_type_values(w, impl);
   wr_find_atomic_images(w, impl);
   w->last_label = arena_new_array(w->arena, uint32_t, impl->num_blocks + 1);
   WR(&w->code, SpvOpFunction, nothing, id, SpvFunctionControlMaskNone, type);
   begin_block(w, wr_new_id(w));
   nir_foreach_function_temp_variable(var, impl)
      wr_variable(w, var);
   write_list(w, &impl->body, 0);
   wr_words(&w->code, SpvOpFunctionEnd, NULL, 0);
}
