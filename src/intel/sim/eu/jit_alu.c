/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic as host code: for each kind of body in fast.c what it does, with
 * everything that decoding knows put in place. Registers of the EU stay in
 * memory. The bits are those of fast.c; the test `eu_random` compares them.
 */
#include "intel/sim/eu/jit.h"

/* What there is ----------------------------------------------------- */

static bool
is_compare(const struct eu_op *op)
{
   return op->body == EU_BODY_CMP_F || op->body == EU_BODY_CMP_DF ||
          op->body == EU_BODY_CMP_D || op->body == EU_BODY_CMP_UD;
}

/* Lanes of a chunk that the instruction has, and a whole chunk. */
static uint32_t
whole_chunk(const struct jit_body *b)
{
   return b->size_B == 8 ? 0xf : 0xff;
}

static uint32_t
chunk_lanes(const struct eu_op *op, const struct jit_body *b, unsigned c)
{
   return op->lanes >> (b->size_B == 8 ? 4 : 8) * c & whole_chunk(b);
}

static bool
supports_lanes(const struct eu_op *op, const struct jit_body *b)
{
   const bool masks = !(op->flags & EU_NO_MASK) || op->flags & EU_PRED;
   if (masks && op->group % (b->size_B == 8 ? 4 : 8))
      return false;
   for (unsigned c = 0; c < op->chunks; c++) {
      const uint32_t l = chunk_lanes(op, b, c);
      if (l == whole_chunk(b))
         continue;
      if (op->chunks > 1 || masks || (l != 1 && l != 3 && l != 0xf))
         return false;
   }
   return true;
}

static bool
takes_integers(const struct jit_body *b)
{
   return b->size_B == 4 &&
          (b->load == JIT_LOAD_INT || b->load == JIT_LOAD_LOGIC);
}

static bool
supports_src(const struct eu_op *op, const struct jit_body *b,
             const struct eu_src *s)
{
   if (jit_is_narrow(s->type))
      return takes_integers(b) && jit_narrow_supports(op, s);
   if (isa_type_size_B(s->type) != b->size_B)
      return false;
   switch (s->kind) {
   case EU_KIND_VEC:
   case EU_KIND_SCALAR:
   case EU_KIND_IMM: return true;
   case EU_KIND_VEC2: return b->size_B == 4;
   default: return false;
   }
}

/* A move or logic, exact in 32 bits, that asks whether its result is zero. */
static bool
tests_zero(const struct eu_op *op)
{
   if (op->cmod != ISA_COND_MOD_Z && op->cmod != ISA_COND_MOD_NZ)
      return false;
   switch (op->body) {
   case EU_BODY_MOV_INT:
   case EU_BODY_NOT_INT:
   case EU_BODY_AND_INT:
   case EU_BODY_OR_INT:
   case EU_BODY_XOR_INT: return true;
   default: return false;
   }
}

static bool
supports_condition(const struct eu_op *op, const struct jit_body *b)
{
   const unsigned top = op->flag_shift + op->group + op->exec_size;
   if (op->cmod == ISA_COND_MOD_NONE)
      return !is_compare(op) && !jit_is_minmax(op);
   if (jit_float_condition(op->cmod) < 0)
      return false;
   if (jit_is_minmax(op))
      return true;
   if (b->load != JIT_LOAD_FLOAT && !is_compare(op) && !tests_zero(op))
      return false;
   return top <= 32;
}

/* Whether every second dword is written: of four or eight channels. */
static bool
supports_stride2(const struct eu_op *op, const struct jit_body *b)
{
   if (b->size_B != 4)
      return false;
   for (unsigned c = 0; c < op->chunks; c++) {
      if (chunk_lanes(op, b, c) != 0xff && chunk_lanes(op, b, c) != 0xf)
         return false;
   }
   return true;
}

/* Words are stored of integers; of doubles, and floats, nothing else. */
static bool
supports_dst(const struct eu_op *op, const struct jit_body *b)
{
   if (op->flags & EU_DST_NULL)
      return op->cmod != ISA_COND_MOD_NONE;
   if (jit_is_narrow(op->dst_type))
      return isa_type_size_B(op->dst_type) == 2 && takes_integers(b) &&
             !(op->flags & EU_DST_STRIDE2);
   return isa_type_size_B(op->dst_type) == b->size_B &&
          (!(op->flags & EU_DST_STRIDE2) || supports_stride2(op, b));
}

