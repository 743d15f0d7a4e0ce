/* SPDX-License-Identifier: MIT */
/*
 * Passes, by text: each file given is a list of cases
 *
 *    case NAME
 *    pass PASS                a row of text_passes.c
 *    stage vertex             (fragment is the default)
 *    options OPTION...        compiler options; a number follows some as =N
 *    before
 *       declarations, then the body of main; or whole functions
 *    after                    what the pass must make of it; or
 *    unchanged                nothing, and it must say so
 *
 * The text is that of nir_print.c without the head of the shader, comments
 * and empty lines. What the pass leaves must be valid, and be the same once
 * more through printer and parser.
 *
 * usage: test_nir_text [--write] FILE...: --write puts what passes really
 * make into the files, to be read before it is committed.
 */
#include <ctype.h>

#include "text_passes.h"
#include "util/strbuf.h"
#include "util/unit_test.h"

enum section { BEFORE, AFTER, UNCHANGED, SECTIONS };
static const char *const section_names[SECTIONS] = { "before", "after",
                                                     "unchanged" };

struct test_case {
   const char *file;
   unsigned line;
   struct strbuf head; /* all above `before`, as it stands in the file */
   char name[64], pass[64], stage[32];
   nir_shader_compiler_options options;
   struct strbuf text[SECTIONS];
   bool has[SECTIONS];
};

static const char *const *files;
static unsigned num_files;
static FILE *rewrite;

static void die(const struct test_case *c, const char *fmt, ...)
   PRINTFLIKE(2, 3);

static void
die(const struct test_case *c, const char *fmt, ...)
{
   va_list ap;

   fprintf(stderr, "%s:%u: case %s: ", c->file, c->line, c->name);
   va_start(ap, fmt);
   vfprintf(stderr, fmt, ap);
   va_end(ap);
   fprintf(stderr, "\n");
   fail();
}

static const struct {
   const char *name;
   size_t offset;
   bool number;
} options[] = {
#define BOOL(o)                                                              \
   {                                                                         \
#o, offsetof(nir_shader_compiler_options, o), false                    \
   }
#define NUMBER(o)                                                            \
   {                                                                         \
#o, offsetof(nir_shader_compiler_options, o), true                     \
   }
   BOOL(fuse_ffma32),
   BOOL(fuse_ffma64),
   BOOL(lower_bitfield_insert),
   BOOL(lower_fdiv),
   BOOL(lower_flrp32),
   BOOL(lower_fmod),
   BOOL(lower_isign),
   BOOL(lower_ldexp),
   BOOL(restore_builtins),
   NUMBER(force_indirect_unrolling),
   NUMBER(force_indirect_unrolling_max_B),
   NUMBER(lower_doubles_options),
   NUMBER(lower_int64_options),
};

static void
read_option(struct test_case *c, const char *word)
{
   const size_t n = strcspn(word, "=");
   for (unsigned i = 0; i < ARRAY_SIZE(options); i++) {
      char *at = (char *)&c->options + options[i].offset;
      if (strlen(options[i].name) != n || memcmp(options[i].name, word, n))
         continue;
      if (options[i].number)
         *(unsigned *)at = (unsigned)strtoul(word + n + 1, NULL, 0);
      else
         *(bool *)at = true;
      return;
   }
   die(c, "no option %s", word);
}

static gl_shader_stage
stage_of(const struct test_case *c)
{
   for (int i = 0; i <= MESA_SHADER_KERNEL; i++) {
      const char *name = gl_shader_stage_name((gl_shader_stage)i);
      if (strcasecmp(name + strlen("MESA_SHADER_"), c->stage) == 0)
         return (gl_shader_stage)i;
   }
   die(c, "no stage %s", c->stage);
   return MESA_SHADER_NONE;
}

/* A case's text as a whole shader: bare lines are the body of main. */
static const char *
whole_text(const struct test_case *c, struct arena *arena, const char *text)
{
   struct strbuf out = { 0 };
   bool bare = strstr(text, "impl ") == NULL, open = false;

   strbuf_printf(&out, "shader: %s\n", gl_shader_stage_name(stage_of(c)));
   while (*text) {
      const size_t n = strcspn(text, "\n");
      const size_t skip = strspn(text, " ");
      if (bare && !open &&
          (strncmp(text + skip, "decl_", 5) ||
           !strncmp(text + skip, "decl_reg", 8) ||
           !strncmp(text + skip, "decl_var  ", 10))) {
         strbuf_puts(&out, "decl_function main (0 params)\n\nimpl main {\n");
         open = true;
         if (strncmp(text + skip, "decl_", 5) &&
             strncmp(text + skip, "block", 5))
            strbuf_puts(&out, "block block_0:\n");
      }
      strbuf_printf(&out, "%.*s\n", (int)n, text);
      text += n + (text[n] == '\n');
   }
   if (open)
      strbuf_puts(&out, "}\n");
   const char *result = arena_strdup(arena, strbuf_str(&out));
   strbuf_fini(&out);
   return result;
}

