/* SPDX-License-Identifier: MIT */
/*
 * Prints batches by the tables of genxml. The walk follows first-level jumps
 * and stops at MI_BATCH_BUFFER_END, at memory that is not ours, or after a
 * number of commands that no honest batch has.
 */
#include "saf_batch_decode.h"

#include <inttypes.h>

#include "intel/genxml/genxml.h"
#include "util/guard.h"

#define MAX_COMMANDS 1000000u

/* The memory at a GPU address, and how much of it there is. */
static const uint32_t *
look_up(struct saf_device *device, uint64_t addr, uint64_t *left_dw)
{
   const uint32_t *dw = NULL;
   pthread_mutex_lock(&device->bo_mutex);
   util_dynarray_foreach(&device->exec_bos, struct saf_bo *, p) {
      const struct saf_bo *bo = *p;
      if (bo->map && addr >= bo->addr && addr < bo->addr + bo->size_B) {
         *left_dw = (bo->addr + bo->size_B - addr) / 4;
         dw = (const uint32_t *)((const char *)bo->map + (addr - bo->addr));
         break;
      }
   }
   pthread_mutex_unlock(&device->bo_mutex);
   return dw;
}

static uint64_t
jump_target(const struct genxml_group *g, const uint32_t *dw)
{
   const struct genxml_field *f =
      genxml_find_field(g, "BatchBufferStartAddress");
   /* The field has no low bits: they are zero. */
   return f ? genxml_field_raw(f, 0, dw) << (f->lo % 32) : 0;
}

struct decoding {
   struct saf_device *device;
   uint64_t addr;
   FILE *fp;
};

/* In a scope (util/guard.h). */
static void
decode(void *data)
{
   struct saf_device *const device = ((struct decoding *)data)->device;
   uint64_t addr = ((struct decoding *)data)->addr;
   const struct genxml_spec *spec = genxml_spec_get(device->info->verx10);
   struct strbuf out = { 0 };
   uint64_t left_dw = 0;
   const uint32_t *dw = look_up(device, addr, &left_dw);
   for (unsigned n = 0; dw && left_dw && n < MAX_COMMANDS; n++) {
      const struct genxml_group *g = genxml_find_command(spec, *dw);
      const unsigned length = g ? genxml_command_dwords(g, *dw)
                                : genxml_unknown_command_dwords(*dw);
      if (length == 0 || length > left_dw) {
         strbuf_printf(&out, "0x%012" PRIx64 ": 0x%08x is no command\n", addr,
                       *dw);
         break;
      }
      strbuf_printf(&out, "0x%012" PRIx64 ":  0x%08x:  %s\n", addr, *dw,
                    g ? g->name : "unknown command");
      if (g)
         genxml_print_fields(&out, g, dw, length, 4);
      if (g && !strcmp(g->name, "MI_BATCH_BUFFER_END"))
         break;
      if (g && !strcmp(g->name, "MI_BATCH_BUFFER_START")) {
         addr = jump_target(g, dw);
         dw = look_up(device, addr, &left_dw);
         continue;
      }
      addr += length * 4;
      dw += length;
      left_dw -= length;
   }
   fputs(strbuf_str(&out), ((struct decoding *)data)->fp);
   strbuf_fini(&out);
}

void
saf_batch_decode(struct saf_device *device, uint64_t addr, FILE *fp)
{
   struct decoding d = { device, addr, fp };
   struct guard_error error;
   if (guard_run(decode, &d, &error))
      fprintf(fp, "a batch that is not printed: %s\n", error.text);
}
