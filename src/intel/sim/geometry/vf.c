/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: the elements of a vertex from the vertex buffers, converted,
 * with constants and system values put in, in the order that the vertex URB
 * entry (or the payload of the vertex shader) has them
 * (PRM SKL Vol. 7 "Vertex Fetch", Vol. 2a 3DSTATE_VERTEX_ELEMENTS,
 * 3DSTATE_VF_INSTANCING, 3DSTATE_VF_SGVS, 3DSTATE_VF_COMPONENT_PACKING).
 *
 * An element is four dwords, or eight where a 64-bit passthru format stores
 * more than two of its components. Reads past the end of a buffer give
 * zeros; reads inside the buffer that are not mapped are a fault.
 */
#include "front_private.h"

#include "intel/sim/gpu/gpu.h"
#include "vf_format.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/watch.h"

/* IVB PRM volume 2 part 1, "VERTEX_ELEMENT_STATE": gone since Gen8. */
#define VFCOMP_STORE_VID 5
#define VFCOMP_STORE_IID 6

static void
set_buffer(struct sim_front *f, struct vf_element *e,
           const struct GEN9_VERTEX_BUFFER_STATE *vb)
{
   e->pitch_B = vb->BufferPitch;
   e->address = vb->BufferStartingAddress;
   e->buffer_B = vb->NullVertexBuffer ? 0 : vb->BufferSize;
   if (e->buffer_B)
      e->host = sim_mem_try_ptr(f->draw->mem, e->address, e->buffer_B);
}

static bool
check_controls(struct sim_front *f, const struct vf_element *e)
{
   const bool system_values =
      sim_traits(f->draw->gpu->verx10)->vf_has_system_values;
   for (unsigned c = 0; c < 4; c++) {
      if (e->control[c] > VFCOMP_STORE_1_INT &&
          !(system_values && (e->control[c] == VFCOMP_STORE_VID ||
                              e->control[c] == VFCOMP_STORE_IID))) {
         sim_draw_fault(f->draw,
                        "vertex element %u: component control %u is "
                        "not implemented",
                        e->index, e->control[c]);
         return false;
      }
   }
   return true;
}

static bool
prepare_element(struct sim_front *f, unsigned i)
{
   struct vf_element *e = &f->element[i];
   const struct GEN9_VERTEX_ELEMENT_STATE *s = &f->state->vertex_element[i];
   e->index = i;
   e->control[0] = (uint8_t)s->Component0Control;
   e->control[1] = (uint8_t)s->Component1Control;
   e->control[2] = (uint8_t)s->Component2Control;
   e->control[3] = (uint8_t)s->Component3Control;
   if (!s->Valid) {
      memset(e->control, VFCOMP_NOSTORE, sizeof(e->control));
      return true;
   }
   if (s->EdgeFlagEnable)
      f->edge_element = i + 1;
   for (unsigned c = 0; c < 4; c++)
      e->fetches |= e->control[c] == VFCOMP_STORE_SRC;
   if (!check_controls(f, e))
      return false;
   if (!e->fetches)
      return true;
   e->format = sim_vf_format(s->SourceElementFormat);
   if (!e->format || s->VertexBufferIndex >= SIM_MAX_VERTEX_BUFFERS) {
      sim_draw_fault(f->draw, "vertex element %u: format 0x%x, buffer %u", i,
                     s->SourceElementFormat, s->VertexBufferIndex);
      return false;
   }
   e->size_B = e->format->size_B;
   e->offset_B = s->SourceElementOffset;
   e->instanced = f->state->vf_instancing[i].InstancingEnable;
   e->step_rate = f->state->vf_instancing[i].InstanceDataStepRate;
   set_buffer(f, e, &f->state->vertex_buffer[s->VertexBufferIndex]);
   return true;
}

/* How many dwords each component of the element takes. */
static unsigned
component_dw(const struct vf_element *e)
{
   return e->format && e->format->passthru ? 2 : 1;
}

