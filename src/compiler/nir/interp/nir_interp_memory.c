/* SPDX-License-Identifier: MIT */
/*
 * The interpreter's variables, inputs, outputs and buffers.
 *
 * At run time the value of a deref is a number of 64 bits whose meaning
 * depends on the mode of the variable:
 *    temporaries   component cells from the start of the variable
 *    in, out       dwords from slot 0 (four a slot)
 *    memory        bytes in the low half, element of the block array above
 *    opaque        element of the flattened array
 * In bits 56 and up stands the vertex of a per-vertex input or output.
 */
#include "nir_interp_private.h"

#include "nir_private.h"

#define MEMORY_MODES                                                         \
   (nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_push_const |            \
    nir_var_mem_shared)
#define PATCH_VERTEX UINT32_MAX
#define BLOCK_SHIFT 32

/* --- Steps of a deref --------------------------------------------------- */

static uint64_t
step_array(struct nir_interp *s, nir_deref_instr *d, uint64_t at,
           uint64_t index)
{
   const nir_deref_instr *parent = nir_deref_parent(d);
   const struct glsl_type *t = parent->type;
   if (d->modes & INTERP_TEMP_MODES) {
      const unsigned n = glsl_type_is_vector(t) ? glsl_get_vector_elements(t)
                                                : glsl_get_length(t);
      if (index >= n)
         index = n - 1; /* undefined: stay inside */
      return at + index * interp_type_cells(d->type);
   }
   if (d->modes & INTERP_IO_MODES) {
      const nir_variable *var = nir_deref_root(d);
      if (parent->deref_type == nir_deref_type_var &&
          nir_is_arrayed_io(var, s->shader->info.stage))
         return at | index << INTERP_VERTEX_SHIFT;
      if (glsl_type_is_vector(t) || var->data.compact)
         return at + index * (glsl_get_bit_size(t) == 64 ? 2 : 1);
      return at + index * 4 * glsl_count_attribute_slots(d->type, false);
   }
   if (d->modes & MEMORY_MODES) {
      unsigned stride = nir_deref_stride(d);
      if (stride == 0)
         return at + (index << BLOCK_SHIFT);
      return at + index * stride;
   }
   return at + index * glsl_get_aoa_size(d->type);
}

static uint64_t
deref_value(struct nir_interp *s, nir_deref_instr *d, unsigned lane)
{
   if (d->deref_type == nir_deref_type_var) {
      if (d->modes & INTERP_IO_MODES)
         return (uint64_t)d->var->data.location * 4 +
                d->var->data.location_frac +
                (d->var->data.mode == nir_var_shader_out && d->var->data.index
                    ? NIR_INTERP_SRC1 * 4
                    : 0);
      return 0;
   }
   const uint64_t at = interp_src(s, &d->parent, lane)[0].u64;
   switch (d->deref_type) {
   case nir_deref_type_struct: {
      const struct glsl_type *t = nir_deref_parent(d)->type;
      if (d->modes & INTERP_TEMP_MODES)
         return at + interp_member_cells(t, d->member);
      if (d->modes & INTERP_IO_MODES)
         return at + 4 * glsl_count_slots_before_field(t, d->member);
      const int offset = glsl_get_struct_field_offset(t, d->member);
      if (offset < 0)
         interp_fail(s, "a member without offset in memory");
      return at + (uint64_t)MAX2(offset, 0);
   }
   case nir_deref_type_array: {
      const unsigned bits = d->index.value->bit_size;
      return step_array(
         s, d, at,
         nir_const_value_as_uint(interp_src(s, &d->index, lane)[0], bits));
   }
   default:
      interp_fail(s, "a deref of a kind that is lowered before");
      return 0;
   }
}

void
interp_deref(struct nir_interp *s, nir_deref_instr *d, uint64_t mask)
{
   FOREACH_LANE(lane, mask)
      interp_dest(s, &d->instr.result, lane)[0].u64 = deref_value(s, d, lane);
}

/* --- Access ------------------------------------------------------------- */

static nir_const_value
read_bytes(const struct nir_interp_buffer *buf, uint64_t offset,
           unsigned bits)
{
   const unsigned n = bits == 1 ? 4 : bits / 8;
   uint64_t u = 0;
   if (buf && util_within(offset, n, 0, buf->size_B))
      memcpy(&u, (const char *)buf->data + offset, n);
   return bits == 1 ? nir_const_value_for_bool(u != 0, 1)
                    : nir_const_value_for_raw_uint(u, bits);
}

