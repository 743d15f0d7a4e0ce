/* SPDX-License-Identifier: MIT */
/* Operands and instructions of the writer. */
#include "tpf_emit.h"

#include <stdio.h>

bool
tpf_emit_fail(struct tpf_emit *e, const char *fmt, ...)
{
   va_list ap;

   if (e->failed)
      return false;
   e->failed = true;
   memset(e->error, 0, sizeof(*e->error));
   va_start(ap, fmt);
   vsnprintf(e->error->text, sizeof(e->error->text), fmt, ap);
   va_end(ap);
   return false;
}

/* --- Operands ----------------------------------------------------------- */

struct tpf_operand
tpf_emit_reg(enum tpf_file file, unsigned index, unsigned comp)
{
   return (struct tpf_operand) {
      .file = file,
      .components = TPF_COMPONENTS_4,
      .select = TPF_SELECT_1,
      .swizzle = (uint8_t)(comp * 0x55),
      .mask = (uint8_t)(1u << comp),
      .num_indices = 1,
      .index[0].imm = index,
   };
}

struct tpf_operand
tpf_emit_imm(uint32_t v)
{
   return (struct tpf_operand) {
      .file = TPF_FILE_IMM32,
      .components = TPF_COMPONENTS_1,
      .swizzle = TPF_SWIZZLE_IDENTITY,
      .imm = { v },
   };
}

static struct tpf_operand
imm64(uint64_t v)
{
   struct tpf_operand o = tpf_emit_imm((uint32_t)v);

   o.file = TPF_FILE_IMM64;
   o.components = TPF_COMPONENTS_4;
   o.select = TPF_SELECT_SWIZZLE;
   for (unsigned i = 0; i < 4; i++)
      o.imm[i] = (uint32_t)(v >> 32 * (i & 1));
   return o;
}

struct tpf_operand
tpf_emit_null(void)
{
   return (struct tpf_operand) { .file = TPF_FILE_NULL };
}

struct tpf_operand
tpf_emit_masked(struct tpf_operand o, unsigned mask)
{
   o.select = TPF_SELECT_MASK;
   o.mask = (uint8_t)mask;
   o.swizzle = TPF_SWIZZLE_IDENTITY;
   return o;
}

struct tpf_operand
tpf_emit_swizzled(struct tpf_operand o, unsigned swizzle)
{
   o.select = TPF_SELECT_SWIZZLE;
   o.swizzle = (uint8_t)swizzle;
   return o;
}

struct tpf_operand
tpf_emit_comp(struct tpf_operand o, unsigned comp)
{
   o.select = TPF_SELECT_1;
   o.swizzle = (uint8_t)(comp * 0x55);
   o.mask = (uint8_t)(1u << comp);
   return o;
}

struct tpf_operand
tpf_emit_scratch(struct tpf_emit *e)
{
   struct tpf_operand o =
      tpf_emit_reg(TPF_FILE_R, e->num_temps + e->num_scratch++, 0);

   e->max_scratch = MAX2(e->max_scratch, e->num_scratch);
   return o;
}

/* A component, or for 64 bits the pair that starts there. */
static struct tpf_operand
component(struct tpf_operand o, unsigned comp, unsigned bits)
{
   if (bits == 64)
      return tpf_emit_swizzled(o, comp ? 0xee : 0x44);
   return tpf_emit_comp(o, comp);
}

struct tpf_operand
tpf_emit_array(struct tpf_emit *e, nir_use *src, unsigned comp)
{
   nir_deref_instr *deref = nir_use_as_deref(*src);
   const nir_variable *var = nir_deref_root(deref);
   nir_use *index = &deref->index;
   struct tpf_operand o =
      tpf_emit_reg(TPF_FILE_X, var->data.driver_location, comp);

   o.num_indices = 2;
   if (nir_use_is_const(*index)) {
      o.index[1].imm = (uint32_t)nir_use_as_uint(*index);
   } else {
      struct tpf_operand at = tpf_emit_src(e, index, 0);
      if (at.file != TPF_FILE_R) {
         const struct tpf_operand t = tpf_emit_scratch(e);
         tpf_emit1(e, TPF_OP_MOV, t, at);
         at = t;
      }
      o.index[1].rel = arena_memdup(e->arena, &at, sizeof(at));
      o.index[1].kind = TPF_INDEX_IMM_REL;
   }
   return o;
}

