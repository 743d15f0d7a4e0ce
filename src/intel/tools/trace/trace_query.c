/* SPDX-License-Identifier: MIT */
#include "trace_query.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/tool_io.h"

static const char *const kind_names[] = { TRACE_PIXEL_KIND_NAMES };
static_assert(ARRAY_SIZE(kind_names) == TRACE_PIXEL_KINDS, "a name each");

/*
 * A pixel
 */

void
trace_query_pixel_draws(const struct trace_file *f,
                        void (*found)(void *data,
                                      const struct trace_file_draw *d,
                                      const struct trace_pixel *p,
                                      unsigned n),
                        void *data)
{
   const struct trace_pixel *p = f->pixels.data;
   const size_t count =
      util_dynarray_num_elements(&f->pixels, struct trace_pixel);
   for (size_t i = 0, n; i < count; i += n) {
      n = 1;
      while (i + n < count && p[i + n].draw == p[i].draw)
         n++;
      found(data, trace_file_find_draw(f, p[i].draw), p + i, (unsigned)n);
   }
}

static void
print_color(const uint32_t c[4], bool is_integer)
{
   printf("(");
   for (unsigned i = 0; i < 4; i++) {
      printf(i ? ", " : "");
      if (is_integer)
         printf("%u", c[i]);
      else
         printf("%.6g", (double)util_bits_float(c[i]));
   }
   printf(")");
}

static void
print_test(const struct trace_pixel *p)
{
   printf("sample %d %s the shader:", p->sample,
          p->mask & TRACE_TEST_LATE ? "after" : "before");
   if (p->mask & TRACE_TEST_STENCIL)
      printf(" stencil %s (%u, then %u)",
             p->mask & TRACE_TEST_STENCIL_PASSED ? "passes" : "fails",
             p->was[1], p->is[1]);
   if (p->mask & TRACE_TEST_DEPTH)
      printf(" depth %s",
             p->mask & TRACE_TEST_DEPTH_PASSED ? "passes" : "fails");
   printf(" %.9g (was %.9g, then %.9g)",
          (double)util_bits_float(p->source[0]),
          (double)util_bits_float(p->was[0]),
          (double)util_bits_float(p->is[0]));
}

static void
print_event(const struct trace_pixel *p)
{
   printf("   %s", kind_names[p->kind]);
   if (p->thread != ~0u)
      printf(" by thread %u", p->thread);
   if (p->step != ~0u)
      printf(", step %u", p->step);
   printf(", primitive %u: ", p->primitive);
   switch ((enum trace_pixel_kind)p->kind) {
   case TRACE_PIXEL_COVERED: printf("samples 0x%x", p->mask); break;
   case TRACE_PIXEL_TESTED: print_test(p); break;
   case TRACE_PIXEL_DISCARDED: printf("by the shader"); break;
   case TRACE_PIXEL_MASKED: printf("no sample is left"); break;
   default:
      printf("target %u at 0x%012" PRIx64 ": ", p->target, p->address);
      print_color(p->was, p->is_integer);
      printf(" to ");
      print_color(p->is, p->is_integer);
      printf(", the shader gave ");
      print_color(p->source, p->is_integer);
      for (unsigned i = 0; i < 4 && p->component[i] != ~0u; i++)
         printf("%s r%u.%u", i ? "," : ", from", p->component[i] / 8,
                p->component[i] % 8);
   }
   printf("\n");
}

static void
print_draw(void *data, const struct trace_file_draw *d,
           const struct trace_pixel *p, unsigned n)
{
   printf("draw %u in batch %u\n", d->number, d->batch);
   for (unsigned i = 0; i < n; i++)
      print_event(&p[i]);
}

int
trace_query_history(const struct trace_options *o, const struct trace_file *f)
{
   trace_query_pixel_draws(f, print_draw, NULL);
   if (f->pixels.size_B)
      return TOOL_EXIT_OK;
   fprintf(stderr, "saffron trace: %s: nothing happens to pixel (%d, %d)\n",
           o->file, o->pixel[0], o->pixel[1]);
   return TOOL_EXIT_BAD_INPUT;
}

/*
 * A register
 */

bool
trace_query_steps(const struct trace_options *o, const struct trace_view *v,
                  void (*found)(void *data, uint32_t n), void *data)
{
   const char *text = o->writer ? o->writer : o->readers;
   const uint32_t steps = v->thread->head.num_steps;
   unsigned mask;
   const unsigned reg = trace_view_register_place(text, &mask);
   if (reg == TRACE_NUM_REGISTERS) {
      fprintf(stderr, "saffron trace: unknown register '%s'\n", text);
      return false;
   }
   if (o->writer) {
      const uint32_t n = trace_view_find_writer(v, o->after, reg, mask);
      if (n != ~0u)
         found(data, n);
      return true;
   }
   for (uint32_t n = o->after; n < steps; n++) {
      n = trace_view_find_reader(v, n, reg, mask);
      /* It may have been written in between. */
      for (uint32_t k = o->after; n != ~0u && k < n; k++) {
         if (trace_view_writes(v, k, reg, mask))
            return true;
      }
      if (n == ~0u)
         return true;
      found(data, n);
   }
   return true;
}

struct found {
   struct trace_view *view;
   bool any;
};

static void
print_found(void *data, uint32_t n)
{
   struct found *f = data;
   f->any = true;
   trace_view_print_inst(f->view, n);
   trace_view_go(f->view, n + 1);
   trace_view_print_changes(f->view, n);
}

void
trace_query_register(const struct trace_options *o, struct trace_view *v)
{
   struct found found = { .view = v };
   trace_view_print_head(v);
   if (trace_query_steps(o, v, print_found, &found) && !found.any)
      printf("none: %s\n", o->writer
                              ? "it is as the thread was started with"
                              : "nothing reads it before it is written");
}

/*
 * Memory
 */

int
trace_query_accesses(const struct trace_options *o)
{
   static const char *const names[] = { TRACE_CLIENT_NAMES };
   util_dynarray_foreach(&o->accesses, struct trace_access, a) {
      if (a->draw == ~0u)
         printf("before draw 0: ");
      else
         printf("draw %u: ", a->draw);
      printf("%s %s %" PRIu64 " bytes at 0x%012" PRIx64 "\n",
             names[a->client], a->is_write ? "writes" : "reads", a->size_B,
             a->address);
   }
   if (o->accesses.size_B)
      return TOOL_EXIT_OK;
   fprintf(stderr, "saffron trace: %s: nothing is at 0x%" PRIx64 "\n",
           o->file, o->watch.address);
   return TOOL_EXIT_BAD_INPUT;
}