bool
jit_alu_supports(const struct eu_op *op)
{
   const struct jit_body *b = &jit_bodies[op->body];
   if (!b->emit || !supports_dst(op, b))
      return false;
   if (op->flags & EU_SAT && b->fp < 0)
      return false;
   if (op->pred != ISA_PRED_NONE && op->pred != ISA_PRED_NORMAL)
      return false;
   if (jit_is_select(op) && !(op->flags & EU_PRED))
      return false;
   /* The host shifts by less. */
   if (op->flags & EU_PRED && op->flag_shift + op->group >= 32)
      return false;
   if (op->body == EU_BODY_MATH_F && op->inst->math_function != ISA_MATH_INV)
      return false;
   for (unsigned i = 0; i < b->nsrc; i++)
      if (!supports_src(op, b, &op->src[i]))
         return false;
   return supports_lanes(op, b) && supports_condition(op, b);
}

/* Sources ----------------------------------------------------------- */

/* One element for all lanes. */
static void
broadcast(struct jit *j, unsigned size_B, unsigned to, struct jit_rm from)
{
   jit_vex(&j->buf, JIT_66 | JIT_0F38, size_B == 8 ? 0x19 : 0x18, to, 0,
           from);
}

static void
modify(struct jit *j, const struct jit_body *b, const struct eu_src *s,
       unsigned to)
{
   const bool df = b->size_B == 8;
   if (b->load == JIT_LOAD_LOGIC) {
      if (s->negate)
         jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, to, to,
                 jit_constant(JIT_POOL_ONES));
   } else if (b->load == JIT_LOAD_INT) {
      if (s->abs)
         jit_vex(&j->buf, JIT_66 | JIT_0F38, 0x1e, to, 0, jit_ymm(to));
      if (s->negate) {
         jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, JIT_TMP, JIT_TMP,
                 jit_ymm(JIT_TMP));
         jit_vex(&j->buf, JIT_66 | JIT_0F, 0xfa, to, JIT_TMP, jit_ymm(to));
      }
   } else if (b->load == JIT_LOAD_FLOAT) {
      if (s->abs)
         jit_vex(&j->buf, JIT_NP | JIT_0F, 0x54, to, to,
                 jit_constant(df ? JIT_POOL_ABS_DF : JIT_POOL_ABS_F));
      if (s->negate)
         jit_vex(&j->buf, JIT_NP | JIT_0F, 0x57, to, to,
                 jit_constant(df ? JIT_POOL_SIGN_DF : JIT_POOL_SIGN_F));
   }
}

static void
load(struct jit *j, const struct eu_op *op, const struct jit_body *b,
     unsigned i, unsigned c)
{
   const struct eu_src *s = &op->src[i];
   if (jit_is_narrow(s->type)) {
      jit_narrow_load(j, op, s, i, c);
      modify(j, b, s, i);
      return;
   }
   switch (s->kind) {
   case EU_KIND_VEC: {
      const bool small = op->exec_size * b->size_B <= 16;
      jit_vex(&j->buf, JIT_NP | JIT_0F | (small ? JIT_128 : 0), 0x10, i, 0,
              jit_grf(s->off_B + 32 * c));
      break;
   }
   case EU_KIND_SCALAR: broadcast(j, b->size_B, i, jit_grf(s->off_B)); break;
   case EU_KIND_IMM: {
      const size_t at = (const uint8_t *)&s->imm - (const uint8_t *)j->p->ops;
      broadcast(j, b->size_B, i, jit_at(JIT_OPS, at));
      break;
   }
   default: /* EU_KIND_VEC2, of dwords */
      jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, i, 0,
              jit_grf(s->off_B + 64 * c));
      jit_vex_imm(&j->buf, JIT_NP | JIT_0F, 0xc6, i, i,
                  jit_grf(s->off_B + 64 * c + 32), 0x88);
      jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A | JIT_W1, 0x00, i, 0, jit_ymm(i),
                  0xd8);
      break;
   }
   modify(j, b, s, i);
}