/* --- Values that are read where they stand ------------------------------ */

static struct tpf_operand
special(struct tpf_emit *e, enum tpf_file file, unsigned comp, bool vector)
{
   struct tpf_operand o = tpf_emit_reg(file, 0, comp);

   (void)vector;
   o.num_indices = 0;
   e->file_used[file] = true;
   return o;
}

/* A file of one component. */
static struct tpf_operand
scalar_input(struct tpf_emit *e, enum tpf_file file)
{
   e->file_used[file] = true;
   return (struct tpf_operand) { .file = file,
                                 .components = TPF_COMPONENTS_1,
                                 .swizzle = TPF_SWIZZLE_IDENTITY };
}

/* An input that the pipeline makes: a register of its own, from above. */
static struct tpf_operand
system_input(struct tpf_emit *e, unsigned reg, enum tpf_name name,
             const char *semantic, unsigned type, unsigned mode,
             unsigned comp)
{
   e->in[reg].mask |= (uint8_t)(1u << comp);
   e->in[reg].name = name;
   e->in[reg].semantic = semantic;
   e->in[reg].type = (uint8_t)type;
   e->in[reg].mode = (uint8_t)mode;
   return tpf_emit_reg(TPF_FILE_V, reg, comp);
}

static struct tpf_operand
constant(struct tpf_emit *e, nir_intrinsic_instr *intr, unsigned comp)
{
   const nir_intrinsic_instr *res = nir_use_as_intrinsic(intr->src[0]);
   struct tpf_operand o = tpf_emit_reg(TPF_FILE_CB, 0, comp);
   const struct tpf_binding *b = NULL;

   if (res && res->intrinsic == nir_intrinsic_vulkan_resource_index &&
       nir_use_is_const(res->src[0]))
      b = tpf_emit_find(e, TPF_BIND_CB, (unsigned)nir_intrinsic_desc_set(res),
                        (unsigned)nir_intrinsic_binding(res));
   if (!b) {
      tpf_emit_fail(e, "a uniform buffer is chosen at run time");
      return o;
   }
   const unsigned n = b->first + (unsigned)nir_use_as_uint(res->src[0]);
   const unsigned base = (unsigned)nir_intrinsic_base(intr);
   const unsigned row = nir_use_is_const(intr->src[1])
                           ? base + (unsigned)nir_use_as_uint(intr->src[1])
                           : base;
   if (n >= 14 || row >= TPF_CB_MAX) {
      tpf_emit_fail(e, "there are 14 constant buffers of 4096 registers");
      return o;
   }
   o.num_indices = 2;
   o.index[0].imm = n;
   o.index[1].imm = row;
   tpf_emit_use_cb(e, n, row, 1,
                   intr->instr.result.bit_size == 64 ? 0xf : 1u << comp);
   return o;
}

static unsigned
interpolation(const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_instr *b = nir_use_as_intrinsic(intr->src[0]);
   const bool flat = nir_intrinsic_interp_mode(b) ==
                     INTERP_MODE_NOPERSPECTIVE;

   switch (b->intrinsic) {
   case nir_intrinsic_load_barycentric_centroid:
      return flat ? TPF_INTERP_LINEAR_NOPERSPECTIVE_CENTROID
                  : TPF_INTERP_LINEAR_CENTROID;
   case nir_intrinsic_load_barycentric_sample:
      return flat ? TPF_INTERP_LINEAR_NOPERSPECTIVE_SAMPLE
                  : TPF_INTERP_LINEAR_SAMPLE;
   case nir_intrinsic_load_barycentric_pixel:
      return flat ? TPF_INTERP_LINEAR_NOPERSPECTIVE : TPF_INTERP_LINEAR;
   default: return TPF_INTERP_NONE;
   }
}

