/* SPDX-License-Identifier: MIT */
/*
 * Text as fxc's disassembler writes it. Where that loses bits of a float, or
 * leaves open what an untyped dword is, we print what gives the same bits:
 * nine digits, or an integer.
 */
#include "tpf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "util/macros.h"

struct printer {
   struct strbuf *out;
   unsigned indent;
};

/* --- Numbers ------------------------------------------------------------ */

static void
print_float(struct strbuf *out, uint32_t bits)
{
   const float f = util_bits_float(bits);
   char text[64];

   if (!isfinite(f)) {
      strbuf_puts(out, isnan(f) ? "nan" : f < 0 ? "-1.#INF" : "1.#INF");
      return;
   }
   snprintf(text, sizeof(text), "%f", (double)f);
   if (util_float_bits(strtof(text, NULL)) != bits)
      snprintf(text, sizeof(text), "%.9g", (double)f);
   strbuf_puts(out, text);
}

/* What a dword without a type most likely is. */
static bool
looks_float(uint32_t bits)
{
   const unsigned exponent = tpf_bits(bits, 23, 8);

   return exponent >= 64 && exponent < 192;
}

static void
print_value(struct strbuf *out, uint32_t bits, char type)
{
   if (type == 'f' && bits && tpf_bits(bits, 23, 8) != 0xff)
      print_float(out, bits);
   else if (type == 'u')
      strbuf_printf(
         out, bits >= 0x80000000u && bits < 0xfffffff0u ? "0x%08x" : "%d",
         bits);
   else if (type == 'i' || !looks_float(bits))
      strbuf_printf(out, "%d", (int32_t)bits);
   else
      print_float(out, bits);
}

static void
print_immediate(struct strbuf *out, const struct tpf_operand *o, char type)
{
   const unsigned n = o->components == TPF_COMPONENTS_4 ? 4 : 1;
   const bool ints = type == 'i' || type == 'u';

   if (o->file == TPF_FILE_IMM64) {
      strbuf_puts(out, "d(");
      for (unsigned i = 0; i < MAX2(n / 2, 1u); i++) {
         const uint64_t v = o->imm[2 * i] | (uint64_t)o->imm[2 * i + 1] << 32;
         double x;
         memcpy(&x, &v, 8);
         strbuf_printf(out, "%s%.17gl", i ? ", " : "", x);
      }
   } else {
      strbuf_puts(out, "l(");
      for (unsigned i = 0; i < n; i++) {
         if (i)
            strbuf_puts(out, ints ? ", " : ",");
         print_value(out, o->imm[i], type);
      }
   }
   strbuf_puts(out, ")");
}

/* --- Operands ----------------------------------------------------------- */

static void print_operand(struct strbuf *out, const struct tpf_operand *o,
                          char type);

static void
print_index(struct strbuf *out, const struct tpf_index *index, bool glued)
{
   if (index->kind == TPF_INDEX_IMM) {
      strbuf_printf(out, glued ? "%u" : "[%u]", index->imm);
      return;
   }
   strbuf_puts(out, "[");
   print_operand(out, index->rel, 'u');
   strbuf_printf(out, " + %u]", index->imm);
}

static void
print_components(struct strbuf *out, const struct tpf_operand *o)
{
   if (o->components != TPF_COMPONENTS_4)
      return;
   if (o->select == TPF_SELECT_MASK && !o->mask)
      return;
   strbuf_puts(out, ".");
   for (unsigned i = 0; i < 4; i++) {
      if (o->select == TPF_SELECT_MASK) {
         if (o->mask & 1u << i)
            strbuf_printf(out, "%c", "xyzw"[i]);
      } else if (o->select == TPF_SELECT_SWIZZLE || i == 0) {
         strbuf_printf(out, "%c", "xyzw"[o->swizzle >> 2 * i & 3]);
      }
   }
}

