/* SPDX-License-Identifier: MIT */
/*
 * saffron-trace: shows and searches a trace of the simulated GPU
 * (intel/sim/trace/trace_format.h).
 *
 * Exit codes: 0 done, 1 the file is no good or nothing was found, 2 wrong use
 * or a file that cannot be read.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "intel/genxml/genxml.h"
#include "trace_compare.h"
#include "trace_options.h"
#include "trace_profile.h"
#include "trace_query.h"
#include "trace_replay.h"
#include "trace_view.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron trace [OPTIONS] FILE\n"
   "\n"
   "Shows what 'saffron shim' or 'saffron run' with --trace=FILE or\n"
   "--record=FILE has recorded. Without options: batches, draws, and how\n"
   "many threads.\n"
   "\n"
   "  --commands         list commands, too; --commands=full: their fields\n"
   "  --threads          list threads, too\n"
   "\n"
   "These print threads, instruction by instruction:\n"
   "  --draw=K           of draw (or dispatch) K\n"
   "  --pixel=X,Y        that shade this pixel\n"
   "  --vertex=N         that shade the vertex with this index\n"
   "  --primitive=N      that work on this primitive\n"
   "  --group=X,Y,Z      of this compute thread group\n"
   "  --stage=S          of this stage: vs, hs, ds, gs, fs, cs\n"
   "  --thread=T         number T of its draw\n"
   "  --step             step through the first of them by commands from\n"
   "                     standard input; 'h' lists them\n"
   "\n"
   "  --writer=REG@N     of the first of them, the last instruction before\n"
   "                     step N that wrote the register (r12; r12.3: dword\n"
   "                     3)\n"
   "  --readers=REG@N    those from step N on that read it, up to the next\n"
   "                     that writes it\n"
   "\n"
   "  --history=X,Y      all that happens to this pixel of the targets: who\n"
   "                     covers it, tests, colours before and after\n"
   "  --profile          cycles by draw, by shader and by line; of a\n"
   "                     recording, also of --draw or --batches;\n"
   "                     --profile=json, speedscope, chrome (trace events)\n"
   "  --shaders=FILE     what shaders were made from (FILE.shaders)\n"
   "  --address=A[+SIZE] of a recording: who writes these bytes (4) of\n"
   "                     memory and who reads them, in order\n"
   "  --align=OTHER      which draws of another recording belong to which\n"
   "                     of this one, with what both cost\n"
   "  --compare=OTHER    the same, and the first of them after which a\n"
   "                     target differs\n"
   "  --batches=N[-M]    of a recording only these batches\n"
   "  --save=FILE        writes the trace of what was run again\n"
   "  --json             as JSON; with it also:\n"
   "  --pictures=PX      targets after each draw, the longer side so long\n"
   "  --steps=N,COUNT    instructions of the first thread from step N on\n"
   "  --registers=N      its registers after N steps\n"
   "\n"
   "  --stats=json       counters by shader, and in all\n"
   "  --partial          use what is good of a file that is damaged; of one\n"
   "                     whose program was killed it is used anyway\n"
   "  --help             this text\n";

static const char *const stage_names[] = { TRACE_STAGE_NAMES };

/*
 * Threads
 */

static void
print_channel(const struct trace_options *o,
              const struct trace_file_thread *t, unsigned item)
{
   if (o->has_pixel) {
      const unsigned pixel = (unsigned)(o->pixel[0] & 1) +
                             2 * (unsigned)(o->pixel[1] & 1);
      printf("pixel (%d, %d) is channel %u\n", o->pixel[0], o->pixel[1],
             4 * item + pixel);
   }
   if (o->has_vertex)
      printf("vertex %d is channel %u\n", o->vertex,
             t->head.lanes_per_item * item);
}

static void
print_thread(struct trace_view *v)
{
   printf("  step  offset  channels  instruction\n");
   for (uint32_t n = 0; n < v->thread->head.num_steps; n++) {
      trace_view_print_inst(v, n);
      trace_view_go(v, n + 1);
      trace_view_print_changes(v, n);
   }
   printf("\n");
}

