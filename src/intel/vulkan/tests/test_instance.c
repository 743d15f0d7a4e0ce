/* SPDX-License-Identifier: MIT */
/* The driver without a loader, which has locks that hide its own. */
#include "vkt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <vulkan/vk_icd.h>

#define THREADS 4

static PFN_vkGetInstanceProcAddr get_proc;

struct first {
   pthread_t thread;
   pthread_barrier_t *start;
   VkInstance instance;
   VkResult result;
   VkPhysicalDevice pdev;
};

static void *
enumerate(void *data)
{
   struct first *f = data;
   PFN_vkEnumeratePhysicalDevices call =
      (PFN_vkEnumeratePhysicalDevices)get_proc(f->instance,
                                               "vkEnumeratePhysicalDevices");
   uint32_t count = 1;
   pthread_barrier_wait(f->start);
   f->result = call(f->instance, &count, &f->pdev);
   return NULL;
}

/* Threads that ask at once for the first time: each made a physical device,
 * and got another one. */
static void
test_enumerate_at_once(void **state)
{
   const VKT_INFO(InstanceCreateInfo, info);
   /* The loader has it in memory. */
   void *driver =
      dlopen("libvulkan_saffron.so", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
   assert_non_null(driver);
   get_proc =
      (PFN_vkGetInstanceProcAddr)dlsym(driver, "vk_icdGetInstanceProcAddr");
   assert_non_null(get_proc);
   PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)get_proc(VK_NULL_HANDLE, "vkCreateInstance");
   pthread_barrier_t start;
   pthread_barrier_init(&start, NULL, THREADS);
   for (unsigned round = 0; round < 200; round++) {
      VkInstance instance;
      VKT_CHECK(create(&info, NULL, &instance));
      struct first f[THREADS];
      for (unsigned i = 0; i < THREADS; i++) {
         f[i] = (struct first) { .start = &start, .instance = instance };
         assert_int_equal(
            pthread_create(&f[i].thread, NULL, enumerate, &f[i]), 0);
      }
      for (unsigned i = 0; i < THREADS; i++)
         pthread_join(f[i].thread, NULL);
      for (unsigned i = 0; i < THREADS; i++) {
         VKT_CHECK(f[i].result);
         assert_ptr_equal(f[i].pdev, f[0].pdev);
      }
      ((PFN_vkDestroyInstance)get_proc(instance,
                                       "vkDestroyInstance"))(instance, NULL);
   }
   pthread_barrier_destroy(&start);
   dlclose(driver);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_enumerate_at_once),
   };
   return cmocka_run_group_tests(tests, vkt_setup, vkt_teardown);
}
