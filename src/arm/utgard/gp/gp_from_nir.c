/* SPDX-License-Identifier: MIT */
/*
 * Blocks and control flow. NIR's structure becomes a row of blocks that end
 * in at most one conditional branch; "always" is a condition of 1.0.
 *
 *    if c { A } else { B }      if c { A }             loop { ... }
 *
 *       branch c, then             branch 1 - c, end    top: ...
 *       B                          A                         branch 1, top
 *       branch 1, end        end:                       end:
 * then: A
 *  end:
 *
 * A side that is nothing but a break or continue is a branch to there.
 *
 * What a block writes for others, it writes at its end as far as the graph
 * is concerned: all reads of old values come first in the order of
 * operations. A store moves up to where the value is made if nothing in
 * between reads the old one. Copies for phis are thereby parallel.
 */
#include <stdarg.h>

#include "compiler/nir/nir_builder.h"
#include "gp_build.h"

#define MAX_EXACT 0x1000000
#define PSIZE_MIN 1.0f
#define PSIZE_MAX 100.0f

struct loop {
   nir_loop *nir;
   struct loop *outer;
   unsigned top;
   struct util_dynarray breaks; /* uint32_t, blocks whose target is the end */
};

struct walk {
   struct gpc_build *b;
   struct loop *loop;
};

void
gpc_error(struct gpc_build *b, const nir_instr *where, const char *fmt, ...)
{
   va_list ap;

   if (b->error)
      return;
   va_start(ap, fmt);
   b->error = arena_vprintf(b->arena, fmt, ap);
   va_end(ap);
   if (where)
      b->error = arena_printf(b->arena, "%s (block %u: %s)", b->error,
                              where->block->index,
                              nir_instr_as_str(where, b->arena));
}

/* ---- operands ---- */

static struct gpc_ref
literal_for(struct gpc_build *b, nir_component s, enum gpc_type type)
{
   const uint32_t bits = (uint32_t)nir_component_as_uint(s);

   if (s.def->bit_size == 1)
      return gpc_float(b, nir_component_as_bool(s) ? 1.0f : 0.0f);
   if (type != GPC_TYPE_INT)
      return gpc_float(b, util_bits_float(bits));
   if ((int32_t)bits > MAX_EXACT || (int32_t)bits < -MAX_EXACT)
      gpc_error(b, s.def->instr,
                "integer constant %d beyond 2^24: "
                "the machine's integers are floats",
                (int32_t)bits);
   return gpc_float(b, (float)(int32_t)bits);
}

/* The scalar of a uniform; a constant index may lie outside. */
static unsigned
uniform_scalar(struct gpc_build *b, const nir_intrinsic_instr *intr,
               unsigned vec4s)
{
   const uint64_t i = (unsigned)nir_intrinsic_base(intr) + 4ull * vec4s;

   if (i < 4 * b->program->num_uniforms)
      return (unsigned)i;
   gpc_error(b, &intr->instr, "uniform beyond the %u vec4 that there are",
             b->program->num_uniforms);
   return 0;
}

static struct gpc_ref
load_for(struct gpc_build *b, nir_component s, enum gpc_type type)
{
   const nir_instr *instr = s.def->instr;

   if (instr->kind == nir_kind_load_const)
      return literal_for(b, s, type);
   if (instr->kind == nir_kind_undef)
      return gpc_float(b, 0.0f);
   const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
   if (intr->intrinsic == nir_intrinsic_load_uniform)
      return (struct gpc_ref) {
         .kind = GPC_REF_UNIFORM,
         .index =
            uniform_scalar(b, intr, (unsigned)nir_use_as_uint(intr->src[0])),
      };
   return (struct gpc_ref) {
      .kind = GPC_REF_ATTRIBUTE,
      .index = 4 * ((unsigned)nir_intrinsic_base(intr) +
                    (unsigned)nir_use_as_uint(intr->src[0])) +
               (unsigned)nir_intrinsic_component(intr) + s.comp,
   };
}

static struct gpc_ref
place_ref(const struct gpc_var *v)
{
   if (v->reg >= 0)
      return (struct gpc_ref) { .kind = GPC_REF_REGISTER,
                                .index = (uint32_t)v->reg };
   return (struct gpc_ref) { .kind = GPC_REF_UNIFORM,
                             .index = GPC_TEMP_BASE * 4 + (uint32_t)v->temp };
}

