/* SPDX-License-Identifier: MIT */
/* saffron-isa-check: whether the instruction set library does justice to
 * machine code that others have made.
 *
 * The input is a row of instructions (programs, or single instructions one
 * after the other: jumps are not followed). Each must decode; encoding what
 * was decoded, and what its text says, must give the same bytes back, in the
 * short form where it had that; and it must break none of the rules. Messages
 * must be known, and their fields must give the descriptor back. Faults are
 * counted by kind, with the first instruction that showed each.
 *
 * With --legal only the rules are asked, and what they say is one line for a
 * rule, for tests/corpus/shipped.py: its severity, how often, and the
 * evidence that it may be broken. With --find the input is any file, and what
 * is printed is where programs seem to be in it.
 *
 * For a comparison with another disassembler, --text and --binary write the
 * text and the bytes of the same instructions. As such a program may insist
 * on jumps that stay inside its input, jumps are set to the next instruction
 * in both.
 *
 * Exit codes: 0 nothing found, 1 faults, 2 wrong use or a file that cannot
 * be read.
 */
#include <getopt.h>
#include <stdio.h>

#include "intel/isa/isa_messages.h"
#include "util/tool_io.h"

static const char usage[] =
   "usage: saffron-isa-check --gen=GEN [options] FILE...\n"
   "Checks EU instructions that another compiler has made.\n"
   "\n"
   "  -g, --gen=GEN      ivb, hsw, bdw or skl (also 7, 7.5, 8, 9)\n"
   "  -l, --legal        only which rules are broken, a line each\n"
   "  -f, --find         where a file that is no code has programs:\n"
   "                     offset and size of each\n"
   "  -t, --text=FILE    write the instructions as text, jumps made short\n"
   "  -b, --binary=FILE  write the bytes that go with that text\n"
   "  -h, --help         this text\n";

/* One kind of fault. */
struct finding {
   const char *kind, *rule;
   enum isa_severity severity; /* of a rule */
   const char *evidence;
   unsigned count;
   struct strbuf example;
};

struct checker {
   enum isa_gen gen;
   bool only_legal, find_programs;
   unsigned instructions, compacted, bad, messages;
   unsigned seen[ISA_MSG_COUNT]; /* messages by kind */
   struct finding found[64];
   unsigned num_found;
   struct finding more; /* what found no room */
   /* By opcode: instructions with bits that mean nothing, and which. */
   unsigned ignoring[ISA_OPCODE_COUNT];
   uint64_t ignored[ISA_OPCODE_COUNT][2];
   struct strbuf text;
   struct util_dynarray binary;
};

static struct finding *
find(struct checker *c, const char *kind, const char *rule,
     const uint8_t *bytes, unsigned size_B, const char *detail)
{
   unsigned i = 0;
   while (i < c->num_found &&
          (c->found[i].kind != kind || c->found[i].rule != rule))
      i++;
   if (i == ARRAY_SIZE(c->found))
      return &c->more;
   struct finding *f = &c->found[i];
   if (i == c->num_found) {
      c->num_found++;
      f->kind = kind;
      f->rule = rule;
      for (unsigned b = 0; b < size_B; b++)
         strbuf_printf(&f->example, "%02x ", bytes[b]);
      strbuf_printf(&f->example, "  %s", detail);
   }
   f->count++;
   return f;
}

/* Encodes `inst` and compares with the full form of what was read. */
static bool
same_again(const struct checker *c, const struct isa_inst *inst,
           const uint32_t full[4])
{
   uint32_t again[4];
   return isa_encode(c->gen, inst, again, NULL) &&
          !memcmp(again, full, sizeof(again));
}

/* What has no meaning, and so no text. */
static void
without_text(struct isa_inst *to, const struct isa_inst *from)
{
   memcpy(to->ignored, from->ignored, sizeof(to->ignored));
   for (unsigned n = 0; n < 3; n++)
      if (from->src[n].rep_ctrl)
         to->src[n].swizzle = from->src[n].swizzle;
}

