/* SPDX-License-Identifier: MIT */
/*
 * Inputs and outputs. A declaration names components of a register; each
 * becomes a variable of its own, copied to the local of the register at the
 * start, or from it at the end.
 */
#include "tpf_nir.h"

/* --- Types -------------------------------------------------------------- */

static enum glsl_base_type
signature_type(struct tpf_nir *t, enum dxbc_signature which, unsigned reg,
               unsigned mask)
{
   const struct dxbc_chunk *chunk =
      t->container ? dxbc_find_signature(t->container, which) : NULL;
   struct dxbc_signature_element e;
   struct d3d_error error;
   unsigned n;

   if (!chunk || !dxbc_signature_count(chunk, &n, &error))
      return GLSL_TYPE_FLOAT;
   for (unsigned i = 0; i < n; i++) {
      if (dxbc_signature_get(chunk, i, &e, &error) && e.reg == reg &&
          e.mask & mask && (which != DXBC_OUTPUT || e.stream == t->stream))
         return e.component_type == 1   ? GLSL_TYPE_UINT
                : e.component_type == 2 ? GLSL_TYPE_INT
                                        : GLSL_TYPE_FLOAT;
   }
   return GLSL_TYPE_FLOAT;
}

static enum glsl_interp_mode
interpolation(unsigned n, nir_variable *var)
{
   var->data.centroid = n == TPF_INTERP_LINEAR_CENTROID ||
                        n == TPF_INTERP_LINEAR_NOPERSPECTIVE_CENTROID;
   var->data.sample = n == TPF_INTERP_LINEAR_SAMPLE ||
                      n == TPF_INTERP_LINEAR_NOPERSPECTIVE_SAMPLE;
   switch (n) {
   case TPF_INTERP_NONE:
   case TPF_INTERP_CONSTANT: return INTERP_MODE_FLAT;
   case TPF_INTERP_LINEAR:
   case TPF_INTERP_LINEAR_CENTROID:
   case TPF_INTERP_LINEAR_SAMPLE: return INTERP_MODE_SMOOTH;
   default: return INTERP_MODE_NOPERSPECTIVE;
   }
}

unsigned
tpf_nir_mask_of(const struct tpf_operand *o)
{
   return o->components == TPF_COMPONENTS_4 && o->mask ? o->mask : 1;
}

static unsigned
first_of(unsigned mask)
{
   return (unsigned)__builtin_ctz(mask);
}

/* From the first to the last component that the mask has. */
static unsigned
span_of(unsigned mask)
{
   return 32 - (unsigned)__builtin_clz(mask) - first_of(mask);
}

/* --- Inputs ------------------------------------------------------------- */

static nir_value *
bool_dword(struct tpf_nir *t, nir_value *v)
{
   return tpf_bool(t, v);
}

/* SV_Position has w where gl_FragCoord has its reciprocal. */
static nir_value *
pixel_position(nir_builder *b)
{
   nir_value *v = nir_load_frag_coord(b);

   return nir_vector_insert_imm(b, v, nir_frcp(b, nir_channel(b, v, 3)), 3);
}

/* NULL: it is a varying. */
static nir_value *
system_value(struct tpf_nir *t, unsigned name)
{
   nir_builder *b = &t->b;

   switch (name) {
   case TPF_NAME_VERTEX_ID: return nir_load_vertex_id_zero_base(b);
   case TPF_NAME_INSTANCE_ID:
      return t->shader->stage == TPF_STAGE_VS ? nir_load_instance_id(b)
                                              : NULL;
   case TPF_NAME_PRIMITIVE_ID:
      return t->shader->stage == TPF_STAGE_PS ? NULL
                                              : nir_load_primitive_id(b);
   case TPF_NAME_POSITION:
      return t->shader->stage == TPF_STAGE_PS ? pixel_position(b) : NULL;
   case TPF_NAME_IS_FRONT_FACE:
      return bool_dword(t, nir_load_front_face(b, 1));
   case TPF_NAME_SAMPLEINDEX: return nir_load_sample_id(b);
   default: return NULL;
   }
}

