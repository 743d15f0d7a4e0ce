/* SPDX-License-Identifier: MIT */
/*
 * Moves of constants that one move of four can do.
 *
 * An immediate of type VF holds four floats of eight bits: a sign, three bits
 * of exponent with a bias of 3, four of the fraction; no bits but the sign
 * are zero (PRM IVB vol 4 part 3, "Restricted 8-bit Float"). Many dwords are
 * such floats: 0, 0.5, 1, 2, and the high halves of 0.0, 1.0 and 2.0 as
 * doubles, which are 1.875 and 2 as floats.
 *
 *    1. A vector of constants that is only moved somewhere is made there.
 *    2. Moves into components of one register, if nothing in between reads
 *       it or writes these components.
 *    3. Moves of one channel into dwords that are 16 bytes together, if
 *       nobody else writes these: the pool of constants. Doubles, too (DIM,
 *       or two moves).
 *
 * Runs after all lowering, when 64-bit constants are what the EU has.
 */
#include "intel/compiler/eu/eu_defs.h"
#include "vec4_compile.h"
#include "vec4_ir.h"
#include "util/bitset.h"

/* The float of eight bits that is this one, -1: there is none. */
static int
vf_of(uint32_t bits)
{
   const uint32_t sign = bits >> 31 << 7;
   const uint32_t exp = (bits >> 23 & 0xff) - (127 - 3);
   const uint32_t size = exp << 4 | (bits >> 19 & 15);

   if (!(bits << 1))
      return (int)sign;
   return exp > 7 || !size || (bits & BITFIELD_MASK(19)) ? -1
                                                         : (int)(sign | size);
}

static bool
is_plain_immediate(const struct eu_inst *inst)
{
   return inst->sources == 1 && inst->src[0].file == EU_IMM &&
          inst->dst.file == EU_VGRF && inst->pred == ISA_PRED_NONE &&
          inst->cond_mod == ISA_COND_MOD_NONE && !inst->saturate;
}

/* ---- components of a vector ---- */

/* A dword into components of whole vectors; which ones. */
static unsigned
components_set(const struct eu_inst *inst)
{
   const unsigned d = inst->dst.type, s = inst->src[0].type;

   if (inst->op != ISA_OPCODE_MOV || !is_plain_immediate(inst) ||
       inst->exec_size != 8 || inst->group || inst->dst.region ||
       inst->dst.stride != 1 || inst->dst.offset % REG_SIZE_B ||
       eu_type_sz(d) != 4 || eu_type_sz(s) != 4 ||
       (d != s && (eu_type_is_float(d) || eu_type_is_float(s))) ||
       vf_of((uint32_t)inst->src[0].imm) < 0)
      return 0;
   return inst->align16 ? inst->dst.swz : ISA_WRITEMASK_XYZW;
}

static uint32_t
with_component(uint32_t vf, unsigned mask, uint32_t bits)
{
   for (unsigned c = 0; c < 4; c++) {
      if (mask & (1u << c))
         vf = (vf & ~(0xffu << 8 * c)) | (uint32_t)vf_of(bits) << 8 * c;
   }
   return vf;
}

static bool
reads_register(const struct eu_inst *inst, const struct eu_inst *mov)
{
   for (unsigned i = 0; i < inst->sources; i++) {
      if (eu_regions_overlap(&inst->src[i], eu_size_read(inst, i), &mov->dst,
                             REG_SIZE_B))
         return true;
   }
   return false;
}

/* Components that an instruction writes, in any way. */
static unsigned
components_written(const struct eu_inst *inst, const struct eu_inst *mov)
{
   if (!eu_regions_overlap(&inst->dst, inst->size_written, &mov->dst,
                           REG_SIZE_B))
      return 0;
   if (inst->align16 && inst->dst.offset == mov->dst.offset &&
       eu_type_sz(inst->dst.type) == 4)
      return inst->dst.swz;
   return ISA_WRITEMASK_XYZW;
}

