/* SPDX-License-Identifier: MIT */
/* saffron-gp-run: runs a Mali-400 vertex program on the simulator, for many
 * vertices.
 *
 * Exit codes: 0 done, 1 bad input or a trap, 2 wrong use or a file that
 * cannot be read.
 */
#include <getopt.h>
#include <stdio.h>

#include "arm/utgard/sim/gp_sim.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron gp-run [options] FILE\n"
   "Runs a vertex program of Mali-400 on the simulator and prints, as CSV,\n"
   "the varyings that it writes. FILE is text as docs/utgard.rst explains\n"
   "it, or, if it begins with no such text, machine code.\n"
   "\n"
   "  --attributes=CSV  a vertex a line: x,y,z,w of attribute 0, of 1, ...;\n"
   "                    one vertex without attributes otherwise\n"
   "  --uniforms=CSV    a vec4 a line, from c0 on: x,y,z,w\n"
   "  --temps=N,COUNT   temporaries: COUNT vec4 from cN on, instead of what\n"
   "                    the text's '.temps' says\n"
   "  --hardware        go on where the program breaks a rule, with what\n"
   "                    hardware is thought to do; a trap otherwise\n"
   "  --tables=MODEL    error of exp2, log2, rsqrt, rcp: exact, ulp or\n"
   "                    quadratic\n"
   "  --max-steps=N     instructions that a vertex may execute: 65536\n"
   "  --trace           show units, ports and queues of each instruction\n"
   "  -h, --help        this text\n"
   "\n"
   "Values in CSV files are numbers as C reads them; '#' begins a comment.\n";

struct options {
   const char *program, *attributes, *uniforms;
   struct gp_sim_config config;
   bool temps_given;
   unsigned temp_first, temp_count;
};

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron gp-run: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

/* --------------------------------------------------------------------------
 * CSV. */

struct csv_line {
   float values[GP_NUM_ATTRIBUTES * 4];
   unsigned count;
};

/* One line of `length` characters; false with a message. */
static bool
parse_line(const char *file, unsigned number, char *line,
           struct csv_line *out)
{
   out->count = 0;
   line[strcspn(line, "#\r\n")] = '\0';
   char *p = line + strspn(line, " \t");
   while (*p) {
      char *end;
      if (out->count == ARRAY_SIZE(out->values)) {
         fprintf(stderr, "%s:%u:%zu: error: more than %zu values\n", file,
                 number, (size_t)(p - line) + 1, ARRAY_SIZE(out->values));
         return false;
      }
      out->values[out->count++] = strtof(p, &end);
      const bool is_number = end != p;
      end += strspn(end, " \t");
      if (!is_number || (*end && *end != ',') || (*end && !end[1])) {
         fprintf(stderr, "%s:%u:%zu: error: expected a number\n", file,
                 number, (size_t)((is_number ? end : p) - line) + 1);
         return false;
      }
      p = *end ? end + 1 : end;
   }
   if (out->count % 4) {
      fprintf(stderr, "%s:%u: error: %u values are no whole vec4\n", file,
              number, out->count);
      return false;
   }
   return true;
}

/* Appends a struct csv_line for each line with values. */
static int
read_csv(const char *file, struct util_dynarray *lines)
{
   struct util_dynarray text = { 0 };
   if (!file)
      return TOOL_EXIT_OK;
   int result;
   if (!tool_read_file("saffron gp-run", file, &text)) {
      result = TOOL_EXIT_USAGE;
   } else if (text.size_B && memchr(text.data, 0, text.size_B)) {
      fprintf(stderr, "%s: error: this is no text\n", file);
      result = TOOL_EXIT_BAD_INPUT;
   } else {
      util_dynarray_append(&text, char, '\0');
      result = TOOL_EXIT_OK;
      char *p = text.data;
      for (unsigned number = 1; *p; number++) {
         const size_t length = strcspn(p, "\n");
         char *next = p[length] ? p + length + 1 : p + length;
         p[length] = '\0';
         struct csv_line line;
         if (!parse_line(file, number, p, &line)) {
            result = TOOL_EXIT_BAD_INPUT;
            break;
         }
         if (line.count)
            util_dynarray_append(lines, struct csv_line, line);
         p = next;
      }
   }
   util_dynarray_fini(&text);
   return result;
}

/* --------------------------------------------------------------------------
 * Program. */

struct program {
   struct gp_instr instrs[GP_MAX_INSTRS];
   unsigned count;
   struct gp_text_data data;
};

/* Text has no zero bytes; a word of machine code that does something has,
 * but a damaged file may not: then the parser complains. */
static bool
is_machine_code(const struct util_dynarray *input)
{
   return input->size_B && memchr(input->data, 0, input->size_B);
}

