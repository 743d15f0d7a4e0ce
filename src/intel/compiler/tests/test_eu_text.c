/* SPDX-License-Identifier: MIT */
/*
 * Passes of the back end, by text: each file given is a list of cases
 *
 *    case NAME
 *    pass PASS                a pass, eu_generate or eu_validate
 *    gen skl                  (the default)
 *    payload N M              registers of thread payload and push constants
 *    before
 *       IR, as eu_text.h says
 *    after                    what the pass must make of it; or
 *    unchanged                nothing; or
 *    rejected                 (eu_validate) parts of its report, a line each
 *
 * For eu_generate, `after` is assembly. Every text also goes through printer
 * and parser once more and must not change by that.
 */
#include <ctype.h>
#include <stdio.h>

#include "intel/compiler/eu/eu_text.h"
#include "intel/compiler/eu/eu_pass.h"
#include "intel/compiler/intel_compiler_private.h"
#include "util/tests/page_end.h"
#include "util/unit_test.h"

enum section { BEFORE, AFTER, UNCHANGED, REJECTED, SECTIONS };
static const char *const section_names[SECTIONS] = {
   "before",
   "after",
   "unchanged",
   "rejected",
};

struct test_case {
   const char *file;
   unsigned line;
   char name[64], pass[64], gen[16];
   unsigned payload, push;
   struct strbuf text[SECTIONS];
   bool has[SECTIONS];
};

static const char *const *files;
static unsigned num_files;

static void PRINTFLIKE(2, 3)
   die(const struct test_case *c, const char *fmt, ...)
{
   char text[4096];
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   fail_msg("%s:%u: case %s: %s", c->file, c->line, c->name, text);
}

struct setting {
   struct intel_compiler *compiler;
   struct arena *arena;
   struct intel_wm_prog_data pd;
};

static struct eu_shader *
parse(const struct test_case *c, struct setting *st, const char *text)
{
   struct eu_shader *s =
      eu_shader_create(st->arena, st->compiler, MESA_SHADER_FRAGMENT, 8);
   struct eu_text_error err;

   s->prog_data.wm = &st->pd;
   s->payload.num_regs = (uint8_t)c->payload;
   st->pd.base.push_length = c->push;
   s->log = stderr;
   if (!eu_parse(s, text, strlen(text), &err))
      die(c, "line %u, column %u: %s", err.line, err.column, err.text);
   return s;
}

static char *
print(struct setting *st, const struct eu_shader *s,
      void (*how)(const struct eu_shader *, FILE *))
{
   char *text = NULL, *result;
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   assert_non_null(fp);
   how(s, fp);
   fclose(fp);
   result = arena_strdup(st->arena, text);
   free(text);
   return result;
}

static void
check_round_trip(const struct test_case *c, struct setting *st,
                 const struct eu_shader *s)
{
   const char *once = print(st, s, eu_print_whole);
   const char *twice = print(st, parse(c, st, once), eu_print_whole);

   if (strcmp(once, twice))
      die(c, "printed\n%sparsed and printed\n%s", once, twice);
}

/* Without comments, offsets and spaces at the ends of lines. */
static const char *
plain_assembly(struct setting *st, const char *text)
{
   struct strbuf out = { 0 };

   while (*text) {
      const size_t n = strcspn(text, "\n");
      size_t end = 0, start = 0;

      while (end < n && strncmp(text + end, "//", 2))
         end++;
      while (end && isspace((unsigned char)text[end - 1]))
         end--;
      while (start < end && isspace((unsigned char)text[start]))
         start++;
      if (end > start)
         strbuf_printf(&out, "%.*s\n", (int)(end - start), text + start);
      text += n + (text[n] == '\n');
   }
   const char *result = arena_strdup(st->arena, strbuf_str(&out));
   strbuf_fini(&out);
   return result;
}

static void
run_generate(const struct test_case *c, struct setting *st,
             struct eu_shader *s)
{
   struct strbuf text = { 0 };
   struct eu_binary bin;

   s->debug = INTEL_DEBUG_NOCOMPACT;
   if (!eu_generate(s, &bin))
      die(c, "not generated: %s", s->fail_msg);
   isa_disassemble(s->gen, bin.code, bin.size_B, NULL, &text, NULL);
   const char *is = plain_assembly(st, strbuf_str(&text));
   const char *want = plain_assembly(st, strbuf_str(&c->text[AFTER]));
   if (strcmp(is, want))
      die(c, "is\n%sand should be\n%s", is, want);
   strbuf_fini(&text);
}

