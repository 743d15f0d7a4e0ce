/* SPDX-License-Identifier: MIT */
/*
 * The memory of the simulated GPU.
 *
 * A buffer object is host memory (shared, so that any number of mappings see
 * the same bytes). An address space (PPGTT, 48 bits) is a radix tree
 * from 4 KiB page to the mapping (VMA) that covers the page. An accessor
 * (struct sim_mem) belongs to one host thread, remembers the mappings that
 * it used last, and holds the first fault that it met. It takes no lock:
 * an address space is changed only while no batch runs in it.
 *
 * Addresses are canonical on the wire (bit 47 repeated above); here the upper
 * 16 bits are ignored, as by the hardware's page walk.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#include "util/list.h"
#include "util/macros.h"

#define SIM_PAGE_SIZE 4096u
#define SIM_ADDRESS_BITS 48
#define SIM_ADDRESS_MASK BITFIELD64_MASK(SIM_ADDRESS_BITS)

/*
 * Buffer objects
 */

struct sim_bo {
   uint8_t *map; /* size_B bytes of host memory, page aligned */
   uint64_t size_B;
   int fd;                /* of its file, where it needs one; or -1 */
   bool user_memory;      /* map belongs to the user (userptr) */
   unsigned refcount;     /* atomic: handles, mappings, jobs, VMAs */
   struct list_head vmas; /* struct sim_vma.bo_link */
};

/* A zeroed object of `size_B` (a multiple of the page size) with one
 * reference, owned by the caller; NULL when the host has no memory. */
struct sim_bo *sim_bo_create(uint64_t size_B);

/* As sim_bo_create, over memory of the user, which must outlive it. */
struct sim_bo *sim_bo_create_user(void *memory, uint64_t size_B);

/* An object whose memory is the start of a file; the caller keeps the
 * descriptor. NULL when the host has no memory. */
struct sim_bo *sim_bo_create_file(int fd, uint64_t size_B);

/*
 * Makes the memory of the object the start of a new file, which has
 * `extra_B` more bytes, with all mappings that the process has of it. Nothing
 * may use the object meanwhile. 0 and a descriptor (with CLOEXEC, open to be
 * sealed) in *fd, or an errno value.
 */
int sim_bo_move_to_file(struct sim_bo *bo, uint64_t extra_B, int *fd);

/*
 * Another mapping of part of the object, in *map; it is the caller's, and
 * outlives the object. At `fixed` if that is not NULL. 0 or an errno value:
 * ENODEV for memory of the user.
 */
int sim_bo_map(const struct sim_bo *bo, uint64_t offset, size_t size_B,
               int prot, void *fixed, void **map);

void sim_bo_ref(struct sim_bo *bo);

/* Drops one reference. The object goes with the last one: until then, its
 * mappings in address spaces stay, and each holds a reference. */
void sim_bo_unref(struct sim_bo *bo);

/*
 * Address spaces
 */

struct sim_vm;

/* One object mapped at one address. */
struct sim_vma {
   uint64_t address, size_B;
   uint8_t *host;
   struct sim_bo *bo;
   struct sim_vm *vm;
   struct list_head bo_link, vm_link;
};

/* NULL when the host has no memory. */
struct sim_vm *sim_vm_create(void);

/* Unmaps everything, then frees. NULL is fine. */
void sim_vm_destroy(struct sim_vm *vm);

/*
 * Maps all of `bo` at `address` (page aligned), in place of what is mapped
 * there. Nothing happens if it is there already; if it is elsewhere, it
 * moves, as in i915, where an object has one place in an address space
 * (i915_vma.c, i915_vma_instance()). False when the range leaves 48 bits or
 * the host has no memory. No batch may run in the VM.
 */
MUST_CHECK bool sim_vm_bind(struct sim_vm *vm, struct sim_bo *bo,
                            uint64_t address);

/* Removes one mapping; drops its reference on the object. */
void sim_vm_unbind(struct sim_vma *vma);

/* The mapping that covers `address`, or NULL. */
const struct sim_vma *sim_vm_lookup(const struct sim_vm *vm,
                                    uint64_t address);

/* Addresses from `begin` up to `end`. */
struct sim_range {
   uint64_t begin, end;
};