/* Gives every component its place. */
static void
place_elements(struct sim_front *f)
{
   const struct GEN9_3DSTATE_VF_COMPONENT_PACKING *packing =
      &f->state->vf_component_packing;
   const bool packed = f->state->vf.ComponentPackingEnable;
   unsigned dw = 0;
   for (unsigned i = 0; i < f->num_elements; i++) {
      const struct vf_element *e = &f->element[i];
      const unsigned size_dw = component_dw(e);
      unsigned components = 4;
      /* The second 128 bits of a passthru element are there on demand. */
      if (size_dw == 2 && e->control[2] == VFCOMP_NOSTORE &&
          e->control[3] == VFCOMP_NOSTORE)
         components = 2;
      for (unsigned c = 0; c < 4; c++) {
         const bool left_out = packed && i < 32 &&
                               !(packing->VertexElementEnables[i] >> c & 1);
         f->store[i].dw[c] = -1;
         if (c >= components || left_out)
            continue;
         f->store[i].dw[c] = (int16_t)dw;
         dw += size_dw;
      }
   }
   f->vertex_dw = dw;
}

bool
sim_vf_prepare(struct sim_front *f)
{
   const struct GEN9_3DSTATE_VF_SGVS *sgvs = &f->state->vf_sgvs;
   f->num_elements = f->state->num_vertex_elements;
   for (unsigned i = 0; i < f->num_elements; i++) {
      if (!prepare_element(f, i))
         return false;
   }
   /* System values may lie in elements after the last one. */
   if (sgvs->VertexIDEnable)
      f->num_elements =
         MAX2(f->num_elements, sgvs->VertexIDElementOffset + 1);
   if (sgvs->InstanceIDEnable)
      f->num_elements =
         MAX2(f->num_elements, sgvs->InstanceIDElementOffset + 1);
   if (f->num_elements > SIM_MAX_VERTEX_ELEMENTS) {
      sim_draw_fault(f->draw, "3DSTATE_VF_SGVS: element %u of %u",
                     f->num_elements - 1, SIM_MAX_VERTEX_ELEMENTS);
      return false;
   }
   place_elements(f);
   return true;
}

static uint64_t
element_index(const struct sim_front *f, const struct vf_element *e,
              const struct front_vertex *v)
{
   const struct sim_draw *draw = f->draw;
   if (e->instanced)
      return draw->start_instance +
             (e->step_rate ? v->instance / e->step_rate : 0);
   if (draw->indexed)
      return v->index + (uint32_t)draw->base_vertex;
   return draw->start_vertex + v->index;
}

static const uint8_t zeros[32];

/* The bytes of an element: in place, in `buffer`, or zeros when it is out of
 * bounds. NULL: the draw has faulted. */
static const uint8_t *
element_bytes(const struct sim_front *f, struct sim_draw *draw,
              const struct vf_element *e, const struct front_vertex *v,
              uint8_t buffer[32])
{
   const uint64_t index = (uint32_t)element_index(f, e, v);
   const uint64_t at_B = index * e->pitch_B + e->offset_B;
   if (at_B + e->size_B > e->buffer_B)
      return zeros;
   sim_mem_note(draw->mem, SIM_CLIENT_VERTEX, e->address + at_B, e->size_B,
                SIM_MEM_READ);
   if (e->host)
      return e->host + at_B;
   uint64_t address = e->address + at_B;
   if (sim_traits(draw->gpu->verx10)->address_B == 4)
      address = (uint32_t)address;
   if (sim_mem_read(draw->mem, buffer, address, e->size_B))
      return buffer;
   sim_draw_mem_fault(draw, draw->mem, "vertex fetch");
   return NULL;
}

static uint32_t
component(unsigned control, uint32_t source)
{
   switch (control) {
   case VFCOMP_STORE_SRC: return source;
   case VFCOMP_STORE_1_FP: return 0x3f800000;
   case VFCOMP_STORE_1_INT: return 1;
   default: return 0;
   }
}

