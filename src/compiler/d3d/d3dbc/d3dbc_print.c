/* SPDX-License-Identifier: MIT */
/* Instructions to text, in the syntax of the Direct3D 9 assembler. */
#include "d3dbc_text.h"

#include <math.h>
#include <stdio.h>

static void
print_reg(struct strbuf *out, struct d3dbc_reg reg)
{
   const struct d3dbc_file_info *info = d3dbc_file_info(reg.file);

   if (info->names && reg.index < info->num_names)
      strbuf_puts(out, info->names[reg.index]);
   else if (info->names)
      strbuf_printf(out, "%s%%%u", info->names[0], reg.index);
   else
      strbuf_printf(out, "%s%u", info->text, reg.index);
}

static void
print_swizzle(struct strbuf *out, uint8_t swizzle)
{
   static const char xyzw[] = "xyzw";

   if (swizzle == D3DBC_SWIZZLE_IDENTITY)
      return;
   strbuf_puts(out, ".");
   for (unsigned i = 0; i < 4; i++) {
      strbuf_printf(out, "%c", xyzw[swizzle >> 2 * i & 3]);
      if (swizzle == (swizzle & 3) * 0x55)
         break;
   }
}

static void
print_base(struct strbuf *out, const struct d3dbc_operand *o)
{
   if (!o->relative) {
      print_reg(out, o->reg);
      return;
   }
   strbuf_printf(out, "%s[", d3dbc_file_info(o->reg.file)->text);
   print_reg(out, o->addr);
   print_swizzle(out, o->addr_swizzle);
   if (o->reg.index)
      strbuf_printf(out, " + %u", o->reg.index);
   strbuf_puts(out, "]");
}

static void
print_dst(struct strbuf *out, const struct d3dbc_operand *o)
{
   print_base(out, o);
   if (o->mask == 0xf)
      return;
   strbuf_puts(out, ".");
   if (!o->mask)
      strbuf_puts(out, "_"); /* nothing is written: odd, but it may stand */
   for (unsigned i = 0; i < 4; i++) {
      if (o->mask & 1u << i)
         strbuf_printf(out, "%c", "xyzw"[i]);
   }
}

static void
print_src(struct strbuf *out, const struct d3dbc_operand *o)
{
   const struct d3dbc_src_mod_info *mod = d3dbc_src_mod_info(o->mod);

   strbuf_puts(out, mod->before);
   print_base(out, o);
   strbuf_puts(out, mod->after);
   print_swizzle(out, o->swizzle);
}

/* A number that reads back as the same bits; else the bits. */
static void
print_float(struct strbuf *out, uint32_t bits)
{
   const float f = util_bits_float(bits);

   if (isfinite(f))
      strbuf_printf(out, "%.9g", (double)f);
   else
      strbuf_printf(out, "0x%08x", bits);
}

static void
print_imm(struct strbuf *out, const struct d3dbc_inst *inst)
{
   if (inst->op == D3DBC_OP_DEFB) {
      if (inst->imm[0] <= 1)
         strbuf_puts(out, inst->imm[0] ? ", true" : ", false");
      else
         strbuf_printf(out, ", 0x%x", inst->imm[0]);
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      strbuf_puts(out, ", ");
      if (inst->op == D3DBC_OP_DEFI)
         strbuf_printf(out, "%d", (int32_t)inst->imm[i]);
      else
         print_float(out, inst->imm[i]);
   }
}

/* ps_2_x has no usages, nor have vPos and vFace: the token says position. */
static bool
has_usage(const struct d3dbc_shader *shader, const struct d3dbc_inst *inst)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(shader->profile);

   return inst->dcl.usage || inst->dcl.usage_index ||
          !((pi->is_ps && pi->major < 3) ||
            inst->operand[0].reg.file == D3DBC_FILE_MISC);
}