static int
show_threads(const struct trace_options *o, const struct trace_file *f)
{
   bool found = false;
   util_dynarray_foreach(&f->threads, struct trace_file_thread, t) {
      const int item = trace_thread_matches(o, t);
      if (item < 0)
         continue;
      if (found && (o->step || o->writer || o->readers))
         break;
      found = true;
      struct trace_view v;
      trace_view_init(&v, f, t);
      if (o->writer || o->readers) {
         trace_query_register(o, &v);
         trace_view_finish(&v);
         continue;
      }
      print_channel(o, t, (unsigned)item);
      if (o->step) {
         trace_view_interact(&v);
      } else {
         trace_view_print_head(&v);
         print_thread(&v);
      }
      trace_view_finish(&v);
   }
   if (found)
      return TOOL_EXIT_OK;
   fprintf(stderr, "saffron trace: %s: no such thread is in the file\n",
           o->file);
   return TOOL_EXIT_BAD_INPUT;
}

/*
 * Lists
 */

static void
list_command(const struct trace_options *o, const struct trace_file *f,
             const struct trace_file_event *e)
{
   const struct genxml_spec *spec = genxml_spec_get(f->head.verx10);
   struct trace_command c;
   memcpy(&c, e->payload, sizeof(c));
   const uint32_t num_dw = (e->size_B - (uint32_t)sizeof(c)) / 4;
   uint32_t *dw = malloc(4 * (size_t)num_dw);
   if (!dw)
      abort();
   memcpy(dw, e->payload + sizeof(c), 4 * (size_t)num_dw);
   const struct genxml_group *g = spec ? genxml_find_command(spec, *dw)
                                       : NULL;
   printf("   0x%012" PRIx64 "  %s (%u dwords)\n", c.address,
          g ? g->name : "unknown", num_dw);
   if (o->full && g) {
      struct strbuf s = { 0 };
      genxml_print_fields(&s, g, dw, num_dw, 8);
      fputs(strbuf_str(&s), stdout);
      strbuf_fini(&s);
   }
   free(dw);
}

static void
list_threads(const struct trace_file *f, const struct trace_file_draw *d)
{
   for (uint32_t i = 0; i < d->num_threads; i++) {
      struct trace_view v;
      trace_view_init(&v, f,
                      util_dynarray_element(&f->threads,
                                            struct trace_file_thread,
                                            d->first_thread + i));
      trace_view_print_head(&v);
      trace_view_finish(&v);
   }
}

static void
list_draw(const struct trace_options *o, const struct trace_file *f,
          const struct trace_file_event *e)
{
   const struct trace_file_draw *d =
      util_dynarray_element(&f->draws, struct trace_file_draw, e->number);
   const struct trace_draw *h = &d->head;
   if (h->is_dispatch)
      printf("   dispatch %u at 0x%012" PRIx64, d->number, h->address);
   else
      printf("   draw %u at 0x%012" PRIx64 ": topology %u, %u %s from %u, "
             "%u instances",
             d->number, h->address, h->topology, h->vertex_count,
             h->indexed ? "indices" : "vertices", h->start_vertex,
             h->instance_count);
   if (d->has_end)
      printf("; %" PRIu64 " threads, %" PRIu64 " cycles", d->end.threads,
             d->end.cycles);
   printf("; %u threads recorded\n", d->num_threads);
   if (o->threads)
      list_threads(f, d);
}

static void
list_event(const struct trace_options *o, const struct trace_file *f,
           const struct trace_file_event *e)
{
   struct trace_batch b;
   switch (e->type) {
   case TRACE_BATCH:
      memcpy(&b, e->payload, sizeof(b));
      printf("batch %u at 0x%012" PRIx64 ", %s engine\n",
             f->head.first_batch + e->number, b.address,
             b.engine ? "copy" : "render");
      break;
   case TRACE_COMMAND:
      if (o->commands)
         list_command(o, f, e);
      break;
   case TRACE_DRAW: list_draw(o, f, e); break;
   case TRACE_REPORT:
      printf("   report: %.*s\n", (int)e->size_B, (const char *)e->payload);
      break;
   case TRACE_MARK:
      printf("%.*s\n", (int)e->size_B, (const char *)e->payload);
      break;
   default: break; /* no events */
   }
}

static int
list(const struct trace_options *o, const struct trace_file *f)
{
   printf("%s: %u batches, %u commands, %zu draws, %zu threads recorded\n",
          isa_gen_name(f->gen), f->num_batches, f->num_commands,
          util_dynarray_num_elements(&f->draws, struct trace_file_draw),
          util_dynarray_num_elements(&f->threads, struct trace_file_thread));
   util_dynarray_foreach(&f->events, struct trace_file_event, e)
      list_event(o, f, e);
   return TOOL_EXIT_OK;
}