/* A 64-bit component; the constants are of that size, too. */
static uint64_t
component64(unsigned control, uint64_t source)
{
   switch (control) {
   case VFCOMP_STORE_SRC: return source;
   case VFCOMP_STORE_1_FP: return util_double_bits(1.0);
   case VFCOMP_STORE_1_INT: return 1;
   default: return 0;
   }
}

static bool
fetch_element(const struct sim_front *f, struct sim_draw *draw, unsigned i,
              const struct front_vertex *v, uint32_t *out, size_t stride_dw)
{
   const struct vf_element *e = &f->element[i];
   const int16_t *place = f->store[i].dw;
   const uint8_t *bytes = zeros;
   uint8_t buffer[32];
   if (e->fetches && !(bytes = element_bytes(f, draw, e, v, buffer)))
      return false;

   if (component_dw(e) == 2) {
      for (unsigned c = 0; c < 4; c++) {
         uint64_t source = 0;
         if (place[c] < 0)
            continue;
         if (c < e->format->num_channels)
            memcpy(&source, bytes + 8 * c, sizeof(source));
         source = component64(e->control[c], source);
         out[(size_t)place[c] * stride_dw] = (uint32_t)source;
         out[((size_t)place[c] + 1) * stride_dw] = (uint32_t)(source >> 32);
      }
      return true;
   }
   uint32_t source[4] = { 0 };
   if (e->fetches)
      sim_vf_convert(e->format, bytes, source);
   for (unsigned c = 0; c < 4; c++) {
      if (place[c] < 0)
         continue;
      uint32_t value = component(e->control[c], source[c]);
      if (e->control[c] == VFCOMP_STORE_VID)
         value = v->index;
      else if (e->control[c] == VFCOMP_STORE_IID)
         value = v->instance;
      out[(size_t)place[c] * stride_dw] = value;
   }
   return true;
}

static void
store_system_values(const struct sim_front *f, const struct front_vertex *v,
                    uint32_t *out, size_t stride_dw)
{
   const struct GEN9_3DSTATE_VF_SGVS *s = &f->state->vf_sgvs;
   if (s->VertexIDEnable) {
      const int dw =
         f->store[s->VertexIDElementOffset].dw[s->VertexIDComponentNumber];
      if (dw >= 0)
         out[(size_t)dw * stride_dw] = v->index;
   }
   if (s->InstanceIDEnable) {
      const int dw = f->store[s->InstanceIDElementOffset]
                        .dw[s->InstanceIDComponentNumber];
      if (dw >= 0)
         out[(size_t)dw * stride_dw] = v->instance;
   }
}

bool
sim_vf_fetch(const struct sim_front *f, struct sim_draw *draw,
             const struct front_vertex *v, unsigned n, uint32_t *out,
             size_t component_stride_dw, size_t vertex_stride_dw)
{
   for (unsigned i = 0; i < f->num_elements; i++) {
      for (unsigned k = 0; k < n; k++) {
         if (!fetch_element(f, draw, i, &v[k], out + k * vertex_stride_dw,
                            component_stride_dw))
            return false;
      }
   }
   for (unsigned k = 0; k < n; k++)
      store_system_values(f, &v[k], out + k * vertex_stride_dw,
                          component_stride_dw);
   return true;
}

bool
sim_vf_fetch_edge_flags(struct sim_front *f, const struct front_vertex *v,
                        unsigned n, bool *out)
{
   const struct vf_element *e = &f->element[f->edge_element - 1];
   for (unsigned k = 0; k < n; k++) {
      uint8_t buffer[32];
      const uint8_t *bytes =
         e->fetches ? element_bytes(f, f->draw, e, &v[k], buffer) : zeros;
      uint32_t value[4] = { 0 };
      if (!bytes)
         return false;
      if (e->fetches && !e->format->passthru)
         sim_vf_convert(e->format, bytes, value);
      out[k] = value[0];
   }
   return true;
}
