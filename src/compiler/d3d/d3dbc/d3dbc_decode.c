/* SPDX-License-Identifier: MIT */
/*
 * Bytes to instructions. Every bit of a token has to have a meaning that
 * struct d3dbc_inst can hold, else the shader is refused: so encoding gives
 * back the same bytes. See d3dbc_encode.c for the layout of tokens.
 */
#include "d3dbc_text.h"

struct decoder {
   struct d3dbc_builder b;
   const uint8_t *data;
   size_t num_dw, at;
   size_t inst_at; /* the instruction that is being read */
   struct d3d_error *error;
};

static uint32_t
peek(const struct decoder *d, size_t at)
{
   uint32_t v;
   memcpy(&v, d->data + 4 * at, sizeof(v));
   return v;
}

/* The next dword; false at the end of the input. */
static bool
take(struct decoder *d, uint32_t *v, const char *what)
{
   *v = 0;
   if (d->at >= d->num_dw)
      return d3d_error_at(d->error, 4 * d->at, 0,
                          "the shader ends where %s should stand", what);
   *v = peek(d, d->at++);
   return true;
}

#define FAIL(d, token, ...)                                                  \
   d3d_error_at((d)->error, 4 * ((d)->at - 1), token, __VA_ARGS__)

static bool
decode_reg(struct decoder *d, uint32_t token, struct d3dbc_reg *reg)
{
   const unsigned code = (token >> 28 & 7) | (token >> 8 & 0x18);
   const enum d3dbc_file file = d3dbc_file_from_code(d->b.profile, code);

   if (!(token & 0x80000000u))
      return FAIL(d, token, "bit 31 of a register is not set");
   if (file == D3DBC_FILE_COUNT)
      return FAIL(d, token, "%s has no register type %u",
                  d3dbc_profile_info(d->b.profile)->name, code);
   reg->file = file;
   reg->index = token & 0x7ff;
   if (file == D3DBC_FILE_C)
      reg->index += 2048 * d3dbc_const_bank(code);
   return true;
}

static bool
decode_relative(struct decoder *d, uint32_t token, struct d3dbc_operand *o)
{
   uint32_t addr;

   o->relative = token >> 13 & 1;
   if (!o->relative)
      return true;
   if (d3dbc_profile_info(d->b.profile)->major < 2) {
      o->addr.file = D3DBC_FILE_A;
      if (d3dbc_profile_info(d->b.profile)->is_ps)
         return FAIL(d, token, "ps_1_x has no relative addressing");
      return true;
   }
   if (!take(d, &addr, "an address register") ||
       !decode_reg(d, addr, &o->addr))
      return false;
   if (o->addr.file != D3DBC_FILE_A && o->addr.file != D3DBC_FILE_AL)
      return FAIL(d, addr, "an address register is a0 or aL");
   if (addr & 0x0f00e000)
      return FAIL(d, addr, "an address register has modifiers");
   o->addr_swizzle = addr >> 16 & 0xff;
   return true;
}

static bool
decode_dst(struct decoder *d, struct d3dbc_operand *o)
{
   uint32_t token;

   if (!take(d, &token, "a destination") || !decode_reg(d, token, &o->reg))
      return false;
   if (token & 0xc000)
      return FAIL(d, token, "bits 14 and 15 of a destination are not zero");
   o->mask = token >> 16 & 0xf;
   o->dst_mods = token >> 20 & 0xf;
   o->shift = token >> 24 & 0xf;
   if (o->dst_mods & 8)
      return FAIL(d, token, "bit 23 of a destination is not zero");
   if (o->shift >= 4 && o->shift <= 12)
      return FAIL(d, token, "a result has no shift %u", o->shift);
   return decode_relative(d, token, o);
}

static bool
decode_src(struct decoder *d, struct d3dbc_operand *o)
{
   uint32_t token;

   if (!take(d, &token, "a source") || !decode_reg(d, token, &o->reg))
      return false;
   if (token & 0xc000)
      return FAIL(d, token, "bits 14 and 15 of a source are not zero");
   o->swizzle = token >> 16 & 0xff;
   o->mod = (enum d3dbc_src_mod)(token >> 24 & 0xf);
   if (o->mod >= D3DBC_MOD_COUNT)
      return FAIL(d, token, "there is no source modifier %u", o->mod);
   return decode_relative(d, token, o);
}

