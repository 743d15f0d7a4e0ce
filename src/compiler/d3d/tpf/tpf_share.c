/* SPDX-License-Identifier: MIT */
/*
 * What needs no instruction of its own: signs that are part of the operands
 * which read them, products that are added, places in buffers, saturation of
 * what makes the value, copies of components, components that are made where
 * a vector, or an output, has them.
 *
 * A value shares the place of another from its definition on: nothing may
 * read or write that place between there and where the copy stood. Places of
 * values that are no phis begin with the first of those that share them, so
 * this is asked of phi webs alone.
 */
#include "tpf_emit.h"

#define WINDOW 64 /* instructions between a definition and its copy */

const nir_value *
tpf_emit_sharer(const struct tpf_emit *e, const nir_value *def,
                unsigned *comp)
{
   while (e->share[def->index].with) {
      *comp += e->share[def->index].comp;
      def = e->share[def->index].with;
   }
   return def;
}

static bool
shares(const struct tpf_emit *e, const nir_value *def)
{
   return e->share[def->index].with != NULL;
}

/* ---- signs ---- */

static bool
takes_signs(const nir_use *use)
{
   const nir_alu_instr *alu = nir_maybe_alu(use->instr);

   return alu && !nir_op_is_vec(alu->op) && alu->op != nir_op_mov &&
          tpf_select_row(alu) && nir_alu_reads_float(alu, use);
}

static void
fold_sign(struct tpf_emit *e, nir_alu_instr *alu)
{
   nir_value *v = &alu->instr.result;

   if ((alu->op != nir_op_fneg && alu->op != nir_op_fabs) ||
       v->bit_size != 32 || nir_value_is_unused(v))
      return;
   nir_foreach_use(use, v) {
      if (use->nif || !takes_signs(use))
         return;
   }
   e->folded[v->index] = true;
}

/* ---- saturation ---- */

/* The saturation is all that reads the value, as it is. */
static void
fold_saturation(struct tpf_emit *e, nir_alu_instr *sat)
{
   const nir_value *from = sat->src[0].use.value, *to = &sat->instr.result;
   nir_instr *maker = from->instr;
   const struct tpf_select_row *row;

   if (sat->op != nir_op_fsat || to->bit_size != 32 ||
       maker->kind != nir_kind_alu || maker->block != sat->instr.block ||
       nir_op_is_vec(nir_instr_as_alu(maker)->op) ||
       !nir_value_only_use(from) || e->folded[from->index] ||
       from->num_components != to->num_components ||
       nir_is_in_web(&e->webs, from) || nir_is_in_web(&e->webs, to))
      return;
   row = tpf_select_row(nir_instr_as_alu(maker));
   if (!row || tpf_op_info(row->op)->control != TPF_CONTROL_SAT ||
       nir_type_base(nir_op_infos[nir_instr_as_alu(maker)->op].output.type) !=
          nir_type_float)
      return;
   for (unsigned c = 0; c < to->num_components; c++) {
      if (sat->src[0].swizzle[c] != c)
         return;
   }
   maker->pass_flags = TPF_EMIT_SATURATED;
   e->share[from->index] = (struct tpf_share) { to, 0 };
}

/* ---- products that are added ---- */

static bool
is_scalar(const nir_value *v)
{
   return v->num_components == 1 && v->bit_size == 32;
}

/* The first that there is. */
static void
fold_product(struct tpf_emit *e, nir_alu_instr *sum)
{
   if (sum->op != nir_op_iadd || !is_scalar(&sum->instr.result))
      return;
   for (unsigned i = 0; i < 2; i++) {
      const nir_value *v = sum->src[i].use.value;
      if (v->instr->kind == nir_kind_alu && is_scalar(v) &&
          nir_instr_as_alu(v->instr)->op == nir_op_imul &&
          nir_value_only_use(v) && v->instr->block == sum->instr.block) {
         e->folded[v->index] = true;
         return;
      }
   }
}

/* ---- places in buffers ---- */

