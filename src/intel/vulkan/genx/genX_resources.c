/* SPDX-License-Identifier: MIT */
/*
 * What shaders read besides vertices: binding tables, sampler tables and
 * push constants, made anew for a draw whenever any of it has changed.
 *
 * The tables lie in a block of 64 KB, whose start is the surface state base
 * address, since pointers to them have 16 bits. A full block is followed by
 * another one, for which the base address changes.
 */
#include "genX_private.h"
#include "util/fallible.h"

/* NULL where no set is bound. */
static const struct saf_descriptor *
find_descriptor(const struct saf_draw_state *st, const struct saf_binding *b)
{
   const struct saf_descriptor_set *set = st->sets[b->set];
   const struct saf_binding_layout *layout =
      set ? saf_find_binding(set->layout, b->binding) : NULL;
   if (!layout || b->element >= layout->count)
      return NULL;
   return &set->descriptors[layout->first + b->element];
}

static uint32_t
dynamic_offset(const struct saf_draw_state *st, const struct saf_binding *b)
{
   const struct saf_descriptor_set *set = st->sets[b->set];
   const struct saf_binding_layout *layout =
      saf_find_binding(set->layout, b->binding);
   return st->dynamic_offsets[b->set][layout->first_dynamic + b->element];
}

static bool
is_dynamic(const struct saf_descriptor *d)
{
   return d->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          d->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* ---- binding tables ---- */

/* The set's, with another address. */
static struct saf_state
dynamic_surface(struct saf_cmd_buffer *cmd, const struct saf_descriptor *d,
                uint64_t addr)
{
   const bool storage = d->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
   struct saf_dynamic_surface *s =
      &cmd->dynamic_surfaces[(addr / 64 + storage) % SAF_DYNAMIC_SURFACES];
   if (s->state.size_B && s->addr == addr && s->range_B == d->range_B &&
       s->storage == storage)
      return s->state;
   const struct saf_state state = saf_cmd_surface_state(cmd);
   memcpy(state.map, d->surface.map, ISL_SURFACE_STATE_SIZE_B);
   memcpy((uint32_t *)state.map +
             GENX(RENDER_SURFACE_STATE_SurfaceBaseAddress_start) / 32,
          &addr, GENX(RENDER_SURFACE_STATE_SurfaceBaseAddress_bits) / 8);
   saf_reloc_note_surface(cmd->device, state.map);
   *s = (struct saf_dynamic_surface) { addr, d->range_B, storage, state };
   return state;
}

static struct saf_state
buffer_surface(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
               const struct saf_binding *b, const struct saf_descriptor *d)
{
   if (d->range_B == 0)
      return cmd->device->null_surface;
   if (!is_dynamic(d))
      return d->surface;
   return dynamic_surface(cmd, d, d->addr + dynamic_offset(st, b));
}

static struct saf_surface_info
buffer_info(const struct saf_draw_state *st, const struct saf_binding *b,
            const struct saf_descriptor *d)
{
   struct saf_surface_info info = { .width = (uint32_t)d->range_B };
#if GEN_VERX10 >= 80
   const uint64_t addr = d->addr +
                         (is_dynamic(d) ? dynamic_offset(st, b) : 0);
   info.address[0] = (uint32_t)addr;
   info.address[1] = (uint32_t)(addr >> 32);
#endif
   return info;
}

static struct saf_surface_info
surface_info(const struct saf_draw_state *st, const struct saf_binding *b)
{
   if (b->set == SAF_SET_INFO || b->set == SAF_SET_RECORDS ||
       b->set == SAF_SET_CONSTANTS || b->set == SAF_SET_MEMORY)
      return saf_no_surface_info();
   if (b->set == SAF_SET_META)
      return (struct saf_surface_info) {
         .swizzle = saf_swizzle_word(st->meta_swizzle),
      };
   const struct saf_descriptor *d = find_descriptor(st, b);
   if (!d)
      return saf_no_surface_info();
   return d->range_B ? buffer_info(st, b, d) : d->info;
}

/* SAF_SET_INFO: a record for each entry after the render targets. Its place
 * is kept until something else is bound, as is that of a small one that says
 * the same. */
static uint64_t
info_block_addr(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
                const struct saf_shader *shader)
{
   const struct saf_bind_map *map = &shader->map;
   const uint32_t size_B = map->surface_count *
                           (uint32_t)sizeof(struct saf_surface_info);
   struct saf_info_block *block = &cmd->info_blocks[shader->stage];
   struct saf_surface_info info[SAF_MAX_BINDING_TABLE];
   if (block->size_B)
      return cmd->dynamic_base + block->offset;
   for (uint32_t i = 0; i < map->surface_count; i++)
      info[i] = surface_info(st, &map->surfaces[i]);
   if (size_B <= SAF_KEPT_INFO_B) {
      block->offset = genX(keep_state)(cmd, SAF_KEPT_INFO + shader->stage,
                                       info, size_B, 64);
   } else {
      const struct saf_state state = saf_cmd_dynamic_space(cmd, size_B, 64);
      memcpy(state.map, info, size_B);
      block->offset = state.offset;
   }
   block->size_B = size_B;
   return cmd->dynamic_base + block->offset;
}

static struct saf_state
binding_surface(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
                const struct saf_shader *shader, const struct saf_binding *b)
{
   const struct saf_state null = cmd->device->null_surface;
   if (b->set == SAF_SET_INFO) {
      struct saf_info_block *block = &cmd->info_blocks[shader->stage];
      const uint64_t addr = info_block_addr(cmd, st, shader);
      if (block->surface_addr == addr && block->surface_B == block->size_B)
         return block->surface;
      block->surface = saf_cmd_surface_state(cmd);
      block->surface_addr = addr;
      block->surface_B = block->size_B;
      saf_fill_uniform_surface(cmd->device, block->surface.map, addr,
                               block->size_B);
      return block->surface;
   }
   if (b->set == SAF_SET_CONSTANTS)
      return shader->constants;
   if (b->set == SAF_SET_MEMORY)
      return cmd->device->memory_surfaces[b->binding];
   if (b->set == SAF_SET_RECORDS) {
      const struct saf_descriptor_set *set = st->sets[b->binding];
      return set && set->records.size_B ? set->records_surface : null;
   }
   if (b->set == SAF_SET_META) {
      assert(b->binding < SAF_META_SURFACES);
      return st->meta_surfaces[b->binding];
   }
   const struct saf_descriptor *d = find_descriptor(st, b);
   if (!d)
      return null;
   if (saf_has_own_surface(d->type))
      return buffer_surface(cmd, st, b, d);
   const struct saf_state surface = b->part ? d->others[b->part - 1]
                                            : d->surface;
   return surface.size_B ? surface : null;
}

/* A target that drops what is written has the size of the others, so that
 * pixels are not cut off. */
static struct saf_state
null_target(struct saf_cmd_buffer *cmd)
{
   const struct saf_state state = saf_cmd_surface_state(cmd);
   const struct isl_extent3d size = {
      MAX2(cmd->targets.width, 1),
      MAX2(cmd->targets.height, 1),
      MAX2(cmd->targets.layers, 1),
   };
   isl_null_fill_state(cmd->device->info, state.map, size);
   return state;
}

/* What an entry says: the surface state, seen from the block. */
static uint32_t
table_entry(const struct saf_cmd_buffer *cmd, struct saf_state surface)
{
   const struct intel_address_layout *layout = cmd->device->info->layout;
   const uint64_t block = layout->binding_table +
                          cmd->binding_table_block.offset;
   const struct GENX(BINDING_TABLE_STATE) entry = {
      .SurfaceStatePointer =
         (uint32_t)(layout->surface + surface.offset - block),
   };
   uint32_t dw;
   GENX(BINDING_TABLE_STATE_pack)(&dw, &entry);
   return dw;
}

bool
genX(new_table_block)(struct saf_cmd_buffer *cmd)
{
   const bool first = !cmd->binding_table_block.size_B;
   const struct saf_state block =
      saf_state_alloc(&cmd->device->binding_table_pool, SAF_TABLE_BLOCK_B);
   if (!block.size_B) {
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      return false;
   }
   if (!util_dynarray_try_append(&cmd->binding_table_blocks, struct saf_state,
                                 block)) {
      saf_state_free(&cmd->device->binding_table_pool, block);
      saf_cmd_error(cmd, VK_ERROR_OUT_OF_HOST_MEMORY);
      return false;
   }
   cmd->binding_table_block = block;
   cmd->binding_table_used_B = 0;
   memset(cmd->tables, 0, sizeof(cmd->tables));
   genX(emit_base_addresses)(cmd);
   if (first)
      genX(disable_optional_stages)(cmd);
   /* Its pointer is relative to the old block, and no packet takes it away
    * when no fragment is shaded: sent again (chip-rules CO-09). */
   cmd->stages_with_resources |= 1u << MESA_SHADER_FRAGMENT;
   return true;
}

static uint32_t
table_size_B(const struct saf_shader *shader)
{
   return shader ? saf_shader_entries(shader) * 4 : 0;
}

static void
fill_entries(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
             const struct saf_shader *shader, uint32_t *table)
{
   struct saf_state none = { 0 };
   for (uint32_t i = 0; i < shader->map.surface_start; i++) {
      struct saf_state target = cmd->targets.color[i];
      if (i >= cmd->targets.color_count || !target.size_B) {
         if (!none.size_B)
            none = null_target(cmd);
         target = none;
      }
      table[i] = table_entry(cmd, target);
   }
   for (uint32_t i = 0; i < shader->map.surface_count; i++) {
      table[shader->map.surface_start + i] = table_entry(
         cmd, binding_surface(cmd, st, shader, &shader->map.surfaces[i]));
   }
}

/* The offset of the stage's table in the block: where it is already, if it
 * says the same. */
static uint32_t
fill_table(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
           const struct saf_shader *shader, bool bound)
{
   uint32_t table[SAF_MAX_BINDING_TABLE + SAF_MAX_RTS];
   const uint32_t size_B = table_size_B(shader);
   if (!shader || size_B == 0)
      return 0;
   const uint32_t old_B = cmd->tables[shader->stage].offset_B;
   if (!bound && cmd->tables[shader->stage].size_B == size_B)
      return old_B;
   assert(size_B <= sizeof(table));
   memset(table, 0, size_B);
   fill_entries(cmd, st, shader, table);
   char *block = cmd->binding_table_block.map;
   if (cmd->tables[shader->stage].size_B == size_B &&
       !memcmp(block + old_B, table, size_B))
      return old_B;
   const uint32_t start_B = cmd->binding_table_used_B;
   cmd->binding_table_used_B += size_B;
   memcpy(block + start_B, table, size_B);
   cmd->tables[shader->stage].offset_B = start_B;
   cmd->tables[shader->stage].size_B = size_B;
   return start_B;
}

bool
genX(fill_compute_table)(struct saf_cmd_buffer *cmd,
                         const struct saf_shader *shader,
                         struct saf_state num_groups, uint32_t *offset_B)
{
   const uint32_t size_B = table_size_B(shader);
   if (!genX(need_tables)(cmd, size_B))
      return false;
   cmd->info_blocks[MESA_SHADER_COMPUTE].size_B = 0;
   *offset_B = cmd->binding_table_used_B;
   cmd->binding_table_used_B += size_B;
   uint32_t *table =
      (uint32_t *)((char *)cmd->binding_table_block.map + *offset_B);
   assert(shader->map.surface_start == 1);
   table[0] = table_entry(cmd, num_groups);
   for (uint32_t i = 0; i < shader->map.surface_count; i++)
      table[1 + i] =
         table_entry(cmd, binding_surface(cmd, &cmd->compute, shader,
                                          &shader->map.surfaces[i]));
   return true;
}

/* ---- buffers that overlap ---- */

struct range {
   uint64_t addr, size_B;
};

/* Of size 0 if it is no storage buffer, or none is there. */
static struct range
storage_range(const struct saf_draw_state *st, const struct saf_binding *b)
{
   const struct saf_descriptor *d =
      b->set < SAF_MAX_SETS ? find_descriptor(st, b) : NULL;
   if (!d || (d->type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER &&
              d->type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC))
      return (struct range) { 0 };
   return (struct range) {
      d->addr + (is_dynamic(d) ? dynamic_offset(st, b) : 0), d->range_B
   };
}

bool
genX(buffers_overlap)(const struct saf_draw_state *st,
                      const struct saf_shader *shader)
{
   struct range r[SAF_MAX_BINDING_TABLE];
   uint32_t n = 0;
   for (uint32_t i = 0; i < shader->map.surface_count; i++) {
      const struct range next = storage_range(st, &shader->map.surfaces[i]);
      for (uint32_t k = 0; k < n && next.size_B; k++) {
         if (next.addr < r[k].addr + r[k].size_B &&
             r[k].addr < next.addr + next.size_B)
            return true;
      }
      r[n] = next;
      n += next.size_B > 0;
   }
   return false;
}

/* ---- samplers ---- */

uint32_t
genX(fill_samplers)(struct saf_cmd_buffer *cmd,
                    const struct saf_draw_state *st,
                    const struct saf_shader *shader)
{
   if (!shader || !shader->map.sampler_count)
      return 0;
   const unsigned size_B = GENX(SAMPLER_STATE_length) * 4;
   uint32_t table[SAF_MAX_SAMPLERS][GENX(SAMPLER_STATE_length)];
   memset(table, 0, shader->map.sampler_count * size_B);
   for (uint32_t i = 0; i < shader->map.sampler_count; i++) {
      const struct saf_binding *b = &shader->map.samplers[i];
      uint32_t *dw = table[i];
      const struct saf_descriptor *d =
         b->set == SAF_SET_META ? NULL : find_descriptor(st, b);
      if (d && d->has_sampler)
         genX(fill_bound_sampler)(cmd, d, dw);
      else if (b->set == SAF_SET_META && st->meta_sampler)
         memcpy(dw, st->meta_sampler, size_B);
   }
   return genX(keep_state)(cmd, SAF_KEPT_SAMPLERS + shader->stage, table,
                           shader->map.sampler_count * size_B, 32);
}

/* ---- push constants ---- */

static uint64_t
records_addr(const struct saf_device *device,
             const struct saf_descriptor_set *set)
{
   return set && set->records.size_B
             ? device->info->layout->dynamic + set->records.offset
             : device->null_bo->addr;
}

static uint64_t
ubo_addr(struct saf_cmd_buffer *cmd, const struct saf_draw_state *st,
         const struct saf_shader *shader, int32_t block)
{
   const uint64_t null = cmd->device->null_bo->addr;
   const uint32_t index = (uint32_t)block - shader->map.surface_start;
   assert(index < shader->map.surface_count);
   const struct saf_binding *b = &shader->map.surfaces[index];
   if (b->set == SAF_SET_META)
      return null;
   if (b->set == SAF_SET_INFO)
      return info_block_addr(cmd, st, shader);
   if (b->set == SAF_SET_RECORDS)
      return records_addr(cmd->device, st->sets[b->binding]);
   if (b->set == SAF_SET_CONSTANTS)
      return saf_shader_constants_addr(cmd->device, shader, b);
   const struct saf_descriptor *d = find_descriptor(st, b);
   if (!d || d->range_B == 0)
      return null;
   return d->addr + (is_dynamic(d) ? dynamic_offset(st, b) : 0);
}

/* How much of a block there is for shaders; what stands in for a buffer that
 * is not there is large enough, as what is ours is. */
static uint64_t
ubo_size_B(const struct saf_draw_state *st, const struct saf_shader *shader,
           int32_t block)
{
   const uint32_t index = (uint32_t)block - shader->map.surface_start;
   const struct saf_binding *b = &shader->map.surfaces[index];
   if (b->set >= SAF_SET_CONSTANTS)
      return UINT64_MAX;
   const struct saf_descriptor *d = find_descriptor(st, b);
   return d && d->range_B ? ALIGN(d->range_B, SAF_UNIFORM_ALIGN_B)
                          : UINT64_MAX;
}

/* Constants are read without a look at the end of the buffer: what is in it,
 * followed by zeroes, for who wants those (robustBufferAccess2). */
static uint64_t
copy_ubo(struct saf_cmd_buffer *cmd, uint64_t from, uint64_t valid_B,
         const struct intel_push_range *r)
{
   const struct saf_state copy =
      saf_cmd_dynamic_state(cmd, r->length * 32u, 32);
   const uint64_t to = saf_dynamic_addr(cmd, copy);
   if (valid_B)
      genX(stall_before_loads)(cmd);
   for (uint32_t at_B = 0; at_B < valid_B; at_B += 4)
      genX(mi_copy)(cmd, to + at_B, from + at_B);
   if (valid_B) {
      genX(cmd_flush)(cmd);
      genX(cmd_refresh)(cmd);
   }
   return to;
}

/* One copy serves all stages until the constants change. */
static uint64_t
push_constants_addr(struct saf_cmd_buffer *cmd, struct saf_draw_state *st,
                    const struct intel_push_range *r)
{
   const uint32_t end_B =
      MAX2(st->pipeline->push_end_B, (r->start + r->length) * 32);
   if (st->constants_base != cmd->dynamic_base)
      st->constants_size_B = 0;
   if (st->constants_size_B < end_B) {
      st->constants_base = cmd->dynamic_base;
      st->constants_size_B = end_B;
      st->constants = saf_cmd_dynamic_space(cmd, end_B, 32);
      memcpy(st->constants.map, st->push_constants,
             MIN2(end_B, SAF_MAX_PUSH_CONSTANTS_B));
      if (end_B > SAF_MAX_PUSH_CONSTANTS_B)
         memset((char *)st->constants.map + SAF_MAX_PUSH_CONSTANTS_B, 0,
                end_B - SAF_MAX_PUSH_CONSTANTS_B);
   }
   return saf_dynamic_addr(cmd, st->constants) + r->start * 32;
}

static uint64_t
push_range_addr(struct saf_cmd_buffer *cmd, struct saf_draw_state *st,
                const struct saf_shader *shader,
                const struct intel_push_range *r)
{
   if (r->block != INTEL_PUSH_BLOCK_CONSTANTS) {
      const uint64_t start_B = r->start * 32u;
      const uint64_t addr = ubo_addr(cmd, st, shader, r->block) + start_B;
      if (!(st->pipeline->exact_uniforms & 1u << shader->stage))
         return addr;
      const uint64_t size_B = ubo_size_B(st, shader, r->block);
      if (r->read_end_B <= size_B)
         return addr;
      return copy_ubo(cmd, addr, size_B > start_B ? size_B - start_B : 0, r);
   }
   return push_constants_addr(cmd, st, r);
}

static unsigned
range_count(const struct saf_shader *shader)
{
   unsigned count = 0;
   while (count < INTEL_MAX_PUSH_RANGES &&
          shader->prog.base.push[count].length)
      count++;
   return count;
}

/*
 * Ranges fill the four slots from the end: a slot before the first used one
 * is empty, and slot 0, which old kernels take as an offset, is used last. On
 * Ivybridge slot 0 comes first; on Gen7 it is an offset in the dynamic pool.
 */
static unsigned
slot_of(unsigned range, unsigned count)
{
   return GEN_VERX10 == 70 ? range : 4 - count + range;
}

static uint64_t
slot_addr(struct saf_cmd_buffer *cmd, const struct saf_shader *shader,
          unsigned range, unsigned slot)
{
   const struct intel_push_range *r = &shader->prog.base.push[range];
   const uint64_t addr = push_range_addr(cmd, &cmd->draw, shader, r);
   if (!cmd->device->info->push_buffer_0_is_offset || slot != 0)
      return addr;
   assert(r->block == INTEL_PUSH_BLOCK_CONSTANTS &&
          "the compiler has no blocks there");
   return addr - cmd->dynamic_base;
}

static void
fill_push_body(struct saf_cmd_buffer *cmd, const struct saf_shader *shader,
               struct GENX(3DSTATE_CONSTANT_BODY) * body)
{
   const unsigned count = shader ? range_count(shader) : 0;
   cmd->pushed_constants |= count > 0;
   for (unsigned i = 0; i < count; i++) {
      const unsigned slot = slot_of(i, count);
      body->ReadLength[slot] = shader->prog.base.push[i].length;
      body->Buffer[slot] = slot_addr(cmd, shader, i, slot);
   }
}

/* Where the packet has the address of a slot, below which it may have other
 * bits, of Gen7's MOCS. */
#define SLOT_DW(slot) (3 + (slot) * (GEN_VERX10 >= 80 ? 2 : 1))
#define SLOT_OTHER_BITS 31u

/* The dwords that have addresses of so many ranges, a bit each. */
static uint64_t
addresses_of(unsigned count)
{
   const uint64_t slots = ((1ull << count) - 1) << SLOT_DW(slot_of(0, count));
   return GEN_VERX10 < 80 ? slots & ~(1ull << SLOT_DW(0)) : slots;
}

#define CONSTANT_DW GENX(3DSTATE_CONSTANT_VS_length) /* of each stage's */
#define TABLE_DW GENX(3DSTATE_BINDING_TABLE_POINTERS_VS_length)

/* The packets that were sent, with push constants where they are now: nothing
 * else has changed. */
static void
send_push_constants(struct saf_cmd_buffer *cmd,
                    const struct saf_shader *shader, uint32_t *sent,
                    const uint32_t *table,
                    void (*before)(struct saf_cmd_buffer *))
{
   const unsigned count = range_count(shader);
   bool moved = false;
   for (unsigned i = 0; i < count; i++) {
      if (shader->prog.base.push[i].block != INTEL_PUSH_BLOCK_CONSTANTS)
         continue;
      const unsigned slot = slot_of(i, count);
      const uint64_t addr = slot_addr(cmd, shader, i, slot);
      uint32_t *dw = &sent[SLOT_DW(slot)];
      const uint32_t low = (uint32_t)addr | (dw[0] & SLOT_OTHER_BITS);
      moved |= dw[0] != low;
      dw[0] = low;
      if (GEN_VERX10 >= 80) {
         moved |= dw[1] != (uint32_t)(addr >> 32);
         dw[1] = (uint32_t)(addr >> 32);
      }
   }
   if (!moved)
      return;
   assert(table[0] && "they are sent together");
   if (before)
      before(cmd);
   uint32_t *dw = saf_batch_dwords(&cmd->batch, CONSTANT_DW + TABLE_DW);
   memcpy(dw, sent, CONSTANT_DW * sizeof(*dw));
   memcpy(dw + CONSTANT_DW, table, TABLE_DW * sizeof(*dw));
   if (GEN_VERX10 < 80)
      saf_batch_note(&cmd->batch, dw, addresses_of(count));
}

/* Constants take effect with the binding table pointers after them (SKL PRM
 * vol 2a, 3DSTATE_CONSTANT_VS), which are sent again, then. `bound`: what is
 * bound may have changed; `pushed`: constants may have. */
#define EMIT_STAGE(XS, cmd, shader, bound, pushed, before)                   \
   do {                                                                      \
      uint32_t *sent = genX(sent)(cmd)->at_3DSTATE_CONSTANT_##XS;            \
      if (!(bound) && sent[0]) {                                             \
         if (pushed)                                                         \
            send_push_constants(                                             \
               cmd, shader, sent,                                            \
               genX(sent)(cmd)->at_3DSTATE_BINDING_TABLE_POINTERS_##XS,      \
               before);                                                      \
         break;                                                              \
      }                                                                      \
      const uint32_t *end = (cmd)->batch.next;                               \
      saf_emit_state_with(cmd, 3DSTATE_CONSTANT_##XS, c,                     \
                          addresses_of(shader ? range_count(shader) : 0),    \
                          before)                                            \
      {                                                                      \
         fill_push_body(cmd, shader, &c.ConstantBody);                       \
         c.CONSTANT_MOCS = CONSTANT_MOCS_OF(cmd);                            \
      }                                                                      \
      if ((cmd)->batch.next != end)                                          \
         genX(sent)(cmd)->at_3DSTATE_BINDING_TABLE_POINTERS_##XS[0] = 0;     \
      saf_emit_state_after(cmd, 3DSTATE_BINDING_TABLE_POINTERS_##XS, p,      \
                           (cmd)->batch.next == end ? before : NULL)         \
         p.Pointerto##XS##BindingTable =                                     \
         fill_table(cmd, &(cmd)->draw, shader, bound);                       \
      if (!(bound))                                                          \
         break;                                                              \
      saf_emit_state_after(cmd, 3DSTATE_SAMPLER_STATE_POINTERS_##XS, p,      \
                           (cmd)->batch.next == end ? before : NULL)         \
         p.Pointerto##XS##SamplerState =                                     \
         genX(fill_samplers)(cmd, &(cmd)->draw, shader);                     \
   } while (0)

/* What a stage's surfaces and samplers depend on; not its constants. */
static uint64_t
reads_of_table(unsigned stage)
{
   return SAF_DIRTY_DESCRIPTORS | SAF_DIRTY_STAGE(stage) |
          (stage == MESA_SHADER_FRAGMENT ? SAF_DIRTY_TARGETS : 0);
}

void
genX(emit_resources)(struct saf_cmd_buffer *cmd)
{
   const struct saf_pipeline *pipeline = cmd->draw.pipeline;
   if (!genX(need_tables)(cmd, pipeline->entries * 4))
      return;

   /* A stage that is no longer there must not read constants either. */
   uint32_t emit = pipeline->active_stages | cmd->stages_with_resources;
   cmd->stages_with_resources = pipeline->active_stages;
   while (emit) {
      const unsigned s = (unsigned)u_bit_scan(&emit);
      const struct saf_shader *shader = pipeline->shaders[s];
      const bool bound = cmd->dirty & reads_of_table(s);
      const bool pushed = (cmd->dirty & SAF_DIRTY_PUSH_CONSTANTS) &&
                          (pipeline->push_stages & 1u << s);
      if (bound)
         cmd->info_blocks[s].size_B = 0;
      switch (s) {
      case MESA_SHADER_VERTEX:
         EMIT_STAGE(VS, cmd, shader, bound, pushed,
                    genX(stall_before_vs_state));
         break;
      case MESA_SHADER_TESS_CTRL:
         EMIT_STAGE(HS, cmd, shader, bound, pushed, NULL);
         break;
      case MESA_SHADER_TESS_EVAL:
         EMIT_STAGE(DS, cmd, shader, bound, pushed, NULL);
         break;
      case MESA_SHADER_GEOMETRY:
         EMIT_STAGE(GS, cmd, shader, bound, pushed, NULL);
         break;
      case MESA_SHADER_FRAGMENT:
         EMIT_STAGE(PS, cmd, shader, bound, pushed, NULL);
         break;
      }
   }
}
