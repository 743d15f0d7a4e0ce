/* SPDX-License-Identifier: MIT */
/*
 * Rules of the validator that no text can break, for the parser refuses it:
 * each row spoils one field of a MOV of a shader that is well formed. The
 * others are in passes/validate.eu; tests/lint has a row for each rule.
 */
#include "eu_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/unit_test.h"

static struct eu_fixture t;

static int
setup(void **state)
{
   memset(&t, 0, sizeof(t));
   return compiler_fixture_begin(&t.base, "skl");
}

static int
teardown(void **state)
{
   return compiler_fixture_end(&t.base);
}

#define BREAK(name) static void name(struct eu_inst *mov)

BREAK(nothing)
{
   (void)mov;
}
BREAK(vgrf_number)
{
   mov->dst.nr = t.s->num_vgrfs;
}
BREAK(used_destination)
{
   struct eu_inst *halt = eu_emit0(&t.b, EU_OP_DO);
   halt->dst = mov->dst;
   eu_emit0(&t.b, ISA_OPCODE_WHILE);
}
BREAK(region_width)
{
   mov->src[0].region = true;
   mov->src[0].w = 3;
}
BREAK(exec_size)
{
   mov->exec_size = 6;
}
BREAK(flag)
{
   mov->flag = 4;
}
BREAK(math)
{
   mov->math = 1;
}
BREAK(align16_of_message)
{
   struct eu_inst *send =
      eu_emit1(&t.b, ISA_OPCODE_SEND, eu_null(ISA_TYPE_UD), mov->dst);
   send->mlen = 1;
   send->align16 = true;
}
BREAK(no_component)
{
   mov->align16 = true;
   mov->dst.swz = 0;
}
BREAK(opcode)
{
   mov->op = EU_OP_COUNT;
}
BREAK(int64)
{
   mov->dst = eu_retype(eu_vgrf(&t.b, ISA_TYPE_UQ, 1), ISA_TYPE_UQ);
   mov->size_written = 64;
   t.s->no_int64 = true;
}
BREAK(deep)
{
   for (unsigned i = 0; i < 1025; i++)
      eu_emit0(&t.b, EU_OP_DO);
}

static const struct {
   void (*break_it)(struct eu_inst *mov);
   const char *rule; /* NULL: none */
} rows[] = {
   { nothing, NULL },
   { vgrf_number, "VGRF number out of range" },
   { used_destination, "a destination without a use" },
   { region_width, "width of a region" },
   { exec_size, "exec size is no power of two up to 32" },
   { flag, "flag number" },
   { math, "math function" },
   { align16_of_message, "Align16 of what is no ALU instruction" },
   { no_component, "no component is written" },
   { opcode, "no opcode of the IR" },
   { int64, "a 64-bit integer where the EU has none" },
   { deep, "nested too deep to check" },
};

static void
test_rejects(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char *text;
      size_t size;
      FILE *out = open_memstream(&text, &size);
      assert_non_null(out);
      eu_fixture_shader(&t, 8);
      const eu_reg v = eu_vgrf(&t.b, ISA_TYPE_UD, 1);
      rows[i].break_it(eu_MOV(&t.b, v, eu_imm_ud(1)));
      const unsigned faults = eu_find_faults(t.s, "the test", out);
      fclose(out);
      if (!rows[i].rule != !faults ||
          (rows[i].rule && !strstr(text, rows[i].rule)))
         fail_msg("row %u: %s", i, text);
      free(text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_rejects, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
