/* SPDX-License-Identifier: MIT */
/*
 * Registers as variables: temporaries, address and outputs are locals that
 * nir_lower_vars_to_ssa takes apart; outputs are stored once, at the end.
 */
#include "d3dbc_nir.h"

static const char *const ubo_names[] = { "c", "i", "b", "bump" };

static nir_variable *
make_ubo(struct d3dbc_nir *t, unsigned binding)
{
   static const unsigned sizes[] = { 8192, 2048, 2048, 16 };
   const struct glsl_type *vec4 = binding == D3DBC_BINDING_INT
                                     ? glsl_ivec_type(4)
                                  : binding == D3DBC_BINDING_BOOL
                                     ? glsl_uvec_type(4)
                                     : glsl_vec4_type();
   const struct glsl_struct_field field = {
      .type = glsl_array_type(vec4, sizes[binding], 16),
      .name = ubo_names[binding],
      .location = -1,
      .component = -1,
      .xfb_buffer = -1,
      .xfb_offset = -1,
   };
   nir_variable *var = nir_new_variable(
      t->b.shader, nir_var_mem_ubo,
      glsl_interface_type(&field, 1, GLSL_INTERFACE_PACKING_STD140, false,
                          ubo_names[binding]),
      ubo_names[binding]);

   var->interface_type = var->type;
   var->data.binding = binding;
   var->data.read_only = true;
   t->ubo[binding] = var;
   t->b.shader->info.num_ubos = MAX2(t->b.shader->info.num_ubos, binding + 1);
   return var;
}

static nir_value *
load_ubo(struct d3dbc_nir *t, unsigned binding, nir_value *index)
{
   nir_variable *var = t->ubo[binding] ? t->ubo[binding]
                                       : make_ubo(t, binding);
   nir_deref_instr *d = nir_deref_to(&t->b, var);

   d = nir_build_deref_struct(&t->b, d, 0);
   return nir_load_deref(&t->b, nir_build_deref_array(&t->b, d, index));
}

static nir_value *
imm4(struct d3dbc_nir *t, const uint32_t v[4])
{
   return nir_imm_ivec4(&t->b, (int)v[0], (int)v[1], (int)v[2], (int)v[3]);
}

/* --- Interface ---------------------------------------------------------- */

static nir_variable *
make_io(struct d3dbc_nir *t, nir_variable_mode mode, int location,
        unsigned components, const char *name)
{
   nir_variable *var = nir_variable_at(t->b.shader, mode, (unsigned)location);
   if (var)
      return var;
   var = nir_new_variable(t->b.shader, mode, glsl_vec_type(components), name);
   var->data.location = location;
   if (mode == nir_var_shader_in && t->pi->is_ps)
      var->data.interpolation = INTERP_MODE_SMOOTH;
   return var;
}

/* Where usages are beyond the slots of their row: from TEXCOORD15 down. */
#define SPILL_FIRST 15
#define SPILL_COUNT 8

/* The slot between the stages for a usage. Shaders that are translated apart
 * have to agree, so it depends on nothing else. */
static int
usage_slot(unsigned usage, unsigned index)
{
   const struct d3dbc_usage_info *info = d3dbc_usage_info(usage);
   const unsigned slot = index < info->num_slots
                            ? (unsigned)info->first_slot + index
                            : SPILL_FIRST -
                                 (index - info->num_slots) % SPILL_COUNT;

   return VARYING_SLOT_VAR0 + (int)slot;
}

/* Whether another semantic of this file has the slot. */
static bool
slot_is_shared(const struct d3dbc_nir *t, enum d3dbc_file file,
               const struct d3dbc_inst *dcl, int slot)
{
   for (unsigned reg = 0; reg < ARRAY_SIZE(t->dcl[file]); reg++) {
      for (unsigned i = 0; i < 4; i++) {
         const struct d3dbc_inst *other = t->dcl[file][reg][i];
         if (other &&
             (other->dcl.usage != dcl->dcl.usage ||
              other->dcl.usage_index != dcl->dcl.usage_index) &&
             usage_slot(other->dcl.usage, other->dcl.usage_index) == slot)
            return true;
      }
   }
   return false;
}

