/* SPDX-License-Identifier: MIT */
/* The IR as text: eu_text.h describes it. */
#include "eu_text.h"

#include <math.h>

const char *const eu_cond_names[ISA_COND_MOD_U + 1] = {
   "", "z", "nz", "g", "ge", "l", "le", "", "o", "u",
};

static void
print_immediate(const eu_reg *r, FILE *fp)
{
   const double value = r->type == ISA_TYPE_F
                           ? (double)util_bits_float((uint32_t)r->imm)
                        : r->type == ISA_TYPE_DF ? util_bits_double(r->imm)
                                                 : INFINITY;

   /* Bits, for what has no decimal notation of its own. */
   if (!isfinite(value))
      fprintf(fp, "0x%llx", (unsigned long long)r->imm);
   else if (r->type == ISA_TYPE_F)
      fprintf(fp, "%.9gf", value);
   else
      fprintf(fp, "%.17gdf", value);
}

static void
print_register(const eu_reg *r, FILE *fp)
{
   switch ((enum eu_file)r->file) {
   case EU_BAD: fputs("(none)", fp); return;
   case EU_VGRF: fprintf(fp, "vgrf%u", r->nr); break;
   case EU_GRF: fprintf(fp, "g%u", r->nr); break;
   case EU_ARF:
      fputs(eu_arf_names[r->nr >> 4], fp);
      if (eu_is_null(r))
         return;
      fprintf(fp, "%u", r->nr & 0xf);
      break;
   case EU_UNIFORM: fputc('u', fp); break;
   case EU_ATTR: fputs("attr", fp); break;
   case EU_IMM: print_immediate(r, fp); return;
   }
   fprintf(fp, "+%u.%u", r->offset / REG_SIZE_B, r->offset % REG_SIZE_B);
}

/* .xyw of a destination, .xxyz of a source; nothing for what is whole. */
static void
print_components(const eu_reg *r, bool is_dst, FILE *fp)
{
   if (is_dst ? r->swz == ISA_WRITEMASK_XYZW : r->swz == ISA_SWIZZLE_XYZW)
      return;
   fputc('.', fp);
   for (unsigned c = 0; c < 4; c++) {
      if (!is_dst)
         fputc("xyzw"[(r->swz >> 2 * c) & 3], fp);
      else if (r->swz & (1u << c))
         fputc("xyzw"[c], fp);
   }
}

static void
print_reg(const eu_reg *r, bool is_dst, bool align16, FILE *fp)
{
   if (r->negate)
      fputc('-', fp);
   if (r->abs)
      fputc('|', fp);
   print_register(r, fp);
   if (r->abs)
      fputc('|', fp);
   if (r->file == EU_BAD)
      return;
   if (r->file != EU_IMM && !eu_is_null(r)) {
      if (r->region)
         fprintf(fp, "<%u,%u,%u>", r->vs, r->w, r->hs);
      else if (is_dst ? !align16 : r->stride != 1)
         fprintf(fp, "<%u>", r->stride);
   }
   if (align16 && r->file != EU_IMM)
      print_components(r, is_dst, fp);
   fprintf(fp, ":%s", isa_type_info((enum isa_type)r->type)->name);
}

/* What the operands do not say. */
static void
print_properties(const struct eu_inst *inst, FILE *fp)
{
   if (eu_is_send(inst))
      fprintf(fp, " %s desc 0x%08x mlen %u+%u",
              isa_sfid_name((enum isa_sfid)inst->sfid), inst->desc,
              inst->mlen, inst->ex_mlen);
   if (inst->align16)
      fputs(" align16", fp);
   if (eu_is_send(inst) || inst->size_written != eu_default_size(inst))
      fprintf(fp, " size %u", inst->size_written);
   if (inst->src_channels)
      fprintf(fp, " channels %u", inst->src_channels);
   if (inst->side_effects)
      fputs(" effects", fp);
   if (inst->toward_zero)
      fputs(" rtz", fp);
   if (inst->eot)
      fputs(" EOT", fp);
   if (inst->unlikely)
      fputs(" unlikely", fp);
   if (inst->nomask)
      fputs(" NoMask", fp);
   if (inst->group)
      fprintf(fp, " group%u", inst->group);
}

void
eu_print_inst(const struct eu_inst *inst, FILE *fp)
{
   if (inst->pred != ISA_PRED_NONE)
      fprintf(fp, "(%cf%u.%u%s%s) ", inst->pred_inv ? '-' : '+',
              inst->flag / 2, inst->flag % 2,
              inst->pred == ISA_PRED_NORMAL ? "" : ".",
              eu_pred_names[inst->pred]);
   fprintf(fp, "%s%s", eu_info(inst)->name, inst->saturate ? ".sat" : "");
   if (inst->cond_mod != ISA_COND_MOD_NONE)
      fprintf(fp, ".%s.f%u.%u", eu_cond_names[inst->cond_mod], inst->flag / 2,
              inst->flag % 2);
   if (inst->op == ISA_OPCODE_MATH)
      fprintf(fp, ".%s", isa_math_name((enum isa_math)inst->math));
   fprintf(fp, "(%u)", inst->exec_size);
   if (inst->dst.file != EU_BAD || inst->sources) {
      fputc(' ', fp);
      print_reg(&inst->dst, true, inst->align16, fp);
   }
   for (unsigned i = 0; i < inst->sources; i++) {
      fputs(", ", fp);
      print_reg(&inst->src[i], false, inst->align16, fp);
   }
   print_properties(inst, fp);
   fputc('\n', fp);
}

void
eu_print(const struct eu_shader *s, FILE *fp)
{
   unsigned indent = 0, ip = 0;

   list_for_each_entry(struct eu_inst, inst, &s->insts, link) {
      if (eu_info(inst)->closes && indent)
         indent--;
      fprintf(fp, "%4u: %*s", ip++, (int)indent * 3, "");
      eu_print_inst(inst, fp);
      indent += eu_info(inst)->opens;
   }
}

void
eu_print_whole(const struct eu_shader *s, FILE *fp)
{
   fprintf(fp, "simd%u\n", s->dispatch_width);
   if (s->keeps_subnormals)
      fputs("subnormals\n", fp);
   if (s->num_vgrfs)
      fputs("vgrf", fp);
   for (uint32_t i = 0; i < s->num_vgrfs; i++)
      fprintf(fp, " %u", s->vgrf_size[i]);
   if (s->num_vgrfs)
      fputc('\n', fp);
   eu_print(s, fp);
}