/*
 * Statistics
 */

/* Counters from the threads that are there, for files without an end. */
static void
count_thread(const struct trace_file *f, const struct trace_file_thread *t,
             struct trace_shader *s)
{
   struct trace_view v;
   trace_view_init(&v, f, t);
   s->threads++;
   s->cycles += t->head.cycles;
   s->instructions += t->head.num_steps;
   for (uint32_t n = 0; n < t->head.num_steps; n++) {
      const uint32_t ip_B = trace_view_step(&v, n).ip_B;
      struct isa_inst inst;
      if (!isa_decode(f->gen, t->program->bytes + ip_B,
                      t->program->size_B - ip_B, &inst, NULL, NULL))
         continue;
      s->simd8 += MAX2(inst.exec_size / 8u, 1u);
      s->sends += inst.opcode == ISA_OPCODE_SEND ||
                  inst.opcode == ISA_OPCODE_SENDC ||
                  inst.opcode == ISA_OPCODE_SENDS ||
                  inst.opcode == ISA_OPCODE_SENDSC;
   }
   trace_view_finish(&v);
}

static void
count_threads(struct trace_file *f)
{
   util_dynarray_foreach(&f->threads, struct trace_file_thread, t) {
      struct trace_shader *shader = NULL;
      util_dynarray_foreach(&f->shaders, struct trace_shader, s) {
         if (s->hash == t->head.program && s->stage == t->head.stage)
            shader = s;
      }
      if (!shader) {
         shader = util_dynarray_grow_bytes(&f->shaders, sizeof(*shader));
         shader->hash = t->head.program;
         shader->stage = t->head.stage;
         shader->size_B = t->program->size_B;
      }
      count_thread(f, t, shader);
   }
}

static void
print_counters(const struct trace_shader *s)
{
   printf("\"threads\": %" PRIu64 ", \"instructions\": %" PRIu64
          ", \"simd8\": %" PRIu64 ", \"sends\": %" PRIu64
          ", \"cycles\": %" PRIu64,
          s->threads, s->instructions, s->simd8, s->sends, s->cycles);
   /* Not known where threads had to be counted. */
   if (s->issue)
      printf(", \"issue\": %" PRIu64, s->issue);
}

static int
print_stats(struct trace_file *f)
{
   struct trace_shader all = { 0 };
   const bool complete = f->shaders.size_B > 0;
   if (!complete)
      count_threads(f);
   printf("{\"generation\": \"%s\", \"batches\": %u, \"commands\": %u, "
          "\"draws\": %zu, \"recorded_threads\": %zu, \"counted\": \"%s\",\n"
          " \"shaders\": [",
          isa_gen_name(f->gen), f->num_batches, f->num_commands,
          util_dynarray_num_elements(&f->draws, struct trace_file_draw),
          util_dynarray_num_elements(&f->threads, struct trace_file_thread),
          complete ? "all threads" : "recorded threads");
   const char *comma = "";
   util_dynarray_foreach(&f->shaders, struct trace_shader, s) {
      printf("%s\n  {\"stage\": \"%s\", \"hash\": \"%016" PRIx64
             "\", \"bytes\": %u, ",
             comma, stage_names[s->stage], s->hash, s->size_B);
      print_counters(s);
      printf("}");
      comma = ",";
      all.threads += s->threads;
      all.instructions += s->instructions;
      all.simd8 += s->simd8;
      all.sends += s->sends;
      all.cycles += s->cycles;
      all.issue += s->issue;
   }
   printf("],\n \"all\": {");
   print_counters(&all);
   printf("}}\n");
   return TOOL_EXIT_OK;
}

/*
 * Options
 */

static int
wrong_use(const char *what, const char *value)
{
   fprintf(stderr, "saffron trace: %s%s%s\n%s", what, value ? ": " : "",
           value ? value : "", usage);
   return TOOL_EXIT_USAGE;
}

/* `n` numbers with commas between them. */
static bool
numbers(const char *text, int *out, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      char *end;
      const long v = strtol(text, &end, 0);
      if (*text < '0' || *text > '9' || v > INT32_MAX ||
          *end != (i + 1 < n ? ',' : 0))
         return false;
      out[i] = (int)v;
      text = end + 1;
   }
   return true;
}

static bool
number(const char *text, uint32_t *out)
{
   int v;
   if (!numbers(text, &v, 1))
      return false;
   *out = (uint32_t)v;
   return true;
}