static int
read_program(const char *file, struct program *p)
{
   struct util_dynarray input = { 0 };
   struct gp_text_error error;
   const size_t word_B = GP_INSTR_DWORDS * sizeof(uint32_t);
   int result = TOOL_EXIT_OK;
   if (!tool_read_file("saffron gp-run", file, &input)) {
      result = TOOL_EXIT_USAGE;
   } else if (is_machine_code(&input)) {
      if (input.size_B % word_B || input.size_B / word_B > GP_MAX_INSTRS) {
         fprintf(stderr,
                 "%s: error: %zu bytes are not up to %u instructions "
                 "of %zu\n",
                 file, input.size_B, GP_MAX_INSTRS, word_B);
         result = TOOL_EXIT_BAD_INPUT;
      } else {
         p->count = (unsigned)(input.size_B / word_B);
         for (unsigned i = 0; i < p->count; i++) {
            uint32_t dw[GP_INSTR_DWORDS];
            memcpy(dw, (const char *)input.data + i * word_B, word_B);
            gp_decode(dw, &p->instrs[i]);
         }
      }
   } else if (!gp_parse_program(input.data ? input.data : "", input.size_B,
                                p->instrs, &p->count, &p->data, &error)) {
      fprintf(stderr, "%s:%u:%u: error: %s\n", file, error.line, error.column,
              error.text);
      result = TOOL_EXIT_BAD_INPUT;
   }
   util_dynarray_fini(&input);
   return result;
}

/* Bit by component: what some instruction stores to each varying. */
static void
find_varyings(const struct program *p, uint8_t written[GP_NUM_VARYINGS])
{
   for (unsigned i = 0; i < p->count; i++) {
      const struct gp_instr *instr = &p->instrs[i];
      for (unsigned n = 0; n < 4; n++) {
         if (instr->store_is_varying[n / 2] &&
             instr->store_src[n / 2][n % 2] != GP_STORE_NONE)
            written[instr->store_index[n / 2]] |= (uint8_t)(1u << n);
      }
   }
}

/* --------------------------------------------------------------------------
 * Runs. */

static void
print_header(const uint8_t written[GP_NUM_VARYINGS])
{
   printf("vertex");
   for (unsigned n = 0; n < GP_NUM_VARYINGS * 4; n++) {
      if (written[n / 4] & 1u << n % 4)
         printf(",v%u.%c", n / 4, "xyzw"[n % 4]);
   }
   printf("\n");
}

/* What this vertex did not write stays empty. */
static void
print_vertex(const struct gp_sim *sim, unsigned vertex,
             const uint8_t written[GP_NUM_VARYINGS])
{
   printf("%u", vertex);
   for (unsigned i = 0; i < GP_NUM_VARYINGS; i++) {
      float value[4];
      const unsigned now = gp_sim_varying(sim, i, value);
      for (unsigned c = 0; c < 4; c++) {
         if (now & 1u << c)
            printf(",%.9g", (double)value[c]);
         else if (written[i] & 1u << c)
            printf(",");
      }
   }
   printf("\n");
}

static int
set_uniforms(struct gp_sim *sim, const char *file,
             const struct util_dynarray *lines)
{
   unsigned index = 0;
   util_dynarray_foreach(lines, struct csv_line, line) {
      for (unsigned v = 0; v < line->count; v += 4, index++) {
         if (index == GP_NUM_UNIFORMS) {
            fprintf(stderr, "%s: error: more than %u vec4\n", file,
                    GP_NUM_UNIFORMS);
            return TOOL_EXIT_BAD_INPUT;
         }
         const float value[1][4] = { { line->values[v], line->values[v + 1],
                                       line->values[v + 2],
                                       line->values[v + 3] } };
         gp_sim_set_uniforms(sim, index, value, 1);
      }
   }
   return TOOL_EXIT_OK;
}

/* One vertex without attributes if `attributes` is NULL. */
static int
run_vertices(struct gp_sim *sim, const struct program *p,
             const struct util_dynarray *attributes)
{
   uint8_t written[GP_NUM_VARYINGS] = { 0 };
   const unsigned num =
      attributes
         ? (unsigned)util_dynarray_num_elements(attributes, struct csv_line)
         : 1;
   int result = TOOL_EXIT_OK;
   find_varyings(p, written);
   print_header(written);
   for (unsigned vertex = 0; vertex < num; vertex++) {
      const struct csv_line *line =
         attributes
            ? util_dynarray_element(attributes, struct csv_line, vertex)
            : NULL;
      gp_sim_invalidate_attributes(sim);
      for (unsigned n = 0; line && n < line->count / 4; n++)
         gp_sim_set_attribute(sim, n, &line->values[n * 4]);
      if (gp_sim_run(sim)) {
         print_vertex(sim, vertex, written);
         continue;
      }
      struct strbuf why = { 0 };
      gp_sim_print_trap(gp_sim_trap(sim), &why);
      fflush(stdout);
      fprintf(stderr, "vertex %u: trap: %s\n", vertex, why.s);
      strbuf_fini(&why);
      result = TOOL_EXIT_BAD_INPUT;
   }
   return result;
}

