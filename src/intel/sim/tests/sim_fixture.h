/* SPDX-License-Identifier: MIT */
/* A simulated device for tests: objects at fixed addresses, batches that are
 * built by hand, and the reports that a run leaves. */
#ifndef SIM_FIXTURE_H
#define SIM_FIXTURE_H

#include "util/unit_test.h"

#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <unistd.h>

#include "intel/genxml/gen9_pack.h"
#include "saffron/sim.h"

#define MI_BATCH_BUFFER_END 0x05000000u

struct test_bo {
   uint32_t handle;
   uint32_t *map;
   uint64_t size_B;
   uint64_t address; /* 0: where the kernel puts it */
};

struct fixture {
   struct saffron_sim *sim;
   struct saffron_sim_file *file;
   struct test_bo bos[32];
   unsigned num_bos;
   uint64_t exec_flags; /* of f_run(): the ring */
   unsigned num_reports;
   char report[1024]; /* the first one */
};

int f_setup(void **state);
int f_setup_ivb(void **state);
int f_setup_gen(void **state, const char *gen);
int f_teardown(void **state);

int f_ioctl(struct fixture *f, unsigned long request, void *arg);

/* An object of the fixture, mapped; it is part of every f_run(). */
struct test_bo f_bo(struct fixture *f, uint64_t size_B, uint64_t address);

/* Forgets all objects, so that their addresses can be used again. */
void f_reset_bos(struct fixture *f);

struct drm_i915_gem_exec_object2 f_object(const struct test_bo *bo,
                                          uint64_t flags);

/* Waits until the GPU is done with the object; 0 or -errno. */
int f_idle(struct fixture *f, uint32_t handle);

/* Runs the batch in `bo`, with all objects of the fixture, in the default
 * context, and waits for it; 0 or -errno. */
int f_run(struct fixture *f, const struct test_bo *bo);

/* Batches of the default context that caused a reset. */
unsigned f_resets(struct fixture *f);

#endif
