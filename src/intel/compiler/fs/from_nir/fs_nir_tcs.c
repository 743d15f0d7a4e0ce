/* SPDX-License-Identifier: MIT */
/*
 * Tessellation control shaders: SIMD8, one patch a thread.
 *
 * Thread payload (PRM SKL vol 7, "Hull Shader (HS) Stage", SINGLE_PATCH
 * thread payload): g0.0 handle of the patch's URB entry; g0.1 primitive ID;
 * g0.2 bits 16:13 barrier ID, bits 23:17 instance number (ivb: both a bit
 * lower); g1 to g4 the handles of up to 32 input vertices, one a dword; then
 * push constants.
 *
 * A channel is an invocation; instance i has the invocations 8 i to 8 i + 7
 * (SIMD4x2, which has this payload, too: 2 i and 2 i + 1).
 * All outputs are in the one entry (intel_patch_map) and are written and read
 * back by messages, so that invocations see each other's.
 */
#include "fs_nir.h"

#define INSTANCE_SHIFT 17
#define BARRIER_SHIFT 13
#define MAX_PATCH_VERTICES 32
#define HANDLE_GRFS 4
/* 3DSTATE_URB_HS: 512 units of 64 bytes. */
#define MAX_ENTRY_B (32 * 1024)

/* Invocations of a thread: channels, or vectors. */
static unsigned
per_thread(const struct eu_shader *s)
{
   return s->simd4x2 ? 2 : 8;
}

static enum tess_primitive_mode
domain(const struct eu_shader *s)
{
   return s->key.tcs->primitive_mode != TESS_PRIMITIVE_UNSPECIFIED
             ? s->key.tcs->primitive_mode
             : s->nir->info.tess._primitive_mode;
}

struct gathered {
   uint64_t inputs, outputs, patch_outputs;
};

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr,
       struct gathered *g)
{
   struct intel_tcs_prog_data *pd = s->prog_data.tcs;

   switch (intr->intrinsic) {
   case nir_intrinsic_load_per_vertex_input:
      fs_gather_io_slots(intr, &g->inputs, NULL);
      break;
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output:
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
      fs_gather_io_slots(intr, &g->outputs, &g->patch_outputs);
      break;
   case nir_intrinsic_load_primitive_id: pd->uses_primitive_id = true; break;
   case nir_intrinsic_control_barrier: pd->uses_barrier = true; break;
   case nir_intrinsic_scoped_barrier:
      pd->uses_barrier |= nir_intrinsic_execution_scope(intr) !=
                          NIR_SCOPE_NONE;
      break;
   default: break;
   }
}

void
fs_setup_tcs(struct eu_shader *s)
{
   struct intel_tcs_prog_data *pd = s->prog_data.tcs;
   struct gathered g = { 0 };

   nir_foreach_block(block, nir_entry_point(s->nir)) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            gather(s, nir_instr_as_intrinsic(instr), &g);
      }
   }
   if (s->key.tcs->patch_map)
      pd->patch_map = *s->key.tcs->patch_map;
   else
      intel_compute_patch_map(&pd->patch_map, g.outputs, g.patch_outputs);
   if (s->key.tcs->input_map)
      s->input_map = *s->key.tcs->input_map;
   else
      intel_compute_vue_map(&s->input_map, g.inputs);

   if (domain(s) == TESS_PRIMITIVE_UNSPECIFIED) {
      eu_fail(s, "tessellation control without a domain");
      return;
   }
   pd->vertices_out = s->nir->info.tess.tcs_vertices_out;
   if (pd->vertices_out < 1 || pd->vertices_out > MAX_PATCH_VERTICES) {
      eu_fail(s, "%u output vertices in a patch", pd->vertices_out);
      return;
   }
   pd->instances = DIV_ROUND_UP(pd->vertices_out, per_thread(s));

   const unsigned size_B =
      16 * (pd->patch_map.num_patch_slots +
            pd->vertices_out * pd->patch_map.num_vertex_slots);
   if (size_B > MAX_ENTRY_B) {
      eu_fail(s, "a patch of %u bytes", size_B);
      return;
   }
   pd->urb_entry_size = DIV_ROUND_UP(size_B, 64);
   s->payload.icp_handles = 1;
   s->payload.num_regs = 1 + HANDLE_GRFS;
}

