/* SPDX-License-Identifier: MIT */
/* Operands, constants and instructions of d3dbc_from_nir. */
#include "d3dbc_emit.h"

#include <math.h>
#include <stdio.h>

bool
d3dbc_emit_fail(struct d3dbc_emit *e, const char *fmt, ...)
{
   va_list ap;

   if (e->failed)
      return false;
   e->failed = true;
   if (!e->error)
      return false;
   *e->error = (struct d3d_error) { 0 };
   va_start(ap, fmt);
   vsnprintf(e->error->text, sizeof(e->error->text), fmt, ap);
   va_end(ap);
   return false;
}

void
d3dbc_emit_derivative(struct d3dbc_emit *e, const char *what)
{
   if (e->nesting)
      d3dbc_emit_fail(e,
                      "%s inside of an if or a loop: %s has no "
                      "derivatives there",
                      what, e->pi->name);
}

struct d3dbc_operand
d3dbc_emit_reg(enum d3dbc_file file, unsigned index, unsigned comp)
{
   return (struct d3dbc_operand) {
      .reg = { file, (uint16_t)index },
      .mask = (uint8_t)(1u << comp),
      .swizzle = (uint8_t)(comp * 0x55),
   };
}

struct d3dbc_operand
d3dbc_emit_neg(struct d3dbc_operand o)
{
   o.mod = o.mod == D3DBC_MOD_NEG ? D3DBC_MOD_NONE : D3DBC_MOD_NEG;
   return o;
}

/* A constant in a component of a def that is made after the uniforms. */
struct d3dbc_operand
d3dbc_emit_imm(struct d3dbc_emit *e, float v)
{
   const unsigned n = (unsigned)util_dynarray_num_elements(&e->pool, float);
   unsigned i = 0;

   const unsigned limit = d3dbc_file_info(D3DBC_FILE_C)->limit[e->profile];

   if (e->failed || n >= 4 * limit) {
      d3dbc_emit_fail(e, "more constants than %s has", e->pi->name);
      return d3dbc_emit_reg(D3DBC_FILE_C, 0, 0);
   }
   while (i < n &&
          util_float_bits(*util_dynarray_element(&e->pool, float, i)) !=
             util_float_bits(v))
      i++;
   if (i == n)
      util_dynarray_append(&e->pool, float, v);
   return d3dbc_emit_reg(D3DBC_FILE_C, e->num_uniforms + i / 4, i % 4);
}

struct d3dbc_operand
d3dbc_emit_imm4(struct d3dbc_emit *e, const float v[4])
{
   struct d3dbc_operand o;
   unsigned n = (unsigned)util_dynarray_num_elements(&e->pool, float), i = 0;

   while (i + 4 <= n &&
          memcmp(util_dynarray_element(&e->pool, float, i), v, 16))
      i += 4;
   if (i + 4 > n) {
      for (; n % 4; n++)
         util_dynarray_append(&e->pool, float, 0.0f);
      i = n;
      for (unsigned c = 0; c < 4; c++)
         util_dynarray_append(&e->pool, float, v[c]);
   }
   o = d3dbc_emit_reg(D3DBC_FILE_C, e->num_uniforms + i / 4, 0);
   o.mask = 0;
   o.swizzle = D3DBC_SWIZZLE_IDENTITY;
   return o;
}

struct d3dbc_operand
d3dbc_emit_scratch(struct d3dbc_emit *e)
{
   const unsigned i = e->num_scratch++;
   const unsigned limit = d3dbc_file_info(D3DBC_FILE_R)->limit[e->profile];

   if (e->vector_mask) {
      struct d3dbc_operand o = d3dbc_emit_reg(
         D3DBC_FILE_R, limit - 1 - MIN2(i, D3DBC_EMIT_SCRATCH - 1), 0);
      e->short_of_scratch |= i >= D3DBC_EMIT_SCRATCH;
      o.mask = e->vector_mask;
      o.swizzle = D3DBC_SWIZZLE_IDENTITY;
      return o;
   }
   assert(i < 4 * D3DBC_EMIT_SCRATCH && "an instruction needs more scratch");
   return d3dbc_emit_reg(D3DBC_FILE_R, limit - 1 - i / 4, i % 4);
}

struct d3dbc_operand
d3dbc_emit_scratch4(struct d3dbc_emit *e)
{
   struct d3dbc_operand o;

   e->num_scratch = ALIGN(e->num_scratch, 4u);
   o = d3dbc_emit_scratch(e);
   e->num_scratch += 3;
   o.mask = 0xf;
   o.swizzle = D3DBC_SWIZZLE_IDENTITY;
   return o;
}