/* Inputs of pixel shaders with a meaning of their own that NIR has as
 * varyings: false if `slot` is none. */
static bool
special_varying(struct tpf_emit *e, unsigned slot, struct tpf_operand *o)
{
   static const struct {
      unsigned slot, reg;
      enum tpf_name name;
      const char *semantic;
   } rows[] = {
      { VARYING_SLOT_PRIMITIVE_ID, 28, TPF_NAME_PRIMITIVE_ID,
        "SV_PrimitiveID" },
      { VARYING_SLOT_LAYER, 26, TPF_NAME_RENDERTARGET_ARRAY_INDEX,
        "SV_RenderTargetArrayIndex" },
      { VARYING_SLOT_VIEWPORT, 25, TPF_NAME_VIEWPORT_ARRAY_INDEX,
        "SV_ViewportArrayIndex" },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (e->stage != TPF_STAGE_PS || rows[i].slot != slot)
         continue;
      *o = system_input(e, rows[i].reg, rows[i].name, rows[i].semantic, 1,
                        TPF_INTERP_CONSTANT, 0);
      return true;
   }
   return false;
}

static struct tpf_operand
varying(struct tpf_emit *e, nir_intrinsic_instr *intr, unsigned comp)
{
   const unsigned slot = nir_intrinsic_io_semantics(intr).location;
   const bool vs = e->stage == TPF_STAGE_VS;
   const unsigned first = vs ? (unsigned)VERT_ATTRIB_GENERIC0
                             : (unsigned)VARYING_SLOT_VAR0;
   const unsigned reg = slot - first;
   const unsigned c = comp + (unsigned)nir_intrinsic_component(intr);
   unsigned mode = TPF_INTERP_CONSTANT, type;
   struct tpf_operand o;
   struct tpf_io *io;

   if (special_varying(e, slot, &o))
      return o;
   if (slot < first || reg >= TPF_EMIT_FIRST_SPECIAL || c > 3) {
      tpf_emit_fail(e, "input slot %u has no register", slot);
      return tpf_emit_imm(0);
   }
   if (!nir_use_is_const(*nir_get_io_offset_src(intr)) ||
       nir_use_as_uint(*nir_get_io_offset_src(intr))) {
      tpf_emit_fail(e, "an input is chosen at run time");
      return tpf_emit_imm(0);
   }
   if (intr->intrinsic == nir_intrinsic_load_interpolated_input)
      mode = interpolation(intr);
   type = nir_type_base(nir_intrinsic_dest_type(intr)) == nir_type_float  ? 3
          : nir_type_base(nir_intrinsic_dest_type(intr)) == nir_type_uint ? 1
                                                                          : 2;
   io = &e->in[reg];
   if (mode == TPF_INTERP_NONE ||
       (io->mask && (io->mode != mode || io->type != type)))
      tpf_emit_fail(e,
                    mode == TPF_INTERP_NONE
                       ? "interpolation at a place that is computed"
                       : "v%u is interpolated in two ways",
                    reg);
   io->mask |= (uint8_t)(1u << c);
   io->mode = (uint8_t)mode;
   io->type = (uint8_t)type;
   tpf_emit_semantic(e, true, slot, reg, io);
   return tpf_emit_reg(TPF_FILE_V, reg, c);
}