static eu_reg
patch_handle(const struct nir_to_fs *n)
{
   return n->host ? eu_component(eu_grf(0, ISA_TYPE_UD), 0) : n->tcs.handle;
}

/* What most messages begin with, once: the handle for each channel, and where
 * the invocation's own vertex is. */
static void
make_places(struct nir_to_fs *n)
{
   const struct intel_patch_map *map = &n->s->prog_data.tcs->patch_map;
   const struct eu_builder all = eu_exec_all(n->b);
   const eu_reg handle = eu_component(eu_grf(0, ISA_TYPE_UD), 0);

   n->tcs.handle = eu_vgrf(&all, ISA_TYPE_UD, 1);
   n->tcs.own = eu_vgrf(&all, ISA_TYPE_UD, 2);
   eu_MOV(&all, n->tcs.handle, handle);
   eu_MOV(&all, n->tcs.own, handle);
   eu_MUL(&all, eu_offset(n->tcs.own, &all, 1), n->invocation_id,
          eu_imm_uw(map->num_vertex_slots));
}

void
fs_emit_tcs_prologue(struct nir_to_fs *n)
{
   const struct intel_tcs_prog_data *pd = n->s->prog_data.tcs;
   const struct eu_builder *b = &n->b;
   const struct eu_builder all = eu_exec_all(*b);
   eu_reg w = eu_vgrf(b, ISA_TYPE_UW, 1);

   n->invocation_id = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_MOV(&all, w, eu_imm_v(n->s->simd4x2 ? 0x11110000 : 0x76543210));
   eu_MOV(&all, n->invocation_id, w);
   if (pd->instances > 1) {
      const struct eu_builder sb = eu_scalar(*b);
      const unsigned shift = INSTANCE_SHIFT -
                             n->s->devinfo->eu.hs_header_shift;
      eu_reg first = eu_vgrf_scalar(b, ISA_TYPE_UD);

      eu_AND(&sb, eu_scalar_dst(first),
             eu_component(eu_grf(0, ISA_TYPE_UD), 2),
             eu_imm_ud(0x7f << shift));
      /* Times the invocations of an instance. */
      eu_SHR(&sb, eu_scalar_dst(first), first,
             eu_imm_ud(shift - util_logbase2(per_thread(n->s))));
      eu_ADD(&all, n->invocation_id, n->invocation_id, first);
   }
   if (!n->host)
      make_places(n);
   n->const_tail = n->s->insts.prev;
   /* All channels are started, whatever the number of vertices. */
   if (pd->vertices_out % per_thread(n->s)) {
      eu_CMP(b, eu_null(ISA_TYPE_UD), n->invocation_id,
             eu_imm_ud(pd->vertices_out), ISA_COND_MOD_L);
      eu_emit0(b, ISA_OPCODE_IF)->pred = ISA_PRED_NORMAL;
   }
}

void
fs_emit_tcs_end(struct nir_to_fs *n)
{
   const struct intel_tcs_prog_data *pd = n->s->prog_data.tcs;
   const struct fs_urb_place at = { .handle = patch_handle(n) };
   const eu_reg zero = eu_imm_ud(0);

   if (pd->vertices_out % per_thread(n->s))
      eu_emit0(&n->b, ISA_OPCODE_ENDIF);
   /* The end needs a message; the first dword of the header must be zero in
    * any case (Patch Header, DW0). */
   fs_end_with_urb_write(n, fs_urb_write(n, &at, 1, &zero, 1));
}

/* ---- outputs ---- */

