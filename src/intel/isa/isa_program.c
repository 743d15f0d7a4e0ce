/* SPDX-License-Identifier: MIT */
/* Programs: text with labels to bytes and back.
 *
 * Labels are L<offset>, as Intel's assembler names them. A target outside
 * the program, or between two instructions, stays a number.
 */
#include <stdarg.h>
#include <stdio.h>

#include "isa_messages.h"
#include "isa_text.h"

/* Where a program ends. -------------------------------------------------- */

bool
isa_extend(struct isa_extent *e, const struct isa_inst *inst, size_t at_B,
           unsigned size_B)
{
   const struct isa_opcode_info *info = isa_opcode_info(inst->opcode);
   const size_t from_B = inst->opcode == ISA_OPCODE_CALLA ? 0 : at_B;
   const bool immediate = inst->src[0].file == ISA_FILE_IMM;
   if (info->has_jip && immediate && inst->jip > 0)
      e->farthest_B = MAX2(e->farthest_B, from_B + inst->jip);
   if (info->has_uip && immediate && inst->uip > 0)
      e->farthest_B = MAX2(e->farthest_B, from_B + inst->uip);
   e->seen_eot |= inst->eot;
   const bool ends = inst->eot || inst->opcode == ISA_OPCODE_ILLEGAL ||
                     (e->seen_eot && inst->opcode == ISA_OPCODE_RET);
   return ends && at_B + size_B > e->farthest_B;
}

/* Disassembly. ----------------------------------------------------------- */

struct labels {
   uint8_t *is_start; /* by offset / 8: an instruction starts here */
   uint8_t *is_target;
   size_t num_units;
   char name[32];
};

#define UNIT_B ISA_COMPACT_SIZE_B

static bool
can_label(const struct labels *labels, int64_t offset_B)
{
   return offset_B >= 0 && offset_B % UNIT_B == 0 &&
          (size_t)(offset_B / UNIT_B) <= labels->num_units &&
          labels->is_start[offset_B / UNIT_B];
}

static const char *
label_name(const void *data, int64_t offset_B)
{
   /* The name is scratch: it is printed before the next one is asked for. */
   struct labels *labels = (struct labels *)data;
   if (!can_label(labels, offset_B))
      return NULL;
   snprintf(labels->name, sizeof(labels->name), "L%lld", (long long)offset_B);
   return labels->name;
}

static void
mark_target(struct labels *labels, int64_t offset_B)
{
   if (can_label(labels, offset_B))
      labels->is_target[offset_B / UNIT_B] = 1;
}

/* Bytes of the instruction at `p`, even if it does not decode. */
static unsigned
step_B(const uint8_t *p, size_t avail_B)
{
   const bool compact = p[3] & 0x20; /* CmptCtrl, bit 29 */
   const unsigned size_B = compact ? ISA_COMPACT_SIZE_B : ISA_INST_SIZE_B;
   return (unsigned)MIN2((size_t)size_B, avail_B);
}

static void
mark_targets(enum isa_gen gen, struct labels *labels, const uint8_t *program,
             size_t size_B)
{
   size_t at = 0;
   for (; size_B - at >= UNIT_B; at += step_B(program + at, size_B - at))
      labels->is_start[at / UNIT_B] = 1;
   if (at == size_B)
      labels->is_start[at / UNIT_B] = 1;
   for (at = 0; size_B - at >= UNIT_B;
        at += step_B(program + at, size_B - at)) {
      struct isa_inst inst;
      if (!isa_decode(gen, program + at, size_B - at, &inst, NULL, NULL))
         continue;
      const struct isa_opcode_info *info = isa_opcode_info(inst.opcode);
      if (!info->has_jip || inst.src[0].file != ISA_FILE_IMM)
         continue;
      const bool absolute = inst.opcode == ISA_OPCODE_CALLA;
      mark_target(labels, (absolute ? 0 : (int64_t)at) + inst.jip);
      if (info->has_uip)
         mark_target(labels, (int64_t)at + inst.uip);
   }
}

static void
print_bytes(struct strbuf *out, const uint8_t *p, unsigned size_B)
{
   for (unsigned i = 0; i < size_B; i++)
      strbuf_printf(out, "%s%02x", i && i % 4 == 0 ? " " : "", p[i]);
}