/* The same for a declaration; -1 after an error. */
static int
declared_slot(struct d3dbc_nir *t, enum d3dbc_file file,
              const struct d3dbc_inst *dcl)
{
   const unsigned usage = dcl->dcl.usage, index = dcl->dcl.usage_index;
   const int slot = usage_slot(usage, index);

   if (!slot_is_shared(t, file, dcl, slot))
      return slot;
   d3dbc_nir_fail(t, "%s%u shares its varying with another semantic",
                  d3dbc_usage_info(usage)->name, index);
   return -1;
}

/* NULL: the register is not declared. A component that no declaration names
 * goes with another one of its register. */
static const struct d3dbc_inst *
dcl_of(const struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg,
       unsigned comp)
{
   const struct d3dbc_inst *const *dcl = t->dcl[file][reg];
   unsigned i = 0;

   if (dcl[comp])
      return dcl[comp];
   while (i < 3 && !dcl[i])
      i++;
   return dcl[i];
}

static int
dcl_slot(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg,
         unsigned comp)
{
   const struct d3dbc_inst *dcl = dcl_of(t, file, reg, comp);

   if (!dcl) {
      d3dbc_nir_fail(t, "%s%u is not declared", d3dbc_file_info(file)->text,
                     reg);
      return -1;
   }
   if (!t->pi->is_ps && dcl->dcl.usage_index == 0) {
      if (dcl->dcl.usage == D3DBC_USAGE_POSITION)
         return VARYING_SLOT_POS;
      if (dcl->dcl.usage == D3DBC_USAGE_PSIZE)
         return VARYING_SLOT_PSIZ;
   }
   return declared_slot(t, file, dcl);
}

/* Where a component of an input comes from; -1 after an error. */
static int
input_slot(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg,
           unsigned comp)
{
   if (!t->pi->is_ps)
      return VERT_ATTRIB_GENERIC((int)reg);
   if (file == D3DBC_FILE_T)
      return usage_slot(D3DBC_USAGE_TEXCOORD, reg);
   return t->pi->major < 3 ? usage_slot(D3DBC_USAGE_COLOR, reg)
                           : dcl_slot(t, file, reg, comp);
}

static nir_value *
load_input(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg)
{
   nir_value *whole = NULL, *v[4];
   int last = -1;

   for (unsigned c = 0; c < 4; c++) {
      const struct d3dbc_inst *dcl = dcl_of(t, file, reg, c);
      const int slot = input_slot(t, file, reg, c);
      if (slot < 0)
         return nir_imm_zero(&t->b, 4, 32);
      if (slot != last) {
         nir_variable *var = make_io(t, nir_var_shader_in, slot, 4, NULL);
         if (t->pi->is_ps && dcl)
            var->data.centroid |=
               (dcl->operand[0].dst_mods & D3DBC_DST_CENTROID) != 0;
         whole = nir_load_var(&t->b, var);
      }
      last = slot;
      v[c] = nir_channel(&t->b, whole, c);
   }
   return nir_vec(&t->b, v, 4);
}

nir_value *
d3dbc_nir_texcoord(struct d3dbc_nir *t, unsigned stage)
{
   return load_input(t, D3DBC_FILE_T, stage);
}

nir_value *
d3dbc_nir_bump(struct d3dbc_nir *t, unsigned stage, unsigned row)
{
   return load_ubo(t, D3DBC_BINDING_BUMP,
                   nir_imm_int(&t->b, (int)(2 * stage + row)));
}

/* vPos counts pixels from their corner (0, 0); vFace is positive in front. */
static nir_value *
load_misc(struct d3dbc_nir *t, unsigned reg)
{
   nir_builder *b = &t->b;

   if (reg == 0) {
      nir_value *coord = nir_load_frag_coord(b);
      return nir_fadd(b, coord, nir_imm_vec4(b, -0.5f, -0.5f, 0, 0));
   }
   nir_value *face = nir_bcsel(b, nir_load_front_face(b, 1),
                               nir_imm_float(b, 1.0f),
                               nir_imm_float(b, -1.0f));
   return nir_vec4(b, face, face, face, face);
}

/* --- Locals ------------------------------------------------------------- */

static nir_variable *
local(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg)
{
   assert(reg < D3DBC_NIR_REGS && "the validator checked registers");
   if (!t->local[file][reg]) {
      nir_variable *var = nir_new_local(t->b.impl, glsl_vec4_type(), NULL);
      nir_builder b = nir_builder_at(t->b.impl, nir_before_impl(t->b.impl));
      nir_store_var(&b, var, nir_imm_zero(&b, 4, 32), 0xf);
      t->local[file][reg] = var;
   }
   return t->local[file][reg];
}