static void
check_bytes(struct checker *c, const uint8_t *bytes, unsigned size_B,
            const struct isa_inst *inst, const char *text)
{
   uint32_t full[4], compact[2];
   memcpy(full, bytes, size_B);
   if (size_B == ISA_COMPACT_SIZE_B) {
      memcpy(compact, bytes, sizeof(compact));
      if (!isa_uncompact(c->gen, compact, full)) {
         find(c, "does not expand", NULL, bytes, size_B, text);
         return;
      }
   }
   struct isa_inst plain = *inst;
   plain.compacted = false;
   if (!same_again(c, &plain, full))
      find(c, "encodes differently", NULL, bytes, size_B, text);
   if (size_B == ISA_COMPACT_SIZE_B &&
       (!isa_compact(c->gen, full, compact) ||
        memcmp(compact, bytes, sizeof(compact))))
      find(c, "compacts differently", NULL, bytes, size_B, text);

   struct isa_inst parsed;
   struct isa_error err;
   if (!isa_parse(c->gen, text, &parsed, &err)) {
      struct strbuf s = { 0 };
      strbuf_printf(&s, "%s: %s", text, err.text);
      find(c, "text is not understood", NULL, bytes, size_B, strbuf_str(&s));
      strbuf_fini(&s);
      return;
   }
   parsed.compacted = false;
   without_text(&parsed, inst);
   if (!same_again(c, &parsed, full))
      find(c, "text encodes differently", NULL, bytes, size_B, text);
}

static void
note_ignored(struct checker *c, const struct isa_inst *inst)
{
   if (!inst->ignored[0] && !inst->ignored[1])
      return;
   c->ignoring[inst->opcode]++;
   for (unsigned i = 0; i < 2; i++)
      c->ignored[inst->opcode][i] |= inst->ignored[i];
}

static void
check_rules(struct checker *c, const uint8_t *bytes, unsigned size_B,
            const struct isa_inst *inst, const char *text)
{
   const struct isa_rule *rule;
   for (unsigned at = 0; (rule = isa_rule_next(c->gen, false, inst, &at));) {
      struct finding *f = find(c, rule->id, rule->text, bytes, size_B, text);
      f->severity = rule->severity;
      f->evidence = rule->evidence;
   }
}

static void
check_message(struct checker *c, const uint8_t *bytes, unsigned size_B,
              const struct isa_inst *inst, const char *text)
{
   struct isa_message m;
   struct strbuf s = { 0 };
   if (!isa_opcode_info(inst->opcode)->is_send || inst->desc_is_reg)
      return;
   c->messages++;
   const bool known = isa_message_unpack(c->gen, inst->sfid, inst->desc, &m);
   isa_message_print(c->gen, &m, &s);
   strbuf_printf(&s, ": %s", text);
   if (!known)
      find(c, "unknown message", NULL, bytes, size_B, strbuf_str(&s));
   else if (isa_message_pack(c->gen, &m) != inst->desc)
      find(c, "packs differently", NULL, bytes, size_B, strbuf_str(&s));
   else if (m.other)
      find(c, "bits of a descriptor that are no field's", NULL, bytes, size_B,
           strbuf_str(&s));
   c->seen[m.msg]++;
   strbuf_fini(&s);
}

/* For the other disassembler. */
static void
copy_out(struct checker *c, const uint8_t *bytes, unsigned size_B,
         struct isa_inst *inst)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   uint32_t full[4];
   if (info->has_jip && inst->src[0].file == ISA_FILE_IMM) {
      inst->jip = ISA_INST_SIZE_B;
      inst->uip = info->has_uip && inst->uip ? ISA_INST_SIZE_B : 0;
      inst->compacted = false;
      if (!isa_encode(c->gen, inst, full, NULL))
         return;
      bytes = (const uint8_t *)full;
      size_B = ISA_INST_SIZE_B;
   }
   memcpy(util_dynarray_grow_bytes(&c->binary, size_B), bytes, size_B);
   isa_print(c->gen, inst, NULL, &c->text);
   strbuf_printf(&c->text, "\n");
}