static void
print_bad(struct strbuf *out, const uint8_t *p, unsigned size_B,
          const struct isa_error *err)
{
   strbuf_puts(out, "// bad instruction ");
   print_bytes(out, p, size_B);
   strbuf_printf(out, ": %s\n", err->text);
}

/* What an instruction sends, if its descriptor is known. */
static void
print_message(enum isa_gen gen, const struct isa_inst *inst,
              struct strbuf *out)
{
   struct isa_message m;
   if (inst->desc_is_reg) {
      strbuf_printf(out, "%s", isa_sfid_name(inst->sfid));
      return;
   }
   isa_message_unpack(gen, inst->sfid, inst->desc, &m);
   isa_message_print(gen, &m, out);
   if (isa_opcode_info(inst->opcode)->format == ISA_FORMAT_SENDS &&
       !inst->ex_desc_is_reg)
      strbuf_printf(out, " ex_mlen %u", isa_ex_desc_ex_mlen(inst->ex_desc));
}

static void
print_comment(enum isa_gen gen, const struct isa_inst *inst,
              const struct isa_disassemble_options *opts,
              const uint8_t *bytes, unsigned size_B, struct strbuf *out)
{
   const bool sends = opts->messages &&
                      isa_opcode_info(inst->opcode)->is_send;
   if (opts->hex || sends)
      strbuf_puts(out, " // ");
   if (opts->hex)
      print_bytes(out, bytes, size_B);
   if (opts->hex && sends)
      strbuf_puts(out, "  ");
   if (sends)
      print_message(gen, inst, out);
}

bool
isa_disassemble(enum isa_gen gen, const void *program, size_t size_B,
                const struct isa_disassemble_options *opts,
                struct strbuf *out, struct isa_error *err)
{
   static const struct isa_disassemble_options no_options;
   const uint8_t *bytes = program;
   opts = opts ? opts : &no_options;
   struct labels labels = { .num_units = size_B / UNIT_B };
   labels.is_start = calloc(2, labels.num_units + 1);
   if (!labels.is_start) {
      if (err)
         *err = (struct isa_error) { .text = "out of memory" };
      return false;
   }
   labels.is_target = labels.is_start + labels.num_units + 1;
   mark_targets(gen, &labels, bytes, size_B);

   bool good = true;
   size_t at = 0;
   while (at < size_B) {
      if (opts->annotate)
         opts->annotate(opts->annotate_data, at, out);
      if (at % UNIT_B == 0 && labels.is_target[at / UNIT_B])
         strbuf_printf(out, "L%zu:\n", at);
      if (opts->offsets)
         strbuf_printf(out, "/* %04zx */ ", at);
      struct isa_inst inst;
      struct isa_error why;
      const bool whole = size_B - at >= UNIT_B;
      const unsigned step = whole ? step_B(bytes + at, size_B - at)
                                  : (unsigned)(size_B - at);
      if (isa_decode(gen, bytes + at, size_B - at, &inst, NULL, &why)) {
         const struct isa_print_options print = {
            .offset_B = at,
            .label = label_name,
            .label_data = &labels,
         };
         isa_print(gen, &inst, &print, out);
         print_comment(gen, &inst, opts, bytes + at, step, out);
         strbuf_puts(out, "\n");
      } else {
         print_bad(out, bytes + at, step, &why);
         why.offset_B = at;
         if (good && err)
            *err = why;
         good = false;
      }
      at += step;
   }
   if (size_B % UNIT_B == 0 && labels.is_target[size_B / UNIT_B])
      strbuf_printf(out, "L%zu:\n", size_B);
   free(labels.is_start);
   return good;
}

/* Assembly. -------------------------------------------------------------- */

struct statement {
   struct isa_inst inst;
   struct isa_label_ref refs[2];
   unsigned num_refs;
   struct isa_token where;
   size_t offset_B;
};

struct label {
   struct isa_token name;
   size_t offset_B;
};

struct assembler {
   enum isa_gen gen;
   struct isa_lexer lexer;
   struct util_dynarray statements, labels;
   size_t size_B;
   struct isa_errors *errors;
};

static void
add_error(struct assembler *a, const struct isa_error *error)
{
   if (a->errors->count < ISA_MAX_ERRORS)
      a->errors->error[a->errors->count] = *error;
   a->errors->count++;
}

static void PRINTFLIKE(3, 4)
   complain(struct assembler *a, const struct isa_token *where,
            const char *fmt, ...)
{
   struct isa_error error = { .line = where->line, .column = where->column };
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(error.text, sizeof(error.text), fmt, ap);
   va_end(ap);
   add_error(a, &error);
}

