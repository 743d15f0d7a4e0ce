/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic by the rows of tpf_tables.py, the few opcodes that take more
 * than one instruction, outputs, and what else is no memory.
 */
#include "tpf_emit.h"

#include "compiler/nir/shader_enums.h"

/* --- Arithmetic --------------------------------------------------------- */

/* Components `first` to first + n of the result, of which a row makes all. */
struct part {
   unsigned first, n;
   uint8_t place[4]; /* in the destination */
};

/* The components of a source that the part needs; false: they are not in one
 * register. */
static bool
part_of_source(struct tpf_emit *e, unsigned i, const struct part *p,
               struct tpf_operand *all)
{
   static const uint8_t xyzw[] = { 0, 1, 2, 3 };
   const unsigned size = nir_op_infos[e->alu->op].input[i].size;
   const unsigned n = size ? size : p->n, first = size ? 0 : p->first;
   struct tpf_operand one[4];

   for (unsigned c = 0; c < n; c++)
      one[c] = tpf_emit_alu_src(e, i, first + c);
   if (n == 1) {
      *all = one[0];
      return true;
   }
   if (tpf_emit_gather(one, size ? xyzw : p->place, n, all))
      return true;
   if (!size)
      return false;
   /* A dot product has but this form; signs are left to it. */
   const struct tpf_operand t = tpf_emit_scratch(e);
   tpf_emit_moves(e, t, xyzw, one, n);
   *all = tpf_emit_swizzled(t, TPF_SWIZZLE_IDENTITY);
   return true;
}

/* `word`: a digit with what stands before it. */
static struct tpf_operand
with_sign(struct tpf_operand o, const char *word)
{
   if (*word == '-')
      o.neg ^= true;
   if (*word == '|') {
      o.abs = true;
      o.neg = false;
   }
   o.extended = o.neg || o.abs;
   return o;
}

static bool
emit_part(struct tpf_emit *e, const struct tpf_select_row *row,
          const struct part *p, struct tpf_operand dest)
{
   struct tpf_operand o[TPF_MAX_OPERANDS];
   unsigned n = 0;

   for (const char *word = row->operands; word; n++) {
      if (*word == 'd')
         o[n] = dest;
      else if (*word == 'n')
         o[n] = tpf_emit_null();
      else if (*word == '#')
         o[n] = tpf_emit_imm((uint32_t)strtoul(word + 1, NULL, 16));
      else if (part_of_source(
                  e, (unsigned)(word[*word == '-' || *word == '|'] - '0'), p,
                  &o[n]))
         o[n] = with_sign(o[n], word);
      else
         return false;
      word = strchr(word, ' ');
      word = word ? word + 1 : NULL;
   }
   struct tpf_inst *inst = tpf_emit_inst(e, row->op, n, o);
   if (row->saturate || e->alu->instr.pass_flags == TPF_EMIT_SATURATED)
      inst->controls |= TPF_SATURATE;
   if (e->alu->exact && tpf_op_info(row->op)->control_bits & TPF_PRECISE)
      inst->controls |= (uint32_t)dest.mask << 19;
   return true;
}

/* All at once, or one after the other: then what is written may be what the
 * next one reads. */
static void
by_row(struct tpf_emit *e, const struct tpf_select_row *row)
{
   const nir_value *result = &e->alu->instr.result;
   struct part all = { .n = result->num_components };
   struct tpf_operand dest, t, one[4];
   uint8_t place[4];

   if (all.n == 1) {
      emit_part(e, row, &all, tpf_emit_dest(e, &e->alu->instr.result, 0));
      return;
   }
   if (!tpf_emit_dests(e, result, &dest, place)) {
      tpf_emit_fail(e, "a vector in several registers");
      return;
   }
   memcpy(all.place, place, sizeof(place));
   if (emit_part(e, row, &all, dest))
      return;
   t = tpf_emit_scratch(e);
   for (unsigned c = 0; c < all.n; c++) {
      const struct part p = { .first = c, .n = 1 };
      emit_part(e, row, &p, tpf_emit_masked(t, 1u << place[c]));
      one[c] = tpf_emit_comp(t, place[c]);
   }
   tpf_emit_moves(e, dest, place, one, all.n);
}