static bool
decode_usage(struct decoder *d, struct d3dbc_dcl *dcl)
{
   uint32_t token;

   if (!take(d, &token, "a usage"))
      return false;
   if ((token & 0x87f0ffe0) != 0x80000000)
      return FAIL(d, token, "a usage has bits that mean nothing");
   dcl->usage = token & 0x1f;
   dcl->usage_index = token >> 16 & 0xf;
   dcl->sampler_type = token >> 27 & 0xf;
   if (dcl->usage >= D3DBC_USAGE_COUNT)
      return FAIL(d, token, "there is no usage %u", dcl->usage);
   if (dcl->sampler_type && !d3dbc_sampler_type_name(dcl->sampler_type))
      return FAIL(d, token, "there is no sampler type %u", dcl->sampler_type);
   if (dcl->sampler_type && (dcl->usage || dcl->usage_index))
      return FAIL(d, token, "a sampler has a usage");
   return true;
}

static bool
check_dcl(struct decoder *d, const struct d3dbc_inst *inst)
{
   const bool sampler = inst->operand[0].reg.file == D3DBC_FILE_S;

   if (sampler == (inst->dcl.sampler_type != 0))
      return true;
   return FAIL(d, peek(d, d->at - 1),
               sampler ? "a sampler is declared without its type"
                       : "a sampler type for what is no sampler");
}

static bool
decode_operands(struct decoder *d, struct d3dbc_inst *inst, unsigned length)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(inst->op);

   for (const char *kind = info->operands; *kind; kind++) {
      struct d3dbc_operand *o = &inst->operand[inst->num_operands];
      bool ok = true;
      if (info->may_be_short && inst->num_operands == 2 &&
          d->at == d->inst_at + 1 + length)
         break;
      switch (*kind) {
      case 'd':
      case 'k':
         ok = decode_dst(d, o);
         inst->num_operands++;
         if (ok && inst->predicated && kind == info->operands)
            ok = decode_src(d, &inst->pred);
         break;
      case 's':
      case 'l':
         ok = decode_src(d, o);
         inst->num_operands++;
         break;
      case 'u': ok = decode_usage(d, &inst->dcl); break;
      case 'b': ok = take(d, &inst->imm[0], "a value"); break;
      case 'i':
         for (unsigned i = 0; i < 4 && ok; i++)
            ok = take(d, &inst->imm[i], "a value");
         break;
      }
      if (!ok)
         return false;
   }
   return inst->op != D3DBC_OP_DCL || check_dcl(d, inst);
}

static bool
check_control(struct decoder *d, uint32_t token,
              const struct d3dbc_inst *inst)
{
   const struct d3dbc_op_info *info = d3dbc_op_info(inst->op);

   switch (info->control) {
   case D3DBC_CONTROL_NONE:
      return !inst->control ||
             FAIL(d, token, "%s has no controls in bits 16 to 23",
                  info->name);
   case D3DBC_CONTROL_CMP:
      return d3dbc_compare_name(inst->control) ||
             FAIL(d, token, "there is no comparison %u", inst->control);
   case D3DBC_CONTROL_TEX:
      return inst->control <= D3DBC_TEX_BIAS ||
             FAIL(d, token, "texld has no control %u", inst->control);
   }
   return true;
}

