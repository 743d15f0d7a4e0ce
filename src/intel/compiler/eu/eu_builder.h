/* SPDX-License-Identifier: MIT */
/*
 * Emission of fs instructions at a cursor, with the execution controls
 * (width, first channel, NoMask) that they get. A builder is a small value:
 * change a copy to emit something in another way.
 */
#ifndef FS_BUILDER_H
#define FS_BUILDER_H

#include "eu_ir.h"

struct fs_builder {
   struct fs_shader *s;
   struct list_head *before;   /* new instructions go in front of this */
   uint8_t exec_size, group;
   bool nomask;
   const void *nir;
   const char *note;
};

static inline struct fs_builder
fs_builder_at_end(struct fs_shader *s)
{
   return (struct fs_builder) { .s = s, .before = &s->insts,
                                .exec_size = (uint8_t)s->dispatch_width };
}

/* In front of `inst`, with its execution controls. */
static inline struct fs_builder
fs_builder_before(struct fs_shader *s, struct fs_inst *inst)
{
   return (struct fs_builder) { .s = s, .before = &inst->link,
                                .exec_size = inst->exec_size,
                                .group = inst->group,
                                .nomask = inst->nomask,
                                .nir = inst->nir, .note = inst->note };
}

static inline struct fs_builder
fs_builder_after(struct fs_shader *s, struct fs_inst *inst)
{
   struct fs_builder b = fs_builder_before(s, inst);
   b.before = inst->link.next;
   return b;
}

/* `n` channels from channel `i * n` of b's on. */
static inline struct fs_builder
fs_group(struct fs_builder b, unsigned n, unsigned i)
{
   b.group = (uint8_t)(b.group + i * n);
   b.exec_size = (uint8_t)n;
   return b;
}

static inline struct fs_builder
fs_exec_all(struct fs_builder b)
{
   b.nomask = true;
   return b;
}

/* One channel, NoMask: for values that are the same in all channels. */
static inline struct fs_builder
fs_scalar(struct fs_builder b)
{
   b.nomask = true;
   b.exec_size = 1;
   b.group = 0;
   return b;
}

static inline struct fs_inst *
fs_emit(const struct fs_builder *b, unsigned op, fs_reg dst,
        unsigned sources, const fs_reg *src)
{
   struct fs_inst *inst = arena_new(b->s->arena, struct fs_inst);

   inst->op = (uint8_t)op;
   inst->exec_size = b->exec_size;
   inst->group = b->group;
   inst->nomask = b->nomask;
   inst->dst = dst;
   inst->sources = (uint8_t)sources;
   for (unsigned i = 0; i < sources; i++)
      inst->src[i] = src[i];
   if (dst.file == FS_VGRF || dst.file == FS_GRF)
      inst->size_written = fs_region_size(&dst, b->exec_size);
   inst->nir = b->nir;
   inst->note = b->note;
   list_addtail(&inst->link, b->before);
   return inst;
}

static inline struct fs_inst *
fs_emit0(const struct fs_builder *b, unsigned op)
{
   return fs_emit(b, op, (fs_reg) { 0 }, 0, NULL);
}

static inline struct fs_inst *
fs_emit1(const struct fs_builder *b, unsigned op, fs_reg dst, fs_reg x)
{
   return fs_emit(b, op, dst, 1, &x);
}

static inline struct fs_inst *
fs_emit2(const struct fs_builder *b, unsigned op, fs_reg dst, fs_reg x,
         fs_reg y)
{
   return fs_emit(b, op, dst, 2, (fs_reg[]) { x, y });
}

static inline struct fs_inst *
fs_emit3(const struct fs_builder *b, unsigned op, fs_reg dst, fs_reg x,
         fs_reg y, fs_reg z)
{
   return fs_emit(b, op, dst, 3, (fs_reg[]) { x, y, z });
}

