/* SPDX-License-Identifier: MIT */
/*
 * What the arms of an if-chain access, how two sides of a comparison join,
 * and the access that does what an if-chain did.
 */
#include "nir_arm.h"
#include "opt/nir_instr_set.h"

#define MAX_INVOCATIONS 32
#define MAX_SLOTS 32      /* of an access: nir_io_semantics has six bits */
#define MAX_VALUE_DEPTH 8 /* of what arms make of it */

static bool
same_src(const nir_use *a, const nir_use *b)
{
   if (nir_use_is_const(*a) && nir_use_is_const(*b))
      return true; /* a place, then */
   return a->value == b->value;
}

bool
nir_arm_is_store(const nir_intrinsic_instr *io)
{
   return io->intrinsic == nir_intrinsic_store_per_vertex_output ||
          io->intrinsic == nir_intrinsic_store_output;
}

bool
nir_arm_loads_output(const nir_intrinsic_instr *io)
{
   return io->intrinsic == nir_intrinsic_load_per_vertex_output ||
          io->intrinsic == nir_intrinsic_load_output;
}

/* Those that are memory, whose place can be an expression. */
static bool
is_indexable(const nir_shader *shader, const nir_intrinsic_instr *io)
{
   switch (io->intrinsic) {
   case nir_intrinsic_load_per_vertex_input: return true;
   case nir_intrinsic_load_input:
      return shader->info.stage == MESA_SHADER_TESS_EVAL;
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output:
      return shader->info.stage == MESA_SHADER_TESS_CTRL;
   default: return false;
   }
}

/* What each arm may make for itself: constants, and what follows from them
 * and from what was there before. */
static bool
may_be_own(const nir_instr *instr, unsigned depth)
{
   return instr->kind == nir_kind_load_const ||
          (instr->kind == nir_kind_alu && depth < MAX_VALUE_DEPTH);
}

static bool same_def(const nir_value *a, const nir_value *b, unsigned depth);

static bool
same_alu(const nir_alu_instr *a, const nir_alu_instr *b, unsigned depth)
{
   if (a->op != b->op ||
       a->instr.result.num_components != b->instr.result.num_components ||
       a->instr.result.bit_size != b->instr.result.bit_size)
      return false;
   for (unsigned i = 0; i < nir_op_infos[a->op].num_inputs; i++) {
      const nir_operand *x = &a->src[i], *y = &b->src[i];
      if (!same_def(x->use.value, y->use.value, depth))
         return false;
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
         if (nir_operand_reads(a, i, c) && x->swizzle[c] != y->swizzle[c])
            return false;
      }
   }
   return true;
}

/* One value, or the same made twice. */
static bool
same_def(const nir_value *a, const nir_value *b, unsigned depth)
{
   const nir_instr *p = a->instr, *q = b->instr;

   if (a == b)
      return true;
   if (p->kind != q->kind || !may_be_own(p, depth))
      return false;
   if (p->kind == nir_kind_load_const)
      return nir_instrs_equal(p, q);
   return same_alu(nir_instr_as_alu((nir_instr *)p),
                   nir_instr_as_alu((nir_instr *)q), depth + 1);
}

static bool
same_value(const nir_intrinsic_instr *x, const nir_intrinsic_instr *y)
{
   if (nir_arm_is_store(x))
      return same_def(x->src[0].value, y->src[0].value, 0);
   return x->instr.result.num_components == y->instr.result.num_components &&
          x->instr.result.bit_size == y->instr.result.bit_size;
}

/* All that is said of an access but where it is. */
static bool
same_indices(const nir_intrinsic_instr *x, const nir_intrinsic_instr *y)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[x->intrinsic];
   nir_io_semantics p = nir_intrinsic_io_semantics(x);
   nir_io_semantics q = nir_intrinsic_io_semantics(y);

   p.location = q.location = 0;
   if (memcmp(&p, &q, sizeof(p)))
      return false;
   for (unsigned i = 0; i < info->num_indices; i++) {
      if (info->indices[i] != NIR_INTRINSIC_BASE &&
          info->indices[i] != NIR_INTRINSIC_IO_SEMANTICS &&
          x->const_index[i] != y->const_index[i])
         return false;
   }
   return true;
}

bool
nir_arm_same_access(const struct nir_arm *a, const struct nir_arm *b)
{
   nir_intrinsic_instr *x = a->io, *y = b->io;
   const nir_use *v = nir_get_io_arrayed_index_src(x);

   return a->comp == b->comp && a->wide == b->wide &&
          x->intrinsic == y->intrinsic && same_value(x, y) &&
          same_indices(x, y) &&
          same_src(nir_get_io_offset_src(x), nir_get_io_offset_src(y)) &&
          (!v || same_src(v, nir_get_io_arrayed_index_src(y)));
}

static bool
same_dim(const struct nir_arm_dim_range *a, const struct nir_arm_dim_range *b)
{
   return a->index == b->index && a->index_comp == b->index_comp &&
          a->first == b->first && a->last == b->last &&
          a->place == b->place && a->step == b->step;
}