static void
write_bytes(const struct nir_interp_buffer *buf, uint64_t offset,
            unsigned bits, nir_const_value v)
{
   const unsigned n = bits == 1 ? 4 : bits / 8;
   const uint64_t u = nir_const_value_as_uint(v, bits);
   if (buf && util_within(offset, n, 0, buf->size_B))
      memcpy((char *)buf->data + offset, &u, n);
}

static const struct nir_interp_buffer *
buffer_at(const struct nir_interp_buffer *buffers, unsigned n, uint64_t index)
{
   return index < n ? &buffers[index] : NULL;
}

static const struct nir_interp_buffer *
deref_buffer(struct nir_interp *s, const nir_variable *var, uint64_t at)
{
   struct nir_interp_params *p = s->params;
   if (var->data.mode == nir_var_mem_push_const)
      return &p->push_constants;
   if (var->data.mode == nir_var_mem_shared)
      return &p->shared;
   uint64_t index = p->buffer_index ? p->buffer_index(p->data, var)
                                    : var->data.binding;
   index += at >> BLOCK_SHIFT;
   return var->data.mode == nir_var_mem_ubo
             ? buffer_at(p->ubos, p->num_ubos, index)
             : buffer_at(p->ssbos, p->num_ssbos, index);
}

uint32_t *
interp_input_dwords(struct nir_interp *s, unsigned lane, unsigned vertex)
{
   const unsigned vertices = MAX2(s->params->num_vertices, 1);
   if (vertex >= vertices || !s->params->inputs)
      return NULL;
   return (uint32_t *)s->params
      ->inputs[(size_t)(lane * vertices + vertex) * NIR_INTERP_SLOTS];
}

/* `vertex`: PATCH_VERTEX for outputs that are not per vertex. */
uint32_t *
interp_output_dwords(struct nir_interp *s, unsigned lane, unsigned vertex)
{
   size_t at = lane;

   if (!s->params->outputs)
      return NULL;
   if (s->shader->info.stage == MESA_SHADER_TESS_CTRL) {
      if (vertex == PATCH_VERTEX)
         vertex = s->params->num_output_vertices;
      else if (vertex >= s->params->num_output_vertices)
         return NULL;
      at = vertex;
   }
   return s->params->outputs[at * NIR_INTERP_SLOTS];
}

unsigned
interp_output_vertex(const struct nir_interp *s, const nir_variable *var,
                     uint64_t at)
{
   return nir_is_arrayed_io(var, s->shader->info.stage)
             ? (unsigned)(at >> INTERP_VERTEX_SHIFT)
             : PATCH_VERTEX;
}

void
interp_read_dwords(struct nir_interp *s, const uint32_t *dw, uint64_t at,
                   unsigned n, unsigned bits, nir_const_value *out)
{
   const unsigned per = bits == 64 ? 2 : 1;
   if (!dw || at + n * per > NIR_INTERP_SLOTS * 4) {
      interp_fail(s, "an input or output slot that is not there");
      return;
   }
   for (unsigned c = 0; c < n; c++) {
      uint64_t u = dw[at + c * per];
      if (per == 2)
         u |= (uint64_t)dw[at + c * per + 1] << 32;
      out[c] = bits == 1 ? nir_const_value_for_bool(u != 0, 1)
                         : nir_const_value_for_raw_uint(u, bits);
   }
}

void
interp_write_dwords(struct nir_interp *s, uint32_t *dw, uint64_t at,
                    unsigned n, unsigned mask, unsigned bits,
                    const nir_const_value *v)
{
   const unsigned per = bits == 64 ? 2 : 1;
   if (!dw || at + n * per > NIR_INTERP_SLOTS * 4) {
      interp_fail(s, "an output slot that is not there");
      return;
   }
   for (unsigned c = 0; c < n; c++) {
      if (!((mask >> c) & 1))
         continue;
      const uint64_t u = nir_const_value_as_uint(v[c], bits);
      dw[at + c * per] = (uint32_t)u;
      if (per == 2)
         dw[at + c * per + 1] = (uint32_t)(u >> 32);
   }
}