/* Arrays of this size and more are aligned so by compilers of x86-64. */
#define ARRAY_ALIGN_B 32

/* The size of the program that begins here: each instruction up to its end
 * decodes, and none is ILLEGAL. 0: there is none. */
static size_t
program_size_B(enum isa_gen gen, const uint8_t *bytes, size_t size_B)
{
   struct isa_extent extent = { 0 };
   struct isa_inst inst;
   unsigned inst_B = 0;
   for (size_t at = 0; at < size_B; at += inst_B) {
      if (!isa_decode(gen, bytes + at, size_B - at, &inst, &inst_B, NULL) ||
          inst.opcode == ISA_OPCODE_ILLEGAL)
         return 0;
      if (isa_extend(&extent, &inst, at, inst_B))
         return at + inst_B;
   }
   return 0;
}

static void
find_programs(enum isa_gen gen, const uint8_t *bytes, size_t size_B)
{
   for (size_t at = 0; at + ISA_INST_SIZE_B <= size_B;) {
      const size_t found_B = program_size_B(gen, bytes + at, size_B - at);
      if (found_B)
         printf("%zu %zu\n", at, found_B);
      at = ALIGN(at + MAX2(found_B, 1), ARRAY_ALIGN_B);
   }
}

static bool
check_file(struct checker *c, const char *name)
{
   struct util_dynarray code = { 0 };
   if (!tool_read_file("saffron-isa-check", name, &code))
      return false;
   if (c->find_programs) {
      find_programs(c->gen, code.data, code.size_B);
      util_dynarray_fini(&code);
      return true;
   }
   const uint8_t *bytes = code.data;
   for (size_t at = 0; at < code.size_B;) {
      struct isa_inst inst;
      struct isa_error err;
      unsigned size_B = 0;
      c->instructions++;
      if (!isa_decode(c->gen, bytes + at, code.size_B - at, &inst, &size_B,
                      &err)) {
         size_B = MIN2(ISA_INST_SIZE_B, code.size_B - at);
         find(c, "does not decode", NULL, bytes + at, size_B, err.text);
         at += size_B;
         continue;
      }
      struct strbuf text = { 0 };
      isa_print(c->gen, &inst, NULL, &text);
      if (c->only_legal) {
         check_rules(c, bytes + at, size_B, &inst, strbuf_str(&text));
         strbuf_fini(&text);
         at += size_B;
         continue;
      }
      c->compacted += size_B == ISA_COMPACT_SIZE_B;
      check_bytes(c, bytes + at, size_B, &inst, strbuf_str(&text));
      check_rules(c, bytes + at, size_B, &inst, strbuf_str(&text));
      check_message(c, bytes + at, size_B, &inst, strbuf_str(&text));
      note_ignored(c, &inst);
      copy_out(c, bytes + at, size_B, &inst);
      strbuf_fini(&text);
      at += size_B;
   }
   util_dynarray_fini(&code);
   return true;
}

/* Which bits, as ranges. */
static void
print_bits(const uint64_t bits[2])
{
   for (unsigned i = 0; i < 128; i++) {
      unsigned last = i;
      while (last < 128 && bits[last / 64] >> last % 64 & 1)
         last++;
      if (last == i)
         continue;
      if (last == i + 1)
         printf(" %u", i);
      else
         printf(" %u-%u", i, last - 1);
      i = last;
   }
}

/* What a finding is to tests/corpus/shipped.py. A rule of the compiler alone
 * is none of others' code. */
static const char *
kind_of(const struct finding *f)
{
   static const char *const words[] = {
      [ISA_RULE_FAULT] = "fault",
      [ISA_RULE_STRICT] = "strict",
      [ISA_RULE_COMPILER] = "compiler",
   };
   return f->rule ? words[f->severity] : "undecoded";
}

