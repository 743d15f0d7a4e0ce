/* SPDX-License-Identifier: MIT */
/*
 * Bytes to instructions. Every bit of a token has to have a meaning that
 * struct tpf_inst can hold, else the program is refused: so encoding gives
 * back the same bytes. See tpf_encode.c for the layout of tokens.
 */
#include "tpf.h"

#include <stdio.h>

struct decoder {
   struct arena *arena;
   const uint8_t *data;
   size_t end, at; /* dwords; `end` is that of the instruction */
   size_t inst_at;
   size_t offset_B;
   unsigned depth; /* of relative indices */
   struct tpf_shader *shader;
   struct d3d_error *error;
};

static uint32_t
peek(const struct decoder *d, size_t at)
{
   uint32_t v;
   memcpy(&v, d->data + 4 * at, sizeof(v));
   return v;
}

#define FAIL_AT(d, where, token, ...)                                        \
   d3d_error_at((d)->error, (d)->offset_B + 4 * (where), token, __VA_ARGS__)
#define FAIL(d, token, ...) FAIL_AT(d, (d)->at - 1, token, __VA_ARGS__)

static bool
take(struct decoder *d, uint32_t *v, const char *what)
{
   *v = 0;
   if (d->at >= d->end)
      return FAIL_AT(d, d->at, 0,
                     "the instruction ends where %s should "
                     "stand",
                     what);
   *v = peek(d, d->at++);
   return true;
}

bool
tpf_error(struct d3d_error *e, const struct tpf_shader *shader,
          const struct tpf_inst *inst, const char *fmt, ...)
{
   char text[sizeof(e->text)];
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   return d3d_error_at(e, shader->offset_B + 4 * (inst ? inst->offset_dw : 0),
                       inst ? (uint32_t)inst->op : 0, "%s", text);
}

int
tpf_inst_offset(const struct tpf_inst *inst, unsigned axis)
{
   for (unsigned i = 0; i < inst->num_extended; i++) {
      const uint32_t token = inst->extended[i];
      if ((token & 0x3f) == TPF_EXTENDED_OFFSETS)
         return (int)((tpf_bits(token, 9 + 4 * axis, 4) ^ 8)) - 8;
   }
   return 0;
}

/* --- Operands ----------------------------------------------------------- */

static bool decode_operand(struct decoder *d, struct tpf_operand *o,
                           bool declared);

static bool
decode_extended_operand(struct decoder *d, struct tpf_operand *o)
{
   uint32_t token;

   if (!take(d, &token, "an extended operand"))
      return false;
   if ((token & 0xfffc003fu) != 1)
      return FAIL(d, token, "an extended operand has bits that mean nothing");
   o->extended = true;
   o->neg = token >> 6 & 1;
   o->abs = token >> 7 & 1;
   if (token >> 8 & 0x3f)
      return FAIL(d, token, "there is no operand modifier %u",
                  tpf_bits(token, 6, 8));
   o->precision = token >> 14 & 7;
   o->non_uniform = token >> 17 & 1;
   return true;
}

static bool
decode_components(struct decoder *d, uint32_t token, struct tpf_operand *o)
{
   const unsigned field = tpf_bits(token, 2, 10);

   o->components = (enum tpf_components)(token & 3);
   if (o->components > TPF_COMPONENTS_4)
      return FAIL(d, token, "an operand of N components");
   o->swizzle = TPF_SWIZZLE_IDENTITY;
   if (o->components != TPF_COMPONENTS_4)
      return !field || FAIL(d, token, "a scalar operand selects components");
   o->select = (enum tpf_select)(field & 3);
   switch (o->select) {
   case TPF_SELECT_MASK:
      o->mask = field >> 2 & 0xf;
      return !(field >> 6) ||
             FAIL(d, token, "a mask has bits that mean nothing");
   case TPF_SELECT_SWIZZLE: o->swizzle = (uint8_t)(field >> 2); return true;
   case TPF_SELECT_1:
      o->swizzle = (uint8_t)((field >> 2 & 3) * 0x55);
      /* vkd3d-shader 1.6 writes a swizzle for the sampler of gather4. */
      o->select_all = field >> 4 && field >> 2 == o->swizzle;
      return !(field >> 4) || o->select_all ||
             FAIL(d, token,
                  "a selected component has bits that mean nothing");
   }
   return FAIL(d, token, "there is no way 3 to select components");
}