/* As pln_f() in fast.c. */
static void
load_plane(struct jit *j, const struct eu_op *op, const struct jit_body *b,
           unsigned c)
{
   static const uint8_t offset_B[3] = { 0, 4, 12 };
   const unsigned uv_B = op->src[1].off_B + 64 * c;
   for (unsigned i = 0; i < 3; i++) {
      broadcast(j, 4, i, jit_grf(op->src[0].off_B + offset_B[i]));
      modify(j, b, &op->src[0], i);
   }
   for (unsigned i = 0; i < 2; i++) {
      jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, JIT_TMP + i, 0,
              jit_grf(uv_B + 32 * i));
      modify(j, b, &op->src[1], JIT_TMP + i);
   }
}

/* Masks ------------------------------------------------------------- */

static bool
needs_mask(const struct jit *j, const struct eu_op *op)
{
   return (j->masked && !(op->flags & EU_NO_MASK)) ||
          (op->flags & EU_PRED && !jit_is_select(op));
}

/* edx = predicate, from channel 0 of the instruction on */
static void
predicate_bits(struct jit *j, const struct eu_op *op)
{
   jit_mov_load(&j->buf, JIT_EDX,
                jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, flag) +
                                      4 * op->flag_nr));
   jit_shr(&j->buf, JIT_EDX, op->flag_shift + op->group);
   if (op->flags & EU_PRED_INV)
      jit_not(&j->buf, JIT_EDX);
}

/* edx = channels on which the instruction acts */
static void
mask_bits(struct jit *j, const struct eu_op *op)
{
   const struct jit_rm active =
      jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, active));
   const bool dynamic = j->masked && !(op->flags & EU_NO_MASK);
   const bool pred = op->flags & EU_PRED && !jit_is_select(op);
   if (pred)
      predicate_bits(j, op);
   if (dynamic) {
      jit_mov_load(&j->buf, pred ? JIT_ECX : JIT_EDX, active);
      jit_shr(&j->buf, pred ? JIT_ECX : JIT_EDX, op->group);
      if (pred)
         jit_alu(&j->buf, JIT_AND, JIT_EDX, JIT_ECX);
   }
   jit_alu_imm(&j->buf, JIT_AND, JIT_EDX, op->lanes);
}

/* `to` = edx in each dword */
static void
spread(struct jit *j, unsigned to)
{
   jit_vex(&j->buf, JIT_66 | JIT_0F | JIT_128, 0x6e, to, 0, jit_ymm(JIT_EDX));
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0x58, to, 0, jit_ymm(to));
}

/* `to` = ones in the lanes whose bits are in `bits`. */
static void
lanes(struct jit *j, const struct jit_body *b, unsigned chunk, unsigned to,
      unsigned bits)
{
   const struct jit_rm row = jit_constant(
      (b->size_B == 8 ? JIT_POOL_LANES_64 : JIT_POOL_LANES_32) + chunk);
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0xdb, to, bits, row);
   jit_vex(&j->buf, JIT_66 | JIT_0F, 0x76, to, to, row);
}

/* The register with the mask of a chunk: of active channels, it is kept. */
static unsigned
chunk_mask(struct jit *j, const struct eu_op *op, const struct jit_body *b,
           unsigned c)
{
   const unsigned chunk = c + op->group / (b->size_B == 8 ? 4 : 8);
   if (op->flags & EU_PRED && !jit_is_select(op)) {
      lanes(j, b, c, JIT_CHUNK_MASK, JIT_BITS);
      return JIT_CHUNK_MASK;
   }
   const bool keep = b->size_B == 8 ? chunk < 4 : chunk < 2;
   const unsigned reg = !keep            ? JIT_CHUNK_MASK
                        : b->size_B == 8 ? JIT_FIRST_CACHED + 2 + chunk
                                         : JIT_FIRST_CACHED + chunk;
   if (keep && j->have_masks >> reg & 1)
      return reg;
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0x58, reg, 0,
           jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, active)));
   lanes(j, b, chunk, reg, reg);
   if (keep)
      j->have_masks |= 1u << reg;
   return reg;
}

/* Results ----------------------------------------------------------- */

