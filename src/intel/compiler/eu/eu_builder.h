/* SPDX-License-Identifier: MIT */
/*
 * Emission of fs instructions at a cursor, with the execution controls
 * (width, first channel, NoMask) that they get. A builder is a small value:
 * change a copy to emit something in another way.
 */
#ifndef EU_BUILDER_H
#define EU_BUILDER_H

#include "eu_ir.h"

struct eu_builder {
   struct eu_shader *s;
   struct list_head *before; /* new instructions go in front of this */
   uint8_t exec_size, group;
   bool nomask;
   uint8_t align16; /* write mask of Align16 instructions; 0: they
                                  are Align1 */
   bool bindless;   /* messages name surfaces by handles */
   bool storage;    /* surfaces are storage buffers: eu_inst.storage */
   bool toward_zero;
   const void *nir;
   const char *note;
};

static inline struct eu_builder
eu_builder_at_end(struct eu_shader *s)
{
   return (struct eu_builder) { .s = s,
                                .before = &s->insts,
                                .exec_size = (uint8_t)s->dispatch_width };
}

/* In front of `inst`, with its execution controls. */
static inline struct eu_builder
eu_builder_before(struct eu_shader *s, struct eu_inst *inst)
{
   return (struct eu_builder) { .s = s,
                                .before = &inst->link,
                                .exec_size = inst->exec_size,
                                .group = inst->group,
                                .nomask = inst->nomask,
                                .toward_zero = inst->toward_zero,
                                .nir = inst->nir,
                                .note = inst->note };
}

static inline struct eu_builder
eu_builder_after(struct eu_shader *s, struct eu_inst *inst)
{
   struct eu_builder b = eu_builder_before(s, inst);
   b.before = inst->link.next;
   return b;
}

/* `n` channels from channel `i * n` of b's on. */
static inline struct eu_builder
eu_group(struct eu_builder b, unsigned n, unsigned i)
{
   b.group = (uint8_t)(b.group + i * n);
   b.exec_size = (uint8_t)n;
   return b;
}

static inline struct eu_builder
eu_exec_all(struct eu_builder b)
{
   b.nomask = true;
   return b;
}

/* One channel, NoMask: for values that are the same in all channels. */
static inline struct eu_builder
eu_scalar(struct eu_builder b)
{
   b.nomask = true;
   b.align16 = 0;
   b.exec_size = 1;
   b.group = 0;
   return b;
}

static inline struct eu_inst *
eu_emit(const struct eu_builder *b, unsigned op, eu_reg dst, unsigned sources,
        const eu_reg *src)
{
   struct eu_inst *inst = arena_new(b->s->arena, struct eu_inst);

   inst->op = (uint8_t)op;
   inst->exec_size = b->exec_size;
   inst->group = b->group;
   inst->nomask = b->nomask;
   inst->toward_zero = b->toward_zero;
   inst->dst = dst;
   if (b->align16) {
      inst->align16 = true;
      inst->dst.swz = b->align16;
   }
   inst->sources = (uint8_t)sources;
   for (unsigned i = 0; i < sources; i++)
      inst->src[i] = src[i];
   inst->size_written = eu_default_size(inst);
   inst->nir = b->nir;
   inst->note = b->note;
   list_addtail(&inst->link, b->before);
   return inst;
}

static inline struct eu_inst *
eu_emit0(const struct eu_builder *b, unsigned op)
{
   return eu_emit(b, op, (eu_reg) { 0 }, 0, NULL);
}

static inline struct eu_inst *
eu_emit1(const struct eu_builder *b, unsigned op, eu_reg dst, eu_reg x)
{
   return eu_emit(b, op, dst, 1, &x);
}

static inline struct eu_inst *
eu_emit2(const struct eu_builder *b, unsigned op, eu_reg dst, eu_reg x,
         eu_reg y)
{
   return eu_emit(b, op, dst, 2, (eu_reg[]) { x, y });
}

static inline struct eu_inst *
eu_emit3(const struct eu_builder *b, unsigned op, eu_reg dst, eu_reg x,
         eu_reg y, eu_reg z)
{
   return eu_emit(b, op, dst, 3, (eu_reg[]) { x, y, z });
}