/* Bytes from one component to the next. */
static unsigned
component_stride(const struct glsl_type *t, unsigned bits)
{
   const unsigned stride = glsl_get_explicit_stride(t);
   if (stride && glsl_type_is_vector(t))
      return stride;
   return bits == 1 ? 4 : bits / 8;
}

static void
load_deref(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const nir_variable *var = nir_deref_root(d);
   const uint64_t at = interp_src(s, &intr->src[0], lane)[0].u64;
   nir_const_value *out = interp_dest(s, &intr->instr.result, lane);
   const unsigned n = nir_intrinsic_result_components(intr);
   const unsigned bits = intr->instr.result.bit_size;
   if (!var) {
      interp_fail(s, "a load through a pointer");
   } else if (var->data.mode & INTERP_TEMP_MODES) {
      memcpy(out, interp_temp_cells(s, var, lane) + at, n * sizeof(*out));
   } else if (var->data.mode & INTERP_IO_MODES) {
      const uint32_t *dw =
         var->data.mode == nir_var_shader_in
            ? interp_input_dwords(s, lane,
                                  (unsigned)(at >> INTERP_VERTEX_SHIFT))
            : interp_output_dwords(s, lane, interp_output_vertex(s, var, at));
      interp_read_dwords(s, dw, at & BITFIELD64_MASK(INTERP_VERTEX_SHIFT), n,
                         bits, out);
   } else if (var->data.mode & MEMORY_MODES) {
      const struct nir_interp_buffer *buf = deref_buffer(s, var, at);
      for (unsigned c = 0; c < n; c++)
         out[c] = read_bytes(
            buf, (uint32_t)at + c * component_stride(d->type, bits), bits);
   } else {
      interp_fail(s, "a load of a variable of mode %u", var->data.mode);
   }
}

/* Lanes that are killed, or were only there for their neighbours, leave no
 * trace in memory. */
static bool
leaves_traces(const struct nir_interp *s, unsigned lane)
{
   return !(((s->killed | s->params->helpers) >> lane) & 1);
}

static void
store_deref(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   nir_deref_instr *d = nir_use_as_deref(intr->src[0]);
   const nir_variable *var = nir_deref_root(d);
   const uint64_t at = interp_src(s, &intr->src[0], lane)[0].u64;
   const nir_const_value *v = interp_src(s, &intr->src[1], lane);
   const unsigned n = intr->num_components;
   const unsigned mask = nir_intrinsic_write_mask(intr);
   const unsigned bits = intr->src[1].value->bit_size;
   if (var && (var->data.mode & INTERP_TEMP_MODES)) {
      nir_const_value *cells = interp_temp_cells(s, var, lane) + at;
      for (unsigned c = 0; c < n; c++) {
         if ((mask >> c) & 1)
            cells[c] = v[c];
      }
   } else if (var && var->data.mode == nir_var_shader_out) {
      interp_write_dwords(
         s, interp_output_dwords(s, lane, interp_output_vertex(s, var, at)),
         at & BITFIELD64_MASK(INTERP_VERTEX_SHIFT), n, mask, bits, v);
   } else if (var && (var->data.mode & MEMORY_MODES)) {
      const struct nir_interp_buffer *buf = deref_buffer(s, var, at);
      for (unsigned c = 0; c < n && leaves_traces(s, lane); c++) {
         if ((mask >> c) & 1)
            write_bytes(buf,
                        (uint32_t)at + c * component_stride(d->type, bits),
                        bits, v[c]);
      }
   } else {
      interp_fail(s, "a store to a variable that cannot be written");
   }
}

static uint64_t
src_uint(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned i,
         unsigned lane)
{
   return nir_const_value_as_uint(interp_src(s, &intr->src[i], lane)[0],
                                  intr->src[i].value->bit_size);
}

/* The vertex of an input or output intrinsic; PATCH_VERTEX: none. */
static unsigned
io_vertex(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   nir_use *src = nir_get_io_arrayed_index_src(intr);

   if (!src)
      return PATCH_VERTEX;
   return (unsigned)nir_const_value_as_uint(interp_src(s, src, lane)[0],
                                            src->value->bit_size);
}

