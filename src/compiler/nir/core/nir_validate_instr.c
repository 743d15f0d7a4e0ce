/* SPDX-License-Identifier: MIT */
/* The rules of sources, destinations and instructions. */
#include "nir_validate_private.h"

#include "nir_private.h"

/* --- Sources and destinations ------------------------------------------ */

static bool
is_in_list(const struct list_head *link)
{
   return link->next && link->next->prev == link && link->prev->next == link;
}

bool
nir_validate_is_there(const nir_use *src)
{
   return src->value != NULL;
}

/* bit_size and components of 0 allow any. */
void
nir_validate_src(struct nir_validate *v, nir_use *src, unsigned bit_size,
                 unsigned components)
{
   if (v->instr)
      CHECK(src->instr == v->instr,
            "a source names its instruction as parent");
   if (!src->value) {
      nir_validate_fault(v, "a source has a value");
      return;
   }
   CHECK(hash_table_has(&v->defs, hash_key_ptr(src->value)),
         "a source uses a value defined before it");
   hash_table_insert(&v->srcs, hash_key_ptr(src), src);
   CHECK(is_in_list(&src->link),
         "a source is in the list of uses of its value");
   if (bit_size)
      CHECK(src->value->bit_size == bit_size,
            "the source has the bit size that the instruction needs");
   if (components)
      CHECK(src->value->num_components == components,
            "the source has the components that the instruction needs");
}

bool
nir_validate_is_bit_size(unsigned b)
{
   return b == 1 || b == 8 || b == 16 || b == 32 || b == 64;
}

static bool
is_num_components(unsigned n)
{
   return (n >= 1 && n <= 5) || n == 8 || n == 16;
}

static void
check_def(struct nir_validate *v, nir_value *def, unsigned bit_size,
          unsigned components)
{
   CHECK(def->instr == v->instr,
         "a value names the instruction that defines it");
   CHECK(nir_validate_is_bit_size(def->bit_size),
         "a bit size is 1, 8, 16, 32 or 64");
   CHECK(is_num_components(def->num_components),
         "a value has 1 to 5, 8 or 16 components");
   if (bit_size)
      CHECK(def->bit_size == bit_size,
            "the value has the bit size that the instruction gives");
   if (components)
      CHECK(def->num_components == components,
            "the value has the components that the instruction gives");
   CHECK(def->index < v->impl->num_values,
         "the index of a value is below num_values");
}

static void
check_dest(struct nir_validate *v, nir_value *dest, unsigned bit_size,
           unsigned components)
{
   check_def(v, dest, bit_size, components);
}

/* --- Instructions ------------------------------------------------------ */

static void
check_alu(struct nir_validate *v, nir_alu_instr *alu)
{
   if (alu->op >= nir_num_opcodes) {
      nir_validate_fault(v, "an opcode is in the table");
      return;
   }
   const nir_op_info *info = &nir_op_infos[alu->op];
   CHECK(alu->instr.num_operands == info->num_inputs,
         "an instruction has the operands of its row");
   /* One size for all that the row leaves open. */
   unsigned bits = 0;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      nir_operand *src = &alu->src[i];
      unsigned want = nir_type_bits(info->input[i].type);
      if (!nir_validate_is_there(&src->use)) {
         nir_validate_src(v, &src->use, 0, 0);
         continue;
      }
      const unsigned have = src->use.value->bit_size;
      if (want == 0) {
         if (bits == 0)
            bits = have;
         want = bits;
         const nir_alu_type base = nir_type_base(info->input[i].type);
         CHECK(base != nir_type_float || have >= 16,
               "a float has 16, 32 or 64 bits");
      }
      nir_validate_src(v, &src->use, want, 0);
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
         if (nir_operand_reads(alu, i, c))
            CHECK(src->swizzle[c] < src->use.value->num_components,
                  "a swizzle names a component that the source has");
      }
   }
   const unsigned out = nir_type_bits(info->output.type);
   check_dest(v, &alu->instr.result, out ? out : bits, info->output.size);
}