struct gpc_ref
gpc_ref_for(struct gpc_build *b, nir_component s, enum gpc_type type)
{
   if (gpc_is_load(s))
      return load_for(b, s, type);
   if (b->made_in[s.def->index] == b->block)
      return b->refs[s.def->index * 4 + s.comp];
   const struct gpc_var *v = gpc_var_of(b, s);
   if (v)
      return place_ref(v);
   gpc_error(b, s.def->instr, "a value that nothing makes");
   return gpc_float(b, 0.0f);
}

void
gpc_set_ref(struct gpc_build *b, const nir_value *def, unsigned comp,
            struct gpc_ref r)
{
   b->refs[def->index * 4 + comp] = r;
   b->made_in[def->index] = b->block;
}

/* ---- intrinsics ---- */

static void
build_indexed_load(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   const struct gpc_ref index =
      gpc_ref_for(b, gpc_origin(&intr->src[0], 0), GPC_TYPE_INT);
   const struct gpc_ref load = {
      .kind = GPC_REF_UNIFORM,
      .address = gpc_address_for(b, index).index + 1,
      .index = uniform_scalar(b, intr, 0),
   };

   gpc_set_ref(b, &intr->instr.result, 0, gpc_emit1(b, GPC_OP_MOV, load));
}

/* The scalar of the varyings where the x of the output is. */
static unsigned
varying_for(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   const unsigned slot = nir_intrinsic_io_semantics(intr).location +
                         (unsigned)nir_use_as_uint(intr->src[1]);

   if (slot >= ARRAY_SIZE(b->program->varying) ||
       b->program->varying[slot] == GPC_NO_VARYING) {
      gpc_error(b, &intr->instr, "output %u that the machine does not have",
                slot);
      return 0;
   }
   return 4u * b->program->varying[slot] + b->program->varying_comp[slot];
}

/* x / w * scale + offset; the scale comes first, as it need not wait for the
 * reciprocal. */
static void
store_position(struct gpc_build *b)
{
   struct gpc_ref *p = b->position;
   static const float missing[4] = { 0, 0, 0, 1 };

   for (unsigned c = 0; c < 4; c++) {
      if (p[c].kind == GPC_REF_NONE)
         p[c] = gpc_float(b, missing[c]);
   }
   /* Unprojected positions are common. */
   const bool is_one = p[3].kind == GPC_REF_UNIFORM && !p[3].negate &&
                       p[3].index == gpc_float(b, 1.0f).index;
   const struct gpc_ref w =
      is_one ? p[3]
             : gpc_clamp(b, gpc_emit1(b, GPC_OP_RCP, p[3]), -1e10f, 1e10f);
   for (unsigned c = 0; c < 3; c++) {
      const struct gpc_ref scale = {
         .kind = GPC_REF_UNIFORM, .index = b->program->viewport * 4 + c,
      }, offset = { .kind = GPC_REF_UNIFORM, .index = scale.index + 4 };
      const struct gpc_ref scaled = gpc_emit2(b, GPC_OP_MUL, p[c], scale);
      gpc_emit_store(b, GPC_STORE_VARYING, c,
                     gpc_emit2(b, GPC_OP_ADD,
                               is_one ? scaled
                                      : gpc_emit2(b, GPC_OP_MUL, scaled, w),
                               offset));
   }
   gpc_emit_store(b, GPC_STORE_VARYING, 3, w);
}