static void
store_some(struct jit *j, uint32_t l, const struct jit_body *b,
           struct jit_rm to)
{
   const unsigned size_B = (unsigned)__builtin_popcount(l) * b->size_B;
   switch (size_B) {
   case 4: jit_vex(&j->buf, JIT_F3 | JIT_0F | JIT_128, 0x11, 0, 0, to); break;
   case 8: jit_vex(&j->buf, JIT_NP | JIT_0F | JIT_128, 0x13, 0, 0, to); break;
   case 16:
      jit_vex(&j->buf, JIT_NP | JIT_0F | JIT_128, 0x11, 0, 0, to);
      break;
   default: jit_vex(&j->buf, JIT_NP | JIT_0F, 0x11, 0, 0, to); break;
   }
}

/* `to` = four dwords of `from`, each followed by zeros. */
static void
widen_half(struct jit *j, unsigned to, unsigned from, unsigned half)
{
   if (half) /* VEXTRACTI128 */
      jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x39, from, 0, jit_ymm(to), 1);
   jit_vex(&j->buf, JIT_66 | JIT_0F38, 0x35, to, 0, /* VPMOVZXDQ */
           jit_ymm(half ? to : from));
}

/* Every second dword; 1 and 2 are no longer needed. */
static void
store_stride2(struct jit *j, const struct eu_op *op, const struct jit_body *b,
              unsigned c)
{
   const bool masked = needs_mask(j, op);
   const unsigned mask = masked ? chunk_mask(j, op, b, c) : 0;
   const unsigned halves = chunk_lanes(op, b, c) == 0xff ? 2 : 1;
   for (unsigned half = 0; half < halves; half++) {
      const struct jit_rm to = jit_grf(op->dst_off_B + 64 * c + 32 * half);
      widen_half(j, 1, 0, half);
      if (masked)
         widen_half(j, 2, mask, half);
      jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, JIT_OLD, 0, to);
      if (masked)
         jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x4a, JIT_OLD, JIT_OLD,
                     jit_ymm(1), 2 << 4);
      else /* VPBLENDD */
         jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x02, JIT_OLD, JIT_OLD,
                     jit_ymm(1), 0x55);
      jit_vex(&j->buf, JIT_NP | JIT_0F, 0x11, JIT_OLD, 0, to);
   }
}

static void
store(struct jit *j, const struct eu_op *op, const struct jit_body *b,
      unsigned c)
{
   const struct jit_rm to = jit_grf(op->dst_off_B + 32 * c);
   if (op->flags & EU_DST_NULL)
      return;
   if (jit_is_narrow(op->dst_type)) {
      jit_narrow_store(j, chunk_lanes(op, b, c),
                       needs_mask(j, op) ? chunk_mask(j, op, b, c) : 0,
                       jit_grf(op->dst_off_B + 16 * c));
      return;
   }
   if (op->flags & EU_DST_STRIDE2) {
      store_stride2(j, op, b, c);
      return;
   }
   if (!needs_mask(j, op)) {
      store_some(j, chunk_lanes(op, b, c), b, to);
      return;
   }
   const unsigned mask = chunk_mask(j, op, b, c);
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x10, JIT_OLD, 0, to);
   jit_vex_imm(&j->buf, JIT_66 | JIT_0F3A, 0x4a, JIT_OLD, JIT_OLD, jit_ymm(0),
               mask << 4);
   jit_vex(&j->buf, JIT_NP | JIT_0F, 0x11, JIT_OLD, 0, to);
}

static void
saturate(struct jit *j, const struct jit_body *b)
{
   const unsigned form = (b->size_B == 8 ? JIT_66 : JIT_NP) | JIT_0F;
   jit_vex(&j->buf, form, 0x5f, 0, 0, jit_constant(JIT_POOL_ZERO));
   jit_vex(&j->buf, form, 0x5d, 0, 0,
           jit_constant(b->size_B == 8 ? JIT_POOL_ONE_DF : JIT_POOL_ONE_F));
}

/* Of a chunk, from the mask in a register; edx are the channels that count,
 * if that is not known. */
