/* SPDX-License-Identifier: MIT */
/*
 * Memory: buffers, shared memory (g#), typed UAVs, atomics, barriers.
 * A store takes x, xy, xyz or xyzw: a mask with holes becomes several.
 */
#include "tpf_emit.h"

/* What an access names: the register, and where in it. */
struct place {
   struct tpf_operand memory;
   bool structured;
   uint32_t stride_B;
   struct tpf_operand element, offset;
};

static const nir_intrinsic_instr *
resource_of(nir_use *src, nir_component *element)
{
   nir_component s = nir_component_of(src->value, 0);

   element->def = NULL;
   if (src->value->num_components == 2 && nir_component_is_alu(s) &&
       nir_op_is_vec(nir_instr_as_alu(s.def->instr)->op)) {
      nir_alu_instr *vec = nir_instr_as_alu(s.def->instr);
      *element =
         nir_component_of(vec->src[1].use.value, vec->src[1].swizzle[0]);
      return nir_use_as_intrinsic(vec->src[0].use);
   }
   return nir_use_as_intrinsic(*src);
}

/* A t# and a u# may share set and binding: then what is done tells. */
static const struct tpf_binding *
find_binding(struct tpf_emit *e, const nir_intrinsic_instr *res,
             bool read_only)
{
   const unsigned set = (unsigned)nir_intrinsic_desc_set(res);
   const unsigned n = (unsigned)nir_intrinsic_binding(res);
   const struct tpf_binding *srv = tpf_emit_find(e, TPF_BIND_SRV, set, n);
   const struct tpf_binding *uav = tpf_emit_find(e, TPF_BIND_UAV, set, n);

   return srv && (read_only || !uav) ? srv : uav;
}

static bool
find_buffer(struct tpf_emit *e, nir_use *src, bool read_only, struct place *p)
{
   nir_component element;
   const nir_intrinsic_instr *res = resource_of(src, &element);
   const struct tpf_binding *b = NULL;
   bool shared = false;

   if (res && res->intrinsic == nir_intrinsic_vulkan_resource_index &&
       nir_use_is_const(res->src[0])) {
      shared = nir_intrinsic_desc_set(res) == TPF_SHARED_SET;
      b = shared ? NULL : find_binding(e, res, read_only);
   }
   if (!b && !shared)
      return tpf_emit_fail(e, "a storage buffer is chosen at run time");
   const enum tpf_file file = shared                    ? TPF_FILE_G
                              : b->kind == TPF_BIND_SRV ? TPF_FILE_T
                                                        : TPF_FILE_U;
   const unsigned reg = shared ? (unsigned)nir_intrinsic_binding(res)
                               : b->first +
                                    (unsigned)nir_use_as_uint(res->src[0]);
   p->memory =
      tpf_emit_swizzled(tpf_emit_reg(file, reg, 0), TPF_SWIZZLE_IDENTITY);
   p->structured = shared || b->stride_B != 0;
   p->stride_B = shared ? 0 : b->stride_B;
   e->uses_buffers |= !shared;
   if (p->structured && element.def) {
      nir_use at = nir_use_of(element.def);
      if (nir_component_is_const(element))
         p->element = tpf_emit_imm((uint32_t)nir_component_as_uint(element));
      else
         p->element = tpf_emit_src(e, &at, element.comp);
   }
   return true;
}

/* An offset in bytes, with what is added to it. */
static struct tpf_operand
offset_of(struct tpf_emit *e, nir_use *src, uint32_t add)
{
   struct tpf_operand o = tpf_emit_src(e, src, 0), t;

   if (o.file == TPF_FILE_IMM32)
      return tpf_emit_imm(o.imm[0] + add);
   if (!add)
      return o;
   t = tpf_emit_scratch(e);
   tpf_emit2(e, TPF_OP_IADD, t, o, tpf_emit_imm(add));
   return t;
}

static void
shared_place(const struct tpf_emit *e, struct place *p)
{
   p->memory =
      tpf_emit_swizzled(tpf_emit_reg(TPF_FILE_G, tpf_emit_num_shared(e), 0),
                        TPF_SWIZZLE_IDENTITY);
   p->structured = false;
}