static bool
decode_inst(struct decoder *d, uint32_t token)
{
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(d->b.profile);
   struct d3dbc_inst inst = {
      .op = d3dbc_op_from_code(d->b.profile, token & 0xffff),
      .control = token >> 16 & 0xff,
      .predicated = token >> 28 & 1,
      .coissue = token >> 30 & 1,
      .offset_dw = d->inst_at,
   };
   const unsigned length = token >> 24 & 0xf;

   if (inst.op == D3DBC_OP_COUNT)
      return FAIL(d, token, "%s has no opcode 0x%02x", pi->name,
                  token & 0xffff);
   if (token & 0xa0000000)
      return FAIL(d, token, "bits 29 and 31 of an instruction are not zero");
   if (inst.predicated && !d3dbc_op_info(inst.op)->may_predicate)
      return FAIL(d, token, "%s cannot be predicated",
                  d3dbc_op_info(inst.op)->name);
   if (pi->major < 2 && length)
      return FAIL(d, token, "instructions of version 1 have no length");
   if (!check_control(d, token, &inst) || !decode_operands(d, &inst, length))
      return false;
   if (pi->major >= 2 && d->at != d->inst_at + 1 + length) {
      d->at = d->inst_at + 1;
      return FAIL(d, token, "the length of %s does not fit its operands",
                  d3dbc_op_info(inst.op)->name);
   }
   util_dynarray_append(&d->b.insts, struct d3dbc_inst, inst);
   return true;
}

static bool
decode_comment(struct decoder *d, uint32_t token)
{
   struct d3dbc_inst inst = { .op = D3DBC_OP_COUNT, .offset_dw = d->inst_at };
   const unsigned n = token >> 16 & 0x7fff;

   if (token & 0x80000000u)
      return FAIL(d, token, "bit 31 of a comment is not zero");
   if (n > d->num_dw - d->at)
      return FAIL(d, token, "a comment goes beyond the end");
   inst.comment.words = arena_memdup(d->b.arena, d->data + 4 * d->at, 4 * n);
   inst.comment.num_words = n;
   d->at += n;
   util_dynarray_append(&d->b.insts, struct d3dbc_inst, inst);
   return true;
}

static bool
decode_version(struct decoder *d)
{
   uint32_t token;

   if (!take(d, &token, "a version"))
      return false;
   for (unsigned i = 0; i < D3DBC_PROFILE_COUNT; i++) {
      const struct d3dbc_profile_info *pi =
         d3dbc_profile_info((enum d3dbc_profile)i);
      const uint32_t version = (pi->is_ps ? 0xffff0000u : 0xfffe0000u) |
                               (uint32_t)pi->major << 8 | pi->minor;
      if (token == version) {
         d->b.profile = (enum d3dbc_profile)i;
         return true;
      }
   }
   return FAIL(d, token, "no version of vs or ps");
}

static bool
decode(struct decoder *d)
{
   uint32_t token;

   if (!decode_version(d))
      return false;
   for (;;) {
      d->inst_at = d->at;
      if (!take(d, &token, "an instruction or the end token"))
         return false;
      if (token == D3DBC_END)
         break;
      if ((token & 0xffff) == D3DBC_COMMENT ? !decode_comment(d, token)
                                            : !decode_inst(d, token))
         return false;
   }
   if (d->at != d->num_dw)
      return d3d_error_at(d->error, 4 * d->at, peek(d, d->at),
                          "dwords follow the end token");
   return true;
}

struct d3dbc_shader *
d3dbc_builder_finish(struct d3dbc_builder *b)
{
   struct d3dbc_shader *shader = arena_new(b->arena, struct d3dbc_shader);

   shader->profile = b->profile;
   shader->num_insts =
      util_dynarray_num_elements(&b->insts, struct d3dbc_inst);
   shader->inst = arena_memdup(b->arena, b->insts.data ? b->insts.data : "",
                               b->insts.size_B);
   util_dynarray_fini(&b->insts);
   return shader;
}

bool
d3dbc_is_d3dbc(const void *data, size_t size_B)
{
   uint32_t token;

   if (size_B < 4)
      return false;
   memcpy(&token, data, 4);
   return token >> 17 == 0x7fff && (token >> 8 & 0xff) <= 3;
}

struct d3dbc_shader *
d3dbc_decode(struct arena *arena, const void *data, size_t size_B,
             struct d3d_error *error)
{
   struct decoder d = {
      .b = { .arena = arena },
      .data = data,
      .num_dw = size_B / 4,
      .error = error,
   };

   if (size_B % 4) {
      d3d_error_at(error, size_B & ~(size_t)3, 0,
                   "the size is no multiple of 4");
      return NULL;
   }
   if (!decode(&d)) {
      util_dynarray_fini(&d.b.insts);
      return NULL;
   }
   return d3dbc_builder_finish(&d.b);
}
