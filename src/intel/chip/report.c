/* SPDX-License-Identifier: MIT */
/*
 * The report: JSON that is written anew on the way, to a file beside it that
 * then takes its name, so that there is a whole one at any moment. It says
 * what the chip is and what differs; nothing of the machine, its user, or
 * where anything lies.
 */
#include "chip.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SCHEMA "saffron-chip-1"
/* How often the file is written while nothing differs, and how often it must
 * be on the disk: a chip may take the whole machine along. */
#define WRITE_NS 200000000ll
#define SYNC_NS 2000000000ll

struct chip_report {
   char *path, *temporary;
   struct strbuf head, stages, deviations, timing;
   const char *stage;
   unsigned cases, differ, num_deviations;
   int64_t written_ns, synced_ns;
   bool complete, failed;
};

static void
print_stage(struct strbuf *out, const struct chip_report *r,
            const char *status)
{
   strbuf_printf(out,
                 "%s\n    {\"name\": \"%s\", \"status\": \"%s\", "
                 "\"cases\": %u, \"differ\": %u}",
                 r->stages.len ? "," : "", r->stage, status, r->cases,
                 r->differ);
}

static void
print_report(struct strbuf *out, const struct chip_report *r)
{
   strbuf_printf(out,
                 "{\n  \"schema\": \"" SCHEMA "\",\n"
                 "  \"complete\": %s,\n%s  \"stages\": [%s",
                 r->complete ? "true" : "false", strbuf_str(&r->head),
                 strbuf_str(&r->stages));
   if (r->stage)
      print_stage(out, r, "running");
   strbuf_printf(out,
                 "\n  ],\n  \"timing\": [%s\n  ],\n"
                 "  \"deviations\": [%s\n  ]\n}\n",
                 strbuf_str(&r->timing), strbuf_str(&r->deviations));
}

static bool
write_file(const char *path, const char *text, size_t size_B, bool sync)
{
   FILE *f = fopen(path, "we");
   if (!f)
      return false;
   const bool ok = fwrite(text, 1, size_B, f) == size_B && fflush(f) == 0 &&
                   (!sync || fsync(fileno(f)) == 0);
   return !fclose(f) && ok;
}

static int64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void
write_report(struct chip_report *r)
{
   struct strbuf text = { 0 };
   if (!r->path || r->failed)
      return;
   r->written_ns = now_ns();
   const bool sync = r->complete || r->written_ns - r->synced_ns > SYNC_NS;
   if (sync)
      r->synced_ns = r->written_ns;
   print_report(&text, r);
   if (!write_file(r->temporary, text.s, text.len, sync) ||
       rename(r->temporary, r->path)) {
      fprintf(stderr, "saffron-chip: %s: %s\n", r->path, strerror(errno));
      r->failed = true;
   }
   strbuf_fini(&text);
}

struct chip_report *
chip_report_create(const char *path, const struct chip_device *chip)
{
   struct chip_report *r = calloc(1, sizeof(*r));
   if (!r)
      abort();
   if (path) {
      const size_t size_B = strlen(path) + sizeof(".part");
      r->path = strdup(path);
      r->temporary = malloc(size_B);
      if (!r->path || !r->temporary)
         abort();
      snprintf(r->temporary, size_B, "%s.part", path);
   }
   strbuf_printf(&r->head,
                 "  \"chip\": {\"generation\": \"%s\", \"name\": \"%s\", "
                 "\"id\": \"0x%04x\"},\n",
                 chip->info->gen_name, chip->info->name, chip->info->pci_id);
   write_report(r);
   if (!r->failed)
      return r;
   chip_report_finish(r, NULL);
   return NULL;
}

void
chip_report_stage(struct chip_report *r, const char *name)
{
   r->stage = name;
   r->cases = r->differ = 0;
   write_report(r);
}

void
chip_report_case(struct chip_report *r)
{
   r->cases++;
   if (now_ns() - r->written_ns > WRITE_NS)
      write_report(r);
}

void
chip_report_stage_end(struct chip_report *r, const char *status)
{
   print_stage(&r->stages, r, status);
   r->stage = NULL;
   write_report(r);
}

void
chip_report_deviation(struct chip_report *r, const char *text)
{
   strbuf_printf(&r->deviations, "%s\n    %s", r->deviations.len ? "," : "",
                 text);
   r->differ++;
   r->num_deviations++;
   write_report(r);
}

void
chip_report_timing(struct chip_report *r, const char *text)
{
   strbuf_printf(&r->timing, "%s\n    %s", r->timing.len ? "," : "", text);
}

bool
chip_report_finish(struct chip_report *r, unsigned *deviations)
{
   r->complete = true;
   write_report(r);
   const bool ok = !r->failed;
   if (deviations)
      *deviations = r->num_deviations;
   strbuf_fini(&r->head);
   strbuf_fini(&r->stages);
   strbuf_fini(&r->deviations);
   strbuf_fini(&r->timing);
   free(r->path);
   free(r->temporary);
   free(r);
   return ok;
}