static void
emit_load(struct tpf_emit *e, nir_intrinsic_instr *intr,
          const struct place *p)
{
   const unsigned n = intr->instr.result.num_components;
   struct tpf_operand memory = p->memory, d;
   uint8_t place[4];

   if (intr->instr.result.bit_size != 32 || n > 4) {
      tpf_emit_fail(e, "memory of SM5 has dwords");
      return;
   }
   if (!tpf_emit_dests(e, &intr->instr.result, &d, place)) {
      tpf_emit_fail(e, "a vector in several registers");
      return;
   }
   memory.swizzle = (uint8_t)tpf_emit_swizzle_to(place, n);
   if (p->structured)
      tpf_emit3(e, TPF_OP_LD_STRUCTURED, d, p->element, p->offset, memory);
   else
      tpf_emit2(e, TPF_OP_LD_RAW, d, p->offset, memory);
}

/* Each run of components that are written. */
static void
emit_store(struct tpf_emit *e, nir_intrinsic_instr *intr, nir_use *at,
           uint32_t base, const struct place *p)
{
   unsigned mask = nir_intrinsic_write_mask(intr);

   if (intr->src[0].value->bit_size != 32) {
      tpf_emit_fail(e, "memory of SM5 has dwords");
      return;
   }
   while (mask) {
      const unsigned first = (unsigned)__builtin_ctz(mask);
      const unsigned n = (unsigned)__builtin_ctz(~(mask >> first));
      const struct tpf_operand memory =
         tpf_emit_masked(p->memory, BITFIELD_MASK(n));
      const struct tpf_operand value =
         tpf_emit_vector(e, &intr->src[0], first, n);
      const struct tpf_operand offset = offset_of(e, at, base + 4 * first);
      mask &= ~(BITFIELD_MASK(n) << first);
      if (p->structured)
         tpf_emit3(e, TPF_OP_STORE_STRUCTURED, memory, p->element, offset,
                   value);
      else
         tpf_emit2(e, TPF_OP_STORE_RAW, memory, offset, value);
   }
}

/* --- Atomics ------------------------------------------------------------ */

static const struct {
   nir_intrinsic_op ssbo, shared, image;
   enum tpf_op op, imm_op;
} atomics[] = {
#define ROW(nir, op, imm)                                                    \
   {                                                                         \
      nir_intrinsic_ssbo_atomic_##nir, nir_intrinsic_shared_atomic_##nir,    \
         nir_intrinsic_image_deref_atomic_##nir, TPF_OP_##op, TPF_OP_##imm   \
   }
   ROW(add, ATOMIC_IADD, IMM_ATOMIC_IADD),
   ROW(imin, ATOMIC_IMIN, IMM_ATOMIC_IMIN),
   ROW(umin, ATOMIC_UMIN, IMM_ATOMIC_UMIN),
   ROW(imax, ATOMIC_IMAX, IMM_ATOMIC_IMAX),
   ROW(umax, ATOMIC_UMAX, IMM_ATOMIC_UMAX),
   ROW(and, ATOMIC_AND, IMM_ATOMIC_AND),
   ROW(or, ATOMIC_OR, IMM_ATOMIC_OR),
   ROW(xor, ATOMIC_XOR, IMM_ATOMIC_XOR),
   ROW(exchange, IMM_ATOMIC_EXCH, IMM_ATOMIC_EXCH),
   ROW(comp_swap, ATOMIC_CMP_STORE, IMM_ATOMIC_CMP_EXCH),
#undef ROW
};