static uint64_t
io_slot(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   nir_use *src = nir_get_io_offset_src(intr);

   return nir_intrinsic_io_semantics(intr).location +
          nir_const_value_as_uint(interp_src(s, src, lane)[0],
                                  src->value->bit_size);
}

static void
load_io(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   const unsigned vertex = io_vertex(s, intr, lane);
   const uint64_t at = 4 * io_slot(s, intr, lane) +
                       nir_intrinsic_component(intr);
   const bool out = intr->intrinsic == nir_intrinsic_load_output ||
                    intr->intrinsic == nir_intrinsic_load_per_vertex_output;
   interp_read_dwords(
      s,
      out ? interp_output_dwords(s, lane, vertex)
          : interp_input_dwords(s, lane, vertex == PATCH_VERTEX ? 0 : vertex),
      at, nir_intrinsic_result_components(intr), intr->instr.result.bit_size,
      interp_dest(s, &intr->instr.result, lane));
}

static void
store_io(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const uint64_t slot = (sem.dual_source_blend_index ? NIR_INTERP_SRC1 : 0) +
                         io_slot(s, intr, lane);
   interp_write_dwords(
      s, interp_output_dwords(s, lane, io_vertex(s, intr, lane)),
      slot * 4 + nir_intrinsic_component(intr), intr->num_components,
      nir_intrinsic_write_mask(intr), intr->src[0].value->bit_size,
      interp_src(s, &intr->src[0], lane));
}

static void
load_buffer(struct nir_interp *s, nir_intrinsic_instr *intr,
            const struct nir_interp_buffer *buf, uint64_t offset,
            unsigned lane)
{
   nir_const_value *out = interp_dest(s, &intr->instr.result, lane);
   const unsigned bits = intr->instr.result.bit_size;
   for (unsigned c = 0; c < nir_intrinsic_result_components(intr); c++)
      out[c] = read_bytes(buf, offset + c * MAX2(bits / 8, 1), bits);
}

static void
store_buffer(struct nir_interp *s, nir_intrinsic_instr *intr,
             const struct nir_interp_buffer *buf, uint64_t offset,
             unsigned lane)
{
   const nir_const_value *v = interp_src(s, &intr->src[0], lane);
   const unsigned bits = intr->src[0].value->bit_size;
   if (!leaves_traces(s, lane))
      return;
   for (unsigned c = 0; c < intr->num_components; c++) {
      if ((nir_intrinsic_write_mask(intr) >> c) & 1)
         write_bytes(buf, offset + c * MAX2(bits / 8, 1), bits, v[c]);
   }
}

/* --- Intrinsics --------------------------------------------------------- */

static void
kill_lanes(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   uint64_t kill = 0;
   const bool cond = nir_intrinsic_infos[intr->intrinsic].num_srcs > 0;
   FOREACH_LANE(lane, mask) {
      if (!cond || src_uint(s, intr, 0, lane) != 0)
         kill |= 1ull << lane;
   }
   s->killed |= kill;
   /* Discarded and demoted lanes go on for their neighbours; outputs of
    * killed lanes mean nothing. */
   if (intr->intrinsic == nir_intrinsic_terminate ||
       intr->intrinsic == nir_intrinsic_terminate_if)
      s->alive &= ~kill;
}

static void
call_back(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   const struct nir_interp_callbacks *cb = s->params->callbacks;
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   nir_const_value none[NIR_MAX_VEC_COMPONENTS] = { 0 };
   nir_const_value *out =
      info->has_dest ? interp_dest(s, &intr->instr.result, lane) : none;
   const nir_const_value *srcs[NIR_INTRINSIC_MAX_INPUTS];
   for (unsigned i = 0; i < info->num_srcs; i++)
      srcs[i] = interp_src(s, &intr->src[i], lane);
   if (cb && cb->sysval && info->has_dest &&
       strncmp(info->name, "load_", 5) == 0 &&
       cb->sysval(s->params->data, lane, intr,
                  info->num_srcs ? srcs[0] : NULL, out))
      return;
   if (cb && cb->intrinsic &&
       cb->intrinsic(s->params->data, lane, intr, srcs, out))
      return;
   interp_fail(s, "intrinsic %s is not known to the interpreter", info->name);
}