/* In ps_1_x, texture registers begin as the coordinates. */
static void
init_texture_regs(struct d3dbc_nir *t)
{
   const struct d3dbc_file_info *info = d3dbc_file_info(D3DBC_FILE_T);
   const unsigned n = info->limit[t->shader->profile];

   for (unsigned i = 0; i < n; i++) {
      nir_variable *var = nir_new_local(t->b.impl, glsl_vec4_type(), NULL);
      nir_store_var(&t->b, var, d3dbc_nir_texcoord(t, i), 0xf);
      t->local[D3DBC_FILE_T][i] = var;
   }
}

static nir_variable *
make_array(struct d3dbc_nir *t, enum d3dbc_file file)
{
   const unsigned n = d3dbc_file_info(file)->limit[t->shader->profile];
   nir_variable *var =
      nir_new_local(t->b.impl, glsl_array_type(glsl_vec4_type(), n, 0), NULL);

   for (unsigned i = 0; i < n; i++) {
      const bool there = file != D3DBC_FILE_V || !t->pi->is_ps ||
                         dcl_of(t, file, i, 0);
      nir_value *v = file == D3DBC_FILE_V && there
                        ? load_input(t, file, i)
                        : nir_imm_zero(&t->b, 4, 32);
      nir_store_array_var(&t->b, var, nir_imm_int(&t->b, (int)i), v, 0xf);
   }
   return var;
}

/* --- Declarations ------------------------------------------------------- */

static bool
declare(struct d3dbc_nir *t, const struct d3dbc_inst *inst)
{
   const struct d3dbc_operand *o = &inst->operand[0];

   t->inst = inst;
   switch (inst->op) {
   case D3DBC_OP_DEF:
      if (!t->def_c[o->reg.index])
         t->defs[t->num_defs++] = o->reg.index;
      t->def_c[o->reg.index] = inst;
      return true;
   case D3DBC_OP_DEFI: t->def_i[o->reg.index] = inst; return true;
   case D3DBC_OP_DEFB: t->def_b[o->reg.index] = inst; return true;
   case D3DBC_OP_DCL:
      if (o->reg.file == D3DBC_FILE_S)
         t->sampler_type[o->reg.index] = inst->dcl.sampler_type;
      for (unsigned c = 0; c < 4 && o->reg.file != D3DBC_FILE_S; c++) {
         if (o->mask >> c & 1)
            t->dcl[o->reg.file][o->reg.index][c] = inst;
      }
      return true;
   default: return true;
   }
}

/* Which files need an array. */
static void
find_relative(struct d3dbc_nir *t, bool *relative)
{
   for (size_t i = 0; i < t->shader->num_insts; i++) {
      const struct d3dbc_inst *inst = &t->shader->inst[i];
      for (unsigned n = 0; n < inst->num_operands; n++) {
         if (inst->operand[n].relative)
            relative[inst->operand[n].reg.file] = true;
      }
   }
}

bool
d3dbc_nir_declare(struct d3dbc_nir *t)
{
   bool relative[D3DBC_FILE_COUNT] = { false };
   struct arena *arena = t->b.shader->arena;

   t->def_c = arena_alloc(arena, 8192 * sizeof(*t->def_c));
   t->def_i = arena_alloc(arena, 2048 * sizeof(*t->def_i));
   t->def_b = arena_alloc(arena, 2048 * sizeof(*t->def_b));
   t->defs = arena_alloc(arena, 8192 * sizeof(*t->defs));
   for (size_t i = 0; i < t->shader->num_insts; i++) {
      if (!declare(t, &t->shader->inst[i]))
         return false;
   }
   find_relative(t, relative);
   for (unsigned f = 0; f < D3DBC_FILE_COUNT; f++) {
      if (relative[f] && f != D3DBC_FILE_C)
         t->array[f] = make_array(t, (enum d3dbc_file)f);
   }
   if (t->pi->is_ps && t->pi->major < 2)
      init_texture_regs(t);
   return !t->failed;
}

/* --- Reading ------------------------------------------------------------ */