/* A dword of a 64-bit value; constants fold. */
static struct tpf_operand
half(struct tpf_emit *e, unsigned which)
{
   struct tpf_operand o = tpf_emit_alu_src(e, 0, 0);

   if (o.file == TPF_FILE_IMM64)
      return tpf_emit_imm(o.imm[which]);
   return tpf_emit_comp(o, (o.swizzle & 3) + which);
}

static void
pack_double(struct tpf_emit *e)
{
   const struct tpf_operand d = tpf_emit_dest(e, &e->alu->instr.result, 0);
   const unsigned first = (unsigned)__builtin_ctz(d.mask);

   for (unsigned i = 0; i < 2; i++)
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_masked(d, 1u << (first + i)),
                tpf_emit_alu_src(e, i, 0));
}

/* Chosen dword by dword: the bits are not looked at. */
static void
select_double(struct tpf_emit *e)
{
   const struct tpf_operand d = tpf_emit_dest(e, &e->alu->instr.result, 0);
   const unsigned first = (unsigned)__builtin_ctz(d.mask);
   const struct tpf_operand c = tpf_emit_alu_src(e, 0, 0);
   struct tpf_operand s[2], t = tpf_emit_scratch(e);

   for (unsigned i = 0; i < 2; i++) {
      for (unsigned k = 0; k < 2; k++) {
         const struct tpf_operand o = tpf_emit_alu_src(e, 1 + k, 0);
         s[k] = o.file == TPF_FILE_IMM64
                   ? tpf_emit_imm(o.imm[i])
                   : tpf_emit_comp(o, (o.swizzle & 3) + i);
      }
      tpf_emit3(e, TPF_OP_MOVC, tpf_emit_masked(t, 1u << i), c, s[0], s[1]);
   }
   for (unsigned i = 0; i < 2; i++)
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_masked(d, 1u << (first + i)),
                tpf_emit_comp(t, i));
}

/* Operands to the components of the result. */
static void
move_to_result(struct tpf_emit *e, const struct tpf_operand *one,
               const unsigned *comp, unsigned n)
{
   nir_value *result = &e->alu->instr.result;
   struct tpf_operand dest;
   uint8_t place[4], at[4];

   if (tpf_emit_dests(e, result, &dest, place)) {
      for (unsigned i = 0; i < n; i++)
         at[i] = place[comp[i]];
      tpf_emit_moves(e, dest, at, one, n);
      return;
   }
   for (unsigned i = 0; i < n; i++)
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_dest(e, result, comp[i]), one[i]);
}

static void
vector(struct tpf_emit *e)
{
   const unsigned n = nir_op_infos[e->alu->op].num_inputs;
   struct tpf_operand one[NIR_MAX_VEC_COMPONENTS];
   unsigned comp[NIR_MAX_VEC_COMPONENTS], num = 0;

   for (unsigned i = 0; i < n; i++) {
      nir_operand *s = &e->alu->src[i];
      if (nir_use_as_intrinsic(s->use) &&
          nir_use_as_intrinsic(s->use)->intrinsic ==
             nir_intrinsic_vulkan_resource_index)
         continue; /* tpf_structured.c: found again at the access */
      one[num] = tpf_emit_src(e, &s->use, s->swizzle[0]);
      comp[num++] = i;
   }
   move_to_result(e, one, comp, num);
}

static void
move(struct tpf_emit *e)
{
   nir_alu_instr *alu = e->alu;
   struct tpf_operand one[NIR_MAX_VEC_COMPONENTS];
   unsigned comp[NIR_MAX_VEC_COMPONENTS];

   for (unsigned c = 0; c < alu->instr.result.num_components; c++) {
      one[c] = tpf_emit_src(e, &alu->src[0].use, alu->src[0].swizzle[c]);
      comp[c] = c;
   }
   move_to_result(e, one, comp, alu->instr.result.num_components);
}

static void
pack_halves(struct tpf_emit *e)
{
   const struct tpf_operand d = tpf_emit_dest(e, &e->alu->instr.result, 0);
   const struct tpf_operand t = tpf_emit_scratch(e);

   tpf_emit1(e, TPF_OP_F32TOF16, tpf_emit_masked(t, 1),
             tpf_emit_alu_src(e, 0, 0));
   tpf_emit1(e, TPF_OP_F32TOF16, tpf_emit_masked(t, 2),
             tpf_emit_alu_src(e, 1, 0));
   tpf_emit_inst(e, TPF_OP_IMAD, 4,
                 (struct tpf_operand[]) { d, tpf_emit_comp(t, 1),
                                          tpf_emit_imm(0x10000),
                                          tpf_emit_comp(t, 0) });
}