static void
run_validate(const struct test_case *c, struct setting *st,
             const struct eu_shader *s)
{
   char *report = NULL;
   size_t size;
   FILE *fp = open_memstream(&report, &size);

   assert_non_null(fp);
   const unsigned faults = eu_find_faults(s, "the test", fp);
   fclose(fp);
   if (c->has[UNCHANGED] == (faults > 0))
      die(c, "%u faults\n%s", faults, report);
   const char *want = strbuf_str(&c->text[REJECTED]);
   for (; *want; want += strcspn(want, "\n") + 1) {
      char line[128];
      while (*want == ' ')
         want++;
      snprintf(line, sizeof(line), "%.*s", (int)strcspn(want, "\n"), want);
      if (!strstr(report, line))
         die(c, "\"%s\" is not in\n%s", line, report);
   }
   free(report);
}

static void
run_pass(const struct test_case *c, struct setting *st, struct eu_shader *s)
{
   const struct eu_pass *pass = intel_debug_pass(c->pass, strlen(c->pass));

   if (!pass)
      die(c, "no pass %s", c->pass);
   eu_validate(s, "parsing");
   const bool changed = pass->run(s);
   if (s->failed)
      die(c, "failed: %s", s->fail_msg);
   eu_validate(s, c->pass);
   const char *is = print(st, s, eu_print);
   const enum section which = c->has[AFTER] ? AFTER : BEFORE;
   const char *want =
      print(st, parse(c, st, strbuf_str(&c->text[which])), eu_print);
   if (strcmp(is, want))
      die(c, "is\n%sand should be\n%s", is, want);
   if (changed != c->has[AFTER])
      die(c, "the pass says that it has %schanged it", changed ? "" : "not ");
}

static void
run_case(const struct test_case *c)
{
   struct setting st = {
      .arena = arena_create(NULL),
      .compiler = intel_compiler_create(intel_device_info_by_name(c->gen)),
   };

   if (!c->has[BEFORE] ||
       c->has[AFTER] + c->has[UNCHANGED] + c->has[REJECTED] != 1)
      die(c, "wants before, and one of after, unchanged, rejected");
   struct eu_shader *s = parse(c, &st, strbuf_str(&c->text[BEFORE]));
   check_round_trip(c, &st, s);
   if (!strcmp(c->pass, "eu_generate"))
      run_generate(c, &st, s);
   else if (!strcmp(c->pass, "eu_validate"))
      run_validate(c, &st, s);
   else
      run_pass(c, &st, s);
   intel_compiler_destroy(st.compiler);
   arena_destroy(st.arena);
}

static void
end_case(struct test_case *c, unsigned *count)
{
   if (c->name[0]) {
      run_case(c);
      ++*count;
   }
   for (unsigned i = 0; i < SECTIONS; i++)
      strbuf_fini(&c->text[i]);
}

/* A word at the start of a line; what is indented is of the last section. */
static void
read_line(struct test_case *c, const char *line, unsigned number,
          int *section, unsigned *count)
{
   const char *const file = c->file;
   char word[64];

   if (sscanf(line, "case %63s", word) == 1) {
      end_case(c, count);
      *c = (struct test_case) { .file = file, .line = number, .gen = "skl" };
      snprintf(c->name, sizeof(c->name), "%s", word);
      *section = -1;
      return;
   }
   for (int i = 0; i < SECTIONS; i++) {
      if (!strcmp(line, section_names[i])) {
         *section = i;
         c->has[i] = true;
         return;
      }
   }
   if (*section >= 0 && line[0] == ' ')
      strbuf_printf(&c->text[*section], "%s\n", line);
   else if (line[0] && line[0] != '#' &&
            sscanf(line, "pass %63s", c->pass) != 1 &&
            sscanf(line, "gen %15s", c->gen) != 1 &&
            sscanf(line, "payload %u %u", &c->payload, &c->push) != 2)
      die(c, "line %u is no part of a case: %s", number, line);
}