nir_value *
tpf_nir_special_input(struct tpf_nir *t, enum tpf_file file)
{
   nir_builder *b = &t->b;

   switch (file) {
   case TPF_FILE_V_THREAD_ID:
      return nir_pad_vec4(b, nir_load_global_invocation_id(b, 32));
   case TPF_FILE_V_THREAD_GROUP_ID:
      return nir_pad_vec4(b, nir_load_workgroup_id(b, 32));
   case TPF_FILE_V_THREAD_ID_IN_GROUP:
      return nir_pad_vec4(b, nir_load_local_invocation_id(b));
   case TPF_FILE_V_THREAD_ID_IN_GROUP_FLATTENED:
      return nir_load_local_invocation_index(b);
   case TPF_FILE_V_COVERAGE: return nir_load_sample_mask_in(b);
   case TPF_FILE_V_GS_INSTANCE_ID: return nir_load_invocation_id(b);
   case TPF_FILE_V_PRIM: return nir_load_primitive_id(b);
   case TPF_FILE_V_OUTPUT_CONTROL_POINT_ID: return nir_load_invocation_id(b);
   case TPF_FILE_V_FORK_INSTANCE_ID:
   case TPF_FILE_V_JOIN_INSTANCE_ID: return nir_load_var(b, t->instance);
   case TPF_FILE_V_DOMAIN: return nir_pad_vec4(b, nir_load_tess_coord(b));
   default:
      tpf_nir_fail(t, "%s is not translated", tpf_file_info(file)->text);
      return nir_imm_zero(b, 4, 32);
   }
}

static int
input_slot(struct tpf_nir *t, unsigned reg, unsigned name)
{
   if (t->shader->stage == TPF_STAGE_VS)
      return VERT_ATTRIB_GENERIC((int)reg);
   switch (name) {
   case TPF_NAME_POSITION: return VARYING_SLOT_POS;
   case TPF_NAME_PRIMITIVE_ID: return VARYING_SLOT_PRIMITIVE_ID;
   case TPF_NAME_RENDERTARGET_ARRAY_INDEX: return VARYING_SLOT_LAYER;
   case TPF_NAME_VIEWPORT_ARRAY_INDEX: return VARYING_SLOT_VIEWPORT;
   default: return VARYING_SLOT_VAR0 + (int)reg;
   }
}

static bool
alone_in_its_slot(int slot)
{
   return slot == VARYING_SLOT_PRIMITIVE_ID || slot == VARYING_SLOT_LAYER ||
          slot == VARYING_SLOT_VIEWPORT;
}

nir_variable *
tpf_nir_make_io(struct tpf_nir *t, nir_variable_mode mode, int slot,
                unsigned reg, unsigned mask, unsigned vertices,
                enum dxbc_signature signature)
{
   /* Attributes and render targets have other slots of these numbers. */
   const enum tpf_stage outside = mode == nir_var_shader_in ? TPF_STAGE_VS
                                                            : TPF_STAGE_PS;
   const bool alone = t->shader->stage != outside && alone_in_its_slot(slot);
   const enum glsl_base_type base =
      alone ? GLSL_TYPE_INT : signature_type(t, signature, reg, mask);
   const struct glsl_type *type =
      glsl_vector_type(base, alone ? 1 : span_of(mask));
   nir_variable *var = nir_new_variable(
      t->b.shader, mode, vertices ? glsl_array_type(type, vertices, 0) : type,
      NULL);

   var->data.location = slot;
   var->data.location_frac = alone ? 0 : first_of(mask);
   return var;
}

/* Where a value of components `count` from `first` on stands in a vec4. */
nir_value *
tpf_nir_placed(struct tpf_nir *t, nir_value *v, unsigned first)
{
   nir_value *c[4];

   for (unsigned i = 0; i < 4; i++)
      c[i] = i < first || i - first >= v->num_components
                ? nir_imm_int(&t->b, 0)
                : nir_channel(&t->b, v, i - first);
   return nir_vec(&t->b, c, 4);
}

