/* SPDX-License-Identifier: MIT */
/*
 * Instructions on components become instructions on vectors, where registers
 * are known: what does the same to other components of the same registers is
 * joined with the one before it, if nothing in between is in the way. Then
 * what a lone mov takes to an output is computed there.
 */
#include "d3dbc_emit.h"

#define WINDOW 16

static struct d3dbc_inst *
at(const struct d3dbc_emit *e, unsigned i)
{
   return util_dynarray_element(&e->body, struct d3dbc_inst, i);
}

static unsigned
count(const struct d3dbc_emit *e)
{
   return (unsigned)util_dynarray_num_elements(&e->body, struct d3dbc_inst);
}

/* ---- what an instruction touches ---- */

static bool
has_dest(const struct d3dbc_inst *inst)
{
   return d3dbc_op_info(inst->op)->operands[0] == 'd' &&
          inst->op != D3DBC_OP_TEXKILL;
}

static bool
is_flow(const struct d3dbc_inst *inst)
{
   return d3dbc_op_info(inst->op)->sem == D3DBC_SEM_FLOW;
}

static bool
same_reg(const struct d3dbc_operand *a, struct d3dbc_reg reg)
{
   return a->reg.file == reg.file && a->reg.index == reg.index;
}

/* Components of the register that the instruction writes, may be. */
static unsigned
written(const struct d3dbc_inst *inst, struct d3dbc_reg reg)
{
   if (!has_dest(inst) || !same_reg(&inst->operand[0], reg))
      return 0;
   /* The series of SM2 leaves more than it says. */
   return inst->op == D3DBC_OP_SINCOS2 ? 0xf : inst->operand[0].mask;
}

static unsigned
swizzled(unsigned swizzle, unsigned mask)
{
   unsigned m = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (mask >> c & 1)
         m |= 1u << (swizzle >> 2 * c & 3);
   }
   return m;
}

/* Components of the register that it reads, may be. */
static unsigned
read(const struct d3dbc_inst *inst, struct d3dbc_reg reg)
{
   const bool by_component = d3dbc_op_info(inst->op)->sem == D3DBC_SEM_MAP &&
                             has_dest(inst);
   unsigned m = 0;

   for (unsigned i = 0; i < inst->num_operands; i++) {
      const struct d3dbc_operand *o = &inst->operand[i];
      if (o->relative && o->addr.file == reg.file &&
          o->addr.index == reg.index)
         m = 0xf;
      if (i == 0 && has_dest(inst))
         m |= inst->predicated ? written(inst, reg) : 0;
      else if (same_reg(o, reg))
         m |= i == 0 ? 0xf
                     : swizzled(o->swizzle,
                                by_component ? inst->operand[0].mask : 0xf);
   }
   if (inst->predicated && same_reg(&inst->pred, reg))
      m = 0xf;
   return m;
}

/* ---- joining ---- */

static bool
same_source(const struct d3dbc_operand *a, const struct d3dbc_operand *b)
{
   return same_reg(a, b->reg) && a->mod == b->mod &&
          a->relative == b->relative &&
          (!a->relative ||
           (same_reg(a, b->reg) && a->addr.file == b->addr.file &&
            a->addr.index == b->addr.index &&
            a->addr_swizzle == b->addr_swizzle));
}

static bool
are_alike(const struct d3dbc_inst *a, const struct d3dbc_inst *b)
{
   if (a->op != b->op || a->predicated || b->predicated ||
       a->control != b->control ||
       d3dbc_op_info(a->op)->sem != D3DBC_SEM_MAP || !has_dest(a) ||
       a->operand[0].reg.file == D3DBC_FILE_A ||
       !same_reg(&a->operand[0], b->operand[0].reg) ||
       a->operand[0].dst_mods != b->operand[0].dst_mods ||
       a->operand[0].relative || b->operand[0].relative ||
       a->operand[0].mask & b->operand[0].mask)
      return false;
   for (unsigned i = 1; i < a->num_operands; i++) {
      if (!same_source(&a->operand[i], &b->operand[i]))
         return false;
   }
   return true;
}

/* Whether `b`, which stands at `j`, may run at the place of `i`. */
static bool
can_move_up(const struct d3dbc_emit *e, unsigned i, unsigned j)
{
   const struct d3dbc_inst *b = at(e, j);
   const struct d3dbc_reg dest = b->operand[0].reg;
   const unsigned mask = b->operand[0].mask;

   for (unsigned k = i; k < j; k++) {
      const struct d3dbc_inst *inst = at(e, k);
      for (unsigned s = 1; s < b->num_operands; s++) {
         const struct d3dbc_operand *o = &b->operand[s];
         if (written(inst, o->reg) & read(b, o->reg) ||
             (o->relative && written(inst, o->addr)))
            return false;
      }
      if (k > i && (read(inst, dest) | written(inst, dest)) & mask)
         return false;
   }
   return true;
}

static void
join(struct d3dbc_inst *a, const struct d3dbc_inst *b)
{
   const unsigned from = a->operand[0].mask, mask = b->operand[0].mask;

   a->operand[0].mask |= (uint8_t)mask;
   for (unsigned i = 1; i < a->num_operands; i++) {
      unsigned swizzle = 0, last = 0;
      for (unsigned c = 0; c < 4; c++) {
         const unsigned s = mask >> c & 1 ? b->operand[i].swizzle
                                          : a->operand[i].swizzle;
         if ((from | mask) >> c & 1)
            last = s >> 2 * c & 3;
         swizzle |= last << 2 * c;
      }
      a->operand[i].swizzle = (uint8_t)swizzle;
   }
}