static void
unpack_high_half(struct tpf_emit *e)
{
   const struct tpf_operand d = tpf_emit_dest(e, &e->alu->instr.result, 0);
   const struct tpf_operand t = tpf_emit_scratch(e);

   tpf_emit2(e, TPF_OP_USHR, t, tpf_emit_alu_src(e, 0, 0), tpf_emit_imm(16));
   tpf_emit1(e, TPF_OP_F16TOF32, d, t);
}

/* With the product that is part of it. */
static bool
multiply_and_add(struct tpf_emit *e)
{
   nir_alu_instr *alu = e->alu;

   for (unsigned i = 0; i < 2; i++) {
      if (!e->folded[alu->src[i].use.value->index])
         continue;
      nir_alu_instr *product = nir_instr_as_alu(alu->src[i].use.value->instr);
      const struct tpf_operand o[] = {
         tpf_emit_dest(e, &alu->instr.result, 0),
         tpf_emit_src(e, &product->src[0].use, product->src[0].swizzle[0]),
         tpf_emit_src(e, &product->src[1].use, product->src[1].swizzle[0]),
         tpf_emit_src(e, &alu->src[!i].use, alu->src[!i].swizzle[0]),
      };
      tpf_emit_inst(e, TPF_OP_IMAD, ARRAY_SIZE(o), o);
      return true;
   }
   return false;
}

static bool
by_hand(struct tpf_emit *e)
{
   struct tpf_operand d;

   if (nir_op_is_vec(e->alu->op)) {
      vector(e);
      return true;
   }
   switch (e->alu->op) {
   case nir_op_mov: move(e); return true;
   case nir_op_iadd: return multiply_and_add(e);
   case nir_op_pack_64_2x32_split: pack_double(e); return true;
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y:
      d = tpf_emit_dest(e, &e->alu->instr.result, 0);
      tpf_emit1(e, TPF_OP_MOV, d,
                half(e, e->alu->op == nir_op_unpack_64_2x32_split_y));
      return true;
   case nir_op_b32csel:
      if (e->alu->instr.result.bit_size != 64)
         return false;
      select_double(e);
      return true;
   case nir_op_pack_half_2x16_split: pack_halves(e); return true;
   case nir_op_unpack_half_2x16_split_y: unpack_high_half(e); return true;
   default: return false;
   }
}

const struct tpf_select_row *
tpf_select_row(const nir_alu_instr *alu)
{
   for (unsigned i = 0; i < tpf_num_select_rows; i++) {
      if (tpf_select_rows[i].nir == alu->op &&
          tpf_select_rows[i].bits == alu->src[0].use.value->bit_size)
         return &tpf_select_rows[i];
   }
   return NULL;
}

void
tpf_select_alu(struct tpf_emit *e, nir_alu_instr *alu)
{
   const struct tpf_select_row *row;

   e->alu = alu;
   /* Part of what reads it, or of what made its source. */
   if (e->folded[alu->instr.result.index] ||
       (alu->op == nir_op_fsat &&
        alu->src[0].use.value->instr->pass_flags == TPF_EMIT_SATURATED))
      return;
   if (by_hand(e))
      return;
   row = tpf_select_row(alu);
   if (row)
      by_row(e, row);
   else
      tpf_emit_fail(e, "SM5 has no %s of %u bits", nir_op_infos[alu->op].name,
                    alu->src[0].use.value->bit_size);
}

/* --- Outputs ------------------------------------------------------------ */

static const struct output_row {
   unsigned slot, reg;
   enum tpf_name name;
   const char *semantic;
} outputs[] = {
   { VARYING_SLOT_POS, 31, TPF_NAME_POSITION, "SV_Position" },
   { VARYING_SLOT_CLIP_DIST0, 30, TPF_NAME_CLIP_DISTANCE, "SV_ClipDistance" },
   { VARYING_SLOT_CLIP_DIST1, 29, TPF_NAME_CLIP_DISTANCE, "SV_ClipDistance" },
   { VARYING_SLOT_CULL_DIST0, 28, TPF_NAME_CULL_DISTANCE, "SV_CullDistance" },
   { VARYING_SLOT_CULL_DIST1, 27, TPF_NAME_CULL_DISTANCE, "SV_CullDistance" },
   { VARYING_SLOT_LAYER, 26, TPF_NAME_RENDERTARGET_ARRAY_INDEX,
     "SV_RenderTargetArrayIndex" },
   { VARYING_SLOT_VIEWPORT, 25, TPF_NAME_VIEWPORT_ARRAY_INDEX,
     "SV_ViewportArrayIndex" },
};