static void
build_store(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   if (!nir_use_is_const(intr->src[1])) {
      gpc_error(b, &intr->instr, "output with a variable index");
      return;
   }
   const unsigned index = varying_for(b, intr);
   const unsigned first = (unsigned)nir_intrinsic_component(intr);
   const unsigned slot = nir_intrinsic_io_semantics(intr).location;
   const bool is_int =
      (nir_intrinsic_src_type(intr) & (nir_type_int | nir_type_uint)) != 0 &&
      !(nir_intrinsic_src_type(intr) & nir_type_float);

   for (unsigned c = 0; c < intr->src[0].value->num_components; c++) {
      if (!(nir_intrinsic_write_mask(intr) >> c & 1))
         continue;
      struct gpc_ref r = gpc_ref_for(b, gpc_origin(&intr->src[0], c),
                                     is_int ? GPC_TYPE_INT : GPC_TYPE_FLOAT);
      if (slot == VARYING_SLOT_POS && !b->options->no_viewport) {
         b->position[first + c] = r;
         continue;
      }
      if (slot == VARYING_SLOT_PSIZ)
         r = gpc_clamp(b, r, PSIZE_MIN, PSIZE_MAX);
      gpc_emit_store(b, GPC_STORE_VARYING, index + first + c, r);
   }
}

static void
build_intrinsic(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   const unsigned bits = nir_intrinsic_infos[intr->intrinsic].has_dest
                            ? intr->instr.result.bit_size
                            : 32;

   if (bits != 32 && bits != 1) {
      gpc_error(b, &intr->instr,
                "value of %u bits: the machine has no "
                "doubles and no halves",
                bits);
      return;
   }
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
      if (!nir_use_is_const(intr->src[0]))
         gpc_error(b, &intr->instr, "attribute with a variable index");
      else if ((unsigned)nir_intrinsic_base(intr) +
                  nir_use_as_uint(intr->src[0]) >=
               GP_NUM_ATTRIBUTES)
         gpc_error(b, &intr->instr, "more than %u attributes",
                   GP_NUM_ATTRIBUTES);
      break;
   case nir_intrinsic_load_uniform:
      if (!nir_use_is_const(intr->src[0]))
         build_indexed_load(b, intr);
      break;
   case nir_intrinsic_load_scratch: gpc_build_array_load(b, intr); break;
   case nir_intrinsic_store_scratch: gpc_build_array_store(b, intr); break;
   case nir_intrinsic_store_output: build_store(b, intr); break;
   default:
      gpc_error(b, &intr->instr, "%s is not supported by the machine",
                nir_intrinsic_infos[intr->intrinsic].name);
   }
}

/* ---- the end of a block ---- */

struct copy {
   const struct gpc_var *to;
   struct gpc_ref from;
};

static void
add_copy(struct gpc_build *b, struct util_dynarray *copies,
         const struct gpc_var *to, struct gpc_ref from)
{
   const struct gpc_ref place = place_ref(to);

   if (!BITSET_TEST(b->live_out[b->block->index], (unsigned)(to - b->vars)))
      return; /* nobody reads it */
   if (place.kind == from.kind && place.index == from.index && !from.negate)
      return; /* is there */
   util_dynarray_append(copies, struct copy, ((struct copy) { to, from }));
}

static void
collect_copies(struct gpc_build *b, struct util_dynarray *copies)
{
   nir_block *next = b->block->successors[0];

   for (unsigned i = 0; i < b->num_vars; i++) {
      const nir_value *def = b->vars[i].def.def;
      if (def->instr->kind != nir_kind_phi && def->instr->block == b->block &&
          b->made_in[def->index] == b->block)
         add_copy(b, copies, &b->vars[i], b->refs[def->index * 4]);
   }
   if (!next || b->block->successors[1])
      return;
   nir_foreach_phi(phi, next) {
      const nir_phi_source *src = nir_phi_source_from(phi, b->block);
      if (nir_use_is_undef(src->use))
         continue;
      add_copy(b, copies,
               gpc_var_of(b, nir_component_of(&phi->instr.result, 0)),
               gpc_ref_for(b, gpc_origin(&src->use, 0),
                           gpc_type_of(b, &phi->instr.result)));
   }
}

static bool
is_place(const struct gpc_ref *r)
{
   return r->kind == GPC_REF_REGISTER ||
          (r->kind == GPC_REF_UNIFORM && r->index >= GPC_TEMP_BASE * 4);
}