static void
vertex_input(struct tpf_nir *t, const struct tpf_inst *inst, unsigned name)
{
   const unsigned reg = inst->operand[0].index[1].imm;

   if (reg >= TPF_NIR_REGS || t->vertex_in[reg])
      return;
   if (!t->b.shader->info.gs.vertices_in) {
      tpf_nir_fail(t, "inputs of vertices, and no input primitive");
      return;
   }
   t->vertex_in[reg] =
      tpf_nir_make_io(t, nir_var_shader_in, input_slot(t, reg, name), reg,
                      0xf, t->b.shader->info.gs.vertices_in, DXBC_INPUT);
}

void
tpf_nir_declare_input(struct tpf_nir *t, const struct tpf_inst *inst)
{
   nir_builder *b = &t->b;
   const struct tpf_operand *o = &inst->operand[0];
   const unsigned name = inst->num_imm ? inst->imm[0] : 0;
   const unsigned mask = tpf_nir_mask_of(o), reg = o->index[0].imm;
   nir_value *v;

   if (o->file == TPF_FILE_VPC)
      tpf_nir_patch_input(t, inst);
   else if (o->file == TPF_FILE_VICP)
      tpf_nir_control_point_input(t, o->index[1].imm);
   if (o->file != TPF_FILE_V)
      return; /* read where it is used */
   if (o->num_indices == 2) {
      vertex_input(t, inst, name);
      return;
   }
   v = system_value(t, name);
   if (v) {
      v = tpf_nir_placed(t, v, v->num_components == 1 ? first_of(mask) : 0);
   } else {
      nir_variable *var = tpf_nir_make_io(t, nir_var_shader_in,
                                          input_slot(t, reg, name), reg, mask,
                                          0, DXBC_INPUT);
      if (t->shader->stage == TPF_STAGE_PS)
         var->data.interpolation =
            interpolation(tpf_bits(inst->controls, 11, 4), var);
      if (name == TPF_NAME_CLIP_DISTANCE || name == TPF_NAME_CULL_DISTANCE)
         tpf_nir_fail(t, "%s as an input is not translated",
                      tpf_name_text(name));
      for (unsigned i = 0; i < 4; i++)
         t->varying[reg][i] = mask >> i & 1 ? var : t->varying[reg][i];
      v = tpf_nir_placed(t, nir_load_var(b, var), var->data.location_frac);
   }
   nir_store_var(b, t->in[reg], v, mask);
   if (t->in_array)
      nir_store_array_var(b, t->in_array, nir_imm_int(b, (int)reg), v, mask);
}

/* The place in 1/16 of a pixel, of which four bits with sign count. */
static nir_value *
snapped_place(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   nir_value *at =
      nir_channels(b, tpf_nir_src(t, &t->inst->operand[2], 'i'), 0x3);

   at = nir_ishr_imm(b, nir_ishl_imm(b, at, 28), 28);
   return nir_fmul_imm(b, nir_i2f32(b, at), 1.0 / 16);
}

/* Component `c` of a varying: one that is not declared reads 0. */
static nir_value *
eval_component(struct tpf_nir *t, unsigned reg, unsigned c,
               nir_intrinsic_op op, nir_value *place)
{
   nir_builder *b = &t->b;
   nir_variable *var = t->varying[reg][c];
   nir_intrinsic_instr *intr;
   nir_value *srcs[2];

   if (!var)
      return nir_imm_int(b, 0);
   srcs[0] = &nir_deref_to(b, var)->instr.result;
   srcs[1] = place;
   intr = nir_build_intrinsic_begin(
      b, op, glsl_get_vector_elements(var->type), 32, srcs);
   nir_emit(b, &intr->instr);
   return nir_channel(b, &intr->instr.result, c - var->data.location_frac);
}