#define FS_OP1(name)                                                         \
   static inline struct fs_inst *                                            \
   fs_##name(const struct fs_builder *b, fs_reg dst, fs_reg x)               \
   {                                                                         \
      return fs_emit1(b, ISA_OPCODE_##name, dst, x);                         \
   }
#define FS_OP2(name)                                                         \
   static inline struct fs_inst *                                            \
   fs_##name(const struct fs_builder *b, fs_reg dst, fs_reg x, fs_reg y)     \
   {                                                                         \
      return fs_emit2(b, ISA_OPCODE_##name, dst, x, y);                      \
   }

FS_OP1(MOV) FS_OP1(NOT)
FS_OP2(ADD) FS_OP2(MUL) FS_OP2(AND) FS_OP2(OR) FS_OP2(XOR) FS_OP2(SHL)
FS_OP2(SHR) FS_OP2(ASR) FS_OP2(SEL)

static inline struct fs_inst *
fs_CMP(const struct fs_builder *b, fs_reg dst, fs_reg x, fs_reg y,
       unsigned cond)
{
   struct fs_inst *inst = fs_emit2(b, ISA_OPCODE_CMP, dst, x, y);
   inst->cond_mod = (uint8_t)cond;
   return inst;
}

static inline struct fs_inst *
fs_MATH(const struct fs_builder *b, unsigned func, fs_reg dst, fs_reg x,
        fs_reg y)
{
   struct fs_inst *inst =
      fs_emit(b, ISA_OPCODE_MATH, dst, y.file == FS_BAD ? 1 : 2,
              (fs_reg[]) { x, y });
   inst->math = (uint8_t)func;
   return inst;
}

/* Marks all of a VGRF as defined: before it is written in parts. */
static inline void
fs_undef(const struct fs_builder *b, fs_reg r)
{
   struct fs_inst *undef;

   assert(r.file == FS_VGRF);
   r.offset = 0;
   r.stride = 1;
   undef = fs_emit(b, FS_OP_UNDEF, r, 0, NULL);
   undef->size_written = b->s->vgrf_size[r.nr] * REG_SIZE_B;
}

/* The same for `grfs` registers from `first` on. */
static inline void
fs_undef_grfs(const struct fs_builder *b, fs_reg r, unsigned first,
              unsigned grfs)
{
   r.offset = first * REG_SIZE_B;
   r.stride = 1;
   fs_emit(b, FS_OP_UNDEF, r, 0, NULL)->size_written = grfs * REG_SIZE_B;
}

/* `n` components of `type`, one after the other, for b's channels. */
static inline fs_reg
fs_vgrf(const struct fs_builder *b, unsigned type, unsigned n)
{
   const unsigned size = MAX2(1, n) * b->exec_size * type_sz(type);
   const fs_reg r =
      fs_vgrf_reg(fs_alloc_vgrf(b->s, DIV_ROUND_UP(size, REG_SIZE_B)), type);

   if (b->exec_size * type_sz(type) % REG_SIZE_B)
      fs_undef(b, r);
   return r;
}

/* Room for a scalar. */
static inline fs_reg
fs_vgrf_scalar(const struct fs_builder *b, unsigned type)
{
   const struct fs_builder sb = fs_scalar(*b);
   fs_reg r = fs_vgrf(&sb, type, 1);

   r.stride = 0;
   return r;
}

/* The same scalar as a destination. */
static inline fs_reg
fs_scalar_dst(fs_reg r)
{
   r.stride = 1;
   return r;
}

/* Component `n` behind r, for b's width. */
static inline fs_reg
offset(fs_reg r, const struct fs_builder *b, unsigned n)
{
   if (r.file == FS_IMM || r.file == FS_BAD)
      return r;
   /* Scalars lie element by element, vectors channel block by block. */
   if (r.stride == 0 || r.region)
      return byte_offset(r, n * type_sz(r.type));
   return byte_offset(r, n * b->exec_size * r.stride * type_sz(r.type));
}

#endif