/* vec2(buffer, element), which only accesses to memory read. */
static void
fold_place(struct tpf_emit *e, nir_alu_instr *vec)
{
   const nir_intrinsic_instr *buffer =
      vec->op == nir_op_vec2 ? nir_use_as_intrinsic(vec->src[0].use) : NULL;

   if (!buffer || buffer->intrinsic != nir_intrinsic_vulkan_resource_index)
      return;
   nir_foreach_use(use, &vec->instr.result) {
      if (use->nif || use->instr->kind != nir_kind_intrinsic)
         return;
   }
   e->folded[vec->instr.result.index] = true;
}

/* ---- components of one value ---- */

/* A copy of components of a value, neither of which ever changes. */
static void
share_copy(struct tpf_emit *e, nir_alu_instr *mov)
{
   const nir_value *from = mov->src[0].use.value, *to = &mov->instr.result;

   if (mov->op != nir_op_mov || to->bit_size != 32 ||
       nir_is_in_web(&e->webs, from) || nir_is_in_web(&e->webs, to) ||
       tpf_emit_has_home(from->instr))
      return;
   for (unsigned c = 1; c < to->num_components; c++) {
      if (mov->src[0].swizzle[c] != mov->src[0].swizzle[0] + c)
         return;
   }
   e->share[to->index] = (struct tpf_share) { from, mov->src[0].swizzle[0] };
}

/* ---- components of vectors ---- */

static bool
reads_web(struct tpf_emit *e, const nir_value *v, const nir_value *web)
{
   unsigned comp = 0;

   if (!e->folded[v->index])
      return nir_web_value(&e->webs, tpf_emit_sharer(e, v, &comp)) == web;
   const nir_alu_instr *alu = nir_instr_as_alu(v->instr);
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (reads_web(e, alu->src[i].use.value, web))
         return true;
   }
   return false;
}

struct touched {
   struct tpf_emit *e;
   const nir_value *web;
   bool found;
};

static bool
see_use(nir_use *use, void *data)
{
   struct touched *t = data;

   t->found |= reads_web(t->e, use->value, t->web);
   return true;
}

/* Whether the place of the web is free from one instruction to another, which
 * writes it. */
static bool
is_free_between(struct tpf_emit *e, const nir_value *web,
                const nir_instr *from, const nir_instr *to)
{
   struct touched t = { e, nir_web_value(&e->webs, web), false };
   unsigned n = 0;

   for (nir_instr *i = nir_instr_next((nir_instr *)from); i && i != to;
        i = nir_instr_next(i)) {
      nir_value *v = nir_instr_value(i);
      nir_visit_uses(i, see_use, &t);
      /* What shares it already makes other components. */
      if (t.found || ++n == WINDOW ||
          (v && !shares(e, v) && nir_web_value(&e->webs, v) == t.web))
         return false;
   }
   return true;
}

/* What makes a value of components that go anywhere in a register. */
static bool
may_make(const struct tpf_emit *e, const nir_value *v)
{
   const nir_instr *maker = v->instr;

   if (v->bit_size != 32 || e->folded[v->index] || shares(e, v) ||
       nir_is_in_web(&e->webs, v) || tpf_emit_has_home(maker))
      return false;
   switch (maker->kind) {
   case nir_kind_alu: {
      const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)maker);
      return alu->op != nir_op_mov && !nir_op_is_vec(alu->op);
   }
   case nir_kind_tex:
   case nir_kind_intrinsic: return true;
   default: return false;
   }
}

/* Components k, k + 1, ... of the vector are all of the value, which nothing
 * else reads. */
static bool
is_all_of(const nir_alu_instr *vec, unsigned k)
{
   const nir_value *v = vec->src[k].use.value;
   const unsigned num = nir_op_infos[vec->op].num_inputs;
   unsigned uses = 0;

   if (k + v->num_components > num)
      return false;
   for (unsigned c = 0; c < v->num_components; c++) {
      if (vec->src[k + c].use.value != v || vec->src[k + c].swizzle[0] != c)
         return false;
   }
   nir_foreach_use(use, v)
      uses++;
   return uses == v->num_components;
}

