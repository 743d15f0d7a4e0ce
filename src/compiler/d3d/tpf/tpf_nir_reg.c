/* SPDX-License-Identifier: MIT */
/*
 * Registers as variables: temporaries, inputs and outputs are locals that
 * nir_lower_vars_to_ssa takes apart, arrays where they are addressed at run
 * time.
 */
#include "tpf_nir.h"

#include <stdio.h>

static nir_variable *
local(struct tpf_nir *t, unsigned length)
{
   const struct glsl_type *type = glsl_uvec_type(4);

   return nir_new_local(
      t->b.impl, length ? glsl_array_type(type, length, 0) : type, NULL);
}

/* --- Constant buffers --------------------------------------------------- */

static struct tpf_nir_resource *
constant_buffer(struct tpf_nir *t, unsigned n)
{
   struct tpf_nir_resource *r = &t->cb[n];
   const uint32_t size = r->dcl->operand[0].index[1].imm;
   const struct glsl_struct_field field = {
      .type = glsl_array_type(glsl_uvec_type(4), size ? size : 4096, 16),
      .name = "c",
      .location = -1,
      .component = -1,
      .xfb_buffer = -1,
      .xfb_offset = -1,
   };
   char name[8];
   const struct glsl_type *type;
   nir_variable *var;

   if (r->var)
      return r;
   snprintf(name, sizeof(name), "cb%u", n);
   type = glsl_interface_type(&field, 1, GLSL_INTERFACE_PACKING_STD140, false,
                              name);
   var = nir_new_variable(t->b.shader, nir_var_mem_ubo,
                          tpf_nir_range_type(r->dcl, type), name);
   var->interface_type = type;
   var->data.binding = n;
   var->data.read_only = true;
   t->b.shader->info.num_ubos = MAX2(t->b.shader->info.num_ubos, n + 1);
   r->var = var;
   return r;
}

/* Rows of an immediate constant buffer; beyond them is a row of zeros. */
static void
immediate_buffer(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const unsigned rows = (unsigned)inst->num_words / 4;
   struct arena *arena = t->b.shader->arena;
   nir_constant *c = arena_new(arena, nir_constant);

   c->num_elements = rows + 1;
   c->elements = arena_new_array(arena, nir_constant *, rows + 1);
   for (unsigned i = 0; i <= rows; i++) {
      c->elements[i] = arena_new(arena, nir_constant);
      for (unsigned k = 0; k < 4 && i < rows; k++)
         c->elements[i]->values[k].u32 = inst->words[4 * i + k];
   }
   t->icb = local(t, rows + 1);
   t->icb->constant_initializer = c;
}

/* --- Declarations ------------------------------------------------------- */

static void
look_for_relative(struct tpf_nir *t, const struct tpf_inst *inst)
{
   for (unsigned i = 0; i < inst->num_operands; i++) {
      const struct tpf_operand *o = &inst->operand[i];
      if (o->num_indices != 1 || o->index[0].kind == TPF_INDEX_IMM)
         continue;
      if (o->file == TPF_FILE_V)
         t->in_relative = true;
      else if (o->file == TPF_FILE_O)
         t->out_relative = true;
   }
}

static void
declare_stage(struct tpf_nir *t, const struct tpf_inst *inst)
{
   static const enum shader_prim topologies[] = {
      SHADER_PRIM_POINTS,    SHADER_PRIM_POINTS,
      SHADER_PRIM_LINES,     SHADER_PRIM_LINE_STRIP,
      SHADER_PRIM_TRIANGLES, SHADER_PRIM_TRIANGLE_STRIP,
   };
   static const struct {
      enum shader_prim prim;
      unsigned vertices;
   } primitives[] = {
      [1] = { SHADER_PRIM_POINTS, 1 },
      [2] = { SHADER_PRIM_LINES, 2 },
      [3] = { SHADER_PRIM_TRIANGLES, 3 },
      [6] = { SHADER_PRIM_LINES_ADJACENCY, 4 },
      [7] = { SHADER_PRIM_TRIANGLES_ADJACENCY, 6 },
   };
   struct shader_info *info = &t->b.shader->info;
   const unsigned n = tpf_bits(inst->controls, 11, 6);

   switch (inst->op) {
   case TPF_OP_DCL_THREAD_GROUP:
      for (unsigned i = 0; i < 3; i++)
         info->workgroup_size[i] = (uint16_t)inst->imm[i];
      break;
   case TPF_OP_DCL_OUTPUT_TOPOLOGY:
      if (n >= ARRAY_SIZE(topologies))
         tpf_nir_fail(t, "there is no output topology %u", n);
      else
         info->gs.output_primitive = topologies[n];
      break;
   case TPF_OP_DCL_INPUT_PRIMITIVE:
      if (n >= ARRAY_SIZE(primitives) || !primitives[n].vertices) {
         tpf_nir_fail(t, "input primitive %u is not translated", n);
         break;
      }
      info->gs.input_primitive = primitives[n].prim;
      info->gs.vertices_in = primitives[n].vertices;
      break;
   case TPF_OP_DCL_MAX_OUTPUT_VERTEX_COUNT:
      info->gs.vertices_out = inst->imm[0];
      break;
   case TPF_OP_DCL_GS_INSTANCE_COUNT:
      info->gs.invocations = inst->imm[0];
      break;
   case TPF_OP_DCL_GLOBAL_FLAGS:
      info->fs.early_fragment_tests = inst->controls &
                                      TPF_FLAG_FORCEEARLYDEPTHSTENCIL;
      break;
   case TPF_OP_DCL_FUNCTION_BODY:
   case TPF_OP_DCL_FUNCTION_TABLE:
   case TPF_OP_DCL_INTERFACE:
      tpf_nir_fail(t, "interfaces are not translated");
      break;
   default: break;
   }
}