static nir_value *
address(struct d3dbc_nir *t, const struct d3dbc_operand *o, unsigned add)
{
   nir_value *a = NULL;

   if (o->addr.file == D3DBC_FILE_A) {
      a = nir_channel(&t->b, nir_load_var(&t->b, t->addr),
                      o->addr_swizzle & 3);
   } else {
      for (unsigned i = t->depth; i-- > 0 && !a;) {
         if (t->nest[i].al)
            a = nir_load_var(&t->b, t->nest[i].al);
      }
   }
   if (!a) {
      d3dbc_nir_fail(t, "aL is read outside of a loop");
      a = nir_imm_int(&t->b, 0);
   }
   return nir_iadd_imm(&t->b, a, o->reg.index + add);
}

static nir_value *
relative_const(struct d3dbc_nir *t, nir_value *index)
{
   nir_builder *b = &t->b;
   nir_value *v = load_ubo(t, D3DBC_BINDING_FLOAT, index);

   t->steps += t->num_defs;
   if (t->steps > D3DBC_NIR_MAX_STEPS)
      return v;
   for (unsigned i = 0; i < t->num_defs; i++)
      v = nir_bcsel(b, nir_ieq_imm(b, index, t->defs[i]),
                    imm4(t, t->def_c[t->defs[i]]->imm), v);
   return v;
}

/* An index beyond the file means its last register. */
static nir_value *
clamp_index(struct d3dbc_nir *t, enum d3dbc_file file, nir_value *index)
{
   const unsigned n = d3dbc_file_info(file)->limit[t->shader->profile];

   return nir_umin(&t->b, index, nir_imm_int(&t->b, (int)n - 1));
}

nir_value *
d3dbc_nir_reg(struct d3dbc_nir *t, const struct d3dbc_operand *o,
              unsigned add)
{
   nir_builder *b = &t->b;
   const unsigned index = o->reg.index + add;
   const unsigned limit =
      d3dbc_file_info(o->reg.file)->limit[t->shader->profile];

   if (!o->relative && index >= limit) {
      d3dbc_nir_fail(t, "a row of a matrix is beyond the last register");
      return nir_imm_zero(b, 4, 32);
   }
   switch (o->reg.file) {
   case D3DBC_FILE_C:
      if (o->relative)
         return relative_const(t, address(t, o, add));
      if (t->def_c[index])
         return imm4(t, t->def_c[index]->imm);
      return load_ubo(t, D3DBC_BINDING_FLOAT, nir_imm_int(b, (int)index));
   case D3DBC_FILE_MISC: return load_misc(t, index);
   case D3DBC_FILE_V:
      if (o->relative)
         return nir_load_array_var(b, t->array[o->reg.file],
                                   clamp_index(t, o->reg.file,
                                               address(t, o, add)));
      return load_input(t, o->reg.file, index);
   case D3DBC_FILE_T:
      if (t->pi->major >= 2)
         return load_input(t, o->reg.file, index);
      break;
   default: break;
   }
   return nir_load_var(b, local(t, o->reg.file, index));
}

static nir_value *
apply_mod(struct d3dbc_nir *t, nir_value *v, enum d3dbc_src_mod mod)
{
   nir_builder *b = &t->b;
   nir_value *half = nir_imm_float(b, 0.5f);
   nir_value *x = v;

   switch (mod) {
   case D3DBC_MOD_NONE:
   case D3DBC_MOD_NEG:
   case D3DBC_MOD_NOT:
   case D3DBC_MOD_COUNT: break;
   case D3DBC_MOD_BIAS:
   case D3DBC_MOD_NEG_BIAS: x = nir_fsub(b, v, half); break;
   case D3DBC_MOD_SIGN:
   case D3DBC_MOD_NEG_SIGN:
      x = nir_fsub(b, v, half);
      x = nir_fadd(b, x, x);
      break;
   case D3DBC_MOD_COMP: x = nir_fsub(b, nir_imm_float(b, 1.0f), v); break;
   case D3DBC_MOD_X2:
   case D3DBC_MOD_NEG_X2: x = nir_fadd(b, v, v); break;
   case D3DBC_MOD_DZ: x = nir_fdiv(b, v, nir_channel(b, v, 2)); break;
   case D3DBC_MOD_DW: x = nir_fdiv(b, v, nir_channel(b, v, 3)); break;
   case D3DBC_MOD_ABS:
   case D3DBC_MOD_NEG_ABS: x = nir_fabs(b, v); break;
   }
   /* Each modifier's negated form has '-' in front. */
   return d3dbc_src_mod_info(mod)->before[0] == '-' ? nir_fneg(b, x) : x;
}