static nir_shader *
parse(const struct test_case *c, struct arena *arena, const char *text)
{
   char *error = NULL;
   nir_shader *s =
      nir_parse_shader(arena, text, strlen(text), &c->options, &error);
   if (!s)
      die(c, "%s\n%s", error, text);
   char *faults = nir_validate_shader_text(s, arena);
   if (faults)
      die(c, "%s", faults);
   return s;
}

/* Whether a line stands in the head of a printed shader. */
static bool
is_head(const char *line)
{
   const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz_- ");
   return line[word] == ':' && strncmp(line, "block ", 6) != 0;
}

/* Without the head, the braces and declaration of main if it is the only
 * function, comments about edges, empty lines, and labels if no phi names
 * them. */
static const char *
plain(struct arena *arena, const char *text)
{
   struct strbuf out = { 0 };
   const char *impl = strstr(text, "impl ");
   const bool labels = strstr(text, " = phi ") != NULL;
   const bool bare = impl && !strstr(impl + 1, "\nimpl ") &&
                     !strncmp(impl, "impl main ", 10);

   while (*text) {
      const size_t n = strcspn(text, "\n");
      size_t skip = 0, end = n;
      while (skip < n && isspace((unsigned char)text[skip]))
         skip++;
      while (end > skip && isspace((unsigned char)text[end - 1]))
         end--;
      const char *line = text + skip;
      text += n + (text[n] == '\n');
      if (end == skip || strncmp(line, "/*", 2) == 0 || is_head(line) ||
          (!labels && !strncmp(line, "block ", 6)) ||
          (bare &&
           (!strncmp(line, "decl_function", 13) ||
            !strncmp(line, "impl ", 5) || (skip == 0 && *line == '}'))))
         continue;
      unsigned depth = (unsigned)skip;
      if (bare && depth)
         depth--;
      strbuf_printf(&out, "%*s%.*s\n", (int)(3 * depth), "",
                    (int)(end - skip), line);
   }
   const char *result = arena_strdup(arena, strbuf_str(&out));
   strbuf_fini(&out);
   return result;
}

static const char *
print(struct arena *arena, nir_shader *s)
{
   nir_foreach_function(func, s) {
      if (func->impl) {
         nir_number_blocks(func->impl);
         nir_number_values(func->impl);
      }
   }
   return nir_shader_as_str(s, arena);
}

/* Parsed and printed. Constant indices of derefs have no name in the text:
 * what defined them before is dead. */
static const char *
reread(const struct test_case *c, struct arena *arena, const char *text)
{
   nir_shader *s = parse(c, arena, text);
   nir_opt_dce(s);
   return print(arena, s);
}

/* Only what is between white space counts. */
static bool
same_words(const char *a, const char *b)
{
   for (;;) {
      while (isspace((unsigned char)*a))
         a++;
      while (isspace((unsigned char)*b))
         b++;
      if (*a != *b)
         return false;
      if (!*a)
         return true;
      for (; *a && !isspace((unsigned char)*a); a++, b++) {
         if (*a != *b)
            return false;
      }
   }
}

static void
write_case(const struct test_case *c, const char *is, bool progress)
{
   fprintf(rewrite, "%sbefore\n%s", strbuf_str(&c->head),
           strbuf_str(&c->text[BEFORE]));
   fprintf(rewrite, "%s\n", progress ? "after" : "unchanged");
   while (progress && *is) {
      const int n = (int)strcspn(is, "\n");
      fprintf(rewrite, "   %.*s\n", n, is);
      is += n + (is[n] == '\n');
   }
}