/* What needs no data from outside; false: not one of these. */
static bool
run_whole(struct nir_interp *s, nir_intrinsic_instr *intr, uint64_t mask)
{
   const struct nir_interp_callbacks *cb = s->params->callbacks;
   switch (intr->intrinsic) {
   case nir_intrinsic_discard:
   case nir_intrinsic_discard_if:
   case nir_intrinsic_demote:
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate:
   case nir_intrinsic_terminate_if: kill_lanes(s, intr, mask); return true;
   case nir_intrinsic_control_barrier:
   case nir_intrinsic_memory_barrier:
   case nir_intrinsic_memory_barrier_buffer:
   case nir_intrinsic_memory_barrier_image:
   case nir_intrinsic_memory_barrier_shared:
   case nir_intrinsic_memory_barrier_tcs_patch:
   case nir_intrinsic_group_memory_barrier:
   case nir_intrinsic_scoped_barrier:
   case nir_intrinsic_begin_invocation_interlock:
   case nir_intrinsic_end_invocation_interlock:
   case nir_intrinsic_nop: return true;
   case nir_intrinsic_emit_vertex:
   case nir_intrinsic_end_primitive:
      FOREACH_LANE(lane, mask) {
         const unsigned stream = nir_intrinsic_stream_id(intr);
         if (intr->intrinsic == nir_intrinsic_end_primitive) {
            if (cb && cb->end_primitive)
               cb->end_primitive(s->params->data, lane, stream);
         } else if (cb && cb->emit_vertex) {
            cb->emit_vertex(s->params->data, lane, stream,
                            s->params->outputs +
                               (size_t)lane * NIR_INTERP_SLOTS);
         }
      }
      return true;
   case nir_intrinsic_is_helper_invocation:
   case nir_intrinsic_load_helper_invocation:
      FOREACH_LANE(lane, mask) {
         uint64_t helper = s->params->helpers;
         if (intr->intrinsic == nir_intrinsic_is_helper_invocation)
            helper |= s->killed;
         interp_dest(s, &intr->instr.result, lane)[0] =
            nir_const_value_for_bool((helper >> lane) & 1,
                                     intr->instr.result.bit_size);
      }
      return true;
   default: return interp_subgroup(s, intr, mask);
   }
}

/* Offsets in bytes of the lane's own memory. */
static void
access_scratch(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   const bool load = intr->intrinsic == nir_intrinsic_load_scratch;
   const unsigned bits = load ? intr->instr.result.bit_size
                              : intr->src[0].value->bit_size;
   const unsigned comps = load ? intr->instr.result.num_components
                               : intr->src[0].value->num_components;
   const uint32_t at = interp_src(s, &intr->src[load ? 0 : 1], lane)->u32;
   const unsigned size_B = s->shader->scratch_size;
   char *p;

   if (!s->scratch)
      s->scratch = arena_alloc(s->arena, (size_t)size_B * s->lanes);
   if (at > size_B || comps * bits / 8 > size_B - at) {
      interp_fail(s, "scratch access at byte %u of %u", at, size_B);
      return;
   }
   p = s->scratch + (size_t)size_B * lane + at;
   for (unsigned c = 0; c < comps; c++, p += bits / 8) {
      if (load)
         memcpy(&interp_dest(s, &intr->instr.result, lane)[c], p, bits / 8);
      else if (nir_intrinsic_write_mask(intr) >> c & 1)
         memcpy(p, &interp_src(s, &intr->src[0], lane)[c], bits / 8);
   }
}

/* It is the operation. */
static void
call_routine(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   nir_const_value x = interp_src(s, &intr->src[0], lane)[0];
   nir_const_value y = interp_src(s, &intr->src[1], lane)[0];
   nir_const_value *srcs[] = { &x, &y };
   nir_eval_const_opcode((nir_op)nir_intrinsic_base(intr),
                         interp_dest(s, &intr->instr.result, lane), 1, 64,
                         srcs, s->shader->info.float_controls_execution_mode);
}