static void
set_flags(struct jit *j, const struct eu_op *op, const struct jit_body *b,
          unsigned c, unsigned from)
{
   const struct jit_rm flag = jit_at(
      JIT_THREAD, offsetof(struct sim_eu_thread, flag) + 4 * op->flag_nr);
   const unsigned at = (b->size_B == 8 ? 4 : 8) * c;
   const unsigned shift = op->flag_shift + op->group + at;
   const uint32_t l = chunk_lanes(op, b, c);
   jit_vex(&j->buf, (b->size_B == 8 ? JIT_66 : JIT_NP) | JIT_0F, 0x50,
           JIT_EAX, 0, jit_ymm(from));
   if (!needs_mask(j, op)) {
      if (l != whole_chunk(b))
         jit_alu_imm(&j->buf, JIT_AND, JIT_EAX, l);
      jit_shl(&j->buf, JIT_EAX, shift);
      jit_mov_load(&j->buf, JIT_ECX, flag);
      jit_alu_imm(&j->buf, JIT_AND, JIT_ECX, ~(l << shift));
   } else {
      jit_mov(&j->buf, JIT_ECX, JIT_EDX);
      jit_shr(&j->buf, JIT_ECX, at);
      jit_alu_imm(&j->buf, JIT_AND, JIT_ECX, l);
      jit_alu(&j->buf, JIT_AND, JIT_EAX, JIT_ECX);
      jit_shl(&j->buf, JIT_EAX, shift);
      jit_shl(&j->buf, JIT_ECX, shift);
      jit_not(&j->buf, JIT_ECX);
      jit_gpr(&j->buf, 0x23, JIT_ECX, flag); /* and */
   }
   jit_alu(&j->buf, JIT_OR, JIT_ECX, JIT_EAX);
   jit_mov_store(&j->buf, flag, JIT_ECX);
}

static void
finish(struct jit *j, const struct eu_op *op, const struct jit_body *b,
       unsigned c)
{
   if (op->flags & EU_SAT && !is_compare(op))
      saturate(j, b);
   if (is_compare(op)) {
      set_flags(j, op, b, c, 0);
   } else if (tests_zero(op)) {
      jit_vex(&j->buf, JIT_66 | JIT_0F, 0x76, JIT_TMP, 0,
              jit_constant(JIT_POOL_ZERO));
      if (op->cmod == ISA_COND_MOD_NZ)
         jit_vex(&j->buf, JIT_66 | JIT_0F, 0xef, JIT_TMP, JIT_TMP,
                 jit_constant(JIT_POOL_ONES));
      set_flags(j, op, b, c, JIT_TMP);
   } else if (op->cmod != ISA_COND_MOD_NONE && !jit_is_minmax(op)) {
      jit_compare_floats(j, op->cmod, b->size_B, JIT_TMP, 0,
                         jit_constant(JIT_POOL_ZERO));
      set_flags(j, op, b, c, JIT_TMP);
   }
   store(j, op, b, c);
}

/* The host's control of floats for the class, unless it is in place. */
static void
use_fp(struct jit *j, int fp)
{
   const struct jit_rm now =
      jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, host_fp_now));
   if (fp < 0 || j->fp == fp)
      return;
   j->fp = fp;
   jit_mov_load(&j->buf, JIT_EAX,
                jit_at(JIT_THREAD, offsetof(struct sim_eu_thread, host_fp) +
                                      4 * (unsigned)fp));
   jit_gpr(&j->buf, 0x3b, JIT_EAX, now); /* cmp */
   uint8_t *same = jit_jump_if(&j->buf, JIT_IF_ZERO);
   jit_mov_store(&j->buf, now, JIT_EAX);
   jit_8(&j->buf, 0x0f); /* ldmxcsr */
   jit_8(&j->buf, 0xae);
   jit_modrm(&j->buf, 2, now);
   jit_patch(same, j->buf.at);
}

void
jit_alu_emit(struct jit *j, const struct eu_op *op)
{
   const struct jit_body *b = &jit_bodies[op->body];
   const bool masks = needs_mask(j, op);
   const bool pred = op->flags & EU_PRED;
   use_fp(j, b->fp);
   if (jit_is_select(op)) {
      predicate_bits(j, op);
      spread(j, JIT_SELECT_BITS);
   } else if (masks && (pred || op->cmod != ISA_COND_MOD_NONE)) {
      mask_bits(j, op);
      if (pred)
         spread(j, JIT_BITS);
   }
   for (unsigned c = 0; c < op->chunks; c++) {
      if (op->body == EU_BODY_PLN_F)
         load_plane(j, op, b, c);
      else
         for (unsigned i = 0; i < b->nsrc; i++)
            load(j, op, b, i, c);
      if (jit_is_select(op))
         lanes(j, b, c, JIT_SELECT, JIT_SELECT_BITS);
      b->emit(j, op, b);
      finish(j, op, b, c);
   }
}
