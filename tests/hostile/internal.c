/* SPDX-License-Identifier: MIT */
/*
 * What a program sees of an internal error of the compiler; for
 * test_internal.py.
 *
 * usage: internal LIBRARY; prints the results of making a pipeline and of a
 * fill (which may compile a shader of the driver's), then those of both once
 * more, and whether the device could be destroyed.
 */
#include <stdio.h>

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
   if (argc != 2 || icd_open(&icd, argv[1]))
      return 2;
   for (unsigned i = 0; i < 2; i++) {
      printf("pipeline %d\n", make_pipeline(&icd));
      printf("fill %d\n", fill(&icd));
   }
   icd_close(&icd);
   printf("closed\n");
   return 0;
}
