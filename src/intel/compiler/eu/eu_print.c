/* SPDX-License-Identifier: MIT */
/* The fs IR as text, for INTEL_DEBUG=optimizer and failed validation. */
#include "eu_ir.h"

static const char *const cond_names[] = {
   "", ".z", ".nz", ".g", ".ge", ".l", ".le", "", ".o", ".u",
};

static void
print_reg(const eu_reg *r, bool is_dst, FILE *fp)
{
   if (r->negate)
      fputc('-', fp);
   if (r->abs)
      fputc('|', fp);
   switch ((enum eu_file)r->file) {
   case EU_BAD:
      fputs("(none)", fp);
      return;
   case EU_VGRF:
      fprintf(fp, "vgrf%u", r->nr);
      break;
   case EU_GRF:
      fprintf(fp, "g%u", r->nr);
      break;
   case EU_ARF:
      fprintf(fp, r->nr == ISA_ARF_NULL ? "null" : "arf0x%x", r->nr);
      break;
   case EU_UNIFORM:
      fputc('u', fp);
      break;
   case EU_ATTR:
      fputs("attr", fp);
      break;
   case EU_IMM:
      if (r->type == ISA_TYPE_F)
         fprintf(fp, "%.9gf", (double)util_bits_float((uint32_t)r->imm));
      else if (r->type == ISA_TYPE_DF)
         fprintf(fp, "%.17gdf", util_bits_double(r->imm));
      else
         fprintf(fp, "0x%llx", (unsigned long long)r->imm);
      break;
   }
   if (r->file != EU_IMM && !eu_is_null(r)) {
      fprintf(fp, "+%u.%u", r->offset / REG_SIZE_B, r->offset % REG_SIZE_B);
   }
   if (r->abs)
      fputc('|', fp);
   if (r->file != EU_IMM && !eu_is_null(r)) {
      if (r->region)
         fprintf(fp, "<%u,%u,%u>", r->vs, r->w, r->hs);
      else if (is_dst || r->stride != 1)
         fprintf(fp, "<%u>", r->stride);
   }
   fprintf(fp, ":%s", isa_type_info((enum isa_type)r->type)->name);
}

void
eu_print_inst(const struct eu_inst *inst, FILE *fp)
{
   if (inst->pred != ISA_PRED_NONE)
      fprintf(fp, "(%cf%u.%u%s) ", inst->pred_inv ? '-' : '+',
              inst->flag / 2, inst->flag % 2,
              inst->pred == ISA_PRED_NORMAL ? "" : ".group");
   fprintf(fp, "%s%s", eu_info(inst)->name,
           inst->saturate ? ".sat" : "");
   if (inst->cond_mod != ISA_COND_MOD_NONE)
      fprintf(fp, "%s.f%u.%u", cond_names[inst->cond_mod], inst->flag / 2,
              inst->flag % 2);
   if (inst->op == ISA_OPCODE_MATH)
      fprintf(fp, ".%s", isa_math_name((enum isa_math)inst->math));
   fprintf(fp, "(%u) ", inst->exec_size);
   if (inst->dst.file != EU_BAD)
      print_reg(&inst->dst, true, fp);
   for (unsigned i = 0; i < inst->sources; i++) {
      fputs(", ", fp);
      print_reg(&inst->src[i], false, fp);
   }
   if (eu_is_send(inst))
      fprintf(fp, " %s desc 0x%08x mlen %u+%u rlen_B %u%s",
              isa_sfid_name((enum isa_sfid)inst->sfid), inst->desc,
              inst->mlen, inst->ex_mlen, inst->size_written,
              inst->eot ? " EOT" : "");
   if (inst->nomask)
      fputs(" NoMask", fp);
   if (inst->group)
      fprintf(fp, " group%u", inst->group);
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