static void
check_deref(struct nir_validate *v, nir_deref_instr *d)
{
   CHECK(d->modes != 0, "a deref has a mode");
   CHECK(d->type != NULL, "a deref has a type");
   if (d->deref_type == nir_deref_type_var) {
      CHECK(hash_table_has(&v->vars, hash_key_ptr(d->var)),
            "a deref names a variable in scope");
      if (hash_table_has(&v->vars, hash_key_ptr(d->var))) {
         CHECK(d->var->data.mode == d->modes,
               "a deref has the mode of its variable");
         CHECK(d->type == d->var->type,
               "a deref has the type of its variable");
      }
      check_dest(v, &d->instr.result, 0, 0);
      return;
   }
   nir_validate_src(v, &d->parent, 0, 0);
   check_dest(v, &d->instr.result, 0, 0);
   if (d->deref_type == nir_deref_type_cast)
      return;
   nir_deref_instr *parent =
      nir_validate_is_there(&d->parent) ? nir_use_as_deref(d->parent) : NULL;
   if (!parent) {
      nir_validate_fault(v, "the parent of a deref is a deref");
      return;
   }
   CHECK(parent->modes == d->modes, "a deref has the mode of its parent");
   if (!parent->type || !d->type)
      return;
   switch (d->deref_type) {
   case nir_deref_type_struct:
      CHECK(glsl_type_is_struct_or_ifc(parent->type) &&
               d->member < glsl_get_length(parent->type) &&
               glsl_get_struct_field(parent->type, d->member) == d->type,
            "a struct deref names a member and has its type");
      break;
   case nir_deref_type_array:
      CHECK((glsl_type_is_array_or_matrix(parent->type) ||
             glsl_type_is_vector(parent->type)) &&
               glsl_get_array_element(parent->type) == d->type,
            "an array deref has the type of the element");
      nir_validate_src(v, &d->index, 0, 1);
      break;
   case nir_deref_type_array_wildcard:
      CHECK(glsl_type_is_array_or_matrix(parent->type) &&
               glsl_get_array_element(parent->type) == d->type,
            "a wildcard deref has the type of the element");
      break;
   case nir_deref_type_ptr_as_array:
      CHECK(parent->type == d->type,
            "a deref of a pointer as array keeps the type");
      nir_validate_src(v, &d->index, 0, 1);
      break;
   case nir_deref_type_var:
   case nir_deref_type_cast: break;
   }
}

static void
check_store(struct nir_validate *v, nir_intrinsic_instr *intr,
            nir_deref_instr *d)
{
   const unsigned n = glsl_get_vector_elements(d->type);
   CHECK(glsl_type_is_vector_or_scalar(d->type),
         "a store is of a vector or scalar");
   CHECK(intr->num_components == n,
         "a store has the components of the variable");
   CHECK(intr->src[1].value->bit_size == glsl_get_bit_size(d->type) ||
            glsl_type_is_boolean(d->type),
         "a store has the bit size of the variable");
   CHECK((nir_intrinsic_write_mask(intr) & ~BITFIELD_MASK(n)) == 0,
         "a write mask has only components of the variable");
   CHECK(!nir_deref_mode_is_one_of(d, nir_var_shader_in | nir_var_mem_ubo |
                                         nir_var_mem_push_const |
                                         nir_var_system_value),
         "a store is to what may be written");
}

static void
check_load(struct nir_validate *v, nir_intrinsic_instr *intr,
           const nir_deref_instr *d)
{
   CHECK(glsl_type_is_vector_or_scalar(d->type) &&
            intr->num_components == glsl_get_vector_elements(d->type),
         "a load has the components of the variable");
   CHECK(intr->instr.result.bit_size == glsl_get_bit_size(d->type) ||
            glsl_type_is_boolean(d->type),
         "a load has the bit size of the variable");
}