static bool
decode_index(struct decoder *d, uint32_t token, struct tpf_index *index)
{
   if (index->kind == TPF_INDEX_IMM64 || index->kind > TPF_INDEX_IMM_REL)
      return FAIL(d, token, "an index of 64 bits");
   if (index->kind != TPF_INDEX_REL && !take(d, &index->imm, "an index"))
      return false;
   if (index->kind == TPF_INDEX_IMM)
      return true;
   if (d->depth)
      return FAIL(d, token, "an index has an index of its own at run time");
   index->rel = arena_new(d->arena, struct tpf_operand);
   d->depth++;
   const bool ok = decode_operand(d, index->rel, false);
   d->depth--;
   if (!ok)
      return false;
   if (index->rel->components != TPF_COMPONENTS_4 ||
       index->rel->select != TPF_SELECT_1 || index->rel->extended)
      return FAIL(d, token, "an index is not one component of a register");
   return true;
}

static bool
decode_immediate(struct decoder *d, uint32_t token, struct tpf_operand *o)
{
   const unsigned n = o->components == TPF_COMPONENTS_4 ? 4
                      : o->file == TPF_FILE_IMM64       ? 2
                                                        : 1;

   if (o->components == TPF_COMPONENTS_0 || o->num_indices)
      return FAIL(d, token, "an immediate of no components");
   for (unsigned i = 0; i < n; i++) {
      if (!take(d, &o->imm[i], "an immediate"))
         return false;
   }
   if (o->components == TPF_COMPONENTS_4 && o->select == TPF_SELECT_1)
      return FAIL(d, token, "an immediate selects one of its components");
   return true;
}

/* How many indices more than in SM5.0, and how many of them are the range's.
 * A declared constant buffer has its size after the operand. */
static unsigned
range_indices(const struct decoder *d, struct tpf_operand *o, bool declared)
{
   if (d->shader->version < 51 || !tpf_has_ranges(o->file))
      return 0;
   o->num_range = declared ? 2 : 1;
   return o->num_range - (declared && o->file == TPF_FILE_CB);
}

static bool
decode_operand(struct decoder *d, struct tpf_operand *o, bool declared)
{
   uint32_t token;
   unsigned total, more;
   const struct tpf_file_info *info;

   if (!take(d, &token, "an operand") || !decode_components(d, token, o))
      return false;
   o->file = (enum tpf_file)tpf_bits(token, 12, 8);
   info = tpf_file_info(o->file);
   if (!info)
      return FAIL(d, token, "there is no register file %u", o->file);
   total = tpf_bits(token, 20, 2);
   more = range_indices(d, o, declared);
   if (total < info->least_indices + more ||
       total > info->most_indices + more)
      return FAIL(d, token, "%s has %u indices", info->text, total);
   o->num_indices = total - o->num_range;
   for (unsigned i = 0; i < 3; i++) {
      const enum tpf_index_kind kind =
         (enum tpf_index_kind)tpf_bits(token, 22 + 3 * i, 3);
      if (i >= total ? kind : declared && o->num_range && kind)
         return FAIL(d, token,
                     i < total ? "a range is chosen at run time"
                               : "an index that is not there has a form");
      if (i < total)
         tpf_token_index(o, i)->kind = kind;
   }
   if (token >> 31 && !decode_extended_operand(d, o))
      return false;
   if (o->file == TPF_FILE_IMM32 || o->file == TPF_FILE_IMM64)
      return decode_immediate(d, token, o);
   for (unsigned i = 0; i < total; i++) {
      if (!decode_index(d, token, tpf_token_index(o, i)))
         return false;
   }
   return true;
}