#define EU_OP1(name)                                                         \
   static inline struct eu_inst *eu_##name(const struct eu_builder *b,       \
                                           eu_reg dst, eu_reg x)             \
   {                                                                         \
      return eu_emit1(b, ISA_OPCODE_##name, dst, x);                         \
   }
#define EU_OP2(name)                                                         \
   static inline struct eu_inst *eu_##name(const struct eu_builder *b,       \
                                           eu_reg dst, eu_reg x, eu_reg y)   \
   {                                                                         \
      return eu_emit2(b, ISA_OPCODE_##name, dst, x, y);                      \
   }

EU_OP1(MOV)
EU_OP1(NOT)
EU_OP2(ADD)
EU_OP2(MUL)
EU_OP2(AND)
EU_OP2(OR)
EU_OP2(XOR)
EU_OP2(SHL)
EU_OP2(SHR)
EU_OP2(ASR)
EU_OP2(SEL)

static inline struct eu_inst *
eu_CMP(const struct eu_builder *b, eu_reg dst, eu_reg x, eu_reg y,
       unsigned cond)
{
   struct eu_inst *inst = eu_emit2(b, ISA_OPCODE_CMP, dst, x, y);
   inst->cond_mod = (uint8_t)cond;
   return inst;
}

static inline struct eu_inst *
eu_MATH(const struct eu_builder *b, unsigned func, eu_reg dst, eu_reg x,
        eu_reg y)
{
   struct eu_inst *inst = eu_emit(
      b, ISA_OPCODE_MATH, dst, y.file == EU_BAD ? 1 : 2, (eu_reg[]) { x, y });
   inst->math = (uint8_t)func;
   return inst;
}

/* Marks all of a VGRF as defined: before it is written in parts. */
static inline void
eu_undef(const struct eu_builder *b, eu_reg r)
{
   struct eu_inst *undef;

   assert(r.file == EU_VGRF);
   r.offset = 0;
   r.stride = 1;
   undef = eu_emit(b, EU_OP_UNDEF, r, 0, NULL);
   undef->size_written = b->s->vgrf_size[r.nr] * REG_SIZE_B;
}

/* The same for `grfs` registers from `first` on. */
static inline void
eu_undef_grfs(const struct eu_builder *b, eu_reg r, unsigned first,
              unsigned grfs)
{
   r.offset = first * REG_SIZE_B;
   r.stride = 1;
   eu_emit(b, EU_OP_UNDEF, r, 0, NULL)->size_written = grfs * REG_SIZE_B;
}

/* `n` components of `type`, one after the other, for b's channels. */
static inline eu_reg
eu_vgrf(const struct eu_builder *b, unsigned type, unsigned n)
{
   const unsigned size = MAX2(1, n) * b->exec_size * eu_type_sz(type);
   const eu_reg r =
      eu_vgrf_reg(eu_alloc_vgrf(b->s, DIV_ROUND_UP(size, REG_SIZE_B)), type);

   if (b->exec_size * eu_type_sz(type) % REG_SIZE_B)
      eu_undef(b, r);
   return r;
}

/* Room for a scalar. */
static inline eu_reg
eu_vgrf_scalar(const struct eu_builder *b, unsigned type)
{
   const struct eu_builder sb = eu_scalar(*b);
   eu_reg r = eu_vgrf(&sb, type, 1);

   r.stride = 0;
   return r;
}

/* The same scalar as a destination. */
static inline eu_reg
eu_scalar_dst(eu_reg r)
{
   r.stride = 1;
   return r;
}

/* Component `n` after r, for b's width. */
static inline eu_reg
eu_offset(eu_reg r, const struct eu_builder *b, unsigned n)
{
   if (r.file == EU_IMM || r.file == EU_BAD)
      return r;
   /* Scalars lie element by element, vectors channel block by block. */
   if (r.stride == 0 || r.region)
      return eu_byte_offset(r, n * eu_type_sz(r.type));
   return eu_byte_offset(r, n * b->exec_size * r.stride * eu_type_sz(r.type));
}

/* Half `h` of each channel of 64 bits. */
static inline eu_reg
eu_dword_of(eu_reg r, unsigned h)
{
   if (!r.region)
      return eu_subscript(r, ISA_TYPE_UD, h);
   r = eu_byte_offset(eu_retype(r, ISA_TYPE_UD), 4 * h);
   return eu_region(r, 2 * r.vs, r.w, 2 * r.hs);
}

#endif