/* Writes what other blocks read; the condition may have to move away. */
static void
finish_values(struct gpc_build *b, struct gpc_ref *condition)
{
   struct util_dynarray copies = { 0 };

   collect_copies(b, &copies);
   util_dynarray_foreach(&copies, struct copy, c) {
      if (is_place(&c->from))
         c->from = gpc_emit1(b, GPC_OP_MOV, c->from);
   }
   if (copies.size_B && is_place(condition))
      *condition = gpc_emit1(b, GPC_OP_MOV, *condition);
   util_dynarray_foreach(&copies, struct copy, c) {
      const bool is_reg = c->to->reg >= 0;
      gpc_emit_store(b, is_reg ? GPC_STORE_REGISTER : GPC_STORE_TEMP,
                     (unsigned)(is_reg ? c->to->reg : c->to->temp), c->from);
   }
   util_dynarray_fini(&copies);
}

/* ---- control flow ---- */

static unsigned
next_block(const struct gpc_build *b)
{
   return (unsigned)util_dynarray_num_elements(&b->blocks, struct gpc_block);
}

static struct gpc_block *
block_at(struct gpc_build *b, unsigned i)
{
   return util_dynarray_element(&b->blocks, struct gpc_block, i);
}

/* Ends the present block: branches if `condition` is there. Returns its
 * index. */
static unsigned
end_block(struct gpc_build *b, struct gpc_ref condition, unsigned target)
{
   struct gpc_block out = { .target = target };
   const unsigned index = next_block(b);

   if (condition.kind != GPC_REF_NONE)
      gpc_emit1(b, GPC_OP_BRANCH, condition);
   gpc_finish_block(b, &out);
   if (b->block) {
      out.reserved = gpc_reserved_registers(b, b->block);
      out.has_successor = b->block->successors[0] != b->impl->end_block;
   }
   util_dynarray_append(&b->blocks, struct gpc_block, out);
   gpc_begin_block(b);
   return index;
}

/* A branch on its own, from where `block` ends. */
static unsigned
emit_jump(struct gpc_build *b, nir_block *block, unsigned target)
{
   b->block = block;
   gpc_begin_block(b);
   return end_block(b, gpc_float(b, 1.0f), target);
}

static void
build_instr(struct gpc_build *b, nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: gpc_build_alu(b, nir_instr_as_alu(instr)); break;
   case nir_kind_intrinsic:
      build_intrinsic(b, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_load_const:
   case nir_kind_undef:
   case nir_kind_phi:
   case nir_kind_jump:
   case nir_kind_deref: break;
   case nir_kind_tex:
      gpc_error(b, instr,
                "texture lookup in the vertex stage: the GP has no textures");
      break;
   case nir_kind_call:
      gpc_error(b, instr, "instruction that should be lowered");
      break;
   }
}

/* An else side that is nothing; a then side that only jumps. */
static bool
is_nothing(const struct list_head *list)
{
   if (!list_is_singular(list))
      return false;
   const nir_block *block = nir_cf_node_as_block(nir_cf_list_first(list));
   if (!list_is_empty(&block->instr_list))
      return false;
   nir_foreach_phi(phi, block->successors[0])
      return false;
   return true;
}

static bool
is_only_jump(struct gpc_build *b, const struct list_head *list)
{
   struct util_dynarray copies = { 0 };

   if (!list_is_singular(list))
      return false;
   nir_block *block = nir_cf_node_as_block(nir_cf_list_first(list));
   if (!nir_block_ends_in_jump(block) ||
       !list_is_singular(&block->instr_list))
      return false;
   nir_block *const before = b->block;
   b->block = block;
   collect_copies(b, &copies);
   b->block = before;
   const bool none = !copies.size_B;
   util_dynarray_fini(&copies);
   return none;
}

static struct gpc_ref
not_of(struct gpc_build *b, struct gpc_ref x)
{
   return gpc_emit2(b, GPC_OP_ADD, gpc_float(b, 1.0f), gpc_negate(x));
}

/* Where a jump goes: its loop's top, or what is patched when it ends. */
static void
set_jump_target(struct walk *w, const nir_block *from, unsigned index)
{
   if (nir_block_ends_in_break(from))
      util_dynarray_append(&w->loop->breaks, uint32_t, index);
   else
      block_at(w->b, index)->target = w->loop->top;
}

static void build_list(struct walk *w, struct list_head *list);