static bool
pair(const char *text, uint32_t out[2])
{
   int v[2];
   if (!numbers(text, v, 2))
      return false;
   out[0] = (uint32_t)v[0];
   out[1] = (uint32_t)v[1];
   return true;
}

/* N or N-M. */
static bool
range(const char *text, uint32_t out[2])
{
   char copy[64];
   const char *dash = strchr(text, '-');
   if (!dash)
      return number(text, &out[0]) && number(text, &out[1]);
   snprintf(copy, sizeof(copy), "%.*s", (int)(dash - text), text);
   return number(copy, &out[0]) && number(dash + 1, &out[1]);
}

/* GPU addresses have 48 bits; above them is the sign, or zeros. */
static bool
is_address(uint64_t address)
{
   return (uint64_t)util_sign_extend(address, 48) == address ||
          address < 1ull << 48;
}

/* ADDRESS or ADDRESS+SIZE. */
static bool
set_watch(const char *text, struct trace_watch *w)
{
   char *end;
   w->address = strtoull(text, &end, 0);
   w->size_B = *end == '+' ? strtoull(end + 1, &end, 0) : 4;
   return *text >= '0' && *text <= '9' && !*end && w->size_B &&
          is_address(w->address) && w->size_B <= 1ull << 48;
}

/* REG@N or REG.DWORD@N. */
static bool
set_place(const char *text, const char **reg, uint32_t *after)
{
   const char *at = strchr(text, '@');
   *reg = text;
   return at && number(at + 1, after);
}

static bool
stage(const char *text, unsigned *out)
{
   for (*out = 0; *out < TRACE_NUM_STAGES; (*out)++) {
      if (!strcmp(text, stage_names[*out]))
         return true;
   }
   return false;
}

static const struct option long_options[] = {
   { "commands", optional_argument, NULL, 'c' },
   { "threads", no_argument, NULL, 'T' },
   { "draw", required_argument, NULL, 'd' },
   { "pixel", required_argument, NULL, 'p' },
   { "vertex", required_argument, NULL, 'v' },
   { "primitive", required_argument, NULL, 'i' },
   { "group", required_argument, NULL, 'g' },
   { "stage", required_argument, NULL, 'S' },
   { "thread", required_argument, NULL, 't' },
   { "step", no_argument, NULL, 's' },
   { "stats", required_argument, NULL, 'J' },
   { "history", required_argument, NULL, 'H' },
   { "batches", required_argument, NULL, 'b' },
   { "pictures", required_argument, NULL, 'R' },
   { "json", no_argument, NULL, 'j' },
   { "steps", required_argument, NULL, 'n' },
   { "registers", required_argument, NULL, 'r' },
   { "writer", required_argument, NULL, 'w' },
   { "readers", required_argument, NULL, 'W' },
   { "profile", optional_argument, NULL, 'f' },
   { "address", required_argument, NULL, 'a' },
   { "shaders", required_argument, NULL, 'y' },
   { "listing", required_argument, NULL, 'l' },
   { "save", required_argument, NULL, 'V' },
   { "align", required_argument, NULL, 'A' },
   { "compare", required_argument, NULL, 'C' },
   { "partial", no_argument, NULL, 'P' },
   { "help", no_argument, NULL, 'h' },
   { 0 },
};

/* Whether the option's value is good. */
static bool
set_option(struct trace_options *o, int c, const char *value)
{
   switch (c) {
   case 'c':
      o->commands = true;
      o->full = value != NULL;
      return !value || !strcmp(value, "full");
   case 'T': return o->threads = true;
   case 'd': return o->has_draw = number(value, &o->draw);
   case 'p': return o->has_pixel = numbers(value, o->pixel, 2);
   case 'v': return o->has_vertex = numbers(value, &o->vertex, 1);
   case 'i': return o->has_primitive = numbers(value, &o->primitive, 1);
   case 'g': return o->has_group = numbers(value, o->group, 3);
   case 'S': return o->has_stage = stage(value, &o->stage);
   case 't': return o->has_thread = number(value, &o->thread);
   case 's': return o->step = true;
   case 'J': return o->stats = !strcmp(value, "json");
   case 'P': return o->partial = true;
   case 'V': o->save = value; return *value != 0;
   case 'A':
   case 'C':
      o->other = value;
      o->compare = c == 'C';
      return *value != 0;
   case 'H': return o->has_history = numbers(value, o->pixel, 2);
   case 'b': return o->has_batches = range(value, o->batches);
   case 'R': return number(value, &o->pictures_px) && o->pictures_px > 0;
   case 'j': return o->json = true;
   case 'n': return o->has_steps = pair(value, o->steps);
   case 'r': return o->has_registers = number(value, &o->after);
   case 'w': return set_place(value, &o->writer, &o->after);
   case 'W': return set_place(value, &o->readers, &o->after);
   case 'f': return trace_profile_form(o->profile = value ? value : "text");
   case 'a': return set_watch(value, &o->watch);
   case 'y': o->shaders = value; return *value != 0;
   case 'l': o->listing = value; return *value != 0;
   default: return false;
   }
}

