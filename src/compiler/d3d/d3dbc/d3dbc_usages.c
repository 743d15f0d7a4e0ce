/* SPDX-License-Identifier: MIT */
/*
 * Semantics of HLSL as usages of SM2 and SM3. Between the stages a usage and
 * its index have a slot (USAGES in d3dbc_tables.py): variables are moved
 * there, and what has none takes a free one and is declared as what it is.
 * Attributes keep their register. Colours and depth of pixels are results.
 */
#include "d3dbc_emit.h"

#include <strings.h>

/* D3DBC_USAGE_COUNT: none is called so. */
static unsigned
usage_of(const char *name)
{
   unsigned u = 0;

   if (!strcasecmp(name, "SV_Position"))
      return D3DBC_USAGE_POSITION;
   while (u < D3DBC_USAGE_COUNT &&
          strcasecmp(d3dbc_usage_info(u)->name, name))
      u++;
   return u;
}

static void
place_attribute(struct d3dbc_emit *e, const nir_variable *var, unsigned usage,
                unsigned index, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      const unsigned reg =
         (unsigned)(var->data.location - VERT_ATTRIB_GENERIC0) + i;
      if (reg < ARRAY_SIZE(e->attribute))
         e->attribute[reg] = (struct d3dbc_usage) { true, (uint8_t)usage,
                                                    (uint8_t)(index + i) };
   }
}

static void
place_result(struct d3dbc_emit *e, nir_variable *var,
             const struct d3d_semantic *s)
{
   if (!strcasecmp(s->name, "COLOR") || !strcasecmp(s->name, "SV_Target"))
      var->data.location = FRAG_RESULT_DATA0 + (int)s->index;
   else if (!strcasecmp(s->name, "DEPTH") || !strcasecmp(s->name, "SV_Depth"))
      var->data.location = FRAG_RESULT_DEPTH;
   else
      d3dbc_emit_fail(e, "a pixel shader has no result %s%u", s->name,
                      s->index);
}

/* From the last slot down; -1: none. */
static int
free_slots(const uint64_t taken, unsigned n)
{
   for (int slot = VARYING_SLOT_VAR0 + 32 - (int)n; slot >= VARYING_SLOT_VAR0;
        slot--) {
      if (!(taken >> slot & BITFIELD64_MASK(n)))
         return slot;
   }
   return -1;
}

static void
place_varying(struct d3dbc_emit *e, nir_variable *var, unsigned usage,
              unsigned index, unsigned n, uint64_t *taken)
{
   const struct d3dbc_usage_info *info = d3dbc_usage_info(usage);
   const bool is_out = var->data.mode == nir_var_shader_out;
   int slot;

   if (is_out && index == 0 && usage == D3DBC_USAGE_POSITION)
      slot = VARYING_SLOT_POS;
   else if (is_out && index == 0 && usage == D3DBC_USAGE_PSIZE)
      slot = VARYING_SLOT_PSIZ;
   else if (index + n <= info->num_slots)
      slot = VARYING_SLOT_VAR0 + info->first_slot + (int)index;
   else
      slot = free_slots(*taken, n);
   if (e->pi->major < 3 && slot >= VARYING_SLOT_VAR0 &&
       usage != D3DBC_USAGE_TEXCOORD && usage != D3DBC_USAGE_COLOR) {
      d3dbc_emit_fail(e, "%s has no %s %s%u", e->pi->name,
                      is_out ? "output" : "input", info->name, index);
      return;
   }
   if (slot < 0 || *taken >> slot & BITFIELD64_MASK(n)) {
      d3dbc_emit_fail(e, "%s%u has no register beside the others", info->name,
                      index);
      return;
   }
   *taken |= BITFIELD64_MASK(n) << slot;
   var->data.location = slot;
   for (unsigned i = 0; i < n && slot >= VARYING_SLOT_VAR0; i++)
      e->varying[slot + (int)i] =
         (struct d3dbc_usage) { true, (uint8_t)usage, (uint8_t)(index + i) };
}

static bool
has_own_slot(unsigned usage, unsigned index, unsigned n)
{
   return index + n <= d3dbc_usage_info(usage)->num_slots;
}

/* `own`: those that have a slot of their own, else the others. */
static void
place_all(struct d3dbc_emit *e, nir_variable *const *vars,
          const struct d3d_semantic *const *names, unsigned num, bool own,
          uint64_t *taken)
{
   const gl_shader_stage stage = e->nir->info.stage;

   for (unsigned i = 0; i < num && !e->failed; i++) {
      nir_variable *var = vars[i];
      const struct d3d_semantic *s = names[i];
      const unsigned n = glsl_count_attribute_slots(var->type, false);
      const unsigned usage = usage_of(s->name);
      const bool is_out = var->data.mode == nir_var_shader_out;
      if (stage == MESA_SHADER_FRAGMENT && is_out) {
         if (own)
            place_result(e, var, s);
         continue;
      }
      if (usage == D3DBC_USAGE_COUNT || s->index + n > 16) {
         d3dbc_emit_fail(e, "%s has no semantic %s%u", e->pi->name, s->name,
                         s->index);
         return;
      }
      if (stage == MESA_SHADER_VERTEX && !is_out)
         place_attribute(e, var, usage, s->index, n);
      else if (own == has_own_slot(usage, s->index, n))
         place_varying(e, var, usage, s->index, n, taken);
   }
}

void
d3dbc_place_by_semantics(struct d3dbc_emit *e,
                         const struct d3d_semantics *semantics)
{
   nir_variable *vars[D3D_MAX_SEMANTICS];
   const struct d3d_semantic *names[D3D_MAX_SEMANTICS];
   uint64_t taken = 0;
   unsigned num = 0;

   nir_foreach_variable_with_modes(var, e->nir,
                                   nir_var_shader_in | nir_var_shader_out) {
      const struct d3d_semantic *s =
         d3d_semantic_of(semantics, e->nir->info.stage, var);
      if (s && num < D3D_MAX_SEMANTICS) {
         names[num] = s;
         vars[num++] = var;
      } else if (var->data.location >= 0 && var->data.location < 64) {
         taken |= BITFIELD64_MASK(
                     MIN2(glsl_count_attribute_slots(var->type, false), 63u))
                  << var->data.location;
      }
   }
   place_all(e, vars, names, num, true, &taken);
   place_all(e, vars, names, num, false, &taken);
}