static bool
goes_with(const struct eu_inst *inst, const struct eu_inst *mov)
{
   return components_set(inst) && inst->nomask == mov->nomask &&
          inst->dst.nr == mov->dst.nr && inst->dst.offset == mov->dst.offset;
}

/* Takes what follows in the block into `mov`. */
static bool
gather_components(struct eu_shader *s, struct eu_inst *mov)
{
   unsigned mask = components_set(mov), blocked = 0;
   uint32_t vf = with_component(0, mask, (uint32_t)mov->src[0].imm);
   bool found = false;
   struct list_head *next;

   for (struct list_head *at = mov->link.next; at != &s->insts; at = next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      next = at->next;
      if (eu_info(inst)->is_flow || reads_register(inst, mov))
         break;
      if (goes_with(inst, mov) && !(components_set(inst) & blocked)) {
         vf = with_component(vf, components_set(inst),
                             (uint32_t)inst->src[0].imm);
         mask |= components_set(inst);
         list_del(&inst->link);
         found = true;
         continue;
      }
      blocked |= components_written(inst, mov);
      if (blocked == ISA_WRITEMASK_XYZW)
         break;
   }
   if (!found)
      return false;
   mov->align16 = true;
   mov->dst = vec4_dst(eu_retype(mov->dst, ISA_TYPE_F), mask);
   mov->src[0] = eu_imm(ISA_TYPE_VF, vf);
   mov->size_written = eu_default_size(mov);
   return true;
}

/* ---- constants of the thread ---- */

/* Dwords that one channel sets: 0, 1 or 2. */
static unsigned
dwords_set(const struct eu_inst *inst)
{
   const unsigned size = eu_type_sz(inst->dst.type);

   if ((inst->op != ISA_OPCODE_MOV && inst->op != ISA_OPCODE_DIM) ||
       !is_plain_immediate(inst) || inst->align16 || inst->exec_size != 1 ||
       !inst->nomask || inst->dst.offset % size ||
       (inst->dst.type != inst->src[0].type &&
        (eu_type_is_float(inst->dst.type) ||
         eu_type_is_float(inst->src[0].type))) ||
       eu_type_sz(inst->src[0].type) != size || (size != 4 && size != 8))
      return 0;
   return size / 4;
}

/* The bits of dword k of 16 bytes that `inst` sets some of. */
static uint32_t
dword_of(const struct eu_inst *inst, unsigned k)
{
   const unsigned first = inst->dst.offset / 4 % 4;

   return (uint32_t)(inst->src[0].imm >> 32 * (k - first));
}

static bool
is_small(const struct eu_inst *inst)
{
   for (unsigned k = 0; k < dwords_set(inst); k++) {
      if (vf_of((uint32_t)(inst->src[0].imm >> 32 * k)) < 0)
         return false;
   }
   return true;
}

/* The constants among 16 bytes, from `inst` on, which is the first of them:
 * one move sets them all, others come after it. That move, or NULL. */
static struct eu_inst *
gather_dwords(struct eu_shader *s, const struct eu_defs *defs,
              struct eu_inst *inst)
{
   const struct eu_dword_info *dw =
      &defs->dw[defs->first[inst->dst.nr] + inst->dst.offset / 16 * 4];
   struct eu_inst *gone[4];
   unsigned count = 0;
   uint32_t vf = 0;

   for (unsigned k = 0; k < 4; k++) {
      struct eu_inst *def = dw[k].def;
      if (!dw[k].defs)
         continue;
      if (dw[k].defs > 1 || !dwords_set(def) || def->block != inst->block)
         return NULL;
      if (!is_small(def))
         continue;
      vf |= (uint32_t)vf_of(dword_of(def, k)) << 8 * k;
      if (!count || gone[count - 1] != def)
         gone[count++] = def;
   }
   if (count < 2)
      return NULL;
   struct eu_builder b = eu_builder_before(s, inst);
   eu_reg dst = eu_retype(inst->dst, ISA_TYPE_F);
   dst.offset -= dst.offset % 16;
   b.exec_size = 4;
   struct eu_inst *mov = eu_MOV(&b, dst, eu_imm(ISA_TYPE_VF, vf));
   for (unsigned k = 0; k < count; k++)
      list_del(&gone[k]->link);
   return mov;
}