/* Says what is wrong with a file; whether what is good of it is shown. */
static bool
uses_rest(const struct trace_options *o, const struct trace_file_error *error)
{
   fprintf(stderr, "saffron trace: %s: byte %zu: %s\n", o->file, error->at_B,
           error->text);
   /* Without its head it is no trace at all. */
   if (error->at_B < sizeof(struct trace_header))
      return false;
   if (error->cut)
      fputs("saffron trace: a program that was killed leaves such a file; "
            "this is what it had written before\n",
            stderr);
   else if (!o->partial)
      fputs("saffron trace: --partial shows what comes before\n", stderr);
   return error->cut || o->partial;
}

static int
save(const struct trace_options *o, const struct trace_file *f)
{
   FILE *out = tool_open_output("saffron trace", o->save);
   if (!out)
      return TOOL_EXIT_USAGE;
   fwrite(f->bytes.data, 1, f->bytes.size_B, out);
   return tool_close_output("saffron trace", o->save, out) ? TOOL_EXIT_OK
                                                           : TOOL_EXIT_USAGE;
}

/* With another recording. */
static int
show_beside(struct trace_options *o, struct trace_file *f)
{
   struct trace_file other = { 0 };
   struct trace_file_error error;
   struct trace_options of_other = { .file = o->other,
                                     .partial = o->partial };
   int result = TOOL_EXIT_USAGE;
   if (tool_read_file("saffron trace", o->other, &other.bytes))
      result = trace_file_parse(&other, &error) ||
                     uses_rest(&of_other, &error)
                  ? trace_compare(o, f, &other)
                  : TOOL_EXIT_BAD_INPUT;
   trace_file_close(&other);
   return result;
}

static int
show(struct trace_options *o, struct trace_file *f)
{
   struct trace_file_error error;
   if (!trace_file_parse(f, &error) && !uses_rest(o, &error))
      return TOOL_EXIT_BAD_INPUT;
   if (o->stats)
      return print_stats(f);
   if (o->other)
      return show_beside(o, f);
   if (!trace_replace_by_replay(o, f))
      return TOOL_EXIT_BAD_INPUT;
   if (o->save)
      return save(o, f);
   if (o->profile)
      return trace_profile_print(o, f);
   if (o->json)
      return trace_query_json(o, f);
   if (o->watch.size_B)
      return trace_query_accesses(o);
   if (o->has_history)
      return trace_query_history(o, f);
   return trace_wants_threads(o) ? show_threads(o, f) : list(o, f);
}

static int
trace_main(int argc, char **argv)
{
   struct trace_options o = { 0 };
   int c;
   while ((c = getopt_long(argc, argv, "h", long_options, NULL)) >= 0) {
      if (c == 'h') {
         fputs(usage, stdout);
         return TOOL_EXIT_OK;
      }
      if (c == '?' || !set_option(&o, c, optarg))
         return wrong_use("bad option", optarg);
   }
   if (argc - optind != 1)
      return wrong_use("expected one file", NULL);
   o.file = argv[optind];
   if (!trace_notes_read(&o.notes, o.file, o.shaders)) {
      trace_notes_free(&o.notes);
      return TOOL_EXIT_USAGE;
   }

   struct trace_file f = { 0 };
   int result = TOOL_EXIT_USAGE;
   if (tool_read_file("saffron trace", o.file, &f.bytes))
      result = show(&o, &f);
   trace_file_close(&f);
   trace_notes_free(&o.notes);
   util_dynarray_fini(&o.accesses);
   return result;
}

int
main(int argc, char **argv)
{
   return tool_exit("saffron trace", trace_main(argc, argv));
}