/* --- Values ------------------------------------------------------------- */

static struct d3dbc_operand
constant(struct d3dbc_emit *e, nir_use *src, unsigned comp,
         enum d3dbc_class class)
{
   const uint32_t bits = (uint32_t)nir_use_comp_as_uint(*src, comp);

   switch (class) {
   case D3DBC_CLASS_BOOL: return d3dbc_emit_imm(e, bits ? 1.0f : 0.0f);
   case D3DBC_CLASS_INT:
      if ((int32_t)bits > 1 << 24 || (int32_t)bits < -(1 << 24))
         d3dbc_emit_fail(e,
                         "integer %d is beyond 2^24, which a float does "
                         "not hold",
                         (int32_t)bits);
      return d3dbc_emit_imm(e, (float)(int32_t)bits);
   default: return d3dbc_emit_imm(e, util_bits_float(bits));
   }
}

/* The c# of a uniform buffer's start; the buffer is known by then. */
static bool
ubo_base(struct d3dbc_emit *e, const nir_use *index, unsigned *base)
{
   const nir_intrinsic_instr *res = nir_use_as_intrinsic(*index);

   for (unsigned i = 0; res && i < e->num_ubos; i++) {
      if (res->intrinsic == nir_intrinsic_vulkan_resource_index &&
          nir_use_is_const(res->src[0]) && !nir_use_as_uint(res->src[0]) &&
          (unsigned)nir_intrinsic_desc_set(res) == e->ubo[i].set &&
          (unsigned)nir_intrinsic_binding(res) == e->ubo[i].binding) {
         *base = e->ubo[i].first;
         return true;
      }
   }
   return d3dbc_emit_fail(e, "a uniform buffer is chosen at run time");
}

static struct d3dbc_operand
uniform(struct d3dbc_emit *e, nir_intrinsic_instr *load, unsigned comp)
{
   const unsigned offset_B = (unsigned)nir_use_as_uint(load->src[1]) +
                             4 * comp;
   unsigned base = 0;

   ubo_base(e, &load->src[0], &base);
   if (offset_B / 16 + base >= e->num_uniforms)
      d3dbc_emit_fail(e, "a uniform is read beyond the end of its buffer");
   return d3dbc_emit_reg(D3DBC_FILE_C, base + offset_B / 16,
                         offset_B / 4 % 4);
}

/* A register is declared for each input slot when it is first met. */
struct d3dbc_operand
d3dbc_emit_input(struct d3dbc_emit *e, unsigned slot, unsigned comp)
{
   const bool has_t = e->pi->is_ps && e->pi->major < 3;
   enum d3dbc_file file = D3DBC_FILE_V;
   unsigned reg;

   if (!e->pi->is_ps) {
      reg = slot - VERT_ATTRIB_GENERIC0;
   } else if (has_t) {
      const unsigned var = slot - VARYING_SLOT_VAR0;
      file = var < 8 ? D3DBC_FILE_T : D3DBC_FILE_V;
      reg = var < 8 ? var : var - 16;
   } else {
      if (e->input_reg[slot] < 0)
         e->input_reg[slot] = (int)e->num_inputs++;
      reg = (unsigned)e->input_reg[slot];
   }
   if (reg >= d3dbc_file_info(file)->limit[e->profile])
      d3dbc_emit_fail(e, "%s has no register for input slot %u", e->pi->name,
                      slot);
   e->input_reg[slot] = (int)reg;
   return d3dbc_emit_reg(file, reg, comp);
}

struct d3dbc_operand
d3dbc_emit_src(struct d3dbc_emit *e, nir_use *src, unsigned comp,
               enum d3dbc_class class)
{
   const struct d3dbc_value *v = &e->values[d3dbc_emit_value(e, src, comp)];