static bool
is_invocation_id(const nir_use *src)
{
   const nir_instr *from = src->value->instr;

   return from->kind == nir_kind_intrinsic &&
          nir_instr_as_intrinsic((nir_instr *)from)->intrinsic ==
             nir_intrinsic_load_invocation_id;
}

/* Where a per-vertex output goes: vertex * slots of a vertex + slot. */
static eu_reg
vertex_offset(struct nir_to_fs *n, const nir_use *vertex, unsigned *slot)
{
   const struct intel_patch_map *map = &n->s->prog_data.tcs->patch_map;
   eu_reg at;

   *slot += map->num_patch_slots;
   if (nir_use_is_const(*vertex)) {
      const uint64_t v = MIN2(nir_use_as_uint(*vertex),
                              n->s->prog_data.tcs->vertices_out - 1);
      *slot += (unsigned)v * map->num_vertex_slots;
      return (eu_reg) { 0 };
   }
   eu_reg v = eu_retype(fs_src_comp(n, vertex, 0), ISA_TYPE_UD);
   if (!is_invocation_id(vertex)) {
      const eu_reg any = v;
      v = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      eu_SEL(&n->b, v, any, eu_imm_ud(n->s->prog_data.tcs->vertices_out - 1))
         ->cond_mod = ISA_COND_MOD_L;
   }
   if (map->num_vertex_slots == 1)
      return v;
   at = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
   eu_MUL(&n->b, at, v, eu_imm_uw(map->num_vertex_slots));
   return at;
}

static eu_reg
sum(struct nir_to_fs *n, eu_reg a, eu_reg b)
{
   eu_reg r;

   if (a.file == EU_BAD)
      return b;
   r = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
   eu_ADD(&n->b, r, a, b);
   return r;
}

/* False: the patch has no such slot. */
static bool
output_place(struct nir_to_fs *n, nir_intrinsic_instr *intr,
             struct fs_urb_place *at)
{
   const struct intel_patch_map *map = &n->s->prog_data.tcs->patch_map;
   const nir_use *vertex = nir_get_io_arrayed_index_src(intr);
   const nir_use *off = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;

   if (nir_use_is_const(*off))
      location += (unsigned)nir_use_as_uint(*off);
   *at = (struct fs_urb_place) { .handle = patch_handle(n) };
   if (location >= VARYING_SLOT_TESS_MAX ||
       map->varying_to_slot[location] < 0)
      return false;
   at->slot = (unsigned)map->varying_to_slot[location];
   if (vertex && is_invocation_id(vertex) && nir_use_is_const(*off) &&
       !n->host) {
      at->slot += map->num_patch_slots;
      at->per_slot = eu_offset(n->tcs.own, &n->b, 1);
      at->addresses = n->tcs.own;
      return true;
   }
   if (vertex)
      at->per_slot = vertex_offset(n, vertex, &at->slot);
   if (!nir_use_is_const(*off))
      at->per_slot =
         sum(n, at->per_slot, eu_retype(fs_src_comp(n, off, 0), ISA_TYPE_UD));
   return true;
}

static bool
is_tess_factor(const nir_intrinsic_instr *intr)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;

   return location == VARYING_SLOT_TESS_LEVEL_OUTER ||
          location == VARYING_SLOT_TESS_LEVEL_INNER;
}

/* Dwords from a slot on; those in `mask` are written. */
static void
write_slot(struct nir_to_fs *n, const struct fs_urb_place *at,
           const eu_reg *data, unsigned mask)
{
   const unsigned dwords = 32 - (unsigned)__builtin_clz(mask);

   fs_urb_write(n, at, dwords, data,
                mask == BITFIELD_MASK(dwords) ? 0 : mask);
}

/* Dwords of the patch header, and which of them are there. */
struct factors {
   eu_reg data[8];
   unsigned mask;
};

