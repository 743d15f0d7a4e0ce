/* SPDX-License-Identifier: MIT */
/*
 * Addresses behind the data port's messages; PRM SKL vol 5, "Memory Access
 * Models", and vol 7, "Data Port".
 */
#include "intel/sim/gen/traits.h"
#include "intel/sim/msg/data_port.h"

#include "intel/sim/mem/surface.h"
#include "intel/sim/mem/watch.h"
#include "intel/sim/msg/surface_cache.h"
#include "intel/sim/msg/surface_rules.h"

const struct dp_target dp_flat = { .kind = DP_STATELESS };

/*
 * Stateless accesses start at the general state base plus the offset in the
 * header's M0.5, bits 31:10 (the thread's scratch space, when the header is
 * a copy of r0).
 */
static void
stateless(const struct sim_eu_thread *t, const struct sim_message *m,
          struct dp_target *target)
{
   target->kind = DP_STATELESS;
   target->base = t->env->general_state_base;
   if (m->header)
      target->base += m->src0[0].ud[ISA_HDR_SCRATCH_BASE_DW] &
                      ISA_HDR_SCRATCH_BASE_MASK;
}

static bool
from_surface(struct sim_eu_thread *t, const struct sim_surface *s,
             struct dp_target *target)
{
   if (!s)
      return false;
   target->surface = s;
   switch (s->type) {
   case SIM_SURFACE_NULL: target->kind = DP_NULL; return true;
   case SIM_SURFACE_BUFFER:
   case SIM_SURFACE_STRBUF:
      target->kind = DP_SURFACE;
      target->base = s->address;
      target->size_B = (uint64_t)s->num_elements * MAX2(s->pitch_B, 1);
      target->pitch_B = s->type == SIM_SURFACE_STRBUF ? s->pitch_B : 0;
      return true;
   default:
      /*
       * Untyped messages are for buffers. Stock drivers read an image with
       * them when an application binds one of another format than the shader
       * declares (piglit's image_load_store-invalid on BDW and HSW), and
       * live: what comes back is undefined, zero here.
       */
      target->kind = DP_NULL;
      return true;
   }
}

/* Bindless: the extended descriptor has the offset of the state, in units of
 * 64 bytes (PRM SKL vol 2d, "Surface State Offset"). */
const struct sim_surface *
dp_surface(struct sim_eu_thread *t, const struct sim_message *m)
{
   const unsigned bti = m->fields->bti;
   if (bti == BTI_BINDLESS && sim_traits(t->env->verx10)->bti_bindless)
      return sim_surface_at(t,
                            t->env->bindless_surface_state_base +
                               (isa_ex_desc_surface_offset(m->ex_desc) << 6));
   return sim_surface_get(t, bti);
}

bool
dp_find_target(struct sim_eu_thread *t, const struct sim_message *m,
               struct dp_target *target)
{
   const unsigned bti = m->fields->bti;
   *target = (struct dp_target) { 0 };
   switch (bti) {
   case BTI_STATELESS_COHERENT: stateless(t, m, target); return true;
   case BTI_STATELESS_NON_COHERENT:
      /* An ordinary index before Gen8; PRM HSW vol 7, "Binding Table". */
      if (!sim_traits(t->env->verx10)->bti_non_coherent)
         return from_surface(t, sim_surface_get(t, bti), target);
      stateless(t, m, target);
      return true;
   case BTI_SLM:
      target->kind = DP_SLM;
      target->size_B = t->env->slm ? t->env->slm_size_B : 0;
      return true;
   default: return from_surface(t, dp_surface(t, m), target);
   }
}

bool
dp_find_untyped(struct sim_eu_thread *t, const struct sim_message *m,
                struct dp_target *target)
{
   return dp_find_target(t, m, target) &&
          (!t->shadow || !target->surface ||
           sim_strict_format(t, target->surface, SIM_RULE_UNTYPED));
}

/* What of an address reaches shared local memory: its 64 KiB, and none of the
 * bits above (IGC 1.0.12504 marks pointers to it by 0x10000000). */
#define SLM_ADDRESS_MASK 0xffffu

static uint64_t
place(const struct dp_target *target, uint64_t offset_B)
{
   return target->kind == DP_SLM ? offset_B & SLM_ADDRESS_MASK : offset_B;
}