static void
print_dcl(struct strbuf *out, const struct d3dbc_shader *shader,
          const struct d3dbc_inst *inst)
{
   const struct d3dbc_dcl *dcl = &inst->dcl;

   strbuf_puts(out, "dcl");
   if (dcl->sampler_type) {
      strbuf_printf(out, "_%s", d3dbc_sampler_type_name(dcl->sampler_type));
   } else if (has_usage(shader, inst)) {
      strbuf_printf(out, "_%s", d3dbc_usage_info(dcl->usage)->name);
      if (dcl->usage_index)
         strbuf_printf(out, "%u", dcl->usage_index);
   }
}

static void
print_name(struct strbuf *out, const struct d3dbc_inst *inst)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(inst->op);

   strbuf_puts(out, info->name);
   if (info->control == D3DBC_CONTROL_CMP)
      strbuf_printf(out, "_%s", d3dbc_compare_name(inst->control));
   else if (info->control == D3DBC_CONTROL_TEX && inst->control)
      strbuf_puts(out, inst->control == D3DBC_TEX_PROJECT ? "p" : "b");
}

static void
print_suffixes(struct strbuf *out, const struct d3dbc_operand *o)
{
   for (const struct d3dbc_suffix *s = d3dbc_shifts; s->text; s++) {
      if (s->code == o->shift)
         strbuf_puts(out, s->text);
   }
   for (const struct d3dbc_suffix *s = d3dbc_dst_mods; s->text; s++) {
      if (s->code & o->dst_mods)
         strbuf_puts(out, s->text);
   }
}

static void
print_comment(struct strbuf *out, const struct d3dbc_inst *inst)
{
   strbuf_puts(out, ".comment");
   for (unsigned i = 0; i < inst->comment.num_words; i++)
      strbuf_printf(out, "%s%s0x%08x", i ? "," : "",
                    i % 8 || !i ? " " : "\n   ", inst->comment.words[i]);
}

static bool
has_dst(const struct d3dbc_op_info *info)
{
   return strpbrk(info->operands, "dk") != NULL;
}

void
d3dbc_print_inst(const struct d3dbc_shader *shader,
                 const struct d3dbc_inst *inst, struct strbuf *out)
{
   const struct d3dbc_op_info *info;
   const char *separator = "";

   if (inst->op == D3DBC_OP_COUNT) {
      print_comment(out, inst);
      return;
   }
   info = d3dbc_op_info(inst->op);
   if (inst->coissue)
      strbuf_puts(out, "+ ");
   if (inst->predicated) {
      strbuf_puts(out, "(");
      print_src(out, &inst->pred);
      strbuf_puts(out, ") ");
   }
   if (inst->op == D3DBC_OP_DCL)
      print_dcl(out, shader, inst);
   else
      print_name(out, inst);
   if (inst->num_operands && has_dst(info))
      print_suffixes(out, &inst->operand[0]);
   if (inst->num_operands)
      strbuf_puts(out, " ");
   for (unsigned i = 0; i < inst->num_operands; i++) {
      strbuf_puts(out, separator);
      separator = ", ";
      if (i == 0 && has_dst(info))
         print_dst(out, &inst->operand[i]);
      else
         print_src(out, &inst->operand[i]);
   }
   if (info->sem == D3DBC_SEM_DECL && inst->op != D3DBC_OP_DCL)
      print_imm(out, inst);
}

void
d3dbc_print(const struct d3dbc_shader *shader, struct strbuf *out)
{
   int depth = 0;

   strbuf_printf(out, "%s\n", d3dbc_profile_info(shader->profile)->name);
   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct d3dbc_inst *inst = &shader->inst[i];
      const struct d3dbc_op_info *info =
         inst->op == D3DBC_OP_COUNT ? NULL : d3dbc_op_info(inst->op);

      if (info && (info->closes || info->is_else) && depth > 0)
         depth--;
      strbuf_printf(out, "%*s", 3 * MIN2(depth, D3DBC_MAX_NESTING), "");
      d3dbc_print_inst(shader, inst, out);
      strbuf_puts(out, "\n");
      if (info && (info->opens || info->is_else))
         depth++;
   }
}