static struct tpf_operand
home(struct tpf_emit *e, nir_intrinsic_instr *intr, unsigned comp)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input: return varying(e, intr, comp);
   case nir_intrinsic_load_ubo_vec4: return constant(e, intr, comp);
   case nir_intrinsic_load_frag_coord:
      return system_input(e, 31, TPF_NAME_POSITION, "SV_Position", 3,
                          TPF_INTERP_LINEAR_NOPERSPECTIVE, comp);
   case nir_intrinsic_load_front_face:
      return system_input(e, 30, TPF_NAME_IS_FRONT_FACE, "SV_IsFrontFace", 1,
                          TPF_INTERP_CONSTANT, comp);
   case nir_intrinsic_load_sample_id:
      return system_input(e, 29, TPF_NAME_SAMPLEINDEX, "SV_SampleIndex", 1,
                          TPF_INTERP_CONSTANT, comp);
   case nir_intrinsic_load_invocation_id:
      return scalar_input(e, TPF_FILE_V_GS_INSTANCE_ID);
   case nir_intrinsic_load_primitive_id:
      if (e->stage == TPF_STAGE_GS)
         return scalar_input(e, TPF_FILE_V_PRIM);
      return system_input(e, 28, TPF_NAME_PRIMITIVE_ID, "SV_PrimitiveID", 1,
                          TPF_INTERP_CONSTANT, comp);
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_vertex_id_zero_base:
      return system_input(e, 31, TPF_NAME_VERTEX_ID, "SV_VertexID", 1, 0,
                          comp);
   case nir_intrinsic_load_instance_id:
   case nir_intrinsic_load_instance_index:
      return system_input(e, 30, TPF_NAME_INSTANCE_ID, "SV_InstanceID", 1, 0,
                          comp);
   case nir_intrinsic_load_sample_mask_in:
      return special(e, TPF_FILE_V_COVERAGE, comp, false);
   case nir_intrinsic_load_local_invocation_id:
      return special(e, TPF_FILE_V_THREAD_ID_IN_GROUP, comp, true);
   case nir_intrinsic_load_local_invocation_index:
      return special(e, TPF_FILE_V_THREAD_ID_IN_GROUP_FLATTENED, comp, false);
   case nir_intrinsic_load_global_invocation_id:
      return special(e, TPF_FILE_V_THREAD_ID, comp, true);
   case nir_intrinsic_load_workgroup_id:
      return special(e, TPF_FILE_V_THREAD_GROUP_ID, comp, true);
   default: /* vulkan_resource_index: the element */
      return nir_use_is_const(intr->src[0])
                ? tpf_emit_imm((uint32_t)nir_use_as_uint(intr->src[0]))
                : tpf_emit_imm(0);
   }
}

struct tpf_operand
tpf_emit_src(struct tpf_emit *e, nir_use *src, unsigned comp)
{
   const unsigned bits = src->value->bit_size;
   const nir_instr *parent;
   const struct tpf_value *v;

   parent = src->value->instr;
   if (parent->kind == nir_kind_load_const) {
      const nir_const_value c = nir_use_comp_as_const_value(*src, comp);
      return bits == 64 ? imm64(c.u64) : tpf_emit_imm(c.u32);
   }
   if (parent->kind == nir_kind_undef)
      return bits == 64 ? imm64(0) : tpf_emit_imm(0);
   if (tpf_emit_has_home(parent))
      return home(e, nir_instr_as_intrinsic(parent), comp);
   v = tpf_emit_value(e, src->value, comp);
   return component(tpf_emit_reg(v->file, v->place.reg, 0), v->place.comp,
                    bits);
}

/* With the signs that are part of what reads them. */
struct tpf_operand
tpf_emit_alu_src(struct tpf_emit *e, unsigned src, unsigned comp)
{
   nir_operand *s = &e->alu->src[src];
   unsigned c = s->swizzle[comp];
   bool neg = false, abs = false;

   while (e->folded[s->use.value->index]) {
      nir_alu_instr *sign = nir_instr_as_alu(s->use.value->instr);
      neg ^= sign->op == nir_op_fneg && !abs;
      abs |= sign->op == nir_op_fabs;
      s = &sign->src[0];
      c = s->swizzle[c];
   }
   struct tpf_operand o = tpf_emit_src(e, &s->use, c);
   o.neg = neg;
   o.abs = abs;
   o.extended = neg || abs;
   return o;
}