/* x# has the size that the phase which needs most gives it. */
static void
declare_indexable(struct tpf_nir *t, unsigned n, unsigned length)
{
   const nir_variable *old = t->indexable[n];

   if (!old || glsl_get_length(old->type) < length)
      t->indexable[n] = local(t, length);
}

bool
tpf_nir_declare(struct tpf_nir *t, const struct tpf_inst *inst)
{
   look_for_relative(t, inst);
   if (inst->op == TPF_OP_CUSTOMDATA) {
      if (inst->data_class == TPF_DATA_ICB && inst->num_words)
         immediate_buffer(t, inst);
      return true;
   }
   if (tpf_op_info(inst->op)->sem != TPF_SEM_DECL)
      return true;
   switch (inst->op) {
   case TPF_OP_DCL_TEMPS: /* again in each phase of a hull shader */
      t->temp = realloc(t->temp, sizeof(*t->temp) *
                                    (MAX2(inst->imm[0], t->num_temps) + 1));
      assert(t->temp && "out of memory");
      for (; t->num_temps < inst->imm[0]; t->num_temps++)
         t->temp[t->num_temps] = local(t, 0);
      break;
   case TPF_OP_DCL_INDEXABLE_TEMP:
      declare_indexable(t, inst->imm[0], inst->imm[1]);
      break;
   case TPF_OP_DCL_CONSTANT_BUFFER:
      t->cb[inst->operand[0].index[0].imm].dcl = inst;
      t->cb[inst->operand[0].index[0].imm].is_range =
         inst->operand[0].num_range;
      break;
   case TPF_OP_DCL_INPUT:
   case TPF_OP_DCL_INPUT_SGV:
   case TPF_OP_DCL_INPUT_SIV:
   case TPF_OP_DCL_INPUT_PS:
   case TPF_OP_DCL_INPUT_PS_SGV:
   case TPF_OP_DCL_INPUT_PS_SIV:
   case TPF_OP_DCL_OUTPUT:
   case TPF_OP_DCL_OUTPUT_SGV:
   case TPF_OP_DCL_OUTPUT_SIV: break; /* once all is known: tpf_nir_begin() */
   default:
      if (inst->num_operands)
         tpf_nir_declare_resource(t, inst);
      declare_stage(t, inst);
      tpf_nir_declare_tess(t, inst);
      break;
   }
   return !t->failed;
}

static void
zero(struct tpf_nir *t, nir_variable *var)
{
   if (var)
      nir_store_var(&t->b, var, nir_imm_zero(&t->b, 4, 32), 0xf);
}

/* Outputs that are declared after it belong to it. */
static void
declare_stream(struct tpf_nir *t, const struct tpf_inst *inst)
{
   t->stream = inst->operand[0].index[0].imm;
   if (t->stream &&
       t->b.shader->info.gs.output_primitive != SHADER_PRIM_POINTS)
      tpf_nir_fail(t, "more than one stream, and not of points");
}

void
tpf_nir_begin(struct tpf_nir *t)
{
   if (t->in_relative)
      t->in_array = local(t, TPF_NIR_REGS);
   if (t->out_relative)
      t->out_array = local(t, TPF_NIR_REGS);
   for (unsigned i = 0; i < TPF_NIR_REGS; i++) {
      t->in[i] = local(t, 0);
      t->out[i] = local(t, 0);
      zero(t, t->in[i]);
      zero(t, t->out[i]);
   }
   for (unsigned i = 0; i < t->num_temps; i++)
      zero(t, t->temp[i]);
   t->patch = local(t, 32);
   t->depth_out = local(t, 0);
   t->mask_out = local(t, 0);
   t->stencil_out = local(t, 0);
   zero(t, t->depth_out);
   zero(t, t->mask_out);
   zero(t, t->stencil_out);
   if (t->shader->stage == TPF_STAGE_HS)
      return; /* by phases: tpf_nir_hull() */
   for (size_t i = 0; i < t->shader->num_insts && !t->failed; i++) {
      const struct tpf_inst *inst = t->inst = &t->shader->inst[i];
      const char *name = tpf_op_info(inst->op)->name;
      if (inst->op == TPF_OP_DCL_STREAM)
         declare_stream(t, inst);
      else if (!strncmp(name, "dcl_input", 9) && inst->num_operands)
         tpf_nir_declare_input(t, inst);
      else if (!strncmp(name, "dcl_output", 10) && inst->num_operands)
         tpf_nir_declare_output(t, inst);
   }
}