static bool
gather_constants(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   BITSET_WORD *done = arena_new_array(
      arena, BITSET_WORD, BITSET_WORDS(defs.first[s->num_vgrfs] / 4 + 1));
   struct list_head *next;
   for (struct list_head *at = s->insts.next; at != &s->insts; at = next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      next = at->next;
      if (!dwords_set(inst))
         continue;
      const uint32_t quad = defs.first[inst->dst.nr] / 4 +
                            inst->dst.offset / 16;
      if (BITSET_TEST(done, quad))
         continue;
      BITSET_SET(done, quad);
      struct eu_inst *mov = gather_dwords(s, &defs, inst);
      if (mov) {
         /* What came next may be gone. */
         next = mov->link.next;
         progress = true;
      }
   }
   arena_destroy(arena);
   return progress;
}

/* ---- constants that are only moved ---- */

/* The one instruction that sets the dword which channel c of a move reads, to
 * a constant; NULL: there is none. */
static struct eu_inst *
constant_of(const struct eu_defs *defs, const struct eu_inst *mov, unsigned c)
{
   const eu_reg *r = &mov->src[0];
   const struct eu_dword_info *dw =
      &defs->dw[defs->first[r->nr] + r->offset / 4 +
                eu_swizzle_get(r->swz, c)];

   return dw->defs == 1 && dw->def->ip < mov->ip && dwords_set(dw->def) == 1
             ? dw->def
             : NULL;
}

static bool
is_plain_copy(const struct eu_inst *mov)
{
   const eu_reg *r = &mov->src[0];

   return mov->op == ISA_OPCODE_MOV && mov->align16 && mov->exec_size == 8 &&
          mov->pred == ISA_PRED_NONE && mov->cond_mod == ISA_COND_MOD_NONE &&
          !mov->saturate && mov->dst.file == EU_VGRF && !mov->dst.region &&
          r->file == EU_VGRF && r->stride == 0 && !r->region && !r->negate &&
          !r->abs && eu_type_sz(r->type) == 4 && r->type == mov->dst.type;
}

/* Whether all that a copy reads are constants. */
static bool
copies_constants(const struct eu_defs *defs, const struct eu_inst *mov)
{
   if (!is_plain_copy(mov))
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if ((mov->dst.swz & (1u << c)) && !constant_of(defs, mov, c))
         return false;
   }
   return true;
}

/* The channels that read what channel c reads. */
static unsigned
channels_like(struct eu_inst *const from[4], unsigned c)
{
   unsigned mask = 0;

   for (unsigned k = 0; k < 4; k++)
      mask |= (unsigned)(from[k] == from[c]) << k;
   return mask;
}

/* Copies of constants that are in one quad of dwords. */
struct copies {
   struct eu_inst *movs[16];
   unsigned count;
};

static void
replace_copy(struct eu_shader *s, const struct eu_defs *defs,
             struct eu_inst *mov)
{
   struct eu_builder b = eu_builder_before(s, mov);
   struct eu_inst *from[4] = { NULL };
   unsigned left = mov->dst.swz;

   for (unsigned c = 0; c < 4; c++)
      from[c] = left & (1u << c) ? constant_of(defs, mov, c) : NULL;
   while (left) {
      const unsigned c = (unsigned)__builtin_ctz(left);
      const unsigned mask = channels_like(from, c);

      left &= ~mask;
      b.align16 = (uint8_t)mask;
      eu_MOV(&b, vec4_dst(eu_retype(mov->dst, ISA_TYPE_UD), mask),
             eu_imm_ud((uint32_t)from[c]->src[0].imm))
         ->ip = mov->ip;
   }
   list_del(&mov->link);
}