static void
take_tess_factor(struct nir_to_fs *n, const nir_intrinsic_instr *intr,
                 struct factors *f)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(intr);

   for (unsigned c = 0; c < intr->src[0].value->num_components; c++) {
      const int dw = fs_tess_factor_dword(
         domain(n->s), location, (unsigned)nir_intrinsic_component(intr) + c);
      if (!(mask & (1u << c)) || dw < 0)
         continue;
      f->data[dw] = fs_src_comp(n, &intr->src[0], c);
      f->mask |= 1u << dw;
   }
}

/* What follows, if it is one of these, too, with nothing between but what
 * cannot change the other's values. */
static nir_intrinsic_instr *
next_tess_factor(nir_intrinsic_instr *intr)
{
   nir_instr *i = nir_instr_next(&intr->instr);

   while (i && (i->kind == nir_kind_load_const || i->kind == nir_kind_undef))
      i = nir_instr_next(i);
   if (!i || i->kind != nir_kind_intrinsic)
      return NULL;
   nir_intrinsic_instr *next = nir_instr_as_intrinsic(i);
   return next->intrinsic == nir_intrinsic_store_output &&
                is_tess_factor(next) && next->src[0].value->bit_size == 32
             ? next
             : NULL;
}

/* The header's two slots, in one message if both are written in a row. */
static void
store_tess_factor(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   struct factors f = { 0 };

   if (intr == n->tcs.factors_done) {
      n->tcs.factors_done = NULL;
      return;
   }
   take_tess_factor(n, intr, &f);
   nir_intrinsic_instr *next = n->host ? NULL : next_tess_factor(intr);
   if (next) {
      take_tess_factor(n, next, &f);
      n->tcs.factors_done = next;
   }
   if ((f.mask & 0xf) && (f.mask & 0xf0) && !n->host) {
      const struct fs_urb_place at = { .handle = patch_handle(n) };
      write_slot(n, &at, f.data, f.mask);
      return;
   }
   for (unsigned i = 0; i < 2; i++) {
      const struct fs_urb_place at = { .handle = patch_handle(n), .slot = i };
      const unsigned mask = f.mask >> (4 * i) & 0xf;
      if (mask)
         write_slot(n, &at, &f.data[4 * i], mask);
   }
}

static void
store_output(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned first = (unsigned)nir_intrinsic_component(intr);
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(intr) << first;
   struct fs_urb_place at;
   eu_reg data[4] = { 0 };

   if (intr->src[0].value->bit_size != 32) {
      eu_fail(n->s, "output of %u bits", intr->src[0].value->bit_size);
      return;
   }
   if (is_tess_factor(intr)) {
      store_tess_factor(n, intr);
      return;
   }
   if (!mask || !output_place(n, intr, &at))
      return;
   for (unsigned c = 0; c < intr->src[0].value->num_components; c++)
      data[first + c] = fs_src_comp(n, &intr->src[0], c);
   write_slot(n, &at, data, mask);
}

static void
load_tess_factor(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      const int dw = fs_tess_factor_dword(
         domain(n->s), location, (unsigned)nir_intrinsic_component(intr) + c);
      const struct fs_urb_place at = { .handle = patch_handle(n),
                                       .slot = (unsigned)MAX2(dw, 0) / 4 };
      eu_reg v = eu_imm_ud(0);
      if (dw >= 0)
         v = fs_urb_read(n, &at, (unsigned)dw % 4, 1);
      eu_MOV(&n->b, eu_offset(dst, &n->b, c), v);
   }
}

static void
load_output(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   struct fs_urb_place at;

   if (intr->instr.result.bit_size != 32) {
      eu_fail(n->s, "output of %u bits", intr->instr.result.bit_size);
   } else if (is_tess_factor(intr)) {
      load_tess_factor(n, intr);
   } else if (!output_place(n, intr, &at)) {
      eu_undef(&n->b, fs_get_dest(n, &intr->instr.result));
   } else {
      fs_set_dest(n, &intr->instr.result,
                  fs_urb_read(n, &at, (unsigned)nir_intrinsic_component(intr),
                              intr->instr.result.num_components));
   }
}