static void
test_files(void **state)
{
   for (unsigned i = 0; i < num_files; i++) {
      FILE *fp = fopen(files[i], "r");
      struct test_case c = { .file = files[i] };
      unsigned count = 0, number = 0;
      int section = -1;
      char line[1024];

      if (!fp)
         fail_msg("cannot open %s", files[i]);
      while (fgets(line, sizeof(line), fp)) {
         line[strcspn(line, "\n")] = 0;
         read_line(&c, line, ++number, &section, &count);
      }
      end_case(&c, &count);
      fclose(fp);
      printf("%s: %u cases\n", files[i], count);
      assert_true(count > 0);
   }
}

static const struct {
   const char *text;
   unsigned line, column;
} wrong_texts[] = {
   { "nonsense(8)", 1, 1 },
   { "simd8\nmov(8) vgrf0+0.0<1>:f, 1f:f", 2, 12 },
   { "vgrf 1\nmov(3) vgrf0+0.0<1>:f, 1f:f", 2, 6 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:nope, 1f:f", 2, 21 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:f, 1f:d", 2, 28 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:f, 12:d", 2, 26 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:f, g4+0.0<8,3,1>:f", 2, 34 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:f, 1f:f, 1f:f", 2, 29 },
   { "vgrf 0", 1, 7 },
   { "vgrf 1\nmov(8) vgrf0+0.0<1>:f, 1f:f what", 2, 29 },
   { "(+f2.0) mov(8) null:f, 1f:f", 1, 4 },
   { "send(8) null:ud, g2+0.0:ud, (none)", 1, 35 },
   { "mov(8) g200+0.0<1>:f, 1f:f", 1, 9 },
   { "mov(8) g99999999999999999999+0.0<1>:f, 1f:f", 1, 9 },
};

static void
test_wrong_texts(void **state)
{
   const struct test_case c = { .file = "-", .name = "wrong" };
   struct setting st = {
      .arena = arena_create(NULL),
      .compiler = intel_compiler_create(intel_device_info_by_name("skl")),
   };

   for (unsigned i = 0; i < ARRAY_SIZE(wrong_texts); i++) {
      struct eu_shader *s = parse(&c, &st, "");
      struct eu_text_error err;
      const char *text = wrong_texts[i].text;

      assert_false(eu_parse(s, text, strlen(text), &err));
      if (err.line != wrong_texts[i].line ||
          err.column != wrong_texts[i].column)
         fail_msg("%s\n%u:%u: %s", text, err.line, err.column, err.text);
   }
   intel_compiler_destroy(st.compiler);
   arena_destroy(st.arena);
}

/* A text is as long as it is said to be, wherever it is cut off. */
static void
test_cut_off(void **state)
{
   static const char text[] =
      "simd16\n"
      "pln.sat.f0.1(8) vgrf3+0.0<1>:f, g4+0.0<0>:f, -g2+0.0:f NoMask\n"
      "(-f0.1.any8h) if(16)\n"
      "mad(8) g4+0.0.xz:f, |g5+0.0|.yyyy:f, g6+0.4<0>:f, -1.5f:f align16\n"
      "endif(16)\n"
      "sends(8) null:ud, g2+0.0:ud, (none), 0x12:ud data_cache1 "
      "desc 0x02106efc mlen 1+0 size 32 eot\n"
      "mov_indirect(8) g7+0.0<1>:ud, g8+0.0:ud, g9+0.0:ud, 0x40:ud # end";
   const struct test_case c = { .file = "-", .name = "cut off" };
   struct page_end end = page_end_create(sizeof(text));
   struct setting st = {
      .arena = arena_create(NULL),
      .compiler = intel_compiler_create(intel_device_info_by_name("skl")),
   };

   for (size_t n = 0; n < sizeof(text); n++) {
      struct eu_shader *s = parse(&c, &st, "");
      struct eu_text_error err;
      if (!eu_parse(s, page_end_copy(&end, text, n), n, &err))
         assert_in_range(err.line, 1, 7);
   }
   intel_compiler_destroy(st.compiler);
   arena_destroy(st.arena);
   page_end_destroy(&end);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_wrong_texts),
      cmocka_unit_test(test_cut_off),
   };

   files = (const char *const *)argv + 1;
   num_files = (unsigned)argc - 1;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
