/* SPDX-License-Identifier: MIT */
/*
 * URB messages of two vertices (PRM IVB vol 2 part 1, "URB_WRITE"; HSW vol 7,
 * "URB Messages"). A payload is a header with the two handles and a mask of
 * dwords, then one GRF for each slot, with both vertices' vec4 (interleaved).
 * Offsets of HWORD messages count pairs of slots, and a message writes whole
 * pairs.
 *
 * Outputs are computed into the payload, so that no copy is needed.
 */
#include "vec4_nir.h"

#define SLOTS 14 /* of a message: 15 GRFs with the header */

static unsigned
data_grfs(const struct intel_vue_map *map, unsigned message)
{
   return ALIGN(MIN2(SLOTS, map->num_slots - message * SLOTS), 2);
}

/* The payload of a message; it lives from here on. Its header is the thread's
 * own, with a mask of all dwords (HSW vol 7, "URB_WRITE_HWORD"), and
 * stays for the next vertex. */
static void
make_payload(struct nir_to_vec4 *v, const struct intel_vue_map *map,
             unsigned message, struct eu_builder *b)
{
   const struct eu_builder all = eu_exec_all(*b), sb = eu_scalar(*b);
   eu_reg *p = &v->payload[message];

   *p = eu_vgrf_reg(eu_alloc_vgrf(v->n.s, 1 + data_grfs(map, message)),
                    ISA_TYPE_UD);
   eu_undef(b, *p);
   eu_MOV(&all, *p, eu_grf(0, ISA_TYPE_UD));
   eu_OR(&sb, eu_byte_offset(*p, ISA_HDR_BYTE(URB_CHANNELS)),
         eu_component(eu_grf(0, ISA_TYPE_UD), ISA_HDR_URB_CHANNELS_DW),
         eu_imm_ud(ISA_HDR_URB_CHANNELS_MASK));
   if (message > 0)
      return;
   eu_MOV(b, eu_byte_offset(*p, REG_SIZE_B), eu_imm_ud(0));
   /* The clipper reads a position, whether or not the shader makes one. */
   const int position = map->varying_to_slot[VARYING_SLOT_POS];
   if (position > 0 && !(v->n.s->nir->info.outputs_written &
                         BITFIELD64_BIT(VARYING_SLOT_POS)))
      eu_MOV(b, eu_byte_offset(*p, (1 + (unsigned)position) * REG_SIZE_B),
             eu_imm_ud(0));
}

/* Makes the payloads where the builder stands if each path comes here once,
 * else at the start of the program. */
static void
make_payloads(struct nir_to_vec4 *v, const struct intel_vue_map *map,
              bool always)
{
   struct eu_builder b = v->n.b;

   if (v->payload[0].file != EU_BAD)
      return;
   if (!always)
      b.before = v->n.const_tail->next;
   for (unsigned m = 0; m * SLOTS < map->num_slots; m++)
      make_payload(v, map, m, &b);
   if (!always)
      v->n.const_tail = b.before->prev;
}

void
vec4_store_vue_output(struct nir_to_vec4 *v, nir_intrinsic_instr *intr,
                      const struct intel_vue_map *map)
{
   unsigned mask = (unsigned)nir_intrinsic_write_mask(intr);
   unsigned first = (unsigned)nir_intrinsic_component(intr);
   uint8_t comp[4] = { 0 };

   if (!nir_use_is_const(intr->src[1])) {
      eu_fail(v->n.s, "output with a dynamic index");
      return;
   }
   if (intr->src[0].value->bit_size != 32) {
      eu_fail(v->n.s, "output of %u bits", intr->src[0].value->bit_size);
      return;
   }
   const unsigned varying = nir_intrinsic_io_semantics(intr).location +
                            (unsigned)nir_use_as_uint(intr->src[1]);
   const int slot = fs_vue_slot(map, varying, &first);
   for (unsigned c = 0; c < intr->src[0].value->num_components; c++) {
      if (vec4_undefined(v, &intr->src[0], c))
         mask &= ~(1u << c);
   }
   if (slot < 0 || !mask)
      return;
   make_payloads(v, map,
                 intr->instr.block->cf_node.parent->type ==
                    nir_cf_node_function);
   for (unsigned c = 0; c + first < 4; c++)
      comp[first + c] = (uint8_t)c;
   eu_reg to = eu_byte_offset(v->payload[slot / SLOTS],
                              (1 + (unsigned)slot % SLOTS) * REG_SIZE_B);
   const unsigned to_mask = (mask << first) & 0xf;
   vec4_mov(v, to, to_mask,
            eu_retype(vec4_operand(v, &intr->src[0], comp, to_mask),
                      ISA_TYPE_UD));
}