/* --- Instructions ------------------------------------------------------- */

static bool
decode_extended(struct decoder *d, struct tpf_inst *inst, uint32_t token)
{
   static const uint32_t bits[] = {
      [TPF_EXTENDED_OFFSETS] = 0x801ffe3f,
      [TPF_EXTENDED_DIM] = 0x807fffff & ~0x3fu,
      [TPF_EXTENDED_RETURN_TYPE] = 0x803fffc0,
   };

   while (token >> 31) {
      if (!take(d, &token, "an extended opcode"))
         return false;
      const unsigned kind = token & 0x3f;
      if (kind < TPF_EXTENDED_OFFSETS || kind > TPF_EXTENDED_RETURN_TYPE)
         return FAIL(d, token, "there is no extended opcode %u", kind);
      if (token & ~(bits[kind] | 0x3f))
         return FAIL(d, token,
                     "an extended opcode has bits that mean "
                     "nothing");
      if (kind == TPF_EXTENDED_DIM && !tpf_dim_info(tpf_bits(token, 6, 5)))
         return FAIL(d, token, "there is no resource dimension %u",
                     tpf_bits(token, 6, 5));
      for (unsigned i = 0; i < 4 && kind == TPF_EXTENDED_RETURN_TYPE; i++) {
         if (!tpf_return_type_text(tpf_bits(token, 6 + 4 * i, 4)))
            return FAIL(d, token, "there is no return type %u",
                        tpf_bits(token, 6 + 4 * i, 4));
      }
      for (unsigned i = 0; i < inst->num_extended; i++) {
         if ((inst->extended[i] & 0x3f) == kind)
            return FAIL(d, token, "an extended opcode stands twice");
      }
      inst->extended[inst->num_extended++] = token & 0x7fffffff;
   }
   return true;
}

static bool
decode_operands(struct decoder *d, struct tpf_inst *inst)
{
   for (const char *c = tpf_op_info(inst->op)->operands; *c; c++) {
      if (*c == '*') {
         inst->num_words = d->end - d->at;
         inst->words =
            arena_memdup(d->arena, d->data + 4 * d->at, 4 * inst->num_words);
         d->at = d->end;
      } else if (!tpf_is_operand_letter(*c)) {
         if (!take(d, &inst->imm[inst->num_imm++], "a value"))
            return false;
      } else {
         assert(inst->num_operands < TPF_MAX_OPERANDS);
         if (!decode_operand(d, &inst->operand[inst->num_operands++],
                             *c == 'o'))
            return false;
      }
   }
   return true;
}

/* After the operands: what a range has beside its registers, then what the
 * length says is there, as fxc has a dword more after sample_pos. */
static bool
decode_rest(struct decoder *d, struct tpf_inst *inst)
{
   struct tpf_operand *o = &inst->operand[0];

   if (inst->num_operands && o->num_range == 2 &&
       ((o->file == TPF_FILE_CB && !take(d, &o->index[1].imm, "a size")) ||
        !take(d, &inst->space, "a space")))
      return false;
   if (d->at == d->end)
      return true;
   inst->num_words = d->end - d->at;
   inst->words =
      arena_memdup(d->arena, d->data + 4 * d->at, 4 * inst->num_words);
   d->at = d->end;
   return true;
}

/* A class in bits 11 to 31, then the length with both dwords. */
static bool
decode_data(struct decoder *d, struct tpf_inst *inst, uint32_t token,
            size_t end)
{
   uint32_t length;

   d->end = end;
   inst->data_class = token >> 11;
   if (inst->data_class >= TPF_DATA_COUNT)
      return FAIL(d, token, "there is no custom data %u", inst->data_class);
   if (!take(d, &length, "a length"))
      return false;
   if (length < 2 || length - 2 > end - d->at)
      return FAIL(d, length, "custom data goes beyond the end");
   inst->num_words = length - 2;
   inst->words =
      arena_memdup(d->arena, d->data + 4 * d->at, 4 * inst->num_words);
   d->at += inst->num_words;
   if (inst->data_class == TPF_DATA_ICB && inst->num_words % 4)
      return FAIL_AT(d, d->inst_at, token,
                     "a constant buffer is no whole number of rows");
   return true;
}