/* --- Reading ------------------------------------------------------------ */

nir_value *
tpf_nir_index(struct tpf_nir *t, const struct tpf_index *index)
{
   nir_value *v;

   if (!index->rel)
      return nir_imm_int(&t->b, (int)index->imm);
   v = tpf_nir_scalar(t, index->rel, 'u');
   return index->imm ? nir_iadd_imm(&t->b, v, index->imm) : v;
}

const struct glsl_type *
tpf_nir_range_type(const struct tpf_inst *dcl,
                   const struct glsl_type *element)
{
   const struct tpf_index *range = dcl->operand[0].range;

   if (!dcl->operand[0].num_range || range[0].imm == range[1].imm)
      return element;
   return glsl_array_type(
      element,
      range[1].imm == UINT32_MAX ? 0 : range[1].imm - range[0].imm + 1, 0);
}

nir_deref_instr *
tpf_nir_object(struct tpf_nir *t, const struct tpf_nir_resource *r,
               const struct tpf_operand *o)
{
   nir_builder *b = &t->b;
   nir_deref_instr *d = nir_deref_to(b, r->var);
   nir_value *i;

   if (!r->is_range || !glsl_type_is_array(r->var->type))
      return d;
   i = nir_iadd_imm(b, tpf_nir_index(t, &o->range[0]),
                    -(uint64_t)r->dcl->operand[0].range[0].imm);
   if (glsl_get_length(r->var->type))
      i = nir_umin(b, i,
                   nir_imm_int(b, (int)glsl_get_length(r->var->type) - 1));
   return nir_build_deref_array(b, d, i);
}

static nir_value *
load_array(struct tpf_nir *t, nir_variable *var, nir_value *index)
{
   const unsigned n = glsl_get_length(var->type);

   if (index->instr->kind != nir_kind_load_const)
      index = nir_umin(&t->b, index, nir_imm_int(&t->b, (int)n - 1));
   return nir_load_array_var(&t->b, var, index);
}

static nir_value *
load_cb(struct tpf_nir *t, const struct tpf_operand *o)
{
   nir_builder *b = &t->b;
   const struct tpf_nir_resource *r = constant_buffer(t, o->index[0].imm);
   nir_deref_instr *d = nir_build_deref_struct(b, tpf_nir_object(t, r, o), 0);

   return nir_load_deref(
      b, nir_build_deref_array(b, d, tpf_nir_index(t, &o->index[1])));
}

static nir_value *
load_of_vertex(struct tpf_nir *t, nir_variable *var, nir_value *vertex)
{
   nir_builder *b = &t->b;

   return nir_load_deref(b, nir_build_deref_array(b, nir_deref_to(b, var),
                                                  vertex));
}

/* v[vertex][register] of a geometry or hull shader, vicp, vocp. */
static nir_value *
load_vertex(struct tpf_nir *t, const struct tpf_operand *o,
            nir_variable **vars)
{
   nir_builder *b = &t->b;
   nir_value *vertex = tpf_nir_index(t, &o->index[0]);
   nir_value *reg, *v = nir_imm_zero(b, 4, 32);

   if (o->index[1].kind == TPF_INDEX_IMM) {
      if (vars[o->index[1].imm])
         return load_of_vertex(t, vars[o->index[1].imm], vertex);
      tpf_nir_fail(t, "%s[][%u] is not declared",
                   tpf_file_info(o->file)->text, o->index[1].imm);
      return v;
   }
   reg = tpf_nir_index(t, &o->index[1]);
   for (unsigned i = 0; i < TPF_NIR_REGS; i++) {
      if (vars[i])
         v = nir_bcsel(b, nir_ieq_imm(b, reg, i),
                       load_of_vertex(t, vars[i], vertex), v);
   }
   return v;
}

