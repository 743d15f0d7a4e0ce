/* SPDX-License-Identifier: MIT */
/*
 * URB entries of vertices and patches: messages, and where varyings lie.
 *
 * SIMD8 messages (PRM SKL vol 7, "URB SIMD8 Read" and "URB SIMD8 Write"):
 * a GRF of handles, one a channel; a GRF of offsets a channel, if any; a GRF
 * of dword masks, if any; then, or in the answer, a GRF a dword. Offsets are
 * in slots of 16 bytes.
 */
#include "fs_nir.h"

/* ---- messages ---- */

static bool
has_offsets(const struct fs_urb_place *at)
{
   return at->per_slot.file != EU_BAD;
}

/* GRFs in front of the data: handles, offsets, masks. */
static unsigned
address_grfs(const struct fs_urb_place *at, eu_reg mask)
{
   return 1 + has_offsets(at) + (mask.file != EU_BAD);
}

static void
put_addresses(struct nir_to_fs *n, eu_reg p, const struct fs_urb_place *at,
              eu_reg mask)
{
   const struct eu_builder *b = &n->b;
   const struct eu_builder all = eu_exec_all(*b);

   eu_MOV(&all, p, eu_retype(at->handle, ISA_TYPE_UD));
   if (has_offsets(at))
      eu_MOV(b, eu_offset(p, b, 1), eu_retype(at->per_slot, ISA_TYPE_UD));
   if (mask.file != EU_BAD)
      eu_MOV(b, eu_offset(p, b, address_grfs(at, mask) - 1), mask);
}

static bool
is_whole_grf(eu_reg r)
{
   return (r.file == EU_GRF || r.file == EU_VGRF) && !r.region &&
          r.stride == 1 && r.offset % REG_SIZE_B == 0;
}

/* The addresses alone as a payload: the handles where they are, if they are
 * a GRF and all there is. */
static eu_reg
addresses(struct nir_to_fs *n, const struct fs_urb_place *at, eu_reg mask)
{
   const unsigned grfs = address_grfs(at, mask);

   if (mask.file == EU_BAD && at->addresses.file != EU_BAD)
      return at->addresses;
   if (grfs == 1 && is_whole_grf(at->handle))
      return eu_retype(at->handle, ISA_TYPE_UD);
   eu_reg p = eu_vgrf(&n->b, ISA_TYPE_UD, grfs);
   put_addresses(n, p, at, mask);
   return p;
}

eu_reg
fs_urb_read(struct nir_to_fs *n, const struct fs_urb_place *at,
            unsigned first, unsigned count)
{
   if (n->host)
      return n->host->urb_read(n, at, first, count);
   const struct eu_builder *b = &n->b;
   const unsigned grfs = first + count;
   const eu_reg no_mask = { 0 };
   eu_reg p = addresses(n, at, no_mask);
   eu_reg dst = eu_vgrf(b, ISA_TYPE_UD, grfs);

   eu_emit_send(b,
                &(struct isa_message) {
                   .msg = ISA_MSG_URB_SIMD8_READ,
                   .offset = at->slot,
                   .per_slot_offset = has_offsets(at),
                   .header = true,
                   .mlen = (uint8_t)address_grfs(at, no_mask),
                   .rlen = (uint8_t)grfs,
                },
                (eu_reg) { 0 }, dst, p);
   return eu_offset(dst, b, first);
}

struct eu_inst *
fs_urb_write_masked(struct nir_to_fs *n, const struct fs_urb_place *at,
                    unsigned dwords, const eu_reg *data, eu_reg mask)
{
   if (n->host)
      return n->host->urb_write(n, at, dwords, data, mask);
   const struct eu_builder *b = &n->b;
   const bool split = dwords && n->s->devinfo->eu.has_split_sends;
   const unsigned header = address_grfs(at, mask);
   const unsigned before = split ? 0 : header; /* GRFs before the data */
   const struct isa_message msg = {
      .msg = ISA_MSG_URB_SIMD8_WRITE,
      .offset = at->slot,
      .per_slot_offset = has_offsets(at),
      .channel_mask = mask.file != EU_BAD,
      .header = true,
      .mlen = (uint8_t)(split ? header : header + dwords),
   };
   eu_reg p = eu_vgrf(b, ISA_TYPE_UD, before + dwords);
   eu_reg head = p;

   if (split)
      head = addresses(n, at, mask);
   else
      put_addresses(n, p, at, mask);
   for (unsigned i = 0; i < dwords; i++) {
      if (data[i].file != EU_BAD)
         eu_MOV(b, eu_offset(p, b, before + i),
                eu_retype(data[i], ISA_TYPE_UD));
      else
         eu_undef_grfs(b, p, before + i, 1);
   }
   struct eu_inst *inst =
      eu_emit_send(b, &msg, (eu_reg) { 0 }, (eu_reg) { 0 }, head);
   if (split)
      eu_split_send(inst, p, dwords);
   inst->side_effects = true;
   return inst;
}