bool
nir_arm_same_dims(const struct nir_arm *a, const struct nir_arm *b)
{
   return same_dim(&a->dim[NIR_ARM_VERTEX], &b->dim[NIR_ARM_VERTEX]) &&
          same_dim(&a->dim[NIR_ARM_SLOT], &b->dim[NIR_ARM_SLOT]);
}

static int64_t
last_place(const struct nir_arm_dim_range *d)
{
   return d->place + (d->last - d->first) * d->step;
}

bool
nir_arm_find(const nir_shader *shader, nir_intrinsic_instr *io, unsigned comp,
             struct nir_arm *out)
{
   const nir_use *vertex, *offset;

   if (!is_indexable(shader, io))
      return false;
   vertex = nir_get_io_arrayed_index_src(io);
   offset = nir_get_io_offset_src(io);
   *out = (struct nir_arm) { .io = io, .comp = comp };
   if (vertex && nir_use_is_const(*vertex))
      out->dim[NIR_ARM_VERTEX].place = nir_use_as_int(*vertex);
   out->dim[NIR_ARM_SLOT].place = nir_intrinsic_io_semantics(io).location;
   if (nir_use_is_const(*offset))
      out->dim[NIR_ARM_SLOT].place += nir_use_as_int(*offset);
   return true;
}

/* Slots have the order of their locations. */
static bool
are_generic(int64_t first, int64_t last)
{
   return last - first < MAX_SLOTS &&
          ((first >= VARYING_SLOT_VAR0 && last <= VARYING_SLOT_VAR31) ||
           (first >= VARYING_SLOT_PATCH0 && last < VARYING_SLOT_TESS_MAX));
}

/* As two arms say that are neighbours, or all those of a side. */
static int64_t
joint_step(const struct nir_arm_dim_range *low,
           const struct nir_arm_dim_range *high)
{
   if (low->step)
      return low->step;
   return high->step ? high->step : high->place - low->place;
}

/* `low` below index `at`, `high` from there on. */
static bool
join_dim(enum nir_arm_dim which, nir_value *index, unsigned index_comp,
         int64_t at, struct nir_arm_dim_range low,
         struct nir_arm_dim_range high, struct nir_arm_dim_range *out)
{
   if (!low.index) {
      low.first = low.last = at - 1;
   } else if (low.index != index || low.index_comp != index_comp) {
      return false;
   }
   if (!high.index) {
      high.first = high.last = at;
   } else if (high.index != index || high.index_comp != index_comp) {
      return false;
   }
   *out = low;
   out->index = index;
   out->index_comp = index_comp;
   out->last = high.last;
   out->step = joint_step(&low, &high);
   return low.last + 1 == at && high.first == at &&
          (!high.step || high.step == out->step) && out->step > 0 &&
          high.place == last_place(&low) + out->step &&
          (which == NIR_ARM_VERTEX
              ? out->step == 1
              : are_generic(low.place, last_place(&high)));
}

bool
nir_arm_join(nir_value *cond, unsigned cond_comp, struct nir_arm *low,
             struct nir_arm *high, struct nir_arm *out)
{
   nir_alu_instr *cmp = nir_maybe_alu(cond->instr);
   if (!cmp)
      return false;

   if ((cmp->op != nir_op_ilt && cmp->op != nir_op_ige) ||
       !nir_use_is_const(cmp->src[1].use) ||
       cmp->src[0].use.value->bit_size != 32)
      return false;
   if (cmp->op == nir_op_ige) {
      struct nir_arm *t = low;
      low = high;
      high = t;
   }
   const int64_t at =
      nir_use_comp_as_int(cmp->src[1].use, cmp->src[1].swizzle[cond_comp]);

   if (!nir_arm_same_access(low, high))
      return false;
   *out = *low;
   for (enum nir_arm_dim i = 0; i < NIR_ARM_DIMS; i++) {
      if (same_dim(&low->dim[!i], &high->dim[!i]))
         return join_dim(i, cmp->src[0].use.value,
                         cmp->src[0].swizzle[cond_comp], at, low->dim[i],
                         high->dim[i], &out->dim[i]);
   }
   return false;
}

/* ---- the access ---- */

/* A number that the index is below, whatever the program does. */
static int64_t
bound(const nir_shader *shader, const nir_value *index)
{
   const nir_instr *from = index->instr;
   const unsigned n = shader->info.stage == MESA_SHADER_TESS_CTRL
                         ? shader->info.tess.tcs_vertices_out
                         : 0;

   if (from->kind != nir_kind_intrinsic ||
       nir_instr_as_intrinsic((nir_instr *)from)->intrinsic !=
          nir_intrinsic_load_invocation_id)
      return INT64_MAX;
   return n ? n : MAX_INVOCATIONS;
}

static nir_value *
clamped(nir_builder *b, const struct nir_arm_dim_range *d)
{
   nir_value *index = nir_channel(b, d->index, d->index_comp);

   if (d->first == 0 && d->last + 1 >= bound(b->shader, d->index))
      return index;
   index = nir_imax(b, index, nir_imm_int(b, (int)d->first));
   return nir_imin(b, index, nir_imm_int(b, (int)d->last));
}