nir_value *
d3dbc_nir_src_row(struct d3dbc_nir *t, const struct d3dbc_operand *o,
                  unsigned add)
{
   nir_value *v = apply_mod(t, d3dbc_nir_reg(t, o, add), o->mod);
   unsigned swizzle[4];

   if (o->swizzle == D3DBC_SWIZZLE_IDENTITY)
      return v;
   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = o->swizzle >> 2 * i & 3;
   return nir_swizzle(&t->b, v, swizzle, 4);
}

nir_value *
d3dbc_nir_src(struct d3dbc_nir *t, const struct d3dbc_operand *o)
{
   return d3dbc_nir_src_row(t, o, 0);
}

nir_value *
d3dbc_nir_condition(struct d3dbc_nir *t, const struct d3dbc_operand *o)
{
   nir_builder *b = &t->b;
   nir_value *v;

   if (o->reg.file == D3DBC_FILE_P)
      v = nir_channel(b, nir_load_var(b, t->pred), o->swizzle & 3);
   else if (t->def_b[o->reg.index])
      v = nir_imm_bool(b, t->def_b[o->reg.index]->imm[0] != 0);
   else
      v = nir_ine_imm(b,
                      nir_channel(b,
                                  load_ubo(t, D3DBC_BINDING_BOOL,
                                           nir_imm_int(b, o->reg.index)),
                                  0),
                      0);
   return o->mod == D3DBC_MOD_NOT ? nir_inot(b, v) : v;
}

nir_value *
d3dbc_nir_int_const(struct d3dbc_nir *t, const struct d3dbc_operand *o)
{
   if (t->def_i[o->reg.index])
      return imm4(t, t->def_i[o->reg.index]->imm);
   return load_ubo(t, D3DBC_BINDING_INT, nir_imm_int(&t->b, o->reg.index));
}

/* --- Writing ------------------------------------------------------------ */

static nir_value *
modify_result(struct d3dbc_nir *t, nir_value *v,
              const struct d3dbc_operand *o)
{
   /* Codes 1 to 3 double, 15 down to 13 halve. */
   const int shift = o->shift < 8 ? o->shift : (int)o->shift - 16;

   if (shift)
      v =
         nir_fmul_imm(&t->b, v, shift > 0 ? 1 << shift : 1.0 / (1 << -shift));
   return o->dst_mods & D3DBC_DST_SAT ? nir_fsat(&t->b, v) : v;
}

nir_value *
d3dbc_nir_predicate(struct d3dbc_nir *t)
{
   const struct d3dbc_operand *o = &t->inst->pred;
   unsigned swizzle[4];
   nir_value *p;

   for (unsigned i = 0; i < 4; i++)
      swizzle[i] = o->swizzle >> 2 * i & 3;
   p = nir_swizzle(&t->b, nir_load_var(&t->b, t->pred), swizzle, 4);
   return o->mod == D3DBC_MOD_NOT ? nir_inot(&t->b, p) : p;
}

/* Where the predicate does not hold, the old value stays. */
static nir_value *
predicate(struct d3dbc_nir *t, nir_value *v, nir_value *old)
{
   return t->inst->predicated
             ? nir_bcsel(&t->b, d3dbc_nir_predicate(t), v, old)
             : v;
}

static void
write_address(struct d3dbc_nir *t, nir_value *value)
{
   nir_builder *b = &t->b;

   /* mov of vs_1_x rounds down, mova to the nearest. */
   value = t->pi->major < 2 ? nir_ffloor(b, value)
                            : nir_fround_even(b, value);
   /* Far outside of any file; offsets in bytes do not come around there. */
   value = nir_fmax(b, nir_fmin(b, value, nir_imm_float(b, 0x1p20f)),
                    nir_imm_float(b, -0x1p20f));
   value = predicate(t, nir_f2i32(b, value), nir_load_var(b, t->addr));
   nir_store_var(b, t->addr, value, t->inst->operand[0].mask);
}

void
d3dbc_nir_write_late(struct d3dbc_nir *t)
{
   if (t->late)
      nir_store_var(&t->b, t->late, t->late_value, t->late_mask);
   t->late = NULL;
}