/* `data` and what is after it: one value, or two. */
static void
emit_atomic(struct tpf_emit *e, nir_intrinsic_instr *intr, unsigned row,
            struct tpf_operand memory, struct tpf_operand address,
            unsigned data)
{
   const unsigned n = nir_intrinsic_infos[intr->intrinsic].num_srcs - data;
   const bool unused = nir_value_is_unused(&intr->instr.result);
   struct tpf_operand o[5];
   unsigned count = 0;
   enum tpf_op op = unused ? atomics[row].op : atomics[row].imm_op;

   if (op == atomics[row].imm_op)
      o[count++] = tpf_emit_dest(e, &intr->instr.result, 0);
   o[count++] = tpf_emit_masked(memory, 0);
   o[count - 1].components = TPF_COMPONENTS_0;
   o[count++] = address;
   for (unsigned i = 0; i < n; i++)
      o[count++] = tpf_emit_src(e, &intr->src[data + i], 0);
   tpf_emit_inst(e, op, count, o);
}

static struct tpf_operand
structured_address(struct tpf_emit *e, const struct place *p)
{
   const struct tpf_operand t = tpf_emit_scratch(e);

   tpf_emit1(e, TPF_OP_MOV, tpf_emit_masked(t, 1), p->element);
   tpf_emit1(e, TPF_OP_MOV, tpf_emit_masked(t, 2), p->offset);
   return tpf_emit_swizzled(t, 0x54); /* .xyyy */
}

static bool
select_atomic(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
      struct place p = { .structured = false };
      if (intr->intrinsic == atomics[i].shared) {
         shared_place(e, &p);
         emit_atomic(e, intr, i, p.memory,
                     offset_of(e, &intr->src[0],
                               (uint32_t)nir_intrinsic_base(intr)),
                     1);
         return true;
      }
      if (intr->intrinsic == atomics[i].ssbo) {
         if (!find_buffer(e, &intr->src[0], false, &p))
            return true;
         p.offset = offset_of(e, &intr->src[1], 0);
         emit_atomic(e, intr, i, p.memory,
                     p.structured ? structured_address(e, &p) : p.offset, 2);
         return true;
      }
   }
   return false;
}

/* --- Barriers, sizes ---------------------------------------------------- */

static void
barrier(struct tpf_emit *e, bool threads, nir_variable_mode modes,
        nir_scope scope)
{
   uint32_t flags = threads ? 1u << 11 : 0;

   if (modes & nir_var_mem_shared)
      flags |= 1u << 12;
   if (modes & (nir_var_mem_ssbo | nir_var_image | nir_var_uniform))
      flags |= scope > NIR_SCOPE_WORKGROUP ? 1u << 14 : 1u << 13;
   if (!flags)
      return;
   tpf_emit_inst(e, TPF_OP_SYNC, 0, NULL)->controls |= flags;
}

static void
buffer_size(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   struct place p = { .structured = false };
   struct tpf_operand d = tpf_emit_dest(e, &intr->instr.result, 0), t;

   if (!find_buffer(e, &intr->src[0], false, &p))
      return;
   t = p.structured ? tpf_emit_scratch(e) : d;
   tpf_emit1(e, TPF_OP_BUFINFO, t, tpf_emit_swizzled(p.memory, 0));
   if (p.structured)
      tpf_emit_inst(e, TPF_OP_IMUL, 4,
                    (struct tpf_operand[]) { tpf_emit_null(), d, t,
                                             tpf_emit_imm(p.stride_B) });
}

/* An element of a local array; false: of something else. */
static bool
select_array(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   const bool is_load = intr->intrinsic == nir_intrinsic_load_deref;
   nir_deref_instr *deref = nir_use_as_deref(intr->src[0]);

   if (!nir_deref_mode_is(deref, nir_var_function_temp) ||
       deref->deref_type != nir_deref_type_array)
      return false;
   const unsigned n = is_load ? intr->instr.result.num_components
                              : intr->src[1].value->num_components;
   const struct tpf_operand element = tpf_emit_array(e, &intr->src[0], 0);
   struct tpf_operand one[4];
   uint8_t place[4];
   unsigned num = 0;

   if (is_load) {
      tpf_emit_scatter(e, &intr->instr.result, element);
      return true;
   }
   for (unsigned c = 0; c < n && c < 4; c++) {
      if (!(nir_intrinsic_write_mask(intr) >> c & 1))
         continue;
      place[num] = (uint8_t)c;
      one[num++] = tpf_emit_src(e, &intr->src[1], c);
   }
   tpf_emit_moves(e, element, place, one, num);
   return true;
}

