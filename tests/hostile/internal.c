/* SPDX-License-Identifier: MIT */
/*
 * What a program sees of an internal error of the compiler; for
 * test_internal.py.
 *
 * usage: internal LIBRARY [WORDS], of shared memory in the shader; prints the
 * results of making a pipeline and of a fill (which may compile a shader of
 * the driver's), then those of both once more, and whether the device could
 * be destroyed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "icd.h"

static VkResult
make_pipeline(struct icd *icd)
{
   struct icd_compute c;
   const VkResult r = icd_compute_create(icd, VK_NULL_HANDLE, &c);
   if (r && c.pipeline)
      printf("a pipeline in spite of it\n");
   icd_compute_destroy(icd, &c);
   return r;
}

static VkResult
fill(struct icd *icd)
{
   return icd_fill(icd) ? icd->result : VK_SUCCESS;
}

int
main(int argc, char **argv)
{
   struct icd icd;
   if (argc < 2 || argc > 3 || icd_open(&icd, argv[1]))
      return 2;
   icd.shared_words = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
   for (unsigned i = 0; i < 2; i++) {
      printf("pipeline %d\n", make_pipeline(&icd));
      printf("fill %d\n", fill(&icd));
   }
   icd_close(&icd);
   printf("closed\n");
   return 0;
}