/* T0[4:7] where a range is declared, T0[r1.x + 4] where it is used. */
static void
print_range(struct strbuf *out, const struct tpf_operand *o)
{
   for (const char *c = tpf_file_info(o->file)->text; *c; c++)
      strbuf_printf(out, "%c", toupper((unsigned char)*c));
   print_index(out, &o->index[0], true);
   if (o->num_range == 1)
      print_index(out, &o->range[0], false);
   else if (o->range[1].imm == UINT32_MAX)
      strbuf_printf(out, "[%u:*]", o->range[0].imm);
   else
      strbuf_printf(out, "[%u:%u]", o->range[0].imm, o->range[1].imm);
   for (unsigned i = 1; i < o->num_indices; i++)
      print_index(out, &o->index[i], false);
}

static void
print_operand(struct strbuf *out, const struct tpf_operand *o, char type)
{
   const bool in_brackets = o->file == TPF_FILE_V || o->file == TPF_FILE_O ||
                            o->file == TPF_FILE_VICP ||
                            o->file == TPF_FILE_VOCP;

   if (o->neg)
      strbuf_puts(out, "-");
   if (o->abs)
      strbuf_puts(out, "|");
   if (o->file == TPF_FILE_IMM32 || o->file == TPF_FILE_IMM64) {
      print_immediate(out, o, type);
   } else if (o->num_range) {
      print_range(out, o);
      if (o->num_range == 1)
         print_components(out, o);
   } else {
      strbuf_puts(out, tpf_file_info(o->file)->text);
      for (unsigned i = 0; i < o->num_indices; i++)
         print_index(out, &o->index[i],
                     i == 0 && !(in_brackets && o->num_indices > 1));
      print_components(out, o);
   }
   if (o->abs)
      strbuf_puts(out, "|");
   switch (o->precision) {
   case 0: break;
   case 1: strbuf_puts(out, " {min16f}"); break;
   case 2: strbuf_puts(out, " {min2_8f}"); break;
   case 4: strbuf_puts(out, " {min16i}"); break;
   case 5: strbuf_puts(out, " {min16u}"); break;
   default: strbuf_printf(out, " {precision %u}", o->precision);
   }
}

/* --- Names -------------------------------------------------------------- */

static const char *
text_or(const char *text)
{
   return text ? text : "<unknown>";
}

static void
print_return_types(struct strbuf *out, uint32_t token, unsigned shift)
{
   for (unsigned i = 0; i < 4; i++)
      strbuf_printf(
         out, "%s%s", i ? "," : "(",
         text_or(tpf_return_type_text(tpf_bits(token, shift + 4 * i, 4))));
   strbuf_puts(out, ")");
}

static void
print_extended(struct strbuf *out, const struct tpf_inst *inst)
{
   for (unsigned i = 0; i < inst->num_extended; i++) {
      if ((inst->extended[i] & 0x3f) == TPF_EXTENDED_OFFSETS)
         strbuf_puts(out, "_aoffimmi");
   }
   for (unsigned i = 0; i < inst->num_extended; i++) {
      if ((inst->extended[i] & 0x3f) == TPF_EXTENDED_DIM)
         strbuf_puts(out, "_indexable");
   }
   for (unsigned i = 0; i < inst->num_extended; i++) {
      const uint32_t token = inst->extended[i];
      const unsigned dim = tpf_bits(token, 6, 5);
      switch (token & 0x3f) {
      case TPF_EXTENDED_OFFSETS:
         strbuf_printf(out, "(%d,%d,%d)", tpf_inst_offset(inst, 0),
                       tpf_inst_offset(inst, 1), tpf_inst_offset(inst, 2));
         break;
      case TPF_EXTENDED_DIM:
         strbuf_printf(out, "(%s", tpf_dim_info(dim)->text);
         if (dim == TPF_DIM_STRUCTURED_BUFFER)
            strbuf_printf(out, ", stride=%u", tpf_bits(token, 11, 12));
         strbuf_puts(out, ")");
         break;
      case TPF_EXTENDED_RETURN_TYPE: print_return_types(out, token, 6); break;
      }
   }
}