struct tpf_operand
tpf_emit_dest(struct tpf_emit *e, nir_value *dest, unsigned comp)
{
   const struct tpf_value *v = tpf_emit_value(e, dest, comp);

   return tpf_emit_masked(tpf_emit_reg(v->file, v->place.reg, v->place.comp),
                          (v->place.size == 2 ? 3u : 1u) << v->place.comp);
}

bool
tpf_emit_dests(struct tpf_emit *e, const nir_value *dest,
               struct tpf_operand *all, uint8_t *place)
{
   const struct tpf_value *first = tpf_emit_value(e, dest, 0);
   unsigned mask = 0;

   if (dest->num_components > 4)
      return false;
   for (unsigned c = 0; c < dest->num_components; c++) {
      const struct tpf_value *v = tpf_emit_value(e, dest, c);
      if (v->file != first->file || v->place.reg != first->place.reg ||
          v->place.size != 1)
         return false;
      place[c] = v->place.comp;
      mask |= 1u << v->place.comp;
   }
   *all =
      tpf_emit_masked(tpf_emit_reg(first->file, first->place.reg, 0), mask);
   return true;
}

/* --- Instructions ------------------------------------------------------- */

struct tpf_inst *
tpf_emit_inst(struct tpf_emit *e, enum tpf_op op, unsigned n,
              const struct tpf_operand *o)
{
   const char *letters = tpf_op_info(op)->operands;
   struct tpf_inst inst = { .op = op, .num_operands = n };

   assert(n == strlen(letters) && "operands as the row has them");
   for (unsigned i = 0; i < n; i++) {
      inst.operand[i] = o[i];
      if (tpf_is_dest_letter(letters[i]) &&
          o[i].components == TPF_COMPONENTS_4 &&
          o[i].select != TPF_SELECT_MASK)
         inst.operand[i] = tpf_emit_masked(o[i], o[i].mask);
   }
   e->uses_doubles |= tpf_op_info(op)->sem == TPF_SEM_DOUBLE;
   util_dynarray_append(&e->body, struct tpf_inst, inst);
   return util_dynarray_element(
      &e->body, struct tpf_inst,
      util_dynarray_num_elements(&e->body, struct tpf_inst) - 1);
}

void
tpf_emit1(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
          struct tpf_operand a)
{
   tpf_emit_inst(e, op, 2, (struct tpf_operand[]) { d, a });
}

void
tpf_emit2(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
          struct tpf_operand a, struct tpf_operand b)
{
   tpf_emit_inst(e, op, 3, (struct tpf_operand[]) { d, a, b });
}

void
tpf_emit3(struct tpf_emit *e, enum tpf_op op, struct tpf_operand d,
          struct tpf_operand a, struct tpf_operand b, struct tpf_operand c)
{
   tpf_emit_inst(e, op, 4, (struct tpf_operand[]) { d, a, b, c });
}

/* --- Several components ------------------------------------------------- */

static bool
same_index(const struct tpf_index *a, const struct tpf_index *b)
{
   return a->imm == b->imm && a->kind == b->kind && a->rel == b->rel;
}

static bool
same_register(const struct tpf_operand *a, const struct tpf_operand *b)
{
   if (a->file != b->file || a->components != b->components ||
       a->num_indices != b->num_indices || a->neg != b->neg ||
       a->abs != b->abs)
      return false;
   for (unsigned i = 0; i < a->num_indices; i++) {
      if (!same_index(&a->index[i], &b->index[i]))
         return false;
   }
   return true;
}