/* All components, without swizzle. */
static nir_value *
load_register(struct tpf_nir *t, const struct tpf_operand *o)
{
   nir_builder *b = &t->b;
   const bool relative = o->num_indices && o->index[0].kind != TPF_INDEX_IMM;

   switch (o->file) {
   case TPF_FILE_R: return nir_load_var(b, t->temp[o->index[0].imm]);
   case TPF_FILE_X:
      return load_array(t, t->indexable[o->index[0].imm],
                        tpf_nir_index(t, &o->index[1]));
   case TPF_FILE_V:
      if (o->num_indices == 2)
         return load_vertex(t, o, t->vertex_in);
      return relative
                ? load_array(t, t->in_array, tpf_nir_index(t, &o->index[0]))
                : nir_load_var(b, t->in[o->index[0].imm]);
   case TPF_FILE_O:
      return t->out_array
                ? load_array(t, t->out_array, tpf_nir_index(t, &o->index[0]))
                : nir_load_var(b, t->out[o->index[0].imm]);
   case TPF_FILE_VICP: return load_vertex(t, o, t->vertex_in);
   case TPF_FILE_VOCP: return load_vertex(t, o, t->vertex_out);
   case TPF_FILE_VPC:
      return load_array(t, t->patch, tpf_nir_index(t, &o->index[0]));
   case TPF_FILE_CB: return load_cb(t, o);
   case TPF_FILE_ICB:
      return load_array(t, t->icb, tpf_nir_index(t, &o->index[0]));
   default: return tpf_nir_special_input(t, o->file);
   }
}

static nir_value *
modify(struct tpf_nir *t, const struct tpf_operand *o, nir_value *v,
       char letter)
{
   const bool is_int = letter == 'i' || letter == 'u';

   if (o->abs)
      v = is_int ? nir_iabs(&t->b, v) : nir_fabs(&t->b, v);
   if (o->neg)
      v = is_int ? nir_ineg(&t->b, v) : nir_fneg(&t->b, v);
   return v;
}

nir_value *
tpf_nir_src(struct tpf_nir *t, const struct tpf_operand *o, char letter)
{
   nir_builder *b = &t->b;
   nir_value *v, *c[4];

   if (o->file == TPF_FILE_IMM32 || o->file == TPF_FILE_IMM64) {
      const unsigned n = o->components == TPF_COMPONENTS_4 ? 4
                         : o->file == TPF_FILE_IMM64       ? 2
                                                           : 1;
      v = nir_imm_ivec4(b, (int)o->imm[0], (int)o->imm[1 % n],
                        (int)o->imm[2 % n], (int)o->imm[3 % n]);
      return modify(t, o, v, letter);
   }
   v = load_register(t, o);
   for (unsigned i = 0; i < 4; i++) {
      const unsigned k = o->swizzle >> 2 * i & 3;
      c[i] = nir_channel(b, v, MIN2(k, v->num_components - 1u));
   }
   return modify(t, o, nir_vec(b, c, 4), letter);
}

nir_value *
tpf_nir_scalar(struct tpf_nir *t, const struct tpf_operand *o, char letter)
{
   return nir_channel(&t->b, tpf_nir_src(t, o, letter), 0);
}

/* --- Writing ------------------------------------------------------------ */

static void
store_array(struct tpf_nir *t, nir_variable *var,
            const struct tpf_index *index, nir_value *value, unsigned mask)
{
   nir_builder *b = &t->b;
   const unsigned n = glsl_get_length(var->type);
   nir_value *at = tpf_nir_index(t, index);
   nir_if *nif = NULL;

   if (index->rel)
      nif = nir_push_if(b, nir_ult(b, at, nir_imm_int(b, (int)n)));
   nir_store_array_var(b, var, at, value, mask);
   if (nif)
      nir_pop_if(b, nif);
}

void
tpf_nir_write(struct tpf_nir *t, const struct tpf_operand *o,
              nir_value *value)
{
   const unsigned mask = o->components == TPF_COMPONENTS_4 ? o->mask : 1;

   switch (o->file) {
   case TPF_FILE_NULL: break;
   case TPF_FILE_R:
      nir_store_var(&t->b, t->temp[o->index[0].imm], value, mask);
      break;
   case TPF_FILE_X:
      store_array(t, t->indexable[o->index[0].imm], &o->index[1], value,
                  mask);
      break;
   case TPF_FILE_O:
      if (t->of_patch)
         store_array(t, t->patch, &o->index[0], value, mask);
      else if (t->out_array)
         store_array(t, t->out_array, &o->index[0], value, mask);
      else
         nir_store_var(&t->b, t->out[o->index[0].imm], value, mask);
      break;
   case TPF_FILE_O_DEPTH:
   case TPF_FILE_O_DEPTH_GE:
   case TPF_FILE_O_DEPTH_LE:
      nir_store_var(&t->b, t->depth_out, value, 1);
      break;
   case TPF_FILE_O_MASK: nir_store_var(&t->b, t->mask_out, value, 1); break;
   case TPF_FILE_O_STENCIL_REF:
      nir_store_var(&t->b, t->stencil_out, value, 1);
      break;
   default:
      tpf_nir_fail(t, "%s is not translated", tpf_file_info(o->file)->text);
   }
}