static void
print_sync(struct strbuf *out, uint32_t controls)
{
   static const struct {
      unsigned bit;
      const char *text;
   } flags[] = {
      { 14, "_uglobal" },
      { 13, "_ugroup" },
      { 12, "_g" },
      { 11, "_t" },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
      if (controls >> flags[i].bit & 1)
         strbuf_puts(out, flags[i].text);
   }
}

/* What the controls append to the name of an instruction. */
static void
print_suffix(struct strbuf *out, const struct tpf_inst *inst)
{
   const uint32_t c = inst->controls;

   switch (tpf_op_info(inst->op)->control) {
   case TPF_CONTROL_SAT:
      strbuf_puts(out, c & TPF_SATURATE ? "_sat" : "");
      break;
   case TPF_CONTROL_TEST:
      strbuf_puts(out, c & TPF_TEST_NONZERO ? "_nz" : "_z");
      break;
   case TPF_CONTROL_RESINFO:
      strbuf_puts(out, tpf_bits(c, 11, 2) == 1   ? "_rcpFloat"
                       : tpf_bits(c, 11, 2) == 2 ? "_uint"
                                                 : "");
      break;
   case TPF_CONTROL_SAMPLEINFO:
      strbuf_puts(out, tpf_bits(c, 11, 1) ? "_uint" : "");
      break;
   case TPF_CONTROL_SYNC: print_sync(out, c); break;
   case TPF_CONTROL_DIM:
   case TPF_CONTROL_UAV:
      strbuf_printf(out, "_%s",
                    text_or(tpf_dim_info(tpf_bits(c, 11, 5))
                               ? tpf_dim_info(tpf_bits(c, 11, 5))->text
                               : NULL));
      if (tpf_op_info(inst->op)->control == TPF_CONTROL_UAV)
         strbuf_printf(out, "%s%s", tpf_bits(c, 16, 1) ? "_glc" : "",
                       tpf_bits(c, 17, 1) ? "_rov" : "");
      else if (tpf_bits(c, 16, 7))
         strbuf_printf(out, "(%u)", tpf_bits(c, 16, 7));
      break;
   case TPF_CONTROL_RAWUAV:
   case TPF_CONTROL_STRUCTUAV:
      strbuf_puts(out, tpf_bits(c, 16, 1) ? "_glc" : "");
      strbuf_puts(out, tpf_bits(c, 23, 1) ? "_opc" : "");
      strbuf_puts(out, tpf_bits(c, 17, 1) ? "_rov" : "");
      break;
   case TPF_CONTROL_INTERFACE:
      strbuf_puts(out, tpf_bits(c, 11, 1) ? "_dynamicindexed" : "");
      break;
   default: break;
   }
   print_extended(out, inst);
   if (tpf_op_info(inst->op)->control_bits & c & TPF_PRECISE &&
       tpf_op_info(inst->op)->sem != TPF_SEM_DECL) {
      strbuf_puts(out, " [precise(");
      for (unsigned i = 0; i < 4; i++) {
         if (c >> (19 + i) & 1)
            strbuf_printf(out, "%c", "xyzw"[i]);
      }
      strbuf_puts(out, ")]");
   }
}

/* --- Declarations ------------------------------------------------------- */

static void
print_flags(struct strbuf *out, uint32_t controls)
{
   bool first = true;

   for (unsigned i = 0; i < 13; i++) {
      if (!(controls >> (11 + i) & 1))
         continue;
      const char *text = tpf_global_flag_text(i);
      strbuf_puts(out, first ? " " : " | ");
      if (text)
         strbuf_puts(out, text);
      else
         strbuf_printf(out, "0x%x", 1u << (11 + i));
      first = false;
   }
}