/* What the text says of memory goes on top of the uniforms of the file. */
static void
set_memory(struct gp_sim *sim, const struct options *o,
           const struct gp_text_data *data)
{
   for (unsigned i = 0; i < GP_NUM_UNIFORMS; i++) {
      if (data->is_constant[i])
         gp_sim_set_uniforms(sim, i, &((const float(*)[4])data->constants)[i],
                             1);
   }
   gp_sim_set_temporaries(sim,
                          o->temps_given ? o->temp_first : data->temp_first,
                          o->temps_given ? o->temp_count : data->temp_count);
}

static int
run(const struct options *o)
{
   static struct program p;
   struct util_dynarray attributes = { 0 }, uniforms = { 0 };
   int result = read_program(o->program, &p);
   if (result == TOOL_EXIT_OK)
      result = read_csv(o->attributes, &attributes);
   if (result == TOOL_EXIT_OK)
      result = read_csv(o->uniforms, &uniforms);
   struct gp_sim *sim = gp_sim_create(&o->config);
   if (result == TOOL_EXIT_OK)
      result = set_uniforms(sim, o->uniforms, &uniforms);
   if (result == TOOL_EXIT_OK)
      set_memory(sim, o, &p.data);
   if (result == TOOL_EXIT_OK && !gp_sim_load(sim, p.instrs, p.count)) {
      fprintf(stderr, "%s: error: %s\n", o->program,
              gp_rule_text(gp_sim_trap(sim)->rule));
      result = TOOL_EXIT_BAD_INPUT;
   }
   if (result == TOOL_EXIT_OK)
      result = run_vertices(sim, &p, o->attributes ? &attributes : NULL);
   gp_sim_destroy(sim);
   util_dynarray_fini(&attributes);
   util_dynarray_fini(&uniforms);
   return result;
}

/* --------------------------------------------------------------------------
 * Options. */

static bool
parse_temps(const char *text, struct options *o)
{
   const size_t first = strspn(text, "0123456789");
   const size_t count = text[first] ? strspn(text + first + 1, "0123456789")
                                    : 0;
   o->temps_given = true;
   if (!first || first > 3 || text[first] != ',' || !count || count > 3 ||
       text[first + 1 + count])
      return false;
   o->temp_first = (unsigned)strtoul(text, NULL, 10);
   o->temp_count = (unsigned)strtoul(text + first + 1, NULL, 10);
   return o->temp_first <= GP_NUM_UNIFORMS &&
          o->temp_count <= GP_NUM_UNIFORMS - o->temp_first;
}

static bool
parse_tables(const char *text, enum gp_sim_tables *model)
{
   static const char *const names[] = {
      [GP_SIM_TABLES_EXACT] = "exact",
      [GP_SIM_TABLES_ONE_ULP] = "ulp",
      [GP_SIM_TABLES_QUADRATIC] = "quadratic",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (!strcmp(text, names[i])) {
         *model = (enum gp_sim_tables)i;
         return true;
      }
   }
   return false;
}

static bool
parse_steps(const char *text, unsigned *steps)
{
   char *end;
   const unsigned long value = strtoul(text, &end, 10);
   *steps = (unsigned)value;
   return *text && !*end && value && value <= 1000000000;
}

/* The complaint about an option, or NULL. */
static const char *
take_option(int c, struct options *o)
{
   switch (c) {
   case 'a': o->attributes = optarg; return NULL;
   case 'u': o->uniforms = optarg; return NULL;
   case 't':
      return parse_temps(optarg, o) ? NULL
                                    : "--temps is not FIRST,COUNT "
                                      "within 304 vec4";
   case 'w': o->config.hardware_like = true; return NULL;
   case 'e':
      return parse_tables(optarg, &o->config.tables)
                ? NULL
                : "--tables is none of exact, ulp, quadratic";
   case 'm':
      return parse_steps(optarg, &o->config.max_steps)
                ? NULL
                : "--max-steps is no number of steps";
   case 'T': o->config.trace = stdout; return NULL;
   default: return "unknown option";
   }
}

static int
gp_run_main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "attributes", required_argument, NULL, 'a' },
      { "uniforms", required_argument, NULL, 'u' },
      { "temps", required_argument, NULL, 't' },
      { "hardware", no_argument, NULL, 'w' },
      { "tables", required_argument, NULL, 'e' },
      { "max-steps", required_argument, NULL, 'm' },
      { "trace", no_argument, NULL, 'T' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct options o = { 0 };
   int c;
   while ((c = getopt_long(argc, argv, "h", long_options, NULL)) >= 0) {
      if (c == 'h') {
         fputs(usage, stdout);
         return TOOL_EXIT_OK;
      }
      const char *complaint = take_option(c, &o);
      if (complaint)
         return wrong_use(complaint);
   }
   if (argc - optind != 1)
      return wrong_use("which program?");
   o.program = argv[optind];
   return run(&o);
}

int
main(int argc, char **argv)
{
   return tool_exit("saffron gp-run", gp_run_main(argc, argv));
}