static void
run_on_lane(struct nir_interp *s, nir_intrinsic_instr *intr, unsigned lane)
{
   struct nir_interp_params *p = s->params;
   switch (intr->intrinsic) {
   case nir_intrinsic_load_scratch:
   case nir_intrinsic_store_scratch: access_scratch(s, intr, lane); return;
   case nir_intrinsic_call_routine: call_routine(s, intr, lane); break;
   case nir_intrinsic_load_deref: load_deref(s, intr, lane); break;
   case nir_intrinsic_store_deref: store_deref(s, intr, lane); break;
   case nir_intrinsic_copy_deref: interp_copy_deref(s, intr, lane); break;
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
   case nir_intrinsic_load_per_vertex_input:
   case nir_intrinsic_load_output:
   case nir_intrinsic_load_per_vertex_output: load_io(s, intr, lane); break;
   case nir_intrinsic_store_output:
   case nir_intrinsic_store_per_vertex_output: store_io(s, intr, lane); break;
   case nir_intrinsic_load_ubo:
      load_buffer(s, intr,
                  buffer_at(p->ubos, p->num_ubos, src_uint(s, intr, 0, lane)),
                  src_uint(s, intr, 1, lane), lane);
      break;
   case nir_intrinsic_load_ssbo:
      load_buffer(s, intr,
                  buffer_at(p->ssbos, p->num_ssbos,
                            src_uint(s, intr, 0, lane)),
                  src_uint(s, intr, 1, lane), lane);
      break;
   case nir_intrinsic_store_ssbo:
      store_buffer(s, intr,
                   buffer_at(p->ssbos, p->num_ssbos,
                             src_uint(s, intr, 1, lane)),
                   src_uint(s, intr, 2, lane), lane);
      break;
   case nir_intrinsic_load_constant: {
      const struct nir_interp_buffer data = { s->shader->constant_data,
                                              s->shader->constant_data_size };
      load_buffer(s, intr, &data,
                  src_uint(s, intr, 0, lane) +
                     (unsigned)nir_intrinsic_base(intr),
                  lane);
      break;
   }
   case nir_intrinsic_load_push_constant:
   case nir_intrinsic_load_uniform:
      load_buffer(s, intr, &p->push_constants,
                  src_uint(s, intr, 0, lane) +
                     (unsigned)nir_intrinsic_base(intr),
                  lane);
      break;
   case nir_intrinsic_load_shared:
      /* One sum of 32 bits. */
      load_buffer(s, intr, &p->shared,
                  (uint32_t)(src_uint(s, intr, 0, lane) +
                             (unsigned)nir_intrinsic_base(intr)),
                  lane);
      break;
   case nir_intrinsic_store_shared:
      store_buffer(s, intr, &p->shared,
                   (uint32_t)(src_uint(s, intr, 1, lane) +
                              (unsigned)nir_intrinsic_base(intr)),
                   lane);
      break;
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
   case nir_intrinsic_load_barycentric_at_sample:
   case nir_intrinsic_load_barycentric_at_offset:
      /* Inputs are given interpolated: the weights are not looked at. */
      memset(interp_dest(s, &intr->instr.result, lane), 0,
             2 * sizeof(nir_const_value));
      break;
   default: call_back(s, intr, lane);
   }
}

void
interp_intrinsic(struct nir_interp *s, nir_intrinsic_instr *intr,
                 uint64_t mask)
{
   if (run_whole(s, intr, mask))
      return;
   FOREACH_LANE(lane, mask) {
      if (!s->error)
         run_on_lane(s, intr, lane);
   }
}

void
interp_tex(struct nir_interp *s, nir_tex_instr *tex, uint64_t mask)
{
   const struct nir_interp_callbacks *cb = s->params->callbacks;
   if (!cb || !cb->tex) {
      interp_fail(s, "a texture operation and no texture given");
      return;
   }
   FOREACH_LANE(lane, mask) {
      const nir_const_value *srcs[nir_num_tex_operand_kinds];
      uint64_t index = tex->texture_index;
      for (unsigned i = 0; i < tex->instr.num_operands; i++) {
         srcs[i] = interp_src(s, &tex->src[i].use, lane);
         if (tex->src[i].src_type == nir_tex_src_texture_deref)
            index = srcs[i][0].u64;
         if (tex->src[i].src_type == nir_tex_src_texture_offset)
            index += srcs[i][0].u32;
      }
      if (!cb->tex(s->params->data, lane, tex, srcs, (unsigned)index,
                   interp_dest(s, &tex->instr.result, lane)))
         interp_fail(s, "the texture callback refuses");
   }
}