   if (!v->allocate) {
      nir_instr *instr = src->value->instr;
      if (instr->kind == nir_kind_load_const)
         return constant(e, src, comp, class);
      if (instr->kind == nir_kind_undef)
         return d3dbc_emit_imm(e, 0.0f);
      if (instr->kind == nir_kind_intrinsic) {
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic == nir_intrinsic_load_ubo)
            return uniform(e, intr, comp);
         if (intr->intrinsic == nir_intrinsic_load_input ||
             intr->intrinsic == nir_intrinsic_load_interpolated_input)
            return d3dbc_emit_input(
               e,
               nir_intrinsic_io_semantics(intr).location +
                  (unsigned)nir_use_as_uint(*nir_get_io_offset_src(intr)),
               (unsigned)nir_intrinsic_component(intr) + comp);
      }
      d3dbc_emit_fail(e, "a value of an unknown kind is read");
   }
   return d3dbc_emit_reg(D3DBC_FILE_R, v->place.reg, v->place.comp);
}

struct d3dbc_operand
d3dbc_emit_alu_src(struct d3dbc_emit *e, nir_alu_instr *alu, unsigned src,
                   unsigned comp)
{
   return d3dbc_emit_src(
      e, &alu->src[src].use,
      alu->src[src].swizzle[nir_op_is_vec(alu->op) ? 0 : comp],
      d3dbc_emit_src_class(e, alu, src, comp));
}

struct d3dbc_operand
d3dbc_emit_dest(struct d3dbc_emit *e, nir_value *dest, unsigned comp)
{
   const struct d3dbc_value *v =
      &e->values[d3dbc_emit_dest_value(e, dest, comp)];

   return d3dbc_emit_reg(D3DBC_FILE_R, v->place.reg, v->place.comp);
}

/* --- Instructions ------------------------------------------------------- */

struct d3dbc_inst *
d3dbc_emit_inst(struct d3dbc_emit *e, enum d3dbc_op op)
{
   struct d3dbc_inst *inst =
      util_dynarray_grow_bytes(&e->body, sizeof(*inst));

   inst->op = op;
   for (const char *k = d3dbc_op_info(op)->operands; *k; k++)
      inst->num_operands += strchr("dksl", *k) != NULL;
   return inst;
}

static bool
is_input(enum d3dbc_file file)
{
   return file == D3DBC_FILE_V || file == D3DBC_FILE_T;
}

/* Instructions of these profiles have one port for constants and one for
 * inputs: what is more goes through a temporary. */
static void
legalize(struct d3dbc_emit *e, struct d3dbc_operand *o, unsigned n)
{
   for (unsigned i = 1; i < n; i++) {
      for (unsigned j = 0; j < i; j++) {
         const bool ports = o[i].reg.file == D3DBC_FILE_C
                               ? o[j].reg.file == D3DBC_FILE_C
                               : is_input(o[i].reg.file) &&
                                    is_input(o[j].reg.file);
         if (!ports || (o[i].reg.file == o[j].reg.file &&
                        o[i].reg.index == o[j].reg.index))
            continue;
         const struct d3dbc_operand t = d3dbc_emit_scratch(e);
         d3dbc_emit1(e, D3DBC_OP_MOV, t, o[i]);
         o[i] = t;
         break;
      }
   }
}

static void
emit_n(struct d3dbc_emit *e, enum d3dbc_op op, struct d3dbc_operand d,
       struct d3dbc_operand *s, unsigned n)
{
   const unsigned scratch = e->num_scratch;
   struct d3dbc_inst *inst;

   legalize(e, s, n);
   inst = d3dbc_emit_inst(e, op);
   d.swizzle = 0;
   inst->operand[0] = d;
   for (unsigned i = 0; i < n; i++) {
      inst->operand[1 + i] = s[i];
      inst->operand[1 + i].mask = 0;
      inst->operand[1 + i].dst_mods = 0;
   }
   e->num_scratch = scratch;
}

void
d3dbc_emit1(struct d3dbc_emit *e, enum d3dbc_op op, struct d3dbc_operand d,
            struct d3dbc_operand a)
{
   emit_n(e, op, d, &a, 1);
}

void
d3dbc_emit2(struct d3dbc_emit *e, enum d3dbc_op op, struct d3dbc_operand d,
            struct d3dbc_operand a, struct d3dbc_operand b)
{
   struct d3dbc_operand s[] = { a, b };

   emit_n(e, op, d, s, 2);
}

void
d3dbc_emit3(struct d3dbc_emit *e, enum d3dbc_op op, struct d3dbc_operand d,
            struct d3dbc_operand a, struct d3dbc_operand b,
            struct d3dbc_operand c)
{
   struct d3dbc_operand s[] = { a, b, c };

   emit_n(e, op, d, s, 3);
}