static void
print_primitive(struct strbuf *out, unsigned n)
{
   if (n >= 8)
      strbuf_printf(out, " patch%u", n - 7);
   else
      strbuf_printf(out, " %s", text_or(tpf_primitive_text(n)));
}

static void
print_operands(struct strbuf *out, const struct tpf_inst *inst)
{
   unsigned operand = 0, imm = 0;
   const char *separator = " ";

   for (const char *c = tpf_op_info(inst->op)->operands; *c; c++) {
      if (*c == 'r')
         continue;
      strbuf_puts(out, separator);
      separator = ", ";
      if (*c == '*')
         for (size_t i = 0; i < inst->num_words; i++)
            strbuf_printf(out, "%s0x%x", i ? ", " : "", inst->words[i]);
      else if (*c == 'x') {
         strbuf_puts(out, "l(");
         print_float(out, inst->imm[imm++]);
         strbuf_puts(out, ")");
      } else if (*c == 'n')
         strbuf_printf(out, "%u", inst->imm[imm++]);
      else
         print_operand(out, &inst->operand[operand++], *c);
   }
}

static void
print_constant_buffer(struct strbuf *out, const struct tpf_inst *inst)
{
   const struct tpf_operand *o = &inst->operand[0];

   if (o->num_range) {
      strbuf_puts(out, " ");
      print_range(out, o);
   } else {
      strbuf_printf(out, " CB%u", o->index[0].imm);
   }
   strbuf_printf(out, "[%u], %s", o->index[1].imm,
                 tpf_bits(inst->controls, 11, 1) ? "dynamicIndexed"
                                                 : "immediateIndexed");
}

static void
print_declared_value(struct strbuf *out, const struct tpf_inst *inst)
{
   const char *interpolation = tpf_interpolation_text(
      tpf_op_info(inst->op)->control == TPF_CONTROL_INTERP
         ? tpf_bits(inst->controls, 11, 4)
         : 0);

   if (!interpolation || *interpolation)
      strbuf_printf(out, " %s", text_or(interpolation));
   strbuf_puts(out, " ");
   print_operand(out, &inst->operand[0], 'b');
   if (inst->num_imm)
      strbuf_printf(out, ", %s", text_or(tpf_name_text(inst->imm[0])));
}

/* False: written like any other instruction. */
static bool
print_declaration(struct strbuf *out, const struct tpf_inst *inst)
{
   const uint32_t c = inst->controls;

   switch (inst->op) {
   case TPF_OP_DCL_RESOURCE:
   case TPF_OP_DCL_UAV_TYPED:
      strbuf_puts(out, " ");
      print_return_types(out, inst->imm[0], 0);
      strbuf_puts(out, " ");
      print_operand(out, &inst->operand[0], 'b');
      return true;
   case TPF_OP_DCL_CONSTANT_BUFFER:
      print_constant_buffer(out, inst);
      return true;
   case TPF_OP_DCL_SAMPLER:
      strbuf_puts(out, " ");
      print_operand(out, &inst->operand[0], 'b');
      strbuf_printf(out, ", %s",
                    text_or(tpf_sampler_mode_text(tpf_bits(c, 11, 4))));
      return true;
   case TPF_OP_DCL_INPUT_SGV:
   case TPF_OP_DCL_INPUT_SIV:
   case TPF_OP_DCL_INPUT_PS:
   case TPF_OP_DCL_INPUT_PS_SGV:
   case TPF_OP_DCL_INPUT_PS_SIV:
   case TPF_OP_DCL_OUTPUT_SGV:
   case TPF_OP_DCL_OUTPUT_SIV: print_declared_value(out, inst); return true;
   case TPF_OP_DCL_INDEX_RANGE:
      strbuf_puts(out, " ");
      print_operand(out, &inst->operand[0], 'b');
      strbuf_printf(out, " %u", inst->imm[0]);
      return true;
   case TPF_OP_DCL_INDEXABLE_TEMP:
      strbuf_printf(out, " x%u[%u], %u", inst->imm[0], inst->imm[1],
                    inst->imm[2]);
      return true;
   case TPF_OP_DCL_GLOBAL_FLAGS: print_flags(out, c); return true;
   case TPF_OP_DCL_OUTPUT_TOPOLOGY:
      strbuf_printf(out, " %s",
                    text_or(tpf_topology_text(tpf_bits(c, 11, 6))));
      return true;
   case TPF_OP_DCL_INPUT_PRIMITIVE:
      print_primitive(out, tpf_bits(c, 11, 6));
      return true;
   case TPF_OP_DCL_INPUT_CONTROL_POINT_COUNT:
   case TPF_OP_DCL_OUTPUT_CONTROL_POINT_COUNT:
      strbuf_printf(out, " %u", tpf_bits(c, 11, 6));
      return true;
   case TPF_OP_DCL_TESS_DOMAIN:
      strbuf_printf(out, " %s", text_or(tpf_domain_text(tpf_bits(c, 11, 2))));
      return true;
   case TPF_OP_DCL_TESS_PARTITIONING:
      strbuf_printf(out, " %s",
                    text_or(tpf_partition_text(tpf_bits(c, 11, 3))));
      return true;
   case TPF_OP_DCL_TESS_OUTPUT_PRIMITIVE:
      strbuf_printf(out, " %s",
                    text_or(tpf_output_primitive_text(tpf_bits(c, 11, 3))));
      return true;
   default: return false;
   }
}

