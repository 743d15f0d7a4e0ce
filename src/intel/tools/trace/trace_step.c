/* SPDX-License-Identifier: MIT */
/*
 * saffron trace --step: commands from standard input, one a line. What is
 * shown is the next instruction, before it has run; registers are as they
 * are then.
 */
#include "trace_view.h"

#include <stdio.h>
#include <unistd.h>

static const char help[] =
   "  n, next [COUNT]   run forwards; shows what the instructions write\n"
   "  p, prev [COUNT]   run backwards\n"
   "  r REG             a register now: r0 to r127, acc0, acc1, a0, f0, f1,\n"
   "                    cr0, sr0; of r0 to r127 also as :d, :ud, :f or :df\n"
   "  g IP              on to the instruction at this offset (0x...)\n"
   "  f REG             on to the next instruction that writes it\n"
   "  w REG             back to the last one that wrote it (r12.3: dword 3)\n"
   "  u REG             on to the next one that reads it\n"
   "  c CYCLE           to the instruction of that cycle\n"
   "  i                 the thread\n"
   "  h                 this list\n"
   "  q                 quit\n";

static void
show(const struct trace_view *v)
{
   if (v->now < v->thread->head.num_steps)
      trace_view_print_inst(v, v->now);
   else
      printf("%6u  end of the thread\n", v->now);
}

static void
next(struct trace_view *v, unsigned long count)
{
   for (; count && v->now < v->thread->head.num_steps; count--) {
      trace_view_go(v, v->now + 1);
      trace_view_print_changes(v, v->now - 1);
      if (count > 1)
         show(v);
   }
   show(v);
}

static void
prev(struct trace_view *v, unsigned long count)
{
   trace_view_go(v, count < v->now ? v->now - (uint32_t)count : 0);
   show(v);
}

static bool
number(const char *text, int base, unsigned long *out)
{
   char *end;
   *out = strtoul(text, &end, base);
   return *text >= '0' && *text <= '9' && !*end;
}

static void
go_to_ip(struct trace_view *v, const char *text)
{
   unsigned long ip;
   if (!number(text, 0, &ip)) {
      printf("g: expected an offset such as 0x40\n");
      return;
   }
   /* From the start again when it is not ahead. */
   uint32_t n = trace_view_find_ip(v, v->now + 1, (uint32_t)ip);
   if (n == ~0u)
      n = trace_view_find_ip(v, 0, (uint32_t)ip);
   if (n == ~0u || ip > UINT32_MAX) {
      printf("g: the thread does not execute 0x%lx\n", ip);
      return;
   }
   trace_view_go(v, n);
   show(v);
}

static void
find(struct trace_view *v, const char *name)
{
   const unsigned reg = trace_view_register(name);
   if (reg == TRACE_NUM_REGISTERS) {
      printf("f: unknown register '%s'\n", name);
      return;
   }
   const uint32_t n = trace_view_find_write(v, v->now, reg);
   if (n == ~0u) {
      printf("f: nothing writes %s from here on\n", name);
      return;
   }
   trace_view_go(v, n);
   show(v);
   trace_view_go(v, n + 1);
   trace_view_print_changes(v, n);
   show(v);
}

/* Back to the last writer, or on to the next reader, of a register. */
static void
go_to_use(struct trace_view *v, char command, const char *place)
{
   unsigned mask;
   const unsigned reg = trace_view_register_place(place, &mask);
   if (reg == TRACE_NUM_REGISTERS) {
      printf("%c: unknown register '%s'\n", command, place);
      return;
   }
   const uint32_t n = command == 'w'
                         ? trace_view_find_writer(v, v->now, reg, mask)
                         : trace_view_find_reader(v, v->now + 1, reg, mask);
   if (n == ~0u) {
      printf("%c: nothing %s %s\n", command,
             command == 'w' ? "before this writes" : "after this reads",
             place);
      return;
   }
   trace_view_go(v, n);
   show(v);
}

static void
go_to_cycle(struct trace_view *v, const char *text)
{
   const uint32_t steps = v->thread->head.num_steps;
   unsigned long cycle;
   uint32_t n = 0;
   if (!number(text, 10, &cycle)) {
      printf("c: expected a cycle\n");
      return;
   }
   while (n + 1 < steps && trace_view_step(v, n + 1).cycle <= cycle)
      n++;
   trace_view_go(v, n);
   show(v);
}

static void
print_as(const uint32_t dw[TRACE_REGISTER_DW], const char *type)
{
   double df[4];
   memcpy(df, dw, sizeof(df));
   for (unsigned i = 0; i < 8; i++) {
      if (!strcmp(type, "d"))
         printf(" %d", (int32_t)dw[i]);
      else if (!strcmp(type, "ud"))
         printf(" %u", dw[i]);
      else if (!strcmp(type, "f"))
         printf(" %.9g", (double)util_bits_float(dw[i]));
      else if (i < ARRAY_SIZE(df))
         printf(" %.17g", df[i]);
   }
   printf("\n");
}

/* `name` may have a type, as in r12:df; general registers only. */
static void
print_register(struct trace_view *v, char *name)
{
   static const char *const types[] = { "d", "ud", "f", "df" };
   char *type = strchr(name, ':');
   bool known = !type;
   if (type)
      *type++ = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(types) && type; i++)
      known |= !strcmp(type, types[i]);
   const unsigned reg = trace_view_register(name);
   if (reg == TRACE_NUM_REGISTERS || !known || (type && reg >= TRACE_ACC)) {
      printf("r: unknown register '%s%s%s'\n", name, type ? ":" : "",
             type ? type : "");
      return;
   }
   if (type) {
      printf("      %-5s", name);
      print_as(v->registers[reg], type);
      return;
   }
   const bool is_acc = reg >= TRACE_ACC && reg < TRACE_ADDRESS;
   for (unsigned i = 0; i < (is_acc ? 2u : 1u); i++)
      trace_view_print_register(v, reg + i);
}

/* False: quit. */
static bool
command(struct trace_view *v, char *line)
{
   char *save, *word = strtok_r(line, " \t\n", &save);
   if (!word)
      return true;
   char *arg = strtok_r(NULL, " \t\n", &save);
   char none[] = "";
   unsigned long count = 1;
   const char c = word[0];
   if (!strcmp(word, "next") || !strcmp(word, "prev") || !word[1]) {
      switch (c) {
      case 'n':
      case 'p':
         if (arg && !number(arg, 10, &count)) {
            printf("%s: expected a count\n", word);
            return true;
         }
         if (c == 'n')
            next(v, count);
         else
            prev(v, count);
         return true;
      case 'r': print_register(v, arg ? arg : none); return true;
      case 'g': go_to_ip(v, arg ? arg : ""); return true;
      case 'f': find(v, arg ? arg : ""); return true;
      case 'w':
      case 'u': go_to_use(v, c, arg ? arg : ""); return true;
      case 'c': go_to_cycle(v, arg ? arg : ""); return true;
      case 'i': trace_view_print_head(v); return true;
      case 'h': fputs(help, stdout); return true;
      case 'q': return false;
      default: break;
      }
   }
   printf("unknown command '%s'\n%s", word, help);
   return true;
}

void
trace_view_interact(struct trace_view *v)
{
   const bool prompt = isatty(STDIN_FILENO);
   char *line = NULL;
   size_t size_B = 0;
   bool go_on = true;
   trace_view_print_head(v);
   show(v);
   while (go_on) {
      if (prompt)
         printf("(trace) ");
      fflush(stdout);
      go_on = getline(&line, &size_B, stdin) >= 0 && command(v, line);
   }
   free(line);
}