void
d3dbc_emit_compare(struct d3dbc_emit *e, enum d3dbc_op op, unsigned code,
                   struct d3dbc_operand a, struct d3dbc_operand b)
{
   struct d3dbc_operand s[] = { a, b };
   struct d3dbc_inst *inst;

   legalize(e, s, 2);
   inst = d3dbc_emit_inst(e, op);
   inst->control = (uint8_t)code;
   for (unsigned i = 0; i < 2; i++) {
      inst->operand[i] = s[i];
      inst->operand[i].mask = 0;
   }
}

struct d3dbc_operand
d3dbc_emit_count(struct d3dbc_emit *e, unsigned count, unsigned start,
                 int step)
{
   const unsigned limit =
      MIN2(d3dbc_file_info(D3DBC_FILE_I)->limit[e->profile],
           ARRAY_SIZE(e->counts));
   struct d3dbc_operand o;
   unsigned i = 0;

   while (i < e->num_counts &&
          (e->counts[i].count != count || e->counts[i].start != start ||
           e->counts[i].step != step))
      i++;
   if (i == limit) {
      d3dbc_emit_fail(e, "loops of more than %u counts: so many i# has %s",
                      limit, e->pi->name);
      i = 0;
   } else if (i == e->num_counts) {
      e->counts[i].count = count;
      e->counts[i].start = start;
      e->counts[i].step = step;
      e->num_counts++;
   }
   o = d3dbc_emit_reg(D3DBC_FILE_I, i, 0);
   o.swizzle = D3DBC_SWIZZLE_IDENTITY;
   o.mask = 0;
   return o;
}

/* --- Declarations ------------------------------------------------------- */

static void
declare(struct d3dbc_emit *e, enum d3dbc_file file, unsigned reg,
        unsigned usage, unsigned index, unsigned sampler_type)
{
   struct d3dbc_inst inst = {
      .op = D3DBC_OP_DCL,
      .num_operands = 1,
      .operand = { { .reg = { file, (uint16_t)reg }, .mask = 0xf } },
      .dcl = { (uint8_t)usage, (uint8_t)index, (uint8_t)sampler_type },
   };

   util_dynarray_append(&e->head, struct d3dbc_inst, inst);
}

static void
declare_slot(struct d3dbc_emit *e, enum d3dbc_file file, unsigned reg,
             int slot)
{
   const struct d3dbc_usage *own_usage = &e->varying[slot];

   if (own_usage->known) {
      declare(e, file, reg, own_usage->usage, own_usage->index, 0);
      return;
   }
   for (unsigned u = 0; u < D3DBC_USAGE_COUNT; u++) {
      const struct d3dbc_usage_info *info = d3dbc_usage_info(u);
      const int first = VARYING_SLOT_VAR0 + info->first_slot;
      if (slot == VARYING_SLOT_POS ? u == D3DBC_USAGE_POSITION
          : slot == VARYING_SLOT_PSIZ
             ? u == D3DBC_USAGE_PSIZE
             : info->first_slot >= 0 && slot >= first &&
                  slot < first + (int)info->num_slots) {
         const bool own = slot < VARYING_SLOT_VAR0;
         declare(e, file, reg, u, own ? 0 : (unsigned)(slot - first), 0);
         return;
      }
   }
   d3dbc_emit_fail(e, "no usage stands for varying slot %d", slot);
}

static void
declare_inputs(struct d3dbc_emit *e)
{
   for (int slot = 0; slot < (int)ARRAY_SIZE(e->input_reg); slot++) {
      const int reg = e->input_reg[slot];
      if (reg < 0)
         continue;
      if (!e->pi->is_ps && e->attribute[reg].known)
         declare(e, D3DBC_FILE_V, (unsigned)reg, e->attribute[reg].usage,
                 e->attribute[reg].index, 0);
      else if (!e->pi->is_ps)
         declare(e, D3DBC_FILE_V, (unsigned)reg, D3DBC_USAGE_TEXCOORD,
                 (unsigned)reg, 0);
      else if (e->pi->major < 3)
         declare(e,
                 slot - VARYING_SLOT_VAR0 < 8 ? D3DBC_FILE_T : D3DBC_FILE_V,
                 (unsigned)reg, 0, 0, 0);
      else
         declare_slot(e, D3DBC_FILE_V, (unsigned)reg, slot);
   }
   for (int slot = 0, reg = 0; slot < (int)ARRAY_SIZE(e->output_declared);
        slot++) {
      if (e->output_declared[slot])
         declare_slot(e, D3DBC_FILE_O, (unsigned)reg++, slot);
   }
   if (e->vpos)
      declare(e, D3DBC_FILE_MISC, 0, 0, 0, 0);
   if (e->vface)
      declare(e, D3DBC_FILE_MISC, 1, 0, 0, 0);
   for (unsigned i = 0; i < ARRAY_SIZE(e->sampler_type); i++) {
      if (e->sampler_type[i])
         declare(e, D3DBC_FILE_S, i, 0, 0, e->sampler_type[i]);
   }
}

