/* SPDX-License-Identifier: MIT */
/*
 * What test_privileged.py makes a set-user-id program: it uses the driver, as
 * a display manager or a game with rights of its own does.
 *
 * usage: privileged LIBRARY; prints whether it has more rights than its
 * caller, then what it came to.
 */
#include <stdio.h>
#include <sys/auxv.h>

#include "icd.h"

int
main(int argc, char **argv)
{
   if (argc != 2)
      return 2;
   printf("%s\n", getauxval(AT_SECURE) ? "privileged" : "as its caller");
   struct icd icd;
   const char *wrong = icd_open(&icd, argv[1]);
   if (!wrong)
      wrong = icd_fill(&icd);
   icd_close(&icd);
   printf("%s\n", wrong ? wrong : "filled");
   return 0;
}
