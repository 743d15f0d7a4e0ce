/* SPDX-License-Identifier: MIT */
/* What every unit, port and queue holds after a step, one line each. */
#include "gp_sim_private.h"

static void
print_value(FILE *out, const struct gp_value *v)
{
   static const char *const tables[] = { "exp2", "log2", "rsqrt", "rcp" };
   const double argument = (double)util_bits_float(v->argument);
   switch ((enum gp_tag)v->tag) {
   case GP_TAG_NUMBER:
      fprintf(out, "%.9g", (double)util_bits_float(v->bits));
      break;
   case GP_TAG_PREEXP2: fprintf(out, "<preexp2 of %.9g>", argument); break;
   case GP_TAG_TABLE:
      fprintf(out, "<table %s of %.9g>", tables[v->table], argument);
      break;
   case GP_TAG_SQUARE: fprintf(out, "<complex2 of %.9g>", argument); break;
   case GP_TAG_COMPLEX1:
      fprintf(out, "<complex1 %s: %.9g, two later>", tables[v->table],
              (double)util_bits_float(v->bits));
      break;
   case GP_TAG_RAW_LOG2:
      fprintf(out, "<complex1 log2 of %.9g>", argument);
      break;
   case GP_TAG_POISON:
      fprintf(out, "<%s>", gp_rule_name((enum gp_rule)v->rule));
      break;
   }
}

/* Ports that the instruction does not read are left out. */
static void
print_port(FILE *out, const char *name, const struct gp_value values[4],
           unsigned components)
{
   if (!components)
      return;
   fprintf(out, "      %-8s", name);
   for (unsigned c = 0; c < 4; c++) {
      if (components & BITFIELD_BIT(c)) {
         fprintf(out, " %c=", "xyzw"[c]);
         print_value(out, &values[c]);
      }
   }
   fputc('\n', out);
}

/* What a store port takes, and where it goes. */
static void
print_store(FILE *out, const struct gp_sim *sim, const struct gp_instr *i,
            unsigned port)
{
   const char kind = i->store_is_varying[port] ? 'v' : 'r';

   for (unsigned n = 0; n < 2; n++) {
      const unsigned src = i->store_src[port][n];
      if (src == GP_STORE_NONE || src == GP_STORE_UNKNOWN_5)
         continue;
      const char component = "xyzw"[port * 2 + n];
      if (i->store_is_temp[port])
         fprintf(out, "      store%u   t[addr0].%c = ", port, component);
      else
         fprintf(out, "      store%u   %c%u.%c = ", port, kind,
                 i->store_index[port], component);
      print_value(out, &sim->result[0][gp_store_units[src]]);
      fputc('\n', out);
   }
}

static void
print_pending(FILE *out, const struct gp_sim *sim)
{
   static const char *const kinds[] = { "r", "t", "addr" };
   for (unsigned i = 0; i < sim->num_pending; i++) {
      const struct gp_pending *p = &sim->pending[i];
      fprintf(out, "      queue    %s%u", kinds[p->kind], p->index);
      if (p->kind == GP_PENDING_ADDRESS) {
         fprintf(out, " = %d", (int)p->value.bits);
      } else {
         fprintf(out, ".%c = ", "xyzw"[p->component]);
         print_value(out, &p->value);
      }
      fprintf(out, " from step %u\n", p->ready);
   }
}

void
gp_sim_trace_step(const struct gp_sim *sim, const struct gp_instr *i)
{
   FILE *out = sim->config.trace;
   struct strbuf text = { 0 };
   gp_print(i, &text);
   fprintf(out, "step %u, instruction %u: %s\n", sim->step, sim->pc,
           strbuf_str(&text));
   strbuf_fini(&text);
   /* The next instruction may read it, too. */
   print_port(out, "port0", sim->port0[0],
              i->port0_index || i->port0_is_attribute
                 ? 0xf
                 : gp_components_read(i, GP_SRC_PORT0_X));
   print_port(out, "port0@1", sim->port0[1],
              gp_components_read(i, GP_SRC_PORT0_X_1));
   print_port(out, "port1", sim->port1,
              gp_components_read(i, GP_SRC_PORT1_X));
   print_port(out, "uniform", sim->uniform,
              gp_components_read(i, GP_SRC_UNIFORM_X));
   for (unsigned unit = 0; unit < GP_NUM_ALU_UNITS; unit++) {
      const struct gp_value *v = &sim->result[0][unit];
      if (v->tag == GP_TAG_POISON && v->rule == GP_RULE_IDLE_UNIT)
         continue;
      fprintf(out, "      %-8s ", gp_unit_name((enum gp_unit)unit));
      print_value(out, v);
      fputc('\n', out);
   }
   print_store(out, sim, i, 0);
   print_store(out, sim, i, 1);
   print_pending(out, sim);
}