void
tpf_nir_eval(struct tpf_nir *t)
{
   nir_builder *b = &t->b;
   struct tpf_operand v = t->inst->operand[1];
   const enum tpf_op id = t->inst->op;
   const nir_intrinsic_op op = id == TPF_OP_EVAL_CENTROID
                                  ? nir_intrinsic_interp_deref_at_centroid
                               : id == TPF_OP_EVAL_SNAPPED
                                  ? nir_intrinsic_interp_deref_at_offset
                                  : nir_intrinsic_interp_deref_at_sample;
   nir_value *place = NULL, *c[4], *all;

   if (v.file != TPF_FILE_V || v.index[0].kind != TPF_INDEX_IMM) {
      tpf_nir_fail(t, "%s of what is no input that is known",
                   tpf_op_info(id)->name);
      return;
   }
   if (id == TPF_OP_EVAL_SNAPPED)
      place = snapped_place(t);
   else if (id == TPF_OP_EVAL_SAMPLE_INDEX)
      place = tpf_nir_scalar(t, &t->inst->operand[2], 'i');
   for (unsigned i = 0; i < 4; i++)
      c[i] =
         eval_component(t, v.index[0].imm, v.swizzle >> 2 * i & 3, op, place);
   all = nir_vec(b, c, 4);
   if (v.abs)
      all = nir_fabs(b, all);
   tpf_nir_write(t, &t->inst->operand[0], v.neg ? nir_fneg(b, all) : all);
}

/* --- Outputs ------------------------------------------------------------ */

static void
add_store(struct tpf_nir *t, nir_variable *var, unsigned reg, unsigned comp,
          unsigned count)
{
   if (t->num_stores == ARRAY_SIZE(t->stores)) {
      tpf_nir_fail(t, "more than %zu outputs", ARRAY_SIZE(t->stores));
      return;
   }
   var->data.stream = t->stream;
   t->stores[t->num_stores].stream = t->stream;
   t->stores[t->num_stores].var = var;
   t->stores[t->num_stores].reg = reg;
   t->stores[t->num_stores].comp = comp;
   t->stores[t->num_stores++].count = count;
}

#define REG_DEPTH UINT32_MAX
#define REG_MASK (UINT32_MAX - 1)
#define REG_STENCIL (UINT32_MAX - 2)

static void
special_output(struct tpf_nir *t, enum tpf_file file)
{
   const bool mask = file == TPF_FILE_O_MASK;
   const bool stencil = file == TPF_FILE_O_STENCIL_REF;
   const bool depth = !mask && !stencil;
   nir_variable *var =
      nir_new_variable(t->b.shader, nir_var_shader_out,
                       depth ? glsl_float_type() : glsl_int_type(), NULL);

   var->data.location = mask      ? FRAG_RESULT_SAMPLE_MASK
                        : stencil ? FRAG_RESULT_STENCIL
                                  : FRAG_RESULT_DEPTH;
   if (depth)
      t->b.shader->info.fs.depth_layout = file == TPF_FILE_O_DEPTH_GE
                                             ? FRAG_DEPTH_LAYOUT_GREATER
                                          : file == TPF_FILE_O_DEPTH_LE
                                             ? FRAG_DEPTH_LAYOUT_LESS
                                             : FRAG_DEPTH_LAYOUT_ANY;
   add_store(t, var,
             mask      ? REG_MASK
             : stencil ? REG_STENCIL
                       : REG_DEPTH,
             0, 1);
}

/* Distances count on through all registers that declare some. */
static void
clip_output(struct tpf_nir *t, unsigned reg, unsigned mask, bool cull)
{
   struct shader_info *info = &t->b.shader->info;
   uint8_t *size = cull ? &info->cull_distance_array_size
                        : &info->clip_distance_array_size;
   const int slot = cull ? VARYING_SLOT_CULL_DIST0 : VARYING_SLOT_CLIP_DIST0;
   nir_variable *var =
      nir_variable_at(t->b.shader, nir_var_shader_out, (unsigned)slot);
   unsigned n = *size;

   if (n + (unsigned)__builtin_popcount(mask) > 8) {
      tpf_nir_fail(t, "more than 8 distances");
      return;
   }
   if (!var) {
      var = nir_new_variable(t->b.shader, nir_var_shader_out,
                             glsl_array_type(glsl_float_type(), 8, 0), NULL);
      var->data.location = slot;
      var->data.compact = true;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (mask & 1u << c)
         add_store(t, var, reg, c, 0x100 + n++);
   }
   *size = (uint8_t)n;
   var->type = glsl_array_type(glsl_float_type(), n, 0);
}