unsigned
tpf_emit_type(nir_alu_type type)
{
   switch (nir_type_base(type)) {
   case nir_type_float: return 3;
   case nir_type_uint: return 1;
   default: return 2;
   }
}

static void
store_fragment_special(struct tpf_emit *e, nir_intrinsic_instr *intr,
                       unsigned slot)
{
   const bool mask = slot == FRAG_RESULT_SAMPLE_MASK;
   struct tpf_operand o = {
      .file = mask ? TPF_FILE_O_MASK : TPF_FILE_O_DEPTH,
      .components = TPF_COMPONENTS_1,
      .swizzle = TPF_SWIZZLE_IDENTITY,
   };

   if (!mask && e->nir->info.fs.depth_layout == FRAG_DEPTH_LAYOUT_GREATER)
      o.file = TPF_FILE_O_DEPTH_GE;
   if (!mask && e->nir->info.fs.depth_layout == FRAG_DEPTH_LAYOUT_LESS)
      o.file = TPF_FILE_O_DEPTH_LE;
   *(mask ? &e->mask_out : &e->depth_out) = true;
   e->file_used[o.file] = true;
   tpf_emit1(e, TPF_OP_MOV, o, tpf_emit_src(e, &intr->src[0], 0));
}

/* The second colour to blend by is that of the next target. */
static bool
fragment_reg(struct tpf_emit *e, unsigned slot, unsigned second,
             unsigned *reg, struct tpf_io *io)
{
   *reg = (slot == FRAG_RESULT_COLOR ? 0 : slot - FRAG_RESULT_DATA0) + second;
   io->semantic = "SV_Target";
   io->semantic_index = *reg;
   io->name = 0;
   return *reg < 8 ||
          tpf_emit_fail(e, "fragment result %u has no register", slot);
}

void
tpf_emit_semantic(const struct tpf_emit *e, bool in, unsigned slot,
                  unsigned reg, struct tpf_io *io)
{
   const struct d3d_semantic *s =
      slot < 64 ? (in ? e->in_name : e->out_name)[slot] : NULL;

   io->semantic = s ? s->name : "TEXCOORD";
   io->semantic_index =
      s ? s->index + (in ? e->in_element : e->out_element)[slot] : reg;
}

bool
tpf_emit_varying(struct tpf_emit *e, const char *what, unsigned slot,
                 unsigned *reg, struct tpf_io *io)
{
   for (unsigned i = 0; i < ARRAY_SIZE(outputs); i++) {
      if (outputs[i].slot != slot)
         continue;
      *reg = outputs[i].reg;
      io->name = outputs[i].name;
      io->semantic = outputs[i].semantic;
      io->semantic_index = slot == VARYING_SLOT_CLIP_DIST1 ||
                           slot == VARYING_SLOT_CULL_DIST1;
      return true;
   }
   *reg = slot - VARYING_SLOT_VAR0;
   tpf_emit_semantic(e, what[0] == 'i', slot, *reg, io);
   io->name = 0;
   return (slot >= VARYING_SLOT_VAR0 && *reg < TPF_EMIT_FIRST_SPECIAL) ||
          tpf_emit_fail(e, "%s slot %u has no register", what, slot);
}

static bool
is_special(const struct tpf_emit *e, unsigned slot)
{
   return e->stage == TPF_STAGE_PS
             ? slot == FRAG_RESULT_DEPTH || slot == FRAG_RESULT_SAMPLE_MASK
             : slot == VARYING_SLOT_PSIZ;
}

bool
tpf_select_output(struct tpf_emit *e, nir_intrinsic_instr *store,
                  unsigned *reg, struct tpf_io *io)
{
   const nir_io_semantics s = nir_intrinsic_io_semantics(store);

   if (is_special(e, s.location) || !nir_use_is_const(store->src[1]) ||
       nir_use_as_uint(store->src[1]))
      return false;
   *io = (struct tpf_io) { .type = (uint8_t)tpf_emit_type(
                              nir_intrinsic_src_type(store)) };
   return e->stage == TPF_STAGE_PS
             ? fragment_reg(e, s.location, s.dual_source_blend_index, reg, io)
             : tpf_emit_varying(e, "output", s.location, reg, io);
}