void
fs_end_with_urb_write(struct nir_to_fs *n, struct eu_inst *write)
{
   write->eot = true;
   n->ends_thread = true;
   if (n->host || write->mlen != 1)
      return;
   /* The handles of a payload lie below EU_EOT_FIRST_GRF. */
   const struct eu_builder before =
      eu_exec_all(eu_builder_before(n->s, write));
   eu_reg p = eu_vgrf(&before, ISA_TYPE_UD, 1);

   eu_MOV(&before, p, write->src[0]);
   write->src[0] = p;
}

struct eu_inst *
fs_urb_write(struct nir_to_fs *n, const struct fs_urb_place *at,
             unsigned dwords, const eu_reg *data, unsigned mask)
{
   return fs_urb_write_masked(
      n, at, dwords, data,
      mask ? eu_imm_ud(ISA_HDR_SET(URB_SLOT_CHANNELS, mask))
           : (eu_reg) { 0 });
}

/* ---- input vertices ---- */

/* Channel numbers times four: where a channel's dword is in a GRF. */
static eu_reg
channel_bytes(struct nir_to_fs *n)
{
   eu_reg w = eu_vgrf(&n->b, ISA_TYPE_UW, 1);
   eu_reg d = eu_vgrf(&n->b, ISA_TYPE_UD, 1);

   eu_MOV(&n->b, w, eu_imm_v(0x76543210));
   eu_MOV(&n->b, d, w);
   eu_SHL(&n->b, d, d, eu_imm_ud(2));
   return d;
}

/* A copy of the handles for dynamic indices, made at the start. */
static void
copy_handles(struct nir_to_fs *n, unsigned grfs)
{
   struct eu_builder top = eu_exec_all(eu_group(n->b, 8, 0));

   top.nir = NULL;
   top.before = n->const_tail->next;
   n->icp = eu_vgrf(&top, ISA_TYPE_UD, grfs);
   for (unsigned i = 0; i < grfs; i++)
      eu_MOV(&top, eu_offset(n->icp, &top, i),
             eu_grf(n->s->payload.icp_handles + i, ISA_TYPE_UD));
   n->const_tail = top.before->prev;
}

eu_reg
fs_input_vertex_handle(struct nir_to_fs *n, const nir_use *vertex,
                       unsigned vertices, unsigned grfs, bool packed)
{
   const struct eu_builder *b = &n->b;
   const unsigned first = n->s->payload.icp_handles;

   if (nir_use_is_const(*vertex)) {
      /* Out of bounds is undefined; any vertex will do. */
      const unsigned v =
         (unsigned)MIN2(nir_use_as_uint(*vertex), vertices - 1);
      if (packed)
         return eu_component(eu_grf(first + v / 8, ISA_TYPE_UD), v % 8);
      return eu_grf(first + v, ISA_TYPE_UD);
   }
   if (n->icp.file == EU_BAD)
      copy_handles(n, grfs);

   eu_reg v = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_reg at = eu_vgrf(b, ISA_TYPE_UD, 1);
   eu_reg dst = eu_vgrf(b, ISA_TYPE_UD, 1);
   struct eu_inst *min =
      eu_SEL(b, v, eu_retype(fs_src_comp(n, vertex, 0), ISA_TYPE_UD),
             eu_imm_ud(vertices - 1));

   min->cond_mod = ISA_COND_MOD_L;
   eu_SHL(b, at, v, eu_imm_ud(packed ? 2 : 5));
   if (!packed)
      eu_ADD(b, at, at, channel_bytes(n));
   eu_emit3(b, EU_OP_MOV_INDIRECT, dst, n->icp, at,
            eu_imm_ud(grfs * REG_SIZE_B));
   return dst;
}

/* ---- layouts ---- */

