/* SPDX-License-Identifier: MIT */
/* A case on both devices, and what is said of the difference. */
#include "chip.h"

#include <stdio.h>

#include "util/text/json.h"
#include "util/macros.h"

#define MAX_DIFFERENCES 16 /* of a case, that are told */

const struct chip_stage chip_stages[] = {
#define STAGE(function, name, summary) { name, summary, function },
   CHIP_STAGES(STAGE)
#undef STAGE
      { 0 },
};

bool
chip_wants(const struct chip *c, const char *name)
{
   if (c->expected)
      return chip_expected_has(c->expected, c->stage, name);
   return !c->only_case || !strcmp(c->only_case, name);
}

static void
print_head(struct strbuf *s, const struct chip *c, const struct chip_case *k,
           const char *kind)
{
   strbuf_printf(s, "{\"stage\": \"%s\", \"case\": ", c->stage);
   json_string(s, k->name, strlen(k->name));
   strbuf_printf(s, ", \"kind\": \"%s\"", kind);
   if (k->text[0]) {
      strbuf_puts(s, ", \"text\": ");
      json_string(s, k->text, strlen(k->text));
   }
}

static void
report(struct chip *c, const struct chip_case *k, struct strbuf *s)
{
   strbuf_puts(s, "}");
   chip_report_deviation(c->report, s->s);
   strbuf_fini(s);
   if (!c->quiet)
      fprintf(stderr, "%s: %s differs\n", c->stage, k->name);
}

static uint32_t
dword_at(const struct util_dynarray *d, unsigned offset_B)
{
   uint32_t v = 0;
   if (offset_B + 4 <= d->size_B)
      memcpy(&v, (const char *)d->data + offset_B, 4);
   return v;
}

static bool
is_same(const struct chip_case *k, uint32_t a, uint32_t b)
{
   const uint32_t least = MIN2(a, b), most = MAX2(a, b);
   return a == b || most - least < k->tolerance + (uint64_t)least *
                                                     k->tolerance_percent /
                                                     100;
}

static void
compare(struct chip *c, const struct chip_case *k,
        const struct util_dynarray *chip, const struct util_dynarray *sim)
{
   struct strbuf s = { 0 };
   unsigned n = 0;
   const size_t size_B = MAX2(chip->size_B, sim->size_B);
   for (unsigned at = 0; at < size_B; at += 4) {
      const uint32_t a = dword_at(chip, at), b = dword_at(sim, at);
      if (is_same(k, a, b) || n++ >= MAX_DIFFERENCES)
         continue;
      char where[64];
      snprintf(where, sizeof(where), "byte %u", at);
      if (k->where)
         k->where(at, where, sizeof(where));
      if (n == 1) {
         print_head(&s, c, k, "result");
         strbuf_puts(&s, ", \"differences\": [");
      }
      strbuf_printf(&s,
                    "%s{\"offset\": %u, \"where\": \"%s\", "
                    "\"chip\": \"0x%08x\", \"simulator\": \"0x%08x\"}",
                    n == 1 ? "" : ", ", at, where, a, b);
   }
   if (!n)
      return;
   strbuf_printf(&s, "], \"dwords\": %u", n);
   report(c, k, &s);
}

static const char *const status_names[] = {
   [CHIP_DONE] = "ends",
   [CHIP_HANG] = "hangs",
   [CHIP_REFUSED] = "is refused",
};

static void
report_status(struct chip *c, const struct chip_case *k,
              enum chip_status chip, enum chip_status sim)
{
   struct strbuf s = { 0 };
   print_head(&s, c, k, chip == CHIP_HANG ? "hang" : "status");
   strbuf_printf(&s, ", \"chip\": \"%s\", \"simulator\": \"%s\"",
                 status_names[chip], status_names[sim]);
   if (chip == CHIP_REFUSED)
      strbuf_printf(&s, ", \"error\": \"%s\"", strerror(c->chip->error));
   report(c, k, &s);
}

/* After a hang the device is opened anew. */
static bool
recover(struct chip *c, struct chip_device *d, enum chip_status status)
{
   if (status != CHIP_HANG)
      return true;
   if (!chip_reopen(d)) {
      fprintf(stderr, "saffron-chip: after a hang the device cannot be "
                      "opened again\n");
      c->failed = true;
      return false;
   }
   return d != c->chip || ++c->hangs < CHIP_MAX_HANGS;
}

static bool
check_expected(struct chip *c, const struct chip_case *k)
{
   struct util_dynarray sim = { 0 };
   const enum chip_status status = k->run(c->sim, k->data, &sim);
   chip_expected_check(c->expected, c->stage, k->name,
                       status == CHIP_DONE ? &sim : NULL);
   util_dynarray_fini(&sim);
   return recover(c, c->sim, status);
}

bool
chip_run(struct chip *c, const struct chip_case *k)
{
   if (c->failed)
      return false;
   if (!chip_wants(c, k->name))
      return true;
   if (!c->chip)
      return check_expected(c, k);
   struct util_dynarray chip = { 0 }, sim = { 0 };
   const enum chip_status on_sim = k->run(c->sim, k->data, &sim);
   bool goes_on = recover(c, c->sim, on_sim);
   /* What hangs the simulated one is not for a real one. */
   if (goes_on && on_sim != CHIP_HANG) {
      const enum chip_status on_chip = k->run(c->chip, k->data, &chip);
      if (on_chip != on_sim)
         report_status(c, k, on_chip, on_sim);
      else if (on_chip == CHIP_DONE)
         compare(c, k, &chip, &sim);
      if (k->tell && on_chip == CHIP_DONE && on_sim == CHIP_DONE)
         k->tell(c, k, &chip, &sim);
      goes_on = recover(c, c->chip, on_chip);
      chip_report_case(c->report);
   }
   util_dynarray_fini(&chip);
   util_dynarray_fini(&sim);
   return goes_on;
}