static void
share_components(struct tpf_emit *e, nir_alu_instr *vec)
{
   const nir_value *to = &vec->instr.result;

   if (!nir_op_is_vec(vec->op) || to->bit_size != 32 ||
       to->num_components > 4 || e->folded[to->index] || shares(e, to))
      return;
   for (unsigned k = 0; k < to->num_components; k++) {
      const nir_value *v = vec->src[k].use.value;
      if (may_make(e, v) && v->instr->block == vec->instr.block &&
          is_all_of(vec, k) &&
          (!nir_is_in_web(&e->webs, to) ||
           is_free_between(e, to, v->instr, &vec->instr)))
         e->share[v->index] = (struct tpf_share) { to, (uint8_t)k };
   }
}

/* ---- outputs ---- */

/* How often each component of an output is written. */
struct outputs {
   uint8_t writes[TPF_EMIT_REGS][4];
};

static bool
is_output(struct tpf_emit *e, nir_instr *instr, unsigned *reg)
{
   nir_intrinsic_instr *store = nir_maybe_intrinsic(instr);
   struct tpf_io io;

   return store && store->intrinsic == nir_intrinsic_store_output &&
          tpf_select_output(e, store, reg, &io);
}

static void
count_writes(struct tpf_emit *e, struct outputs *o)
{
   unsigned reg;

   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         if (!is_output(e, instr, &reg))
            continue;
         const nir_intrinsic_instr *store = nir_instr_as_intrinsic(instr);
         for (unsigned i = 0; i < store->num_components; i++) {
            const unsigned c = nir_intrinsic_component(store) + i;
            if (nir_intrinsic_write_mask(store) >> i & 1 &&
                o->writes[reg][c] < 2)
               o->writes[reg][c]++;
         }
      }
   }
}

/* A value that is made for one output and nothing else is made there. */
static void
make_in_output(struct tpf_emit *e, nir_intrinsic_instr *store, unsigned reg,
               const struct outputs *o)
{
   const nir_value *v = store->src[0].value;
   const unsigned first = nir_intrinsic_component(store);
   const bool vec = v->instr->kind == nir_kind_alu &&
                    nir_op_is_vec(nir_instr_as_alu(v->instr)->op);

   if ((!vec && !may_make(e, v)) || v->bit_size != 32 || shares(e, v) ||
       nir_is_in_web(&e->webs, v) || v->instr->block != store->instr.block ||
       !nir_value_only_use(v) || v->num_components > 4 ||
       nir_intrinsic_write_mask(store) != BITFIELD_MASK(v->num_components))
      return;
   for (unsigned c = 0; c < v->num_components; c++) {
      if (o->writes[reg][first + c] != 1)
         return;
   }
   for (unsigned c = 0; c < v->num_components; c++) {
      struct tpf_value *place = tpf_emit_value(e, v, c);
      place->file = TPF_FILE_O;
      place->place.reg = (uint16_t)reg;
      place->place.comp = (uint8_t)(first + c);
   }
}

static void
make_in_outputs(struct tpf_emit *e)
{
   struct outputs o = { 0 };
   unsigned reg;

   /* Each vertex of a geometry shader has its own. */
   if (e->stage == TPF_STAGE_GS)
      return;
   count_writes(e, &o);
   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         if (is_output(e, instr, &reg))
            make_in_output(e, nir_instr_as_intrinsic(instr), reg, &o);
      }
   }
}

/* ---- all ---- */

void
tpf_emit_share(struct tpf_emit *e)
{
   const unsigned n = e->impl->num_values + 1;

   e->share = arena_new_array(e->arena, struct tpf_share, n);
   e->folded = arena_new_array(e->arena, bool, n);
   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         instr->pass_flags = 0;
         if (instr->kind != nir_kind_alu)
            continue;
         fold_sign(e, nir_instr_as_alu(instr));
         fold_product(e, nir_instr_as_alu(instr));
         fold_place(e, nir_instr_as_alu(instr));
         tpf_emit_fold_row(e, nir_instr_as_alu(instr));
         share_copy(e, nir_instr_as_alu(instr));
      }
   }
   nir_foreach_block(block, e->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_alu)
            continue;
         fold_saturation(e, nir_instr_as_alu(instr));
         share_components(e, nir_instr_as_alu(instr));
      }
   }
   make_in_outputs(e);
}