static void
check_derefs(struct nir_validate *v, nir_intrinsic_instr *intr)
{
   for (unsigned i = 0; i < nir_intrinsic_infos[intr->intrinsic].num_derefs;
        i++) {
      nir_deref_instr *d = nir_use_as_deref(intr->src[i]);
      if (!d)
         nir_validate_fault(v, "a deref intrinsic has a deref");
      else if (!d->type)
         return;
      else if (intr->intrinsic == nir_intrinsic_store_deref)
         check_store(v, intr, d);
      else if (intr->intrinsic == nir_intrinsic_load_deref)
         check_load(v, intr, d);
   }
}

static void
check_param(struct nir_validate *v, const nir_intrinsic_instr *load)
{
   const nir_function *f = v->impl->function;
   const unsigned i = (unsigned)nir_intrinsic_param_idx(load);

   CHECK(i < f->num_params &&
            load->num_components == f->params[i].num_components &&
            load->instr.result.bit_size == f->params[i].bit_size,
         "a parameter is one that the function has");
}

static void
check_intrinsic(struct nir_validate *v, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   bool variable = info->has_dest && info->dest_components == 0;
   CHECK(intr->instr.num_operands == info->num_srcs,
         "an instruction has the operands of its row");
   bool whole = true;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const int8_t n = info->src_components[i];
      variable |= n == 0;
      whole &= nir_validate_is_there(&intr->src[i]);
      nir_validate_src(v, &intr->src[i], 0,
                       n < 0 ? 0
                       : n   ? (unsigned)n
                             : intr->num_components);
   }
   if (!whole)
      return;
   if (variable)
      CHECK(is_num_components(intr->num_components),
            "num_components is 1 to 5, 8 or 16");
   if (info->has_dest) {
      const unsigned bits = info->bit_size_src >= 0
                               ? intr->src[info->bit_size_src].value->bit_size
                               : 0;
      check_dest(v, &intr->instr.result, bits,
                 nir_intrinsic_result_components(intr));
      if (info->dest_bit_sizes)
         CHECK(intr->instr.result.bit_size & info->dest_bit_sizes,
               "the intrinsic can give this bit size");
   }
   if (nir_intrinsic_has_write_mask(intr))
      CHECK((nir_intrinsic_write_mask(intr) &
             ~BITFIELD_MASK(intr->num_components)) == 0,
            "a write mask has only components that are stored");
   if (nir_intrinsic_has_align_mul(intr))
      CHECK(util_is_power_of_two_nonzero(nir_intrinsic_align_mul(intr)) &&
               nir_intrinsic_align_offset(intr) <
                  nir_intrinsic_align_mul(intr),
            "an alignment is a power of two with a smaller offset");
   check_derefs(v, intr);
   if (intr->intrinsic == nir_intrinsic_load_param)
      check_param(v, intr);
}

static void
check_tex(struct nir_validate *v, nir_tex_instr *tex)
{
   unsigned seen = 0;
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      const nir_tex_operand_kind type = tex->src[i].src_type;
      if (type >= nir_num_tex_operand_kinds) {
         nir_validate_fault(v, "a texture source has a known kind");
         continue;
      }
      CHECK(!(seen & (1u << type)), "each kind of texture source once");
      seen |= 1u << type;
      nir_validate_src(v, &tex->src[i].use, 0,
                       type == nir_tex_src_coord ? tex->coord_components : 0);
      if (type == nir_tex_src_texture_deref ||
          type == nir_tex_src_sampler_deref)
         CHECK(nir_validate_is_there(&tex->src[i].use) &&
                  nir_use_as_deref(tex->src[i].use),
               "a texture deref is a deref");
   }
   CHECK(nir_type_bits(tex->dest_type) != 0,
         "the type of a texture result has a size");
   check_dest(v, &tex->instr.result, nir_type_bits(tex->dest_type),
              nir_tex_size(tex));
}

static void
check_phi(struct nir_validate *v, nir_phi_instr *phi)
{
   /* The sources are checked when all values of the function are known. */
   check_dest(v, &phi->instr.result, 0, 0);
   nir_instr *prev = nir_instr_prev(&phi->instr);
   CHECK(!prev || prev->kind == nir_kind_phi,
         "phis stand first in their block");
}