int
fs_vue_slot(const struct intel_vue_map *map, unsigned varying,
            unsigned *first)
{
   switch (varying) {
   case VARYING_SLOT_LAYER: *first += 1; return 0;
   case VARYING_SLOT_VIEWPORT: *first += 2; return 0;
   case VARYING_SLOT_PSIZ: *first += 3; return 0;
   default: return varying < 64 ? map->varying_to_slot[varying] : -1;
   }
}

int
fs_tess_factor_dword(enum tess_primitive_mode mode, unsigned varying,
                     unsigned c)
{
   const bool outer = varying == VARYING_SLOT_TESS_LEVEL_OUTER;

   /* PRM SKL vol 7, "Patch Header": the header's last dwords, from the end
    * on; lines have their number before their segments. */
   switch (mode) {
   case TESS_PRIMITIVE_QUADS:
      if (outer)
         return c < 4 ? 7 - (int)c : -1;
      return c < 2 ? 3 - (int)c : -1;
   case TESS_PRIMITIVE_TRIANGLES:
      if (outer)
         return c < 3 ? 7 - (int)c : -1;
      return c == 0 ? 4 : -1;
   case TESS_PRIMITIVE_ISOLINES: return outer && c < 2 ? 6 + (int)c : -1;
   default: return -1;
   }
}

void
fs_gather_io_slots(const nir_intrinsic_instr *intr, uint64_t *slots,
                   uint64_t *patch_slots)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const nir_use *at = nir_get_io_offset_src((nir_intrinsic_instr *)intr);
   const bool load = nir_intrinsic_infos[intr->intrinsic].has_dest;
   const unsigned bits = load ? intr->instr.result.bit_size
                              : intr->src[0].value->bit_size;
   const unsigned comps = load ? intr->instr.result.num_components
                               : intr->src[0].value->num_components;
   unsigned first = sem.location, count = MAX2(1, sem.num_slots);

   if (nir_use_is_const(*at)) {
      first += (unsigned)nir_use_as_uint(*at);
      count = DIV_ROUND_UP((unsigned)nir_intrinsic_component(intr) +
                              comps * MAX2(1, bits / 32),
                           4);
   }
   for (unsigned i = first; i < first + count; i++) {
      if (i < 64)
         *slots |= BITFIELD64_BIT(i);
      else if (i < VARYING_SLOT_TESS_MAX && patch_slots)
         *patch_slots |= BITFIELD64_BIT(i - VARYING_SLOT_PATCH0);
   }
}

void
fs_load_vue_input(struct nir_to_fs *n, nir_intrinsic_instr *intr,
                  eu_reg handle, const struct intel_vue_map *map)
{
   const nir_use *off = nir_get_io_offset_src(intr);
   struct fs_urb_place at = { .handle = handle };
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   unsigned first = (unsigned)nir_intrinsic_component(intr);

   if (intr->instr.result.bit_size != 32) {
      eu_fail(n->s, "per-vertex input of %u bits",
              intr->instr.result.bit_size);
      return;
   }
   if (nir_use_is_const(*off))
      location += (unsigned)nir_use_as_uint(*off);
   else
      at.per_slot = fs_src_comp(n, off, 0);

   const int slot = fs_vue_slot(map, location, &first);
   if (slot < 0) {
      /* The stage before has not written it. */
      eu_undef(&n->b, fs_get_dest(n, &intr->instr.result));
      return;
   }
   at.slot = (unsigned)slot;
   fs_set_dest(n, &intr->instr.result,
               fs_urb_read(n, &at, first, intr->instr.result.num_components));
}

/* ---- output vertices ---- */

void
fs_set_vue_outputs(struct eu_shader *s, uint64_t written, uint64_t extra,
                   struct intel_vue_outputs *out)
{
   const unsigned clips = s->nir->info.clip_distance_array_size;
   const unsigned culls = s->nir->info.cull_distance_array_size;

   s->nir->info.outputs_written = written;
   memset(out, 0, sizeof(*out));
   out->writes_point_size = (written & VARYING_BIT(PSIZ)) != 0;
   out->writes_layer = (written & VARYING_BIT(LAYER)) != 0;
   out->writes_viewport = (written & VARYING_BIT(VIEWPORT)) != 0;
   out->writes_primitive_id = (written & VARYING_BIT(PRIMITIVE_ID)) != 0;
   out->clip_distance_mask = (uint8_t)BITFIELD_MASK(clips);
   out->cull_distance_mask = (uint8_t)(BITFIELD_MASK(culls) << clips);
   intel_compute_vue_map(&out->vue_map, written | extra);
}

