/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: see mem.h.
 *
 * 48 bits less the page offset are 36 bits: three levels of 4096 slots. A
 * leaf slot points at the VMA that covers its page, so that an access inside
 * one object is contiguous on the host whatever pages it spans.
 */
#include "mem.h"

#define LEVEL_BITS 12
#define LEVEL_SLOTS (1u << LEVEL_BITS)

struct leaf {
   struct sim_vma *vma[LEVEL_SLOTS];
};

struct middle {
   struct leaf *leaf[LEVEL_SLOTS];
};

struct sim_vm {
   struct middle *middle[LEVEL_SLOTS];
   struct list_head vmas;
};

static struct sim_vma **
page_slot(const struct sim_vm *vm, uint64_t page)
{
   const struct middle *m = vm->middle[page >> (2 * LEVEL_BITS)];
   if (!m)
      return NULL;
   struct leaf *l = m->leaf[(page >> LEVEL_BITS) % LEVEL_SLOTS];
   return l ? &l->vma[page % LEVEL_SLOTS] : NULL;
}

/* The slot of `page`, whose tables are made when missing; NULL: no memory. */
static struct sim_vma **
make_page_slot(struct sim_vm *vm, uint64_t page)
{
   struct middle **m = &vm->middle[page >> (2 * LEVEL_BITS)];
   if (!*m && !(*m = calloc(1, sizeof(**m))))
      return NULL;
   struct leaf **l = &(*m)->leaf[(page >> LEVEL_BITS) % LEVEL_SLOTS];
   if (!*l && !(*l = calloc(1, sizeof(**l))))
      return NULL;
   return &(*l)->vma[page % LEVEL_SLOTS];
}

struct sim_vm *
sim_vm_create(void)
{
   struct sim_vm *vm = calloc(1, sizeof(*vm));
   if (vm)
      list_inithead(&vm->vmas);
   return vm;
}

void
sim_vm_destroy(struct sim_vm *vm)
{
   if (!vm)
      return;
   list_for_each_entry_safe(struct sim_vma, vma, &vm->vmas, vm_link)
      sim_vm_unbind(vma);
   for (unsigned i = 0; i < LEVEL_SLOTS; i++) {
      struct middle *m = vm->middle[i];
      for (unsigned j = 0; m && j < LEVEL_SLOTS; j++)
         free(m->leaf[j]);
      free(m);
   }
   free(vm);
}

const struct sim_vma *
sim_vm_lookup(const struct sim_vm *vm, uint64_t address)
{
   struct sim_vma **slot =
      page_slot(vm, (address & SIM_ADDRESS_MASK) / SIM_PAGE_SIZE);
   return slot ? *slot : NULL;
}

void
sim_vm_unbind(struct sim_vma *vma)
{
   const uint64_t first = vma->address / SIM_PAGE_SIZE;
   for (uint64_t p = 0; p < vma->size_B / SIM_PAGE_SIZE; p++) {
      struct sim_vma **slot = page_slot(vma->vm, first + p);
      if (slot && *slot == vma)
         *slot = NULL;
   }
   list_del(&vma->bo_link);
   list_del(&vma->vm_link);
   sim_bo_unref(vma->bo);
   free(vma);
}

/* Unmaps all that overlaps the range. */
static void
evict(struct sim_vm *vm, uint64_t address, uint64_t size_B)
{
   for (uint64_t at = address; at < address + size_B;) {
      struct sim_vma **slot = page_slot(vm, at / SIM_PAGE_SIZE);
      if (!slot) {
         /* Nothing in the 16 MiB of this leaf. */
         const uint64_t leaf_B = (uint64_t)LEVEL_SLOTS * SIM_PAGE_SIZE;
         at = (at / leaf_B + 1) * leaf_B;
      } else if (*slot) {
         struct sim_vma *vma = *slot;
         at = vma->address + vma->size_B;
         sim_vm_unbind(vma);
      } else {
         at += SIM_PAGE_SIZE;
      }
   }
}

/* Unmaps the object where it was. */
static void
leave_place(struct sim_vm *vm, struct sim_bo *bo)
{
   list_for_each_entry_safe(struct sim_vma, vma, &bo->vmas, bo_link) {
      if (vma->vm == vm)
         sim_vm_unbind(vma);
   }
}

bool
sim_vm_bind(struct sim_vm *vm, struct sim_bo *bo, uint64_t address)
{
   address &= SIM_ADDRESS_MASK;
   assert(address % SIM_PAGE_SIZE == 0 && "page aligned");
   if (bo->size_B > SIM_ADDRESS_MASK + 1 - address)
      return false;

   struct sim_vma **first = page_slot(vm, address / SIM_PAGE_SIZE);
   if (first && *first && (*first)->bo == bo && (*first)->address == address)
      return true;
   leave_place(vm, bo);
   evict(vm, address, bo->size_B);

   struct sim_vma *vma = calloc(1, sizeof(*vma));
   if (!vma)
      return false;
   *vma = (struct sim_vma) {
      .address = address,
      .size_B = bo->size_B,
      .host = bo->map,
      .bo = bo,
      .vm = vm,
   };
   sim_bo_ref(bo);
   list_addtail(&vma->bo_link, &bo->vmas);
   list_addtail(&vma->vm_link, &vm->vmas);
   for (uint64_t p = 0; p < bo->size_B / SIM_PAGE_SIZE; p++) {
      struct sim_vma **slot = make_page_slot(vm, address / SIM_PAGE_SIZE + p);
      if (!slot) {
         sim_vm_unbind(vma);
         return false;
      }
      *slot = vma;
   }
   return true;
}