static bool
same_name(const struct isa_token *a, const struct isa_token *b)
{
   return a->length == b->length && !memcmp(a->start, b->start, a->length);
}

/* Programs are short, and labels in them few: a walk is enough. */
static const struct label *
find_label(const struct assembler *a, const struct isa_token *name)
{
   util_dynarray_foreach(&a->labels, struct label, label) {
      if (same_name(&label->name, name))
         return label;
   }
   return NULL;
}

/* "name:" in front of a statement, or on a line of its own. */
static bool
take_label(struct assembler *a, const struct isa_token *first)
{
   struct isa_lexer ahead = a->lexer;
   isa_lexer_next(&ahead);
   const struct isa_token colon = isa_lexer_next(&ahead);
   if (first->kind != ISA_TOKEN_WORD || colon.kind != ISA_TOKEN_PUNCT ||
       *colon.start != ':')
      return false;
   a->lexer = ahead;
   if (find_label(a, first)) {
      complain(a, first, "label \"%.*s\" stands twice",
               (int)MIN2(first->length, 32), first->start);
   } else {
      const struct label label = { *first, a->size_B };
      util_dynarray_append(&a->labels, struct label, label);
   }
   return true;
}

static void
read_statements(struct assembler *a)
{
   for (;;) {
      struct isa_lexer ahead = a->lexer;
      const struct isa_token first = isa_lexer_next(&ahead);
      if (first.kind == ISA_TOKEN_END)
         return;
      if (first.kind == ISA_TOKEN_NEWLINE) {
         a->lexer = ahead;
         continue;
      }
      if (take_label(a, &first))
         continue;
      struct statement s = { .where = first, .offset_B = a->size_B };
      struct isa_error error;
      if (isa_parse_statement(a->gen, &a->lexer, &s.inst, s.refs, &s.num_refs,
                              &error)) {
         util_dynarray_append(&a->statements, struct statement, s);
         a->size_B += s.inst.compacted ? ISA_COMPACT_SIZE_B : ISA_INST_SIZE_B;
      } else {
         add_error(a, &error);
      }
   }
}

static void
resolve(struct assembler *a, struct statement *s)
{
   for (unsigned i = 0; i < s->num_refs; i++) {
      const struct label *label = find_label(a, &s->refs[i].label);
      if (!label) {
         complain(a, &s->refs[i].label, "no label \"%.*s\"",
                  (int)MIN2(s->refs[i].label.length, 32),
                  s->refs[i].label.start);
         continue;
      }
      const bool absolute = s->inst.opcode == ISA_OPCODE_CALLA;
      const int32_t offset_B =
         (int32_t)(label->offset_B - (absolute ? 0 : s->offset_B));
      if (s->refs[i].is_uip)
         s->inst.uip = offset_B;
      else
         s->inst.jip = offset_B;
   }
}

static void
emit(struct assembler *a, struct statement *s, struct util_dynarray *out)
{
   uint32_t full[4], compact[2];
   struct isa_error error;
   if (!isa_encode(a->gen, &s->inst, full, &error)) {
      complain(a, &s->where, "%s", error.text);
      return;
   }
   const uint32_t *dw = full;
   unsigned num_dw = 4;
   if (s->inst.compacted) {
      if (!isa_compact(a->gen, full, compact)) {
         complain(a, &s->where, "the instruction has no compact form");
         return;
      }
      dw = compact;
      num_dw = 2;
   }
   uint8_t *p = util_dynarray_grow_bytes(out, num_dw * 4);
   for (unsigned i = 0; i < num_dw * 4; i++)
      p[i] = (uint8_t)(dw[i / 4] >> i % 4 * 8);
}

bool
isa_assemble(enum isa_gen gen, const char *text, size_t length,
             struct util_dynarray *out, struct isa_errors *errors)
{
   struct assembler a = { .gen = gen, .errors = errors };
   errors->count = 0;
   isa_lexer_init(&a.lexer, text, length);
   read_statements(&a);
   util_dynarray_foreach(&a.statements, struct statement, s) {
      resolve(&a, s);
      emit(&a, s, out);
   }
   util_dynarray_fini(&a.statements);
   util_dynarray_fini(&a.labels);
   return errors->count == 0;
}