static void
define(struct d3dbc_emit *e)
{
   const unsigned n = (unsigned)util_dynarray_num_elements(&e->pool, float);

   if (e->num_uniforms + DIV_ROUND_UP(n, 4) >
       d3dbc_file_info(D3DBC_FILE_C)->limit[e->profile])
      d3dbc_emit_fail(e, "%u constants and uniforms: %s has %u",
                      e->num_uniforms + DIV_ROUND_UP(n, 4), e->pi->name,
                      d3dbc_file_info(D3DBC_FILE_C)->limit[e->profile]);
   for (unsigned i = 0; i < n; i += 4) {
      struct d3dbc_inst inst = { .op = D3DBC_OP_DEF, .num_operands = 1 };
      inst.operand[0] =
         d3dbc_emit_reg(D3DBC_FILE_C, e->num_uniforms + i / 4, 0);
      inst.operand[0].mask = 0xf;
      for (unsigned c = 0; c < 4 && i + c < n; c++)
         inst.imm[c] =
            util_float_bits(*util_dynarray_element(&e->pool, float, i + c));
      util_dynarray_append(&e->head, struct d3dbc_inst, inst);
   }
   for (unsigned i = 0; i < e->num_counts; i++) {
      struct d3dbc_inst inst = { .op = D3DBC_OP_DEFI,
                                 .num_operands = 1,
                                 .imm = { e->counts[i].count,
                                          e->counts[i].start,
                                          (uint32_t)e->counts[i].step } };
      inst.operand[0] = d3dbc_emit_reg(D3DBC_FILE_I, i, 0);
      inst.operand[0].mask = 0xf;
      util_dynarray_append(&e->head, struct d3dbc_inst, inst);
   }
}

/* sincos counts 8, comparing ifs and loops 3: the instruction pages of the
 * reference. */
static unsigned
slots_of(const struct d3dbc_emit *e, enum d3dbc_op op)
{
   switch (op) {
   case D3DBC_OP_SINCOS:
   case D3DBC_OP_SINCOS2: return 8;
   case D3DBC_OP_LRP: return e->pi->is_ps ? 1 : 2;
   case D3DBC_OP_IFC:
   case D3DBC_OP_BREAKC:
   case D3DBC_OP_REP:
   case D3DBC_OP_LOOP:
   case D3DBC_OP_POW: return 3;
   case D3DBC_OP_ENDREP:
   case D3DBC_OP_ENDLOOP: return 2;
   default: return 1;
   }
}

static void
check_slots(struct d3dbc_emit *e)
{
   unsigned arithmetic = 0, texture = 0;

   util_dynarray_foreach(&e->body, struct d3dbc_inst, inst) {
      const bool tex = d3dbc_op_info(inst->op)->sem == D3DBC_SEM_TEX &&
                       e->pi->max_texture;
      if (tex)
         texture++;
      else
         arithmetic += slots_of(e, inst->op);
   }
   if (arithmetic > e->pi->max_arithmetic || texture > e->pi->max_texture)
      d3dbc_emit_fail(e,
                      "%u instruction slots and %u textures: %s has %u "
                      "and %u",
                      arithmetic, texture, e->pi->name, e->pi->max_arithmetic,
                      e->pi->max_texture);
}

struct d3dbc_shader *
d3dbc_emit_finish(struct d3dbc_emit *e)
{
   struct d3dbc_builder b = { .arena = e->arena, .profile = e->profile };

   check_slots(e);
   d3dbc_emit_ctab(e);
   declare_inputs(e);
   define(e);
   if (e->failed)
      return NULL;
   util_dynarray_foreach(&e->head, struct d3dbc_inst, inst)
      util_dynarray_append(&b.insts, struct d3dbc_inst, *inst);
   util_dynarray_foreach(&e->body, struct d3dbc_inst, inst)
      util_dynarray_append(&b.insts, struct d3dbc_inst, *inst);
   return d3dbc_builder_finish(&b);
}