void
fs_store_vue_output(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);

   if (!nir_use_is_const(intr->src[1])) {
      eu_fail(n->s, "output with a dynamic index");
      return;
   }
   fs_store_output(n, intr, n->out,
                   sem.location + (unsigned)nir_use_as_uint(intr->src[1]));
}

/* The value of a VUE slot's dword; EU_BAD where anything will do. */
static eu_reg
vue_dword(const struct nir_to_fs *n, const struct intel_vue_map *map,
          unsigned slot, unsigned dw)
{
   const int varying = map->slot_to_varying[slot];

   if (slot == 0) {
      static const uint8_t in_header[4] = {
         0,
         VARYING_SLOT_LAYER,
         VARYING_SLOT_VIEWPORT,
         VARYING_SLOT_PSIZ,
      };
      if (dw == 0 || n->out[in_header[dw]].file == EU_BAD)
         return eu_imm_ud(0);
      return eu_retype(n->out[in_header[dw]], ISA_TYPE_UD);
   }
   if (varying < 0 || n->out[varying].file == EU_BAD ||
       !(n->out_written[varying] & (1u << dw)))
      return (eu_reg) { 0 };
   return eu_retype(eu_offset(n->out[varying], &n->b, dw), ISA_TYPE_UD);
}

/* The dwords of up to two slots from `first` on; how many, without those at
 * the end for which anything will do. */
static unsigned
gather_vue_dwords(const struct nir_to_fs *n, const struct intel_vue_map *map,
                  unsigned first, eu_reg *data)
{
   const unsigned count = MIN2(2, map->num_slots - first);
   unsigned dwords = 0;

   for (unsigned i = 0; i < 4 * count; i++) {
      data[i] = vue_dword(n, map, first + i / 4, i % 4);
      if (data[i].file != EU_BAD)
         dwords = i + 1;
   }
   return dwords;
}

/* Whether a slot has a value: a position that only the next stage makes has
 * none, and no message needs to have it. */
static bool
is_given(const eu_reg *slot)
{
   for (unsigned i = 0; i < 4; i++) {
      if (slot[i].file != EU_BAD)
         return true;
   }
   return false;
}

/* What a message at the end is for: the last store to one of two slots. */
static const nir_instr *
store_of(const struct nir_to_fs *n, const struct intel_vue_map *map,
         unsigned first)
{
   const nir_instr *store = NULL;

   for (unsigned i = first; i < MIN2(first + 2, map->num_slots); i++) {
      const int varying = map->slot_to_varying[i];
      if (varying >= 0 && n->out_nir[varying])
         store = n->out_nir[varying];
   }
   return store;
}

struct eu_inst *
fs_write_vue(struct nir_to_fs *n, const struct intel_vue_map *map,
             const struct fs_urb_place *at)
{
   struct eu_inst *last = NULL;

   if (n->host)
      return n->host->write_vue(n, map, at);
   /* Without its values nothing reads the header: 3DSTATE_CLIP, 3DSTATE_SF
    * say what holds instead. */
   const bool header = n->s->nir->info.outputs_written &
                       INTEL_VUE_HEADER_BITS;
   unsigned first = header ? 0 : 1;
   const bool at_end = !n->b.nir;
   while (first < map->num_slots) {
      struct fs_urb_place here = *at;
      eu_reg data[8];
      const unsigned dwords = gather_vue_dwords(n, map, first, data);

      if (!is_given(data)) {
         first++;
         continue;
      }
      here.slot += first;
      if (at_end)
         n->b.nir = store_of(n, map, first);
      last = fs_urb_write(n, &here, dwords, data, 0);
      first += 2;
   }
   if (at_end)
      n->b.nir = NULL;
   return last ? last : fs_urb_write(n, at, 0, NULL, 0);
}

void
fs_emit_urb_writes(struct nir_to_fs *n)
{
   const struct intel_vue_map *map = n->s->stage == MESA_SHADER_VERTEX
                                        ? &n->s->prog_data.vs->out.vue_map
                                        : &n->s->prog_data.tes->out.vue_map;
   const struct fs_urb_place at = {
      .handle = eu_grf(n->s->payload.urb_handles, ISA_TYPE_UD),
   };

   fs_end_with_urb_write(n, fs_write_vue(n, map, &at));
}