void
d3dbc_nir_write(struct d3dbc_nir *t, nir_value *value)
{
   nir_builder *b = &t->b;
   const struct d3dbc_operand *o = &t->inst->operand[0];
   unsigned swizzle[4] = { 0, 0, 0, 0 };

   if (value->num_components == 1)
      value = nir_swizzle(b, value, swizzle, 4);
   if (o->reg.file == D3DBC_FILE_P) {
      nir_store_var(b, t->pred, predicate(t, value, nir_load_var(b, t->pred)),
                    o->mask);
   } else if (o->reg.file == D3DBC_FILE_A) {
      write_address(t, value);
   } else if (t->array[o->reg.file]) {
      nir_value *index = o->relative ? address(t, o, 0)
                                     : nir_imm_int(b, o->reg.index);
      nir_variable *var = t->array[o->reg.file];
      index = clamp_index(t, o->reg.file, index);
      value = modify_result(t, value, o);
      if (t->inst->predicated)
         value = predicate(t, value, nir_load_array_var(b, var, index));
      nir_store_array_var(b, var, index, value, o->mask);
   } else {
      nir_variable *var = local(t, o->reg.file, o->reg.index);
      value = modify_result(t, value, o);
      value = predicate(t, value, nir_load_var(b, var));
      d3dbc_nir_write_late(t);
      t->late = var;
      t->late_value = value;
      t->late_mask = o->mask;
      if (!t->paired)
         d3dbc_nir_write_late(t);
   }
}

void
d3dbc_nir_write_depth(struct d3dbc_nir *t, nir_value *depth)
{
   nir_store_var(&t->b, local(t, D3DBC_FILE_ODEPTH, 0),
                 nir_vec4(&t->b, depth, depth, depth, depth), 0xf);
}

/* --- Outputs ------------------------------------------------------------ */

/* The slot of a component of an output register, and how many components
 * there are; -1: none. */
static int
output_slot(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg,
            unsigned comp, unsigned *components)
{
   int slot;

   *components = 4;
   switch (file) {
   case D3DBC_FILE_RASTOUT:
      *components = reg ? 1 : 4;
      return reg == 0   ? (int)VARYING_SLOT_POS
             : reg == 1 ? usage_slot(D3DBC_USAGE_FOG, 0)
                        : (int)VARYING_SLOT_PSIZ;
   case D3DBC_FILE_OD: return usage_slot(D3DBC_USAGE_COLOR, reg);
   case D3DBC_FILE_OT: return usage_slot(D3DBC_USAGE_TEXCOORD, reg);
   case D3DBC_FILE_O:
      slot = dcl_slot(t, file, reg, comp);
      *components = slot == VARYING_SLOT_PSIZ ? 1 : 4;
      return slot;
   case D3DBC_FILE_OC: return FRAG_RESULT_DATA0 + (int)reg;
   case D3DBC_FILE_ODEPTH: *components = 1; return FRAG_RESULT_DEPTH;
   case D3DBC_FILE_R:
      return t->pi->is_ps && t->pi->major < 2 && reg == 0
                ? (int)FRAG_RESULT_DATA0
                : -1;
   default: return -1;
   }
}

/* Components that go to one slot at once. What is a scalar there is the
 * first of them. */
static void
store_output(struct d3dbc_nir *t, enum d3dbc_file file, unsigned reg,
             nir_value *value)
{
   unsigned n, mask;

   for (unsigned c = 0; c < 4; c++) {
      const int slot = output_slot(t, file, reg, c, &n);
      mask = 0;
      for (unsigned i = 0; i < 4 && slot >= 0; i++) {
         unsigned unused;
         mask |= (unsigned)(output_slot(t, file, reg, i, &unused) == slot)
                 << i;
      }
      if (!mask || (mask & BITFIELD_MASK(c)))
         continue; /* no output, or stored already */
      nir_variable *var = make_io(t, nir_var_shader_out, slot, n, NULL);
      nir_store_var(&t->b, var, n == 1 ? nir_channel(&t->b, value, c) : value,
                    n == 1 ? 1 : mask);
   }
}

void
d3dbc_nir_store_outputs(struct d3dbc_nir *t)
{
   for (unsigned f = 0; f < D3DBC_FILE_COUNT; f++) {
      for (unsigned i = 0; i < D3DBC_NIR_REGS; i++) {
         if (t->array[f] && f == D3DBC_FILE_O &&
             dcl_of(t, D3DBC_FILE_O, i, 0))
            store_output(t, (enum d3dbc_file)f, i,
                         nir_load_array_var_imm(&t->b, t->array[f], i));
         else if (t->local[f][i])
            store_output(t, (enum d3dbc_file)f, i,
                         nir_load_var(&t->b, t->local[f][i]));
      }
   }
}
