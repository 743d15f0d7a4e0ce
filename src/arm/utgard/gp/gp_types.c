/* SPDX-License-Identifier: MIT */
/*
 * The machine has floats only; integers are floats with integral values, and
 * NIR's 32-bit values do not say which they are. Opcodes do: each value that
 * an opcode makes or takes as a float, integer or boolean is one, and so is
 * each value that moves, selections and phis connect with it. A value that
 * is both is a reinterpretation of bits, which the machine cannot do.
 *
 * Constants stand for themselves: each reader takes them as it likes.
 */
#include "gp_build.h"

static uint32_t
find(struct gpc_build *b, uint32_t i)
{
   while (b->type_parent[i] != i) {
      b->type_parent[i] = b->type_parent[b->type_parent[i]];
      i = b->type_parent[i];
   }
   return i;
}

/* Takes any type, or is a boolean by its size. */
static bool
is_free(const nir_value *def)
{
   return def->bit_size == 1 || def->instr->kind == nir_kind_load_const ||
          def->instr->kind == nir_kind_undef;
}

static void
set_type(struct gpc_build *b, const nir_value *def, enum gpc_type type,
         const nir_instr *where)
{
   if (is_free(def) || type == GPC_TYPE_UNKNOWN)
      return;
   uint8_t *t = &b->type[find(b, def->index)];
   if (*t == GPC_TYPE_UNKNOWN)
      *t = (uint8_t)type;
   else if (*t != type)
      gpc_error(b, where,
                "the bits of a float read as an integer, or the "
                "other way round: the machine has floats only");
}

static void
connect(struct gpc_build *b, const nir_value *x, const nir_value *y,
        const nir_instr *where)
{
   if (is_free(x) || is_free(y))
      return;
   const uint32_t i = find(b, x->index), j = find(b, y->index);
   const enum gpc_type type = b->type[j];
   if (i == j)
      return;
   b->type_parent[j] = i;
   set_type(b, x, type, where);
}

static enum gpc_type
type_of_alu_type(nir_alu_type t)
{
   switch (nir_type_base(t)) {
   case nir_type_float: return GPC_TYPE_FLOAT;
   case nir_type_bool: return GPC_TYPE_BOOL;
   case nir_type_int:
   case nir_type_uint: return GPC_TYPE_INT;
   default: return GPC_TYPE_UNKNOWN;
   }
}

/* Copies bits of whatever type: uint in the table of opcodes. */
static bool
is_untyped(nir_op op, unsigned src)
{
   return op == nir_op_mov || nir_op_is_vec(op) ||
          (op == nir_op_bcsel && src != 0);
}

static void
infer_alu(struct gpc_build *b, const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   const nir_value *dest = &alu->instr.result;

   for (unsigned i = 0; i < info->num_inputs; i++) {
      const nir_value *src = alu->src[i].use.value;
      if (is_untyped(alu->op, i))
         connect(b, dest, src, &alu->instr);
      else
         set_type(b, src, type_of_alu_type(info->input[i].type), &alu->instr);
   }
   if (!is_untyped(alu->op, 1))
      set_type(b, dest, type_of_alu_type(info->output.type), &alu->instr);
}

static void
infer_intrinsic(struct gpc_build *b, const nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_uniform:
      set_type(b, intr->src[0].value, GPC_TYPE_INT, &intr->instr);
      FALLTHROUGH;
   case nir_intrinsic_load_input:
      set_type(b, &intr->instr.result,
               type_of_alu_type(nir_intrinsic_dest_type(intr)), &intr->instr);
      break;
   case nir_intrinsic_load_scratch:
      set_type(b, &intr->instr.result, gpc_array_type(b, intr, 0),
               &intr->instr);
      break;
   case nir_intrinsic_store_scratch:
      set_type(b, intr->src[0].value, gpc_array_type(b, intr, 1),
               &intr->instr);
      break;
   case nir_intrinsic_store_output:
      set_type(b, intr->src[0].value,
               type_of_alu_type(nir_intrinsic_src_type(intr)), &intr->instr);
      break;
   default: break;
   }
}

void
gpc_infer_types(struct gpc_build *b)
{
   const unsigned n = b->impl->num_values;

   b->type_parent = arena_new_array(b->arena, uint32_t, n);
   b->type = arena_new_array(b->arena, uint8_t, n);
   for (unsigned i = 0; i < n; i++)
      b->type_parent[i] = i;
   nir_foreach_block(block, b->impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_alu)
            infer_alu(b, nir_instr_as_alu(instr));
         else if (instr->kind == nir_kind_intrinsic)
            infer_intrinsic(b, nir_instr_as_intrinsic(instr));
         else if (instr->kind == nir_kind_phi) {
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            nir_foreach_phi_source(src, phi)
               connect(b, &phi->instr.result, src->use.value, instr);
         }
      }
   }
}

enum gpc_type
gpc_type_of(struct gpc_build *b, const nir_value *def)
{
   if (def->bit_size == 1)
      return GPC_TYPE_BOOL;
   if (is_free(def))
      return GPC_TYPE_UNKNOWN;
   const enum gpc_type t = b->type[find(b, def->index)];
   return t == GPC_TYPE_UNKNOWN ? GPC_TYPE_FLOAT : t;
}