/* Moves that make what one copy reads: one a constant, or one for all, if it
 * is of type VF in the end. */
static unsigned
moves_instead(const struct eu_defs *defs, const struct eu_inst *mov)
{
   struct eu_inst *from[4] = { NULL };
   unsigned count = 0;
   bool small = mov->dst.offset % REG_SIZE_B == 0 && mov->dst.stride == 1 &&
                !mov->group;

   for (unsigned c = 0; c < 4; c++) {
      if (!(mov->dst.swz & (1u << c)))
         continue;
      from[c] = constant_of(defs, mov, c);
      count += !(channels_like(from, c) & BITFIELD_MASK(c));
      small &= is_small(from[c]);
   }
   return small ? 1 : count;
}

/* Moves of constants in the places of the copies, if these are fewer than the
 * copies and the constants that nobody else reads. What is read no more goes,
 * too. */
static bool
make_in_place(struct eu_shader *s, const struct eu_defs *defs,
              const struct copies *all)
{
   const eu_reg *r = &all->movs[0]->src[0];
   struct eu_dword_info *dw = &defs->dw[defs->first[r->nr] + r->offset / 4];
   unsigned moves = 0, gone = 0, reads[4] = { 0 };

   for (unsigned i = 0; i < all->count; i++) {
      const uint32_t read = eu_dwords_read(all->movs[i], 0);
      moves += moves_instead(defs, all->movs[i]);
      for (unsigned k = 0; k < 4; k++)
         reads[k] += read >> k & 1;
   }
   for (unsigned k = 0; k < 4; k++)
      gone += reads[k] && reads[k] == dw[k].uses;
   if (moves >= gone + all->count)
      return false;
   for (unsigned i = 0; i < all->count; i++)
      replace_copy(s, defs, all->movs[i]);
   for (unsigned k = 0; k < 4; k++) {
      dw[k].uses = (uint16_t)(dw[k].uses - reads[k]);
      if (reads[k] && !dw[k].uses)
         list_del(&dw[k].def->link);
   }
   return true;
}

/* From `mov` on. */
static struct copies
copies_of_quad(struct eu_shader *s, const struct eu_defs *defs,
               struct eu_inst *mov)
{
   struct copies all = { .movs = { mov }, .count = 1 };

   for (struct list_head *at = mov->link.next;
        at != &s->insts && all.count < ARRAY_SIZE(all.movs); at = at->next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      if (copies_constants(defs, inst) && inst->src[0].nr == mov->src[0].nr &&
          inst->src[0].offset == mov->src[0].offset)
         all.movs[all.count++] = inst;
   }
   return all;
}

static bool
make_all_in_place(struct eu_shader *s)
{
   struct arena *arena = arena_create(NULL);
   struct eu_defs defs;
   bool progress = false;
   struct list_head *next;

   eu_calculate_cfg(s);
   eu_defs_init(&defs, s, arena);
   for (struct list_head *at = s->insts.next; at != &s->insts; at = next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);

      next = at->next;
      if (!copies_constants(&defs, inst))
         continue;
      const struct copies all = copies_of_quad(s, &defs, inst);
      const struct copies one = { { inst }, 1 };
      if (make_in_place(s, &defs, &all)) {
         progress = true;
         /* What came next may be gone. */
         next = s->insts.next;
      } else {
         progress |= make_in_place(s, &defs, &one);
      }
   }
   arena_destroy(arena);
   return progress;
}

bool
vec4_opt_immediates(struct eu_shader *s)
{
   bool progress = make_all_in_place(s);

   for (struct list_head *at = s->insts.next; at != &s->insts;
        at = at->next) {
      struct eu_inst *inst = list_entry(at, struct eu_inst, link);
      if (components_set(inst))
         progress |= gather_components(s, inst);
   }
   return gather_constants(s) || progress;
}