static bool
in_bounds(const struct dp_target *target, uint64_t offset_B, unsigned size_B)
{
   switch (target->kind) {
   case DP_NULL: return false;
   case DP_STATELESS: return true;
   case DP_SURFACE:
   case DP_SLM:
      return offset_B < target->size_B && size_B <= target->size_B - offset_B;
   }
   unreachable("target");
}

static bool
memory_fault(struct sim_eu_thread *t, int lane, uint64_t address,
             const char *what)
{
   if (t->mem)
      t->mem->fault.pending = false;
   return sim_eu_fault_memory(t, lane, address, what);
}

bool
dp_read(struct sim_eu_thread *t, const struct dp_target *target, int lane,
        uint64_t offset_B, void *dst, unsigned size_B)
{
   offset_B = place(target, offset_B);
   const uint64_t address = target->base + offset_B;
   if (!in_bounds(target, offset_B, size_B)) {
      memset(dst, 0, size_B);
      return true;
   }
   t->stats.mem_read_B += size_B;
   if (target->kind == DP_SLM) {
      memcpy(dst, t->env->slm + offset_B, size_B);
      return true;
   }
   if (t->mem)
      sim_mem_note_message(t->mem, address, size_B, SIM_MEM_READ);
   const void *p = t->mem ? sim_mem_try_ptr(t->mem, address, size_B) : NULL;
   if (p) {
      memcpy(dst, p, size_B);
      return true;
   }
   if (t->mem && sim_mem_read(t->mem, dst, address, size_B))
      return true;
   return memory_fault(t, lane, address, "read of memory that is not mapped");
}

bool
dp_write(struct sim_eu_thread *t, const struct dp_target *target, int lane,
         uint64_t offset_B, const void *src, unsigned size_B)
{
   offset_B = place(target, offset_B);
   const uint64_t address = target->base + offset_B;
   if (!in_bounds(target, offset_B, size_B))
      return true;
   t->stats.mem_written_B += size_B;
   if (target->kind == DP_SLM) {
      memcpy(t->env->slm + offset_B, src, size_B);
      return true;
   }
   const bool logs = t->mem && t->mem->log;
   if (t->mem)
      sim_mem_note_message(t->mem, address, size_B, SIM_MEM_WRITE);
   void *p = t->mem && !logs ? sim_mem_try_ptr(t->mem, address, size_B)
                             : NULL;
   if (p) {
      memcpy(p, src, size_B);
      return true;
   }
   if (t->mem && (logs ? sim_mem_log_write(t->mem, address, src, size_B)
                       : sim_mem_write(t->mem, address, src, size_B)))
      return true;
   return memory_fault(t, lane, address,
                       "write of memory that is not mapped");
}

bool
dp_pointer(struct sim_eu_thread *t, const struct dp_target *target, int lane,
           uint64_t offset_B, unsigned size_B, void **p)
{
   offset_B = place(target, offset_B);
   const uint64_t address = target->base + offset_B;
   *p = NULL;
   if (!in_bounds(target, offset_B, size_B))
      return true;
   if (address % size_B)
      return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                          "an atomic operation at "
                          "0x%012llx, which is not aligned",
                          (unsigned long long)address);
   *p = target->kind == DP_SLM ? t->env->slm + offset_B
        : t->mem               ? sim_mem_try_ptr(t->mem, address, size_B)
                               : NULL;
   if (*p && t->mem && target->kind != DP_SLM) {
      sim_mem_note_message(t->mem, address, size_B, SIM_MEM_READ);
      sim_mem_note_message(t->mem, address, size_B, SIM_MEM_WRITE);
   }
   if (*p)
      return true;
   return memory_fault(t, lane, address,
                       "atomic operation on memory that is not mapped");
}

bool
dp_check_lengths(struct sim_eu_thread *t, const struct sim_message *m,
                 const char *message, unsigned payload, unsigned response)
{
   if (m->mlen + m->ex_mlen == payload && m->rlen == response &&
       (!response || m->dst))
      return true;
   return sim_eu_fault(t, SIM_FAULT_MESSAGE,
                       "%s: payload of %u + %u and response of %u registers; "
                       "the descriptor 0x%08x needs %u and %u",
                       message, m->mlen, m->ex_mlen, m->rlen, m->desc,
                       payload, response);
}

uint32_t
dp_slot_mask(const struct sim_message *m, unsigned slots)
{
   uint32_t mask = m->exec_mask & BITFIELD_MASK(slots);
   if (m->header)
      mask &= m->src0[0].ud[7];
   return mask;
}