/* One vertex's part of a value in the scalar back end's layout. */
static eu_reg
of_vertex(eu_reg r, unsigned vertex)
{
   return r.file == EU_IMM ? r : eu_component(r, 4 * vertex);
}

/* Whether the second half of registers belongs to no vertex. */
static bool
has_one_vertex(const struct eu_shader *s)
{
   return s->stage == MESA_SHADER_GEOMETRY &&
          s->prog_data.gs->dispatch_mode == INTEL_DISPATCH_4X1_SINGLE;
}

/* The same for handles and offsets of messages: without a second vertex the
 * first one's stand twice. */
static eu_reg
place_of_vertex(const struct eu_shader *s, eu_reg r, unsigned vertex)
{
   return of_vertex(r, has_one_vertex(s) ? 0 : vertex);
}

/* M0.3 and M0.4: the per-slot offsets of the two URB entries. */
static void
put_offsets(const struct eu_builder *b, eu_reg header,
            const struct fs_urb_place *at)
{
   const struct eu_builder sb = eu_scalar(*b);

   if (at->per_slot.file == EU_BAD)
      return;
   for (unsigned vertex = 0; vertex < 2; vertex++)
      eu_MOV(&sb, eu_byte_offset(header, 12 + 4 * vertex),
             place_of_vertex(b->s, eu_retype(at->per_slot, ISA_TYPE_UD),
                             vertex));
}

/* M0.0 and M0.1 are the handles; g0 has the thread's own where the header
 * wants them. */
static void
put_header(const struct eu_builder *b, eu_reg header,
           const struct fs_urb_place *at)
{
   const struct eu_builder all = eu_exec_all(*b), sb = eu_scalar(*b);

   if (at->handle.file == EU_BAD)
      eu_MOV(&all, header, eu_grf(0, ISA_TYPE_UD));
   for (unsigned vertex = 0; vertex < 2 && at->handle.file != EU_BAD;
        vertex++)
      eu_MOV(&sb, eu_byte_offset(header, 4 * vertex),
             place_of_vertex(b->s, at->handle, vertex));
   put_offsets(b, header, at);
}

/* Writes the slots of one message, at an offset in pairs of slots. */
static struct eu_inst *
write_message(struct nir_to_vec4 *v, const struct intel_vue_map *map,
              unsigned message, const struct fs_urb_place *at)
{
   const unsigned grfs = 1 + data_grfs(map, message);
   const eu_reg p = v->payload[message];

   put_offsets(&v->n.b, p, at);
   struct eu_inst *inst =
      eu_emit_send(&v->n.b,
                   &(struct isa_message) {
                      .msg = ISA_MSG_URB_WRITE_HWORD,
                      .offset = (uint16_t)((at->slot + message * SLOTS) / 2),
                      .interleaved = true,
                      .header = true,
                      .per_slot_offset = at->per_slot.file != EU_BAD,
                      .mlen = (uint8_t)grfs },
                   (eu_reg) { 0 }, (eu_reg) { 0 }, p);
   inst->side_effects = true;
   return inst;
}

struct eu_inst *
vec4_write_vue(struct nir_to_fs *n, const struct intel_vue_map *map,
               const struct fs_urb_place *at)
{
   struct nir_to_vec4 *v = vec4_of(n);
   struct eu_inst *last = NULL;

   assert(at->slot % 2 == 0 && at->handle.file == EU_BAD);
   make_payloads(v, map, false);
   for (unsigned m = 0; m * SLOTS < map->num_slots; m++)
      last = write_message(v, map, m, at);
   return last;
}

/* Reads components of one slot of both entries. */
eu_reg
vec4_urb_read(struct nir_to_fs *n, const struct fs_urb_place *at,
              unsigned first, unsigned count)
{
   const struct eu_builder *b = &n->b;
   const bool per_slot = at->per_slot.file != EU_BAD;
   const eu_reg header = eu_vgrf(b, ISA_TYPE_UD, 1);
   const eu_reg slot = eu_vgrf(b, ISA_TYPE_UD, 1);
   const eu_reg dst = eu_vgrf(b, ISA_TYPE_UD, count);

   eu_undef(b, header);
   put_header(b, header, at);
   eu_emit_send(b,
                &(struct isa_message) { .msg = ISA_MSG_URB_READ_OWORD,
                                        .offset = (uint16_t)at->slot,
                                        .interleaved = true,
                                        .per_slot_offset = per_slot,
                                        .header = true,
                                        .mlen = 1,
                                        .rlen = 1 },
                (eu_reg) { 0 }, slot, header);
   for (unsigned c = 0; c < count; c++) {
      eu_reg from = slot;
      from.swz = vec4_swizzle_scalar(first + c);
      vec4_mov(vec4_of(n), eu_offset(dst, b, c), ISA_WRITEMASK_XYZW, from);
   }
   return dst;
}