/* One line for each rule: SEVERITY RULE COUNT | WORDS | EXAMPLE. */
static int
report_legal(struct checker *c)
{
   unsigned faults = c->more.count;
   printf("%u instructions\n", c->instructions);
   for (unsigned i = 0; i < c->num_found; i++) {
      struct finding *f = &c->found[i];
      faults += !f->rule || f->severity == ISA_RULE_FAULT;
      printf("%s %s %u | %s | %s\n", kind_of(f), f->rule ? f->kind : "-",
             f->count,
             f->evidence ? f->evidence
             : f->rule   ? f->rule
                         : f->kind,
             strbuf_str(&f->example));
      strbuf_fini(&f->example);
   }
   return faults ? TOOL_EXIT_BAD_INPUT : TOOL_EXIT_OK;
}

static int
report(struct checker *c)
{
   unsigned kinds = 0;
   for (unsigned i = 0; i < ISA_MSG_COUNT; i++)
      kinds += c->seen[i] != 0;
   printf("%s: %u instructions, %u of them compacted, %u messages of %u "
          "kinds\n",
          isa_gen_name(c->gen), c->instructions, c->compacted, c->messages,
          kinds);
   for (unsigned i = 0; i < c->num_found; i++) {
      struct finding *f = &c->found[i];
      printf("%s%s%s: %u\n   %s\n", f->kind, f->rule ? ": " : "",
             f->rule ? f->rule : "", f->count, strbuf_str(&f->example));
      strbuf_fini(&f->example);
   }
   for (unsigned op = 0; op < ISA_OPCODE_COUNT; op++) {
      if (!c->ignoring[op])
         continue;
      printf("bits without a meaning: %s: %u, bits",
             isa_opcode_info(op)->name, c->ignoring[op]);
      print_bits(c->ignored[op]);
      printf("\n");
   }
   return c->num_found ? TOOL_EXIT_BAD_INPUT : TOOL_EXIT_OK;
}

static bool
write_binary(const char *path, const struct util_dynarray *bytes)
{
   FILE *f = fopen(path, "wb");
   const bool ok = f &&
                   fwrite(bytes->data, 1, bytes->size_B, f) == bytes->size_B;
   if ((f && fclose(f)) || !ok) {
      fprintf(stderr, "saffron-isa-check: %s cannot be written\n", path);
      return false;
   }
   return true;
}

static int
wrong_use(const char *what)
{
   fprintf(stderr, "saffron-isa-check: %s\n%s", what, usage);
   return TOOL_EXIT_USAGE;
}

int
main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "gen", required_argument, NULL, 'g' },
      { "legal", no_argument, NULL, 'l' },
      { "find", no_argument, NULL, 'f' },
      { "text", required_argument, NULL, 't' },
      { "binary", required_argument, NULL, 'b' },
      { "help", no_argument, NULL, 'h' },
      { 0 },
   };
   struct checker c = { .gen = ISA_GEN_COUNT };
   const char *text = NULL, *binary = NULL;
   int opt;
   while ((opt = getopt_long(argc, argv, "g:lft:b:h", long_options, NULL)) >=
          0) {
      switch (opt) {
      case 'g':
         c.gen = isa_gen_from_name(optarg);
         if (c.gen == ISA_GEN_COUNT)
            return wrong_use("--gen is none of ivb, hsw, bdw, skl");
         break;
      case 'l': c.only_legal = true; break;
      case 'f': c.find_programs = true; break;
      case 't': text = optarg; break;
      case 'b': binary = optarg; break;
      case 'h': fputs(usage, stdout); return TOOL_EXIT_OK;
      default: return wrong_use("unknown option");
      }
   }
   if (c.gen == ISA_GEN_COUNT)
      return wrong_use("--gen is missing");
   if (optind == argc)
      return wrong_use("no file");
   for (int i = optind; i < argc; i++)
      if (!check_file(&c, argv[i]))
         return TOOL_EXIT_USAGE;
   if (c.find_programs)
      return TOOL_EXIT_OK;
   int result = c.only_legal ? report_legal(&c) : report(&c);
   if ((text &&
        !tool_write_text("saffron-isa-check", text, strbuf_str(&c.text))) ||
       (binary && !write_binary(binary, &c.binary)))
      result = TOOL_EXIT_USAGE;
   strbuf_fini(&c.text);
   util_dynarray_fini(&c.binary);
   return result;
}