/* Where the index points to, less `base`. */
static nir_value *
place(nir_builder *b, const struct nir_arm_dim_range *d, int64_t base)
{
   const int64_t add = d->place - d->first * d->step - base;
   nir_value *at = clamped(b, d);

   if (d->step > 1)
      at = nir_imul(b, at, nir_imm_int(b, (int)d->step));
   return add ? nir_iadd(b, at, nir_imm_int(b, (int)add)) : at;
}

/* A source as that of the access, or the dimension's own. */
static nir_use
place_src(nir_builder *b, const struct nir_arm_dim_range *d, int64_t base,
          const nir_use *like)
{
   const bool fixed = nir_use_is_const(*like);

   if (!d->index)
      return nir_use_of(fixed ? nir_imm_int(b, (int)(d->place - base))
                              : like->value);
   nir_value *at = place(b, d, base);
   return nir_use_of(fixed ? at : nir_iadd(b, at, like->value));
}

/* Whether an instruction is in the if-chain that follows the cursor. */
static bool
is_in_if_chain(const nir_builder *b, const nir_instr *instr)
{
   const nir_cf_node *at = &nir_cursor_current_block(b->cursor)->cf_node;
   const nir_cf_node *if_chain = nir_cf_node_next((nir_cf_node *)at);

   for (const nir_cf_node *n = &instr->block->cf_node; n; n = n->parent) {
      if (n == if_chain)
         return true;
   }
   return false;
}

/* A value at the cursor: what an arm made of what was there is made again. */
static nir_value *
value_at_cursor(nir_builder *b, nir_value *def, unsigned depth)
{
   nir_instr *own = def->instr;

   if (!may_be_own(own, depth) || !is_in_if_chain(b, own))
      return def;
   nir_instr *copy = nir_instr_clone(b->shader, own);
   if (own->kind == nir_kind_alu) {
      nir_alu_instr *alu = nir_instr_as_alu(copy);
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++)
         alu->src[i].use =
            nir_use_of(value_at_cursor(b, alu->src[i].use.value, depth + 1));
   }
   nir_emit(b, copy);
   return nir_instr_value(copy);
}

nir_intrinsic_instr *
nir_arm_access(nir_builder *b, const struct nir_arm *r)
{
   nir_intrinsic_instr *like = r->io;
   const struct nir_arm_dim_range *slots = &r->dim[NIR_ARM_SLOT];
   const nir_use *vertex = nir_get_io_arrayed_index_src(like);
   nir_io_semantics sem = nir_intrinsic_io_semantics(like);
   nir_intrinsic_instr *io = nir_new_intrinsic(b->shader, like->intrinsic);
   unsigned n = 0;

   io->num_components = like->num_components;
   if (nir_arm_is_store(like))
      io->src[n++] = nir_use_of(value_at_cursor(b, like->src[0].value, 0));
   if (vertex)
      io->src[n++] = place_src(b, &r->dim[NIR_ARM_VERTEX], 0, vertex);
   io->src[n] =
      place_src(b, slots, sem.location, nir_get_io_offset_src(like));
   memcpy(io->const_index, like->const_index, sizeof(io->const_index));
   sem.num_slots += (unsigned)(last_place(slots) - slots->place);
   nir_intrinsic_set_io_semantics(io, sem);
   if (!nir_arm_is_store(like))
      nir_set_result(&io->instr, like->instr.result.num_components,
                     like->instr.result.bit_size);
   nir_emit(b, &io->instr);
   return io;
}

int64_t
nir_arm_count(const struct nir_arm *r)
{
   int64_t n = 1;

   for (enum nir_arm_dim i = 0; i < NIR_ARM_DIMS; i++)
      n *= r->dim[i].last - r->dim[i].first + 1;
   return n;
}

/* Whether the same kind of access is made at a place. */
static bool
is_accessed(nir_function_impl *impl, nir_intrinsic_op op, int64_t place)
{
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind != nir_kind_intrinsic ||
             nir_instr_as_intrinsic(instr)->intrinsic != op)
            continue;
         nir_intrinsic_instr *io = nir_instr_as_intrinsic(instr);
         const nir_use *at = nir_get_io_offset_src(io);
         const nir_io_semantics sem = nir_intrinsic_io_semantics(io);
         if (nir_use_is_const(*at) &&
             sem.location + nir_use_as_int(*at) == place)
            return true;
      }
   }
   return false;
}

bool
nir_arm_has_no_gaps(nir_builder *b, const struct nir_arm *r)
{
   const struct nir_arm_dim_range *d = &r->dim[NIR_ARM_SLOT];

   if (!d->index || d->step == 1)
      return true;
   for (int64_t i = d->place; i < last_place(d); i++) {
      if ((i - d->place) % d->step &&
          !is_accessed(b->impl, r->io->intrinsic, i))
         return false;
   }
   return true;
}