/* ---- barrier ---- */

/*
 * PRM SKL vol 7, "Message Gateway", barrier message: the header's dword 2
 * has the barrier ID in bits 27:24, the number of threads in bits 14:9 and,
 * in bit 15, that this number counts. A thread waits on n0.0 then. One
 * thread alone is in step with itself.
 */
static void
emit_barrier(struct nir_to_fs *n)
{
   const struct intel_tcs_prog_data *pd = n->s->prog_data.tcs;
   const struct eu_builder b8 = eu_exec_all(eu_group(n->b, 8, 0));
   const struct eu_builder sb = eu_scalar(n->b);
   const unsigned shift = BARRIER_SHIFT - n->s->devinfo->eu.hs_header_shift;
   struct eu_inst *inst;

   if (pd->instances == 1)
      return;
   eu_reg header = eu_vgrf(&b8, ISA_TYPE_UD, 1);
   eu_reg dw2 = eu_component(header, ISA_HDR_BARRIER_ID_DW);

   eu_MOV(&b8, header, eu_imm_ud(0));
   eu_AND(&sb, eu_scalar_dst(dw2), eu_component(eu_grf(0, ISA_TYPE_UD), 2),
          eu_imm_ud(0xf << shift));
   eu_SHL(&sb, eu_scalar_dst(dw2), dw2,
          eu_imm_ud(ISA_HDR_BARRIER_ID_SHIFT - shift));
   eu_OR(&sb, eu_scalar_dst(dw2), dw2,
         eu_imm_ud(ISA_HDR_SET(BARRIER_COUNT, pd->instances) |
                   ISA_HDR_SET(BARRIER_HAS_COUNT, 1)));
   inst = eu_emit_send(&b8,
                       &(struct isa_message) {
                          .msg = ISA_MSG_BARRIER, .notify = 1, .mlen = 1 },
                       (eu_reg) { 0 }, (eu_reg) { 0 }, header);
   inst->side_effects = true;
   fs_emit_wait(n);
}

/* Of an input patch; the key may not say. Handles of others are leftovers. */
static unsigned
vertices_in(const struct nir_to_fs *n)
{
   const unsigned count = n->s->key.tcs->patch_vertices;

   return count ? count : MAX_PATCH_VERTICES;
}

/* Of the vertex that an input is of. */
static eu_reg
input_handle(struct nir_to_fs *n, const nir_use *vertex)
{
   const struct intel_tcs_prog_data *pd = n->s->prog_data.tcs;

   /* The payload has them in the order of channels; channels without a
    * vertex are off. */
   if (!n->host && pd->instances == 1 && is_invocation_id(vertex) &&
       pd->vertices_out <= vertices_in(n))
      return eu_grf(n->s->payload.icp_handles, ISA_TYPE_UD);
   return fs_input_vertex_handle(n, vertex, vertices_in(n), HANDLE_GRFS,
                                 true);
}

bool
fs_emit_tcs_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_invocation_id:
      fs_set_dest(n, &intr->instr.result, n->invocation_id);
      return true;
   case nir_intrinsic_load_primitive_id:
      fs_set_dest(n, &intr->instr.result,
                  eu_component(eu_grf(0, ISA_TYPE_UD), 1));
      return true;
   case nir_intrinsic_load_per_vertex_input:
      fs_load_vue_input(n, intr, input_handle(n, &intr->src[0]),
                        &n->s->input_map);
      return true;
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output:
      load_output(n, intr);
      return true;
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output:
      store_output(n, intr);
      return true;
   case nir_intrinsic_control_barrier: emit_barrier(n); return true;
   case nir_intrinsic_scoped_barrier:
      fs_emit_memory_barrier(n, intr);
      if (nir_intrinsic_execution_scope(intr) != NIR_SCOPE_NONE)
         emit_barrier(n);
      return true;
   default: return false;
   }
}