static bool
decode_inst(struct decoder *d, struct tpf_inst *inst, size_t end)
{
   uint32_t token = peek(d, d->at);
   const struct tpf_op_info *info;

   d->inst_at = d->at++;
   inst->op = (enum tpf_op)(token & 0x7ff);
   inst->offset_dw = d->inst_at;
   info = tpf_op_info(inst->op);
   if (!info)
      return FAIL(d, token, "there is no opcode %u", inst->op);
   if (inst->op == TPF_OP_CUSTOMDATA)
      return decode_data(d, inst, token, end);
   const unsigned length = tpf_bits(token, 24, 7);
   if (!length || length > end - d->inst_at)
      return FAIL(d, token, "%s has a length of %u dwords, %zu are left",
                  info->name, length, end - d->inst_at);
   d->end = d->inst_at + length;
   inst->controls = token & 0xfff800;
   if (inst->controls & ~info->control_bits)
      return FAIL(d, token, "%s has controls that mean nothing", info->name);
   return decode_extended(d, inst, token) && decode_operands(d, inst) &&
          decode_rest(d, inst);
}

static bool
decode_header(struct decoder *d, size_t num_dw)
{
   uint32_t version, length;

   d->end = num_dw;
   if (!take(d, &version, "a version"))
      return false;
   if (version >> 16 >= TPF_STAGE_COUNT || version & 0xff00)
      return FAIL(d, version, "no version of a shader stage");
   d->shader->stage = (enum tpf_stage)(version >> 16);
   d->shader->version = tpf_bits(version, 4, 4) * 10 +
                        tpf_bits(version, 0, 4);
   if (d->shader->version != 40 && d->shader->version != 41 &&
       d->shader->version != 50 && d->shader->version != 51)
      return FAIL(d, version, "%s_%u_%u: 4_0, 4_1, 5_0 and 5_1 are known",
                  tpf_stage_text(d->shader->stage), tpf_bits(version, 4, 4),
                  tpf_bits(version, 0, 4));
   if (!take(d, &length, "a length"))
      return false;
   if (length != num_dw)
      return FAIL(d, length,
                  "the length of the program is not that of its "
                  "chunk, %zu dwords",
                  num_dw);
   return true;
}

static bool
decode(struct decoder *d, size_t num_dw)
{
   struct util_dynarray insts = { 0 };
   bool ok = decode_header(d, num_dw);

   while (ok && d->at < num_dw) {
      struct tpf_inst inst = { 0 };
      ok = decode_inst(d, &inst, num_dw);
      util_dynarray_append(&insts, struct tpf_inst, inst);
   }
   d->shader->num_insts = util_dynarray_num_elements(&insts, struct tpf_inst);
   d->shader->inst =
      arena_memdup(d->arena, insts.data ? insts.data : "", insts.size_B);
   util_dynarray_fini(&insts);
   return ok;
}

struct tpf_shader *
tpf_decode(struct arena *arena, const void *data, size_t size_B,
           size_t offset_B, struct d3d_error *error)
{
   struct decoder d = {
      .arena = arena,
      .data = data,
      .error = error,
      .offset_B = offset_B,
      .shader = arena_new(arena, struct tpf_shader),
   };

   d.shader->offset_B = offset_B;
   if (size_B % 4) {
      d3d_error_at(error, offset_B + (size_B & ~(size_t)3), 0,
                   "the size is no multiple of 4");
      return NULL;
   }
   return decode(&d, size_B / 4) ? d.shader : NULL;
}