/* --- Instructions ------------------------------------------------------- */

static void
print_data(struct strbuf *out, const struct tpf_inst *inst)
{
   if (inst->data_class != TPF_DATA_ICB) {
      strbuf_printf(out, "// custom data %u, %zu dwords", inst->data_class,
                    inst->num_words);
      return;
   }
   strbuf_puts(out, "dcl_immediateConstantBuffer { ");
   for (size_t i = 0; i < inst->num_words; i++) {
      strbuf_puts(out, i % 4 ? ", "
                       : i   ? ",\n                              { "
                             : "{ ");
      print_value(out, inst->words[i], 'b');
      strbuf_puts(out, i % 4 == 3 ? "}" : "");
   }
   strbuf_puts(out, " }");
}

void
tpf_print_inst(const struct tpf_inst *inst, struct strbuf *out)
{
   if (inst->op == TPF_OP_CUSTOMDATA) {
      print_data(out, inst);
      return;
   }
   strbuf_puts(out, tpf_op_info(inst->op)->name);
   print_suffix(out, inst);
   if (!print_declaration(out, inst))
      print_operands(out, inst);
   if (inst->num_operands && inst->operand[0].num_range == 2)
      strbuf_printf(out, ", space=%u", inst->space);
}

/* `case` stands two columns left of what it leads to. */
static unsigned
column(const struct tpf_inst *inst, unsigned depth)
{
   const struct tpf_op_info *info = tpf_op_info(inst->op);
   const bool outward = info->closes || info->is_else ||
                        inst->op == TPF_OP_CASE || inst->op == TPF_OP_DEFAULT;

   return 2 * (depth - (outward && depth ? 1 : 0));
}

void
tpf_print(const struct tpf_shader *shader, struct strbuf *out)
{
   unsigned depth = 0;

   strbuf_printf(out, "%s_%u_%u\n", tpf_stage_text(shader->stage),
                 shader->version / 10, shader->version % 10);
   for (size_t i = 0; i < shader->num_insts; i++) {
      const struct tpf_inst *inst = &shader->inst[i];
      const struct tpf_op_info *info = tpf_op_info(inst->op);
      strbuf_printf(out, "%*s", (int)column(inst, depth), "");
      tpf_print_inst(inst, out);
      strbuf_puts(out, "\n");
      if (info->opens)
         depth++;
      else if (info->closes && depth)
         depth--;
   }
}