void
nir_validate_phi_srcs(struct nir_validate *v, nir_phi_instr *phi)
{
   const nir_block *block = phi->instr.block;
   unsigned n = 0;
   nir_foreach_phi_source(src, phi) {
      n++;
      nir_validate_src(v, &src->use, phi->instr.result.bit_size,
                       phi->instr.result.num_components);
      unsigned count = 0;
      nir_foreach_predecessor(block, pred)
         count += pred == src->pred;
      CHECK(count == 1, "a phi source comes from a predecessor");
      nir_foreach_phi_source(other, phi) {
         if (other != src && other->pred == src->pred)
            nir_validate_fault(v, "a phi has one source for a predecessor");
      }
   }
   CHECK(n == block->num_predecessors,
         "a phi has a source for each predecessor");
}

/* That targets are blocks of the function is a rule of edges. */
static void
check_goto(struct nir_validate *v, nir_jump_instr *jump)
{
   CHECK(!v->impl->structured, "a goto stands in an unstructured function");
   CHECK(jump->target && jump->target != jump->else_target &&
            v->block->successors[0] == jump->target &&
            v->block->successors[1] == jump->else_target,
         "a goto goes to its targets");
   CHECK((jump->type == nir_jump_goto_if) == (jump->else_target != NULL),
         "a goto has one target, a goto_if two");
   if (jump->type == nir_jump_goto_if)
      nir_validate_src(v, &jump->condition, 0, 1);
}

static void
check_jump(struct nir_validate *v, nir_jump_instr *jump)
{
   CHECK(&jump->instr == nir_block_last_instr(v->block),
         "a jump stands last in its block");
   if (jump->type == nir_jump_goto || jump->type == nir_jump_goto_if) {
      check_goto(v, jump);
      return;
   }
   CHECK(v->block->successors[1] == NULL, "a jump has one target");
   if (jump->type == nir_jump_return || jump->type == nir_jump_halt)
      CHECK(v->block->successors[0] == v->impl->end_block,
            "a return goes to the end block");
   else
      CHECK(v->loop_depth > 0, "break and continue stand in a loop");
}

static void
check_call(struct nir_validate *v, nir_call_instr *call)
{
   CHECK(call->num_params == call->callee->num_params,
         "a call has the parameters of the callee");
   for (unsigned i = 0; i < MIN2(call->num_params, call->callee->num_params);
        i++)
      nir_validate_src(v, &call->params[i], call->callee->params[i].bit_size,
                       call->callee->params[i].num_components);
}

static bool
add_def(nir_value *def, void *state)
{
   struct nir_validate *v = state;
   hash_table_insert(&v->defs, hash_key_ptr(def), def);
   return true;
}

void
nir_validate_instr(struct nir_validate *v, nir_instr *instr)
{
   v->instr = instr;
   CHECK(instr->block == v->block, "an instruction names its block");
   switch (instr->kind) {
   case nir_kind_alu: check_alu(v, nir_instr_as_alu(instr)); break;
   case nir_kind_deref: check_deref(v, nir_instr_as_deref(instr)); break;
   case nir_kind_call: check_call(v, nir_instr_as_call(instr)); break;
   case nir_kind_intrinsic:
      /* Only the table knows whether it has a destination. */
      if (nir_instr_as_intrinsic(instr)->intrinsic >= nir_num_intrinsics) {
         nir_validate_fault(v, "an intrinsic is in the table");
         v->instr = NULL;
         return;
      }
      check_intrinsic(v, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_tex: check_tex(v, nir_instr_as_tex(instr)); break;
   case nir_kind_load_const: check_def(v, &instr->result, 0, 0); break;
   case nir_kind_undef: check_def(v, &instr->result, 0, 0); break;
   case nir_kind_phi: check_phi(v, nir_instr_as_phi(instr)); break;
   case nir_kind_jump: check_jump(v, nir_instr_as_jump(instr)); break;
   default:
      nir_validate_fault(v, "an instruction has a known type");
      v->instr = NULL;
      return;
   }
   nir_visit_value(instr, add_def, v);
   v->instr = NULL;
}
