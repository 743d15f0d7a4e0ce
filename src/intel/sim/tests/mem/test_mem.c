/* SPDX-License-Identifier: MIT */
/* Address spaces and accessors. */
#include "intel/sim/mem/mem.h"
#include "util/unit_test.h"

struct world {
   struct sim_vm *vm;
   struct sim_bo *a, *b;
   struct sim_mem mem;
};

/* Two objects of 2 and 1 pages that touch at 0x10002000. */
static void
setup(struct world *w)
{
   w->vm = sim_vm_create();
   w->a = sim_bo_create(2 * SIM_PAGE_SIZE);
   w->b = sim_bo_create(SIM_PAGE_SIZE);
   assert_true(sim_vm_bind(w->vm, w->a, 0x10000000));
   assert_true(sim_vm_bind(w->vm, w->b, 0x10002000));
   sim_mem_init(&w->mem, w->vm);
}

static void
teardown(struct world *w)
{
   sim_vm_destroy(w->vm);
   sim_bo_unref(w->a);
   sim_bo_unref(w->b);
}

static void
test_copy_across_mappings(void **state)
{
   struct world w;
   setup(&w);
   uint8_t in[256], out[256];
   for (unsigned i = 0; i < sizeof(in); i++)
      in[i] = (uint8_t)(i * 7 + 1);
   assert_true(sim_mem_write(&w.mem, 0x10002000 - 100, in, sizeof(in)));
   assert_memory_equal(w.a->map + 2 * SIM_PAGE_SIZE - 100, in, 100);
   assert_memory_equal(w.b->map, in + 100, sizeof(in) - 100);
   assert_true(sim_mem_read(&w.mem, out, 0x10002000 - 100, sizeof(out)));
   assert_memory_equal(in, out, sizeof(in));
   assert_false(w.mem.fault.pending);
   assert_null(sim_mem_try_ptr(&w.mem, 0x10002000 - 100, sizeof(in)));
   teardown(&w);
}

static void
test_fault_names_first_unmapped_byte(void **state)
{
   struct world w;
   setup(&w);
   uint8_t buf[64];
   memset(buf, 0xee, sizeof(buf));
   memset(w.b->map, 0x55, SIM_PAGE_SIZE);
   assert_false(sim_mem_write(&w.mem, 0x10003000 - 32, buf, sizeof(buf)));
   assert_true(w.mem.fault.pending);
   assert_int_equal(w.mem.fault.address, 0x10003000);
   assert_int_equal(w.mem.fault.access, SIM_MEM_WRITE);
   /* Nothing was written, and the first fault stays. */
   assert_int_equal(w.b->map[SIM_PAGE_SIZE - 1], 0x55);
   assert_false(sim_mem_read(&w.mem, buf, 0xdead0000, 4));
   assert_int_equal(w.mem.fault.address, 0x10003000);
   assert_int_equal(buf[0], 0);
   teardown(&w);
}

static void
test_canonical_addresses(void **state)
{
   struct world w;
   setup(&w);
   struct sim_bo *c = sim_bo_create(SIM_PAGE_SIZE);
   assert_true(sim_vm_bind(w.vm, c, 0xffff800000001000ull));
   c->map[5] = 42;
   uint8_t byte;
   assert_true(sim_mem_read(&w.mem, &byte, 0x800000001005ull, 1));
   assert_int_equal(byte, 42);
   assert_true(sim_mem_read(&w.mem, &byte, 0xffff800000001005ull, 1));
   assert_int_equal(byte, 42);
   sim_bo_unref(c);
   teardown(&w);
}

static void
test_rebinding_evicts(void **state)
{
   struct world w;
   setup(&w);
   struct sim_bo *c = sim_bo_create(2 * SIM_PAGE_SIZE);
   /* Over the second page of a and all of b: both go. */
   assert_true(sim_vm_bind(w.vm, c, 0x10001000));
   assert_null(sim_vm_lookup(w.vm, 0x10000000));
   assert_ptr_equal(sim_vm_lookup(w.vm, 0x10002fff)->bo, c);
   assert_int_equal(w.a->refcount, 1);
   assert_int_equal(c->refcount, 2);
   /* The same again changes nothing. */
   assert_true(sim_vm_bind(w.vm, c, 0x10001000));
   assert_int_equal(c->refcount, 2);
   /* Past the end of the 48 bits. */
   assert_false(sim_vm_bind(w.vm, c, SIM_ADDRESS_MASK + 1 - SIM_PAGE_SIZE));
   sim_bo_unref(c);
   teardown(&w);
}

/* What was at the old address is not there any more: a batch that still uses
 * it must not reach the object, which may be something else by now. */
static void
test_rebinding_moves(void **state)
{
   struct world w;
   setup(&w);
   struct sim_vm *other = sim_vm_create();
   assert_true(sim_vm_bind(other, w.a, 0x10000000));
   assert_true(sim_vm_bind(w.vm, w.a, 0x10001000));
   assert_null(sim_vm_lookup(w.vm, 0x10000000));
   assert_ptr_equal(sim_vm_lookup(w.vm, 0x10001000)->bo, w.a);
   assert_ptr_equal(sim_vm_lookup(w.vm, 0x10002000)->bo, w.a);
   assert_ptr_equal(sim_vm_lookup(other, 0x10000000)->bo, w.a);
   assert_int_equal(w.a->refcount, 3);
   sim_vm_destroy(other);
   teardown(&w);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copy_across_mappings),
      cmocka_unit_test(test_fault_names_first_unmapped_byte),
      cmocka_unit_test(test_canonical_addresses),
      cmocka_unit_test(test_rebinding_evicts),
      cmocka_unit_test(test_rebinding_moves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