/* Streams have registers of their own, and one set of slots. */
static int
stream_slot(struct tpf_nir *t, unsigned reg, int slot)
{
   uint32_t taken = 0;
   bool shared = false;

   for (unsigned i = 0; i < t->num_stores; i++) {
      const int used = t->stores[i].var->data.location;
      if (t->stores[i].stream != t->stream)
         shared |= used == slot;
      else if (t->stores[i].reg == reg && used >= VARYING_SLOT_VAR0 &&
               slot >= VARYING_SLOT_VAR0)
         return used;
      if (used >= VARYING_SLOT_VAR0 && used < VARYING_SLOT_VAR0 + 32)
         taken |= 1u << (used - VARYING_SLOT_VAR0);
   }
   if (!shared)
      return slot;
   if (taken == UINT32_MAX)
      tpf_nir_fail(t, "more than 32 outputs of all streams");
   else
      slot = VARYING_SLOT_VAR0 + 31 - __builtin_clz(~taken);
   return slot;
}

void
tpf_nir_declare_output(struct tpf_nir *t, const struct tpf_inst *inst)
{
   const struct tpf_operand *o = &inst->operand[0];
   const unsigned mask = tpf_nir_mask_of(o), reg = o->index[0].imm;
   const unsigned name = inst->num_imm ? inst->imm[0] : 0;
   int slot;

   if (o->file == TPF_FILE_O_DEPTH || o->file == TPF_FILE_O_DEPTH_GE ||
       o->file == TPF_FILE_O_DEPTH_LE || o->file == TPF_FILE_O_MASK ||
       o->file == TPF_FILE_O_STENCIL_REF) {
      special_output(t, o->file);
      return;
   }
   if (o->file != TPF_FILE_O) {
      tpf_nir_fail(t, "%s is not translated", tpf_file_info(o->file)->text);
      return;
   }
   if (name == TPF_NAME_CLIP_DISTANCE || name == TPF_NAME_CULL_DISTANCE) {
      clip_output(t, reg, mask, name == TPF_NAME_CULL_DISTANCE);
      return;
   }
   slot = t->shader->stage == TPF_STAGE_PS ? FRAG_RESULT_DATA0 + (int)reg
                                           : input_slot(t, reg, name);
   if (t->shader->stage == TPF_STAGE_VS)
      slot = name == TPF_NAME_POSITION                   ? VARYING_SLOT_POS
             : name == TPF_NAME_RENDERTARGET_ARRAY_INDEX ? VARYING_SLOT_LAYER
             : name == TPF_NAME_VIEWPORT_ARRAY_INDEX
                ? VARYING_SLOT_VIEWPORT
                : VARYING_SLOT_VAR0 + (int)reg;
   if (t->shader->stage == TPF_STAGE_PS && reg >= 8) {
      tpf_nir_fail(t, "there are 8 render targets");
      return;
   }
   if (t->shader->stage == TPF_STAGE_GS)
      slot = stream_slot(t, reg, slot);
   nir_variable *var =
      tpf_nir_make_io(t, nir_var_shader_out, slot, reg, mask, 0, DXBC_OUTPUT);
   add_store(t, var, reg, first_of(mask),
             glsl_get_vector_elements(var->type));
}

void
tpf_nir_store_outputs(struct tpf_nir *t, unsigned stream)
{
   nir_builder *b = &t->b;

   for (unsigned i = 0; i < t->num_stores; i++) {
      const unsigned reg = t->stores[i].reg, count = t->stores[i].count;
      nir_variable *var = t->stores[i].var;
      if (t->stores[i].stream != stream)
         continue;
      nir_value *v = reg == REG_DEPTH     ? nir_load_var(b, t->depth_out)
                     : reg == REG_MASK    ? nir_load_var(b, t->mask_out)
                     : reg == REG_STENCIL ? nir_load_var(b, t->stencil_out)
                     : t->out_array
                        ? nir_load_array_var_imm(b, t->out_array, reg)
                        : nir_load_var(b, t->out[reg]);
      if (count >= 0x100) {
         nir_store_array_var(b, var, nir_imm_int(b, (int)count - 0x100),
                             nir_channel(b, v, t->stores[i].comp), 1);
         continue;
      }
      v = nir_channels(b, v,
                       (nir_component_mask_t)(BITFIELD_MASK(count)
                                              << t->stores[i].comp));
      nir_store_var(b, var, v, BITFIELD_MASK(count));
   }
}