bool
tpf_emit_gather(const struct tpf_operand *one, const uint8_t *place,
                unsigned n, struct tpf_operand *all)
{
   unsigned last = one[0].swizzle & 3, swizzle = 0;

   for (unsigned c = 1; c < n; c++) {
      if (!same_register(&one[0], &one[c]))
         return false;
   }
   *all = one[0];
   if (one[0].file == TPF_FILE_IMM32) {
      if (n == 1)
         return true;
      all->components = TPF_COMPONENTS_4;
      all->select = TPF_SELECT_SWIZZLE;
      for (unsigned c = 0; c < 4; c++)
         all->imm[c] = one[0].imm[0];
      for (unsigned c = 0; c < n; c++)
         all->imm[place[c]] = one[c].imm[0];
      return true;
   }
   if (one[0].components != TPF_COMPONENTS_4)
      return n == 1;
   for (unsigned p = 0; p < 4; p++) {
      for (unsigned c = 0; c < n; c++)
         last = place[c] == p ? one[c].swizzle & 3u : last;
      swizzle |= last << 2 * p;
   }
   *all = n == 1 ? tpf_emit_comp(*all, one[0].swizzle & 3u)
                 : tpf_emit_swizzled(*all, swizzle);
   return true;
}

void
tpf_emit_moves(struct tpf_emit *e, struct tpf_operand reg,
               const uint8_t *place, const struct tpf_operand *one,
               unsigned n)
{
   unsigned left = BITFIELD_MASK(n);

   for (unsigned c = 0; c < n; c++) {
      if (same_register(&one[c], &reg) && (one[c].swizzle & 3) == place[c])
         left &= ~(1u << c);
   }
   while (left) {
      const unsigned first = (unsigned)__builtin_ctz(left);
      struct tpf_operand group[4], all;
      unsigned num = 0, mask = 0;
      uint8_t at[4];
      for (unsigned c = first; c < n; c++) {
         if (!(left >> c & 1) || !same_register(&one[first], &one[c]) ||
             (one[c].components != TPF_COMPONENTS_4 &&
              one[c].file != TPF_FILE_IMM32 && c != first))
            continue;
         group[num] = one[c];
         at[num++] = place[c];
         mask |= 1u << place[c];
         left &= ~(1u << c);
      }
      tpf_emit_gather(group, at, num, &all);
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_masked(reg, mask), all);
   }
}

static const uint8_t xyzw[] = { 0, 1, 2, 3 };

struct tpf_operand
tpf_emit_vector(struct tpf_emit *e, nir_use *src, unsigned first, unsigned n)
{
   struct tpf_operand one[4], all, t;

   for (unsigned i = 0; i < n; i++)
      one[i] = tpf_emit_src(e, src, first + i);
   if (tpf_emit_gather(one, xyzw, n, &all))
      return all;
   t = tpf_emit_scratch(e);
   tpf_emit_moves(e, t, xyzw, one, n);
   return tpf_emit_swizzled(t, TPF_SWIZZLE_IDENTITY);
}

unsigned
tpf_emit_swizzle_to(const uint8_t *place, unsigned n)
{
   unsigned last = 0, swizzle = 0;

   for (unsigned p = 0; p < 4; p++) {
      for (unsigned c = 0; c < n; c++)
         last = place[c] == p ? c : last;
      swizzle |= last << 2 * p;
   }
   return swizzle;
}

void
tpf_emit_scatter(struct tpf_emit *e, nir_value *dest, struct tpf_operand from)
{
   struct tpf_operand all;
   uint8_t place[4];

   if (tpf_emit_dests(e, dest, &all, place)) {
      tpf_emit1(e, TPF_OP_MOV, all,
                dest->num_components == 1
                   ? tpf_emit_comp(from, 0)
                   : tpf_emit_swizzled(
                        from,
                        tpf_emit_swizzle_to(place, dest->num_components)));
      return;
   }
   for (unsigned i = 0; i < dest->num_components; i++)
      tpf_emit1(e, TPF_OP_MOV, tpf_emit_dest(e, dest, i),
                tpf_emit_comp(from, i));
}
