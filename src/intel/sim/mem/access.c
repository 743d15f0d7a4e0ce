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
   mem->window[(address >> 16) % SIM_MEM_WINDOWS] = (struct sim_mem_window) {
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