static inline bool
sim_ranges_meet(struct sim_range a, struct sim_range b)
{
   return a.begin < b.end && b.begin < a.end;
}

/*
 * Accessors
 */

enum sim_mem_access {
   SIM_MEM_READ,
   SIM_MEM_WRITE,
};

struct sim_mem_fault {
   bool pending;
   enum sim_mem_access access;
   uint64_t address; /* first byte of the access */
   uint64_t size_B;
};

struct sim_mem_window {
   uint64_t address, size_B; /* size 0: unused */
   uint8_t *host;
};

#define SIM_MEM_WINDOWS 32

/* Writes that are not done yet, one after the other. */
struct sim_mem_log {
   uint8_t *data;
   size_t size_B, room_B;
   bool lost; /* the host had no memory for all of them */
};

struct sim_watch;

/* One for each host thread. */
struct sim_mem {
   const struct sim_vm *vm;
   /* Who looks at accesses (mem/watch.h), or NULL; and which shared
    * function a message is for meanwhile: enum sim_client. */
   const struct sim_watch *watch;
   uint8_t client;
   /* Where the writes of data ports go; NULL: they are done. */
   struct sim_mem_log *log;
   struct sim_mem_window window[SIM_MEM_WINDOWS]; /* by use, direct mapped */
   struct sim_mem_fault fault;                    /* the first one */
};

/* Must be called again when mappings of `vm` change. */
void sim_mem_init(struct sim_mem *mem, const struct sim_vm *vm);

/* The slow way of sim_mem_ptr(): NULL without a fault if unmapped. */
void *sim_mem_walk(struct sim_mem *mem, uint64_t address, uint64_t size_B);

/* Records a fault, unless one is pending already. */
void sim_mem_set_fault(struct sim_mem *mem, uint64_t address, uint64_t size_B,
                       enum sim_mem_access access);

/* Where the window of an address is remembered: drivers give objects
 * addresses that are multiples of 64 KiB, 2 MiB or 4 GiB. */
static inline unsigned
sim_mem_window_of(uint64_t address)
{
   return (unsigned)((address >> 16) ^ (address >> 21) ^ (address >> 32)) %
          SIM_MEM_WINDOWS;
}

/*
 * Host pointer to `size_B` bytes at `address`; NULL, and no fault, when they
 * are not all inside one mapping. For callers that can go without.
 */
static inline void *
sim_mem_try_ptr(struct sim_mem *mem, uint64_t address, uint64_t size_B)
{
   address &= SIM_ADDRESS_MASK;
   const struct sim_mem_window *w = &mem->window[sim_mem_window_of(address)];
   const uint64_t offset = address - w->address;
   if (offset < w->size_B && size_B <= w->size_B - offset)
      return w->host + offset;
   return sim_mem_walk(mem, address, size_B);
}

/*
 * As sim_mem_try_ptr(), but NULL is a fault, which is recorded. The pointer
 * is good until the batch ends; alignment is that of the address. Two
 * mappings that touch are not contiguous on the host: use sim_mem_read() and
 * sim_mem_write() where an access may cross.
 */
static inline void *
sim_mem_ptr(struct sim_mem *mem, uint64_t address, uint64_t size_B,
            enum sim_mem_access access)
{
   void *p = sim_mem_try_ptr(mem, address, size_B);
   if (__builtin_expect(!p, 0))
      sim_mem_set_fault(mem, address, size_B, access);
   return p;
}

/*
 * Copy from and to GPU memory, also across mappings. False, with a fault
 * recorded, if a byte is not mapped: then reads give zeros for all bytes, and
 * writes change nothing.
 */
bool sim_mem_read(struct sim_mem *mem, void *dst, uint64_t address,
                  uint64_t size_B);
bool sim_mem_write(struct sim_mem *mem, uint64_t address, const void *src,
                   uint64_t size_B);

/* Puts a write into the log; as sim_mem_write() but for the memory. */
bool sim_mem_log_write(struct sim_mem *mem, uint64_t address, const void *src,
                       uint64_t size_B);

/* Does what is in the log, in order, and empties it. */
void sim_mem_log_apply(struct sim_mem_log *log, struct sim_mem *mem);

#endif