bool
tpf_select_memory(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   struct place p = { .structured = false };

   switch (intr->intrinsic) {
   case nir_intrinsic_load_deref:
   case nir_intrinsic_store_deref: return select_array(e, intr);
   case nir_intrinsic_load_ssbo:
      if (find_buffer(e, &intr->src[0],
                      nir_intrinsic_access(intr) & ACCESS_NON_WRITEABLE,
                      &p)) {
         p.offset = offset_of(e, &intr->src[1], 0);
         emit_load(e, intr, &p);
      }
      return true;
   case nir_intrinsic_store_ssbo:
      if (find_buffer(e, &intr->src[1], false, &p))
         emit_store(e, intr, &intr->src[2], 0, &p);
      return true;
   case nir_intrinsic_load_shared:
      shared_place(e, &p);
      p.offset =
         offset_of(e, &intr->src[0], (uint32_t)nir_intrinsic_base(intr));
      emit_load(e, intr, &p);
      return true;
   case nir_intrinsic_store_shared:
      shared_place(e, &p);
      emit_store(e, intr, &intr->src[1], (uint32_t)nir_intrinsic_base(intr),
                 &p);
      return true;
   case nir_intrinsic_get_ssbo_size: buffer_size(e, intr); return true;
   case nir_intrinsic_scoped_barrier:
      barrier(e, nir_intrinsic_execution_scope(intr) != NIR_SCOPE_NONE,
              nir_intrinsic_memory_modes(intr),
              nir_intrinsic_memory_scope(intr));
      return true;
   default: return tpf_select_constant(e, intr) || select_atomic(e, intr);
   }
}

/* --- Typed UAVs --------------------------------------------------------- */

static void
image_load(struct tpf_emit *e, nir_intrinsic_instr *intr,
           struct tpf_operand u, const nir_variable *var)
{
   const enum pipe_format f = var->data.image.format;
   const struct tpf_operand d = tpf_emit_masked(tpf_emit_scratch(e), 0xf);

   if (f != PIPE_FORMAT_NONE && f != PIPE_FORMAT_R32_UINT &&
       f != PIPE_FORMAT_R32_SINT && f != PIPE_FORMAT_R32_FLOAT) {
      tpf_emit_fail(e, "SM5 loads from images of one dword a texel only");
      return;
   }
   tpf_emit2(e, TPF_OP_LD_UAV_TYPED, d,
             tpf_emit_vector(e, &intr->src[1], 0, 4), u);
   tpf_emit_scatter(e, &intr->instr.result, d);
}

bool
tpf_select_image(struct tpf_emit *e, nir_intrinsic_instr *intr)
{
   const struct tpf_binding *b;
   struct tpf_operand u;
   unsigned reg;

   if (!nir_intrinsic_is_image_deref(intr))
      return false;
   if (!tpf_emit_deref(e, &intr->src[0], TPF_BIND_UAV, &b, &reg))
      return true;
   u = tpf_emit_swizzled(tpf_emit_reg(TPF_FILE_U, reg, 0),
                         TPF_SWIZZLE_IDENTITY);
   if (intr->intrinsic == nir_intrinsic_image_deref_load) {
      image_load(e, intr, u, b->var);
   } else if (intr->intrinsic == nir_intrinsic_image_deref_store) {
      const struct tpf_operand at = tpf_emit_vector(e, &intr->src[1], 0, 4);
      tpf_emit2(e, TPF_OP_STORE_UAV_TYPED, tpf_emit_masked(u, 0xf), at,
                tpf_emit_vector(e, &intr->src[3], 0, 4));
   } else {
      for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
         if (intr->intrinsic == atomics[i].image) {
            emit_atomic(e, intr, i, u,
                        tpf_emit_vector(e, &intr->src[1], 0, 4), 3);
            return true;
         }
      }
      return false;
   }
   return true;
}