/* The part of an if that follows its condition. */
static void
build_if(struct walk *w, nir_if *nif, struct gpc_ref c, bool then_jumps,
         bool no_then)
{
   struct gpc_build *b = w->b;
   const nir_block *first = nir_if_first_then_block(nif);
   const unsigned branch = end_block(b, c, 0);

   if (then_jumps) {
      set_jump_target(w, first, branch);
      build_list(w, &nif->else_list);
      return;
   }
   if (no_then || is_nothing(&nif->else_list)) {
      build_list(w, no_then ? &nif->else_list : &nif->then_list);
      block_at(b, branch)->target = next_block(b);
      return;
   }
   build_list(w, &nif->else_list);
   nir_block *last = nir_if_last_else_block(nif);
   unsigned jump = 0;
   const bool falls = !nir_block_ends_in_jump(last);
   if (falls)
      jump = emit_jump(b, last, 0);
   block_at(b, branch)->target = next_block(b);
   build_list(w, &nif->then_list);
   if (falls)
      block_at(b, jump)->target = next_block(b);
}

static void
build_block(struct walk *w, nir_block *block)
{
   struct gpc_build *b = w->b;
   nir_if *nif = nir_block_get_following_if(block);
   struct gpc_ref c = GPC_NONE;

   b->block = block;
   gpc_begin_block(b);
   if (nif) {
      /* Read before this block's own values may take its place. */
      const nir_component s = gpc_origin(&nif->condition, 0);
      if (!gpc_is_load(s) && b->made_in[s.def->index] != block &&
          s.def->instr->block != block)
         c = gpc_ref_for(b, s, GPC_TYPE_BOOL);
   }
   nir_foreach_instr(instr, block)
      build_instr(b, instr);
   if (b->position[0].kind || b->position[1].kind || b->position[2].kind ||
       b->position[3].kind)
      store_position(b);
   if (nif) {
      const bool then_jumps = is_only_jump(b, &nif->then_list);
      const bool no_then = is_nothing(&nif->then_list);
      if (c.kind == GPC_REF_NONE)
         c = gpc_ref_for(b, gpc_origin(&nif->condition, 0), GPC_TYPE_BOOL);
      if (!then_jumps && !no_then && is_nothing(&nif->else_list))
         c = not_of(b, c);
      finish_values(b, &c);
      build_if(w, nif, c, then_jumps, no_then);
      return;
   }
   finish_values(b, &c);
   if (nir_block_ends_in_jump(block)) {
      const nir_jump_instr *jump =
         nir_instr_as_jump(nir_block_last_instr(block));
      if (jump->type != nir_jump_break && jump->type != nir_jump_continue) {
         gpc_error(b, &jump->instr, "jump out of the shader");
         return;
      }
      set_jump_target(w, block, end_block(b, gpc_float(b, 1.0f), 0));
   } else {
      end_block(b, GPC_NONE, 0);
   }
}

static void
build_loop(struct walk *w, nir_loop *nir)
{
   struct gpc_build *b = w->b;
   struct loop loop = { .nir = nir, .outer = w->loop, .top = next_block(b) };

   w->loop = &loop;
   build_list(w, &nir->body);
   nir_block *last = nir_loop_last_block(nir);
   if (!nir_block_ends_in_jump(last))
      emit_jump(b, last, loop.top);
   util_dynarray_foreach(&loop.breaks, uint32_t, i)
      block_at(b, *i)->target = next_block(b);
   util_dynarray_fini(&loop.breaks);
   w->loop = loop.outer;
}

static void
build_list(struct walk *w, struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (w->b->error)
         return;
      if (node->type == nir_cf_node_block)
         build_block(w, nir_cf_node_as_block(node));
      else if (node->type == nir_cf_node_loop)
         build_loop(w, nir_cf_node_as_loop(node));
      /* An if is made by the block before it. */
   }
}

void
gpc_build_blocks(struct gpc_build *b)
{
   struct walk w = { .b = b };

   b->refs =
      arena_new_array(b->arena, struct gpc_ref, b->impl->num_values * 4);
   b->made_in = arena_new_array(b->arena, nir_block *, b->impl->num_values);
   b->moved_uniform = arena_new_array(b->arena, uint32_t, MAX_MOVED);
   build_list(&w, &b->impl->body);
}