static void
remove_at(struct d3dbc_emit *e, unsigned i)
{
   const unsigned n = count(e);

   memmove(at(e, i), i + 1 < n ? at(e, i + 1) : at(e, i),
           (n - i - 1) * sizeof(struct d3dbc_inst));
   e->body.size_B -= sizeof(struct d3dbc_inst);
}

static void
join_all(struct d3dbc_emit *e)
{
   for (unsigned j = 1; j < count(e); j++) {
      for (unsigned i = j; i-- > 0 && j - i <= WINDOW;) {
         if (is_flow(at(e, i)) || is_flow(at(e, j)))
            break;
         if (!are_alike(at(e, i), at(e, j)) || !can_move_up(e, i, j))
            continue;
         join(at(e, i), at(e, j));
         remove_at(e, j--);
         break;
      }
   }
}

/* ---- outputs ---- */

/* Nothing reads the components after `i`: known up to the next jump. */
static bool
is_dead_after(const struct d3dbc_emit *e, unsigned i, struct d3dbc_reg reg,
              unsigned mask)
{
   for (unsigned k = i + 1; k < count(e) && mask; k++) {
      const struct d3dbc_inst *inst = at(e, k);
      if (is_flow(inst) || read(inst, reg) & mask)
         return false;
      if (!inst->predicated)
         mask &= ~(has_dest(inst) && same_reg(&inst->operand[0], reg)
                      ? (unsigned)inst->operand[0].mask
                      : 0u);
   }
   return true;
}

static bool
is_vertex_output(enum d3dbc_file file)
{
   return file == D3DBC_FILE_O || file == D3DBC_FILE_OT ||
          file == D3DBC_FILE_OD || file == D3DBC_FILE_RASTOUT;
}

/* An instruction whose result may lie in any component: dot products, and
 * what takes each component from one of the sources'. */
static bool
may_be_moved(const struct d3dbc_inst *inst)
{
   const enum d3dbc_sem sem = d3dbc_op_info(inst->op)->sem;

   return !inst->predicated && inst->op != D3DBC_OP_LRP && /* SM2: a macro */
          (sem == D3DBC_SEM_MAP || sem == D3DBC_SEM_DOT);
}

/* The mov takes each component to its own place, or one to another. */
static bool
keeps_places(const struct d3dbc_inst *mov)
{
   const unsigned mask = mov->operand[0].mask;

   for (unsigned c = 0; c < 4; c++) {
      if (mask >> c & 1 && (mov->operand[1].swizzle >> 2 * c & 3) != c)
         return false;
   }
   return true;
}

/* The instructions that make just what the mov at `j` takes, if they could do
 * so where the mov brings it, into `makers`: how many; 0 if it is not so. */
static unsigned
makers_of(const struct d3dbc_emit *e, unsigned j, unsigned makers[4])
{
   const struct d3dbc_inst *mov = at(e, j);
   const struct d3dbc_operand *from = &mov->operand[1];
   const struct d3dbc_reg out = mov->operand[0].reg;
   const unsigned mask = swizzled(from->swizzle, mov->operand[0].mask);
   unsigned missing = mask, n = 0;

   if (mov->op != D3DBC_OP_MOV || mov->predicated ||
       !is_vertex_output(out.file) || from->reg.file != D3DBC_FILE_R ||
       from->mod || from->relative || mov->operand[0].dst_mods ||
       (!keeps_places(mov) &&
        !util_is_power_of_two_nonzero(mov->operand[0].mask)))
      return 0;
   for (unsigned i = j; missing && i-- > 0;) {
      const struct d3dbc_inst *inst = at(e, i);
      const unsigned w = written(inst, from->reg);
      if (is_flow(inst) || written(inst, out) & mov->operand[0].mask ||
          read(inst, from->reg) & missing & ~w)
         return 0;
      if (!(w & missing))
         continue;
      if (w & ~missing || !may_be_moved(inst))
         return 0;
      makers[n++] = i;
      missing &= ~w;
   }
   return missing || !is_dead_after(e, j, from->reg, mask) ? 0 : n;
}

/* `in_place`: it is one of several, and keeps its components. */
static void
move_result(struct d3dbc_inst *inst, const struct d3dbc_inst *mov,
            bool in_place)
{
   const unsigned mask = inst->operand[0].mask;

   inst->operand[0].reg = mov->operand[0].reg;
   if (in_place || mov->operand[0].mask == mask)
      return;

   if (d3dbc_op_info(inst->op)->sem == D3DBC_SEM_MAP) {
      for (unsigned i = 1; i < inst->num_operands; i++)
         inst->operand[i].swizzle =
            (uint8_t)((inst->operand[i].swizzle >>
                          2 * (unsigned)__builtin_ctz(mask) &
                       3) *
                      0x55);
   }
   inst->operand[0].mask = mov->operand[0].mask;
}

static void
write_outputs(struct d3dbc_emit *e)
{
   unsigned makers[4];

   for (unsigned j = count(e); j-- > 0;) {
      const unsigned n = makers_of(e, j, makers);
      for (unsigned i = 0; i < n; i++)
         move_result(at(e, makers[i]), at(e, j), n > 1);
      if (n)
         remove_at(e, j);
   }
}

void
d3dbc_combine(struct d3dbc_emit *e)
{
   write_outputs(e);
   join_all(e);
   write_outputs(e);
   join_all(e); /* what has come to outputs one by one */
}
