/* SPDX-License-Identifier: MIT */
/* Accessors: see mem.h. */
#include "mem.h"

void
sim_mem_init(struct sim_mem *mem, const struct sim_vm *vm)
{
   memset(mem, 0, sizeof(*mem));
   mem->vm = vm;
}

void *
sim_mem_walk(struct sim_mem *mem, uint64_t address, uint64_t size_B)
{
   address &= SIM_ADDRESS_MASK;
   const struct sim_vma *vma = mem->vm ? sim_vm_lookup(mem->vm, address)
                                       : NULL;
   if (!vma)
      return NULL;
   const uint64_t offset = address - vma->address;
   if (size_B > vma->size_B - offset)
      return NULL;
   mem->window[sim_mem_window_of(address)] = (struct sim_mem_window) {
      .address = vma->address,
      .size_B = vma->size_B,
      .host = vma->host,
   };
   return vma->host + offset;
}

void
sim_mem_set_fault(struct sim_mem *mem, uint64_t address, uint64_t size_B,
                  enum sim_mem_access access)
{
   if (mem->fault.pending)
      return;
   mem->fault = (struct sim_mem_fault) {
      .pending = true,
      .access = access,
      .address = address & SIM_ADDRESS_MASK,
      .size_B = size_B,
   };
}

/* How much of [address, address + size_B) the mapping at its start holds. */
static uint64_t
contiguous_B(const struct sim_mem *mem, uint64_t address, uint64_t size_B)
{
   const struct sim_vma *vma = mem->vm ? sim_vm_lookup(mem->vm, address)
                                       : NULL;
   if (!vma)
      return 0;
   return MIN2(size_B, vma->address + vma->size_B - address);
}

/* Whether all bytes are mapped; if not, the first that is not is a fault. */
static bool
all_mapped(struct sim_mem *mem, uint64_t address, uint64_t size_B,
           enum sim_mem_access access)
{
   for (uint64_t done_B = 0; done_B < size_B;) {
      const uint64_t at = (address + done_B) & SIM_ADDRESS_MASK;
      const uint64_t n = contiguous_B(mem, at, size_B - done_B);
      if (!n) {
         sim_mem_set_fault(mem, at, size_B - done_B, access);
         return false;
      }
      done_B += n;
   }
   return true;
}

bool
sim_mem_read(struct sim_mem *mem, void *dst, uint64_t address,
             uint64_t size_B)
{
   const void *p = sim_mem_try_ptr(mem, address, size_B);
   if (p) {
      memcpy(dst, p, size_B);
      return true;
   }
   if (!all_mapped(mem, address, size_B, SIM_MEM_READ)) {
      memset(dst, 0, size_B);
      return false;
   }
   for (uint64_t done_B = 0; done_B < size_B;) {
      const uint64_t at = (address + done_B) & SIM_ADDRESS_MASK;
      const uint64_t n = contiguous_B(mem, at, size_B - done_B);
      memcpy((uint8_t *)dst + done_B, sim_mem_walk(mem, at, n), n);
      done_B += n;
   }
   return true;
}

bool
sim_mem_write(struct sim_mem *mem, uint64_t address, const void *src,
              uint64_t size_B)
{
   void *p = sim_mem_try_ptr(mem, address, size_B);
   if (p) {
      memcpy(p, src, size_B);
      return true;
   }
   if (!all_mapped(mem, address, size_B, SIM_MEM_WRITE))
      return false;
   for (uint64_t done_B = 0; done_B < size_B;) {
      const uint64_t at = (address + done_B) & SIM_ADDRESS_MASK;
      const uint64_t n = contiguous_B(mem, at, size_B - done_B);
      memcpy(sim_mem_walk(mem, at, n), (const uint8_t *)src + done_B, n);
      done_B += n;
   }
   return true;
}

/*
 * Logs
 */

struct log_entry {
   uint64_t address;
   uint64_t size_B; /* then so many bytes, up to a multiple of eight */
};

static uint8_t *
log_room(struct sim_mem_log *log, size_t size_B)
{
   if (log->size_B + size_B > log->room_B) {
      const size_t room_B = MAX2(2 * log->room_B, log->size_B + size_B);
      uint8_t *data = realloc(log->data, room_B);
      if (!data) {
         log->lost = true;
         return NULL;
      }
      log->data = data;
      log->room_B = room_B;
   }
   uint8_t *at = log->data + log->size_B;
   log->size_B += size_B;
   return at;
}

bool
sim_mem_log_write(struct sim_mem *mem, uint64_t address, const void *src,
                  uint64_t size_B)
{
   const struct log_entry e = { address, size_B };
   if (!sim_mem_try_ptr(mem, address, size_B) &&
       !all_mapped(mem, address, size_B, SIM_MEM_WRITE))
      return false;
   uint8_t *at = log_room(mem->log, sizeof(e) + ALIGN(size_B, (size_t)8));
   if (at) {
      memcpy(at, &e, sizeof(e));
      memcpy(at + sizeof(e), src, size_B);
   }
   return true;
}

void
sim_mem_log_apply(struct sim_mem_log *log, struct sim_mem *mem)
{
   for (size_t at = 0; at < log->size_B;) {
      struct log_entry e;
      memcpy(&e, log->data + at, sizeof(e));
      sim_mem_write(mem, e.address, log->data + at + sizeof(e), e.size_B);
      at += sizeof(e) + ALIGN(e.size_B, (size_t)8);
   }
   log->size_B = 0;
}