static void
store_output(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const unsigned first = nir_intrinsic_component(intr);
   const unsigned slot = nir_intrinsic_io_semantics(intr).location;
   struct tpf_operand one[4];
   uint8_t place[4];
   unsigned reg, n = 0;
   struct tpf_io io;

   if (!nir_use_is_const(intr->src[1]) || nir_use_as_uint(intr->src[1])) {
      tpf_emit_fail(e, "an output is chosen at run time");
      return;
   }
   if (is_special(e, slot)) {
      /* Points of Direct3D 11 have one pixel. */
      if (e->stage == TPF_STAGE_PS)
         store_fragment_special(e, intr, slot);
      return;
   }
   if (!tpf_select_output(e, intr, &reg, &io))
      return;
   io.mask = (uint8_t)(e->out[reg].mask | mask << first);
   e->out[reg] = io;
   for (unsigned i = 0; i < intr->num_components; i++) {
      if (!(mask >> i & 1))
         continue;
      place[n] = (uint8_t)(first + i);
      one[n++] = tpf_emit_src(e, &intr->src[0], i);
   }
   tpf_emit_moves(e, tpf_emit_reg(TPF_FILE_O, reg, 0), place, one, n);
}

/* --- The rest ----------------------------------------------------------- */

static void
discard(struct tpf_emit *e, struct tpf_operand condition)
{
   tpf_emit_inst(e, TPF_OP_DISCARD, 1, &condition)->controls |=
      TPF_TEST_NONZERO;
}

/* cb[row]: a row that only run time knows. */
static void
load_row(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_instr *res = nir_use_as_intrinsic(intr->src[0]);
   const struct tpf_binding *b =
      res && nir_use_is_const(res->src[0])
         ? tpf_emit_find(e, TPF_BIND_CB,
                         (unsigned)nir_intrinsic_desc_set(res),
                         (unsigned)nir_intrinsic_binding(res))
         : NULL;
   struct tpf_operand o = tpf_emit_reg(TPF_FILE_CB, 0, 0), at;
   unsigned n, size;

   if (!b) {
      tpf_emit_fail(e, "a uniform buffer is chosen at run time");
      return;
   }
   n = b->first + (unsigned)nir_use_as_uint(res->src[0]);
   size = DIV_ROUND_UP(
      glsl_get_explicit_size(glsl_without_array(b->var->type), false), 16);
   if (n >= 14 || size > TPF_CB_MAX) {
      tpf_emit_fail(e, "there are 14 constant buffers of 4096 registers");
      return;
   }
   tpf_emit_use_cb(e, n, 0, MAX2(size, 1), 0xf);
   e->cb_dynamic[n] = true;
   at = tpf_emit_src(e, &intr->src[1], 0);
   if (at.file != TPF_FILE_R) {
      const struct tpf_operand t = tpf_emit_scratch(e);
      tpf_emit1(e, TPF_OP_MOV, t, at);
      at = t;
   }
   o.num_indices = 2;
   o.index[0].imm = n;
   o.index[1].imm = (uint32_t)nir_intrinsic_base(intr);
   o.index[1].kind = TPF_INDEX_IMM_REL;
   o.index[1].rel = arena_memdup(e->arena, &at, sizeof(at));
   tpf_emit_scatter(e, &intr->instr.result, o);
}

void
tpf_select_intrinsic(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   if (nir_intrinsic_infos[intr->intrinsic].has_dest &&
       tpf_emit_has_home(&intr->instr))
      return;
   switch (intr->intrinsic) {
   case nir_intrinsic_store_output: store_output(e, intr); break;
   case nir_intrinsic_load_ubo_vec4: load_row(e, intr); break;
   case nir_intrinsic_discard:
   case nir_intrinsic_demote:
   case nir_intrinsic_terminate: discard(e, tpf_emit_imm(0xffffffff)); break;
   case nir_intrinsic_discard_if:
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate_if:
      discard(e, tpf_emit_src(e, &intr->src[0], 0));
      break;
   default:
      if (!tpf_select_memory(e, intr) && !tpf_select_image(e, intr) &&
          !tpf_select_geometry(e, intr))
         tpf_emit_fail(e, "SM5 has no %s",
                       nir_intrinsic_infos[intr->intrinsic].name);
   }
}
