/* SPDX-License-Identifier: MIT */
/* saffron-measure: what machine code costs, whoever compiled it.
 *
 * Each file is one EU program. What is counted is in the code itself, and
 * the cycles are those of the simulator's timing model, so that programs of
 * two compilers can be compared: see peer.py.
 *
 * Spills and fills are messages to scratch space: the scratch block messages
 * (PRM SKL vol 7, "Scratch Block Read/Write"), and OWord blocks through the
 * stateless surfaces, as drivers write them before Gen9.
 *
 * Exit codes: 0 all measured, 1 a file is no program, 2 wrong use or a file
 * that cannot be read.
 */
#include <getopt.h>
#include <stdio.h>

#include "intel/isa/isa_messages.h"
#include "intel/sim/eu/eu.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron-measure --gen=GEN FILE...\n"
   "Counts what each EU program costs: a line of JSON for each file.\n"
   "\n"
   "  -g, --gen=GEN   ivb, hsw, bdw or skl (also 7, 7.5, 8, 9)\n"
   "  -h, --help      this text\n";

/* Indices that are no binding table entries: PRM SKL vol 2d,
 * MDC_STATELESS. */
#define BTI_STATELESS_NON_COHERENT 253
#define BTI_STATELESS 255

struct counts {
   unsigned instructions, loops, sends, spills, fills;
};

static void
count_scratch(enum isa_gen gen, struct counts *n, const struct isa_inst *inst)
{
   struct isa_message m;
   if (inst->desc_is_reg ||
       !isa_message_unpack(gen, inst->sfid, inst->desc, &m))
      return;
   const bool stateless = m.bti == BTI_STATELESS ||
                          m.bti == BTI_STATELESS_NON_COHERENT;
   const bool own = inst->sfid == ISA_SFID_DATA_CACHE0 && stateless;
   n->spills += m.msg == ISA_MSG_SCRATCH_WRITE ||
                (own && m.msg == ISA_MSG_OWORD_BLOCK_WRITE);
   n->fills += m.msg == ISA_MSG_SCRATCH_READ ||
               (own && m.msg == ISA_MSG_OWORD_BLOCK_READ);
}

static bool
count_program(enum isa_gen gen, const char *name,
              const struct util_dynarray *code, struct counts *n)
{
   const uint8_t *bytes = code->data;
   unsigned size_B;
   for (size_t at = 0; at < code->size_B; at += size_B) {
      struct isa_inst inst;
      struct isa_error err;
      if (!isa_decode(gen, bytes + at, code->size_B - at, &inst, &size_B,
                      &err)) {
         fprintf(stderr, "saffron-measure: %s: at %zu: %s\n", name, at,
                 err.text);
         return false;
      }
      n->instructions++;
      n->loops += inst.opcode == ISA_OPCODE_WHILE;
      if (isa_opcode_info(inst.opcode)->is_send) {
         n->sends++;
         count_scratch(gen, n, &inst);
      }
   }
   return true;
}

static int
measure(enum isa_gen gen, const char *name)
{
   struct util_dynarray code = { 0 };
   struct counts n = { 0 };
   if (!tool_read_file("saffron-measure", name, &code))
      return TOOL_EXIT_USAGE;
   int result = TOOL_EXIT_BAD_INPUT;
   struct sim_eu_program *p = NULL;
   if (count_program(gen, name, &code, &n))
      p = sim_eu_program_create(isa_gen_number(gen), false, code.data,
                                (uint32_t)code.size_B);
   if (p) {
      printf("{\"instructions\": %u, \"loops\": %u, \"cycles\": %u, "
             "\"issue\": %u, \"sends\": %u, \"spills\": %u, \"fills\": %u, "
             "\"bytes\": %zu, \"hash\": \"%016llx\"}\n",
             n.instructions, n.loops, sim_eu_program_cycles(p),
             sim_eu_program_issue(p), n.sends, n.spills, n.fills, code.size_B,
             (unsigned long long)sim_eu_program_hash(p));
      sim_eu_program_destroy(p);
      result = TOOL_EXIT_OK;
   }
   util_dynarray_fini(&code);
   return result;
}

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-measure: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

static int
measure_main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   enum isa_gen gen = ISA_GEN_COUNT;
   int opt;
   while ((opt = getopt_long(argc, argv, "g:h", long_options, NULL)) >= 0) {
      switch (opt) {
      case 'g':
         gen = isa_gen_from_name(optarg);
         if (gen == ISA_GEN_COUNT)
            return wrong_use("--gen is none of ivb, hsw, bdw, skl");
         break;
      case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
      default: return wrong_use("unknown option");
      }
   }
   if (gen == ISA_GEN_COUNT)
      return wrong_use("--gen is missing");
   if (optind == argc)
      return wrong_use("no file");
   int result = TOOL_EXIT_OK;
   for (int i = optind; i < argc; i++) {
      const int r = measure(gen, argv[i]);
      result = MAX2(result, r);
   }
   return result;
}

int
main(int argc, char **argv)
{
   return tool_exit("saffron-measure", measure_main(argc, argv));
}