/* The header's mask of dwords: `mask` for both vertices, or, if `dynamic` is
 * a register, each vertex's own, in the form of the masks of per-slot
 * messages. */
static void
put_mask(const struct eu_builder *b, eu_reg header, unsigned mask,
         eu_reg dynamic)
{
   const struct eu_builder sb = eu_scalar(*b);
   const eu_reg dw5 = eu_byte_offset(header, ISA_HDR_BYTE(URB_CHANNELS));

   if (dynamic.file == EU_BAD) {
      eu_MOV(&sb, dw5,
             eu_imm_ud(ISA_HDR_SET(URB_CHANNELS, mask | mask << 4)));
      return;
   }
   const unsigned shift = ISA_HDR_URB_SLOT_CHANNELS_SHIFT -
                          ISA_HDR_URB_CHANNELS_SHIFT;
   const eu_reg t = eu_vgrf_scalar(b, ISA_TYPE_UD);
   eu_SHR(&sb, dw5, of_vertex(dynamic, 0), eu_imm_ud(shift));
   if (has_one_vertex(b->s))
      return;
   eu_SHR(&sb, eu_scalar_dst(t), of_vertex(dynamic, 1), eu_imm_ud(shift - 4));
   eu_OR(&sb, dw5, eu_component(dw5, 0), t);
}

static struct eu_inst *
write_slot(struct nir_to_fs *n, const struct fs_urb_place *at, unsigned slot,
           const eu_reg data[4], unsigned mask, eu_reg dynamic_mask)
{
   const struct eu_builder *b = &n->b;
   const eu_reg p = eu_vgrf(b, ISA_TYPE_UD, 2);
   struct eu_inst *inst;

   eu_undef(b, p);
   put_header(b, p, at);
   put_mask(b, p, mask, dynamic_mask);
   for (unsigned c = 0; c < 4; c++) {
      eu_reg from = eu_retype(data[c], ISA_TYPE_UD);
      if (!(mask & (1u << c)) || from.file == EU_BAD)
         continue;
      if (from.file != EU_IMM && from.stride == 0) {
         from.swz = vec4_swizzle_scalar(from.offset % 16 / 4);
         from.offset &= ~15u;
      } else if (from.file != EU_IMM) {
         from.swz = ISA_SWIZZLE_XYZW; /* it is in all channels */
      }
      vec4_mov(vec4_of(n), eu_byte_offset(p, REG_SIZE_B), 1u << c, from);
   }
   inst = eu_emit_send(
      b,
      &(struct isa_message) { .msg = ISA_MSG_URB_WRITE_OWORD,
                              .offset = (uint16_t)slot,
                              .interleaved = true,
                              .per_slot_offset = at->per_slot.file != EU_BAD,
                              .header = true,
                              .mlen = 2 },
      (eu_reg) { 0 }, (eu_reg) { 0 }, p);
   inst->side_effects = true;
   return inst;
}

struct eu_inst *
vec4_urb_write(struct nir_to_fs *n, const struct fs_urb_place *at,
               unsigned dwords, const eu_reg *data, eu_reg mask)
{
   const bool dynamic = mask.file != EU_BAD && mask.file != EU_IMM;
   const unsigned wanted = mask.file == EU_IMM ? (mask.imm >> 16) & 0xff
                                               : 0xff;
   struct eu_inst *last = NULL;

   assert(!dynamic || dwords == 4);
   for (unsigned first = 0; first < dwords; first += 4) {
      const unsigned count = MIN2(4, dwords - first);
      eu_reg slot[4] = { 0 };

      memcpy(slot, data + first, count * sizeof(slot[0]));
      last = write_slot(n, at, at->slot + first / 4, slot,
                        BITFIELD_MASK(count) & (wanted >> first),
                        dynamic ? mask : (eu_reg) { 0 });
   }
   return last;
}

void
vec4_emit_urb_writes(struct nir_to_fs *n)
{
   const struct intel_vue_map *map = n->s->stage == MESA_SHADER_VERTEX
                                        ? &n->s->prog_data.vs->out.vue_map
                                        : &n->s->prog_data.tes->out.vue_map;
   const struct fs_urb_place own = { 0 };

   vec4_write_vue(n, map, &own)->eot = true;
   n->ends_thread = true;
}