static void
run_case(const struct test_case *c)
{
   struct arena *arena = arena_create(NULL);
   const struct text_pass *pass = text_passes;
   nir_shader *s =
      parse(c, arena, whole_text(c, arena, strbuf_str(&c->text[BEFORE])));

   while (pass->name && strcmp(pass->name, c->pass))
      pass++;
   if (!pass->name)
      die(c, "no pass %s", c->pass);
   const char *before = plain(arena, print(arena, s));
   const bool progress = pass->run(s);
   char *faults = nir_validate_shader_text(s, arena);
   if (faults)
      die(c, "the pass leaves:\n%s", faults);
   const char *text = print(arena, s);
   const char *is = plain(arena, text);
   const char *once = reread(c, arena, text);
   const char *twice = reread(c, arena, once);
   if (strcmp(once, twice))
      die(c, "read again\n%sand once more\n%s", once, twice);
   if (!progress && strcmp(before, is))
      die(c, "the pass says it changed nothing, and leaves\n%s", is);
   if (rewrite) {
      write_case(c, is, progress);
   } else if (c->has[UNCHANGED]) {
      if (progress)
         die(c, "not to be changed, and is now\n%s", is);
   } else if (!progress) {
      die(c, "the pass changes nothing");
   } else if (!same_words(is, strbuf_str(&c->text[AFTER]))) {
      die(c, "expected\n%sgot\n%s", strbuf_str(&c->text[AFTER]), is);
   }
   arena_destroy(arena);
}

static void
finish_case(struct test_case *c)
{
   if (c->name[0]) {
      if (!c->has[BEFORE] ||
          (!c->has[AFTER] && !c->has[UNCHANGED] && !rewrite))
         die(c, "has no %s",
             c->has[BEFORE] ? "after or unchanged" : "before");
      run_case(c);
   }
   for (unsigned i = 0; i < SECTIONS; i++)
      strbuf_fini(&c->text[i]);
   strbuf_fini(&c->head);
   const char *file = c->file;
   const unsigned line = c->line;
   memset(c, 0, sizeof(*c));
   c->file = file;
   c->line = line;
   strcpy(c->stage, "fragment");
}

static void
read_head_line(struct test_case *c, char *line)
{
   char *word = strtok(line, " "), *value = strtok(NULL, " ");
   if (!value)
      die(c, "line %u: %s what?", c->line, word);
   if (strcmp(word, "case") == 0)
      snprintf(c->name, sizeof(c->name), "%s", value);
   else if (strcmp(word, "pass") == 0)
      snprintf(c->pass, sizeof(c->pass), "%s", value);
   else if (strcmp(word, "stage") == 0)
      snprintf(c->stage, sizeof(c->stage), "%s", value);
   else if (strcmp(word, "options") == 0)
      for (; value; value = strtok(NULL, " "))
         read_option(c, value);
   else
      die(c, "line %u: unknown word %s", c->line, word);
}

/* Comments above a case go with it. */
static void
read_line(struct test_case *c, int *section, char *line)
{
   if (line[0] == ' ' && *section >= 0) {
      strbuf_printf(&c->text[*section], "%s\n", line);
      return;
   }
   for (int i = 0; i < SECTIONS; i++) {
      if (strcmp(line, section_names[i]) == 0) {
         *section = i;
         c->has[i] = true;
         return;
      }
   }
   if (*section >= 0) {
      finish_case(c);
      *section = -1;
   }
   strbuf_printf(&c->head, "%s\n", line);
   if (line[0] && line[0] != '#')
      read_head_line(c, line);
}

static void
run_file(const char *file)
{
   struct test_case c = { .file = file, .stage = "fragment" };
   char line[512];
   int section = -1;
   char *text = NULL;
   size_t size = 0;
   FILE *fp = fopen(file, "r");

   assert_non_null(fp);
   if (rewrite)
      rewrite = open_memstream(&text, &size);
   while (fgets(line, sizeof(line), fp)) {
      c.line++;
      line[strcspn(line, "\n")] = '\0';
      read_line(&c, &section, line);
   }
   finish_case(&c);
   fclose(fp);
   if (rewrite) {
      fclose(rewrite);
      rewrite = fopen(file, "w");
      assert_non_null(rewrite);
      fputs(text, rewrite);
      fclose(rewrite);
      free(text);
   }
}

static void
test_files(void **state)
{
   for (unsigned i = 0; i < num_files; i++)
      run_file(files[i]);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_files) };
   const bool write = argc > 1 && strcmp(argv[1], "--write") == 0;

   rewrite = write ? stdout : NULL;
   files = (const char *const *)argv + 1 + write;
   num_files = (unsigned)(argc - 1 - write);
   if (!num_files) {
      fprintf(stderr, "usage: test_nir_text [--write] FILE...\n");
      return 2;
   }
   return cmocka_run_group_tests(tests, NULL, NULL);
}
