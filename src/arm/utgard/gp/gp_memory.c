/* SPDX-License-Identifier: MIT */
/*
 * Arrays in temporaries, as gp_arrays.c leaves them: loads are moves of the
 * uniform port, stores operations of their own. What may touch the same
 * scalar keeps its order.
 *
 * An address register is given out when its GPC_OP_ADDRESS is placed, and
 * taken back after its last load. A load that waits for a store must not
 * hold one: that store might wait for a load that finds none free. So the
 * address waits for the store, too, which costs nothing, as both take four
 * words; and no address is shared by loads before and after a store.
 */
#include "compiler/nir/nir_builder.h"
#include "gp_build.h"

#define TEMP_DELAY 4

struct place {
   const struct gpc_array *array;
   nir_component index; /* within the array; def NULL: constant */
   unsigned vec4;       /* of temporaries; the array's first, if variable */
   unsigned comp;
};

static const struct gpc_array *
array_at(const struct gpc_build *b, unsigned first)
{
   for (unsigned i = 0; i < b->memory.num_arrays; i++) {
      if (b->memory.arrays[i].first == first)
         return &b->memory.arrays[i];
   }
   unreachable("an access to no array");
}

/* The offset is an index plus the constant where the array begins. */
static struct place
place_of(const struct gpc_build *b, const nir_intrinsic_instr *intr,
         unsigned src)
{
   const nir_alu_instr *sum = nir_instr_as_alu(intr->src[src].value->instr);
   const nir_component index =
      gpc_origin(&sum->src[0].use, sum->src[0].swizzle[0]);
   struct place p = {
      .array = array_at(b, (unsigned)nir_use_as_uint(sum->src[1].use)),
      .comp = nir_intrinsic_align_offset(intr) / 4,
   };

   assert(sum->op == nir_op_iadd);
   p.vec4 = p.array->first;
   if (nir_component_is_const(index))
      p.vec4 += (unsigned)nir_component_as_uint(index);
   else
      p.index = index;
   return p;
}

enum gpc_type
gpc_array_type(const struct gpc_build *b, const nir_intrinsic_instr *intr,
               unsigned src)
{
   const nir_variable *var = place_of(b, intr, src).array->var;

   switch (glsl_get_base_type(glsl_without_array_or_matrix(var->type))) {
   case GLSL_TYPE_FLOAT: return GPC_TYPE_FLOAT;
   case GLSL_TYPE_BOOL: return GPC_TYPE_BOOL;
   default: return GPC_TYPE_INT;
   }
}

static void
note_access(struct gpc_build *b, const struct place *p, uint32_t node,
            uint32_t address, bool is_store)
{
   util_dynarray_append(
      &b->accesses, struct gpc_access,
      ((struct gpc_access) { .array = p->array,
                             .node = node,
                             .address = address,
                             .vec4 = p->index.def ? -1 : (int)p->vec4,
                             .comp = p->comp,
                             .is_store = is_store }));
}

static bool
same_ref(const struct gpc_ref *x, const struct gpc_ref *y)
{
   return x->kind == y->kind && x->index == y->index &&
          x->negate == y->negate;
}

struct gpc_ref
gpc_address_for(struct gpc_build *b, struct gpc_ref index)
{
   /* Components of one vector follow each other and share the address. */
   if (b->address.kind == GPC_REF_NONE || !same_ref(&b->index, &index)) {
      b->index = index;
      b->address = gpc_emit1(b, GPC_OP_ADDRESS, index);
   }
   return b->address;
}

void
gpc_build_array_load(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   const struct place p = place_of(b, intr, 0);
   struct gpc_ref load = {
      .kind = GPC_REF_UNIFORM,
      .index = (GPC_TEMP_BASE + p.vec4) * 4 + p.comp,
   };

   if (p.index.def)
      load.address =
         gpc_address_for(b, gpc_ref_for(b, p.index, GPC_TYPE_INT)).index + 1;
   const struct gpc_ref value = gpc_emit1(b, GPC_OP_MOV, load);
   note_access(b, &p, value.index, load.address, false);
   gpc_set_ref(b, &intr->instr.result, 0, value);
}

/* The number of the vec4 that is written. */
static struct gpc_ref
store_address(struct gpc_build *b, const struct place *p)
{
   const struct gpc_ref base = {
      .kind = GPC_REF_UNIFORM,
      .index = gpc_literal(&b->literals, true, p->vec4),
   };

   if (!p->index.def)
      return base;
   const struct gpc_ref index = gpc_ref_for(b, p->index, GPC_TYPE_INT);
   if (b->store_address.kind == GPC_REF_NONE ||
       !same_ref(&b->store_index, &index) ||
       !same_ref(&b->store_base, &base)) {
      b->store_index = index;
      b->store_base = base;
      b->store_address = gpc_emit2(b, GPC_OP_ADD, index, base);
   }
   return b->store_address;
}

void
gpc_build_array_store(struct gpc_build *b, nir_intrinsic_instr *intr)
{
   const struct place p = place_of(b, intr, 1);
   const struct gpc_ref value = gpc_ref_for(b, gpc_origin(&intr->src[0], 0),
                                            gpc_array_type(b, intr, 1));
   const struct gpc_ref store =
      gpc_emit_temp_store(b, p.vec4 * 4 + p.comp, value, store_address(b, &p),
                          p.index.def != NULL);

   note_access(b, &p, store.index, 0, true);
   b->address = GPC_NONE;
}

static bool
may_be_same(const struct gpc_access *x, const struct gpc_access *y)
{
   return x->array == y->array && x->comp == y->comp &&
          (x->vec4 < 0 || y->vec4 < 0 || x->vec4 == y->vec4);
}

/* Whether all earlier accesses that `y` could meet come before `x`, too. */
static bool
stands_for_earlier(const struct gpc_access *x, const struct gpc_access *y)
{
   return x->is_store && (x->vec4 < 0 || x->vec4 == y->vec4);
}

static void
order_access(struct gpc_build *b, const uint32_t *map, unsigned index)
{
   const struct gpc_access *list = b->accesses.data, *y = &list[index];

   for (unsigned i = index; i-- > 0;) {
      const struct gpc_access *x = &list[i];
      if (map[x->node] == UINT32_MAX || !may_be_same(x, y) ||
          (!x->is_store && !y->is_store))
         continue;
      const unsigned distance = !x->is_store  ? 0
                                : y->is_store ? 1
                                              : TEMP_DELAY;
      gpc_add_order(b, map[x->node], map[y->node], distance);
      if (y->address)
         gpc_add_order(b, map[x->node], map[y->address - 1], 0);
      if (stands_for_earlier(x, y))
         return;
   }
}

void
gpc_order_accesses(struct gpc_build *b, const uint32_t *map)
{
   const struct gpc_access *list = b->accesses.data;
   const unsigned n =
      util_dynarray_num_elements(&b->accesses, struct gpc_access);

   for (unsigned i = 0; i < n; i++) {
      if (map[list[i].node] != UINT32_MAX)
         order_access(b, map, i);
   }
}
