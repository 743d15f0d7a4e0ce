/* SPDX-License-Identifier: MIT */
/*
 * SAFFRON_SIM_KERNELS=DIR: each program that the simulator decodes goes to a
 * file of its own, named by generation and content, so that a program is
 * there once however often it was loaded. It ends where the decoder thinks
 * that it ends (see program.c).
 */
#include "intel/sim/eu/eu_private.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* FNV-1a, 64 bits. */
uint64_t
eu_program_hash(const uint8_t *bytes, uint32_t size_B)
{
   uint64_t h = 0xcbf29ce484222325ull;
   for (uint32_t i = 0; i < size_B; i++)
      h = (h ^ bytes[i]) * 0x100000001b3ull;
   return h;
}

void
eu_save_program(const struct sim_eu_program *p, const char *dir)
{
   char path[4096];
   const int n = snprintf(path, sizeof(path), "%s/%s-%016llx.bin", dir,
                          isa_gen_name(isa_gen_from_number(p->verx10)),
                          (unsigned long long)p->hash);
   if (n < 0 || (size_t)n >= sizeof(path))
      return;
   FILE *f = fopen(path, "wbxe");
   if (!f)
      return; /* it is there already, or the folder is not */
   const bool all = fwrite(p->bytes, 1, p->size_B, f) == p->size_B;
   if (fclose(f) == 0 && all)
      return;
   fprintf(stderr, "saffron: SAFFRON_SIM_KERNELS: %s is not written: %s\n",
           path, strerror(errno));
   unlink(path);
}
