/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/d3dbc/tests/d3dbc_run.h"

#include <math.h>

#include "compiler/nir/nir_interp.h"

void
d3dbc_run_texel(unsigned stage, const float coord[3], unsigned kind,
                float extra, float out[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const float x = (float)(stage + 1) * 0.25f + (float)kind +
                      coord[0] * (float)(i + 1) + coord[1] * 0.5f -
                      coord[2] * 2 + extra * 0.125f;
      out[i] = fabsf(x) < 1e6f ? x - floorf(x) : 0.5f;
   }
}

static int
tex_src(const nir_tex_instr *tex, nir_tex_operand_kind type)
{
   return nir_tex_find(tex, type);
}

static bool
run_tex(void *data, unsigned lane, const nir_tex_instr *tex,
        const nir_const_value *const *srcs, unsigned index,
        nir_const_value *out)
{
   const int texture = tex_src(tex, nir_tex_src_texture_deref);
   const nir_variable *var =
      nir_deref_root(nir_use_as_deref(tex->src[texture].use));
   const nir_const_value *c = srcs[tex_src(tex, nir_tex_src_coord)];
   const float coord[3] = { c[0].f32, c[1].f32,
                            tex->coord_components > 2 ? c[2].f32 : 0 };
   float extra = 0, texel[4];
   unsigned kind = 0;

   if (tex->op == nir_texop_txb) {
      kind = 1;
      extra = srcs[tex_src(tex, nir_tex_src_bias)][0].f32;
   } else if (tex->op == nir_texop_txl) {
      kind = 2;
      extra = srcs[tex_src(tex, nir_tex_src_lod)][0].f32;
   } else if (tex->op == nir_texop_txd) {
      const nir_const_value *x = srcs[tex_src(tex, nir_tex_src_ddx)];
      const nir_const_value *y = srcs[tex_src(tex, nir_tex_src_ddy)];
      kind = 3;
      extra = x[0].f32 + x[1].f32 + y[0].f32 + y[1].f32;
      if (tex->coord_components > 2)
         extra += x[2].f32 + y[2].f32;
   }
   d3dbc_run_texel(var->data.binding - D3DBC_BINDING_SAMPLER, coord, kind,
                   extra, texel);
   for (unsigned i = 0; i < 4; i++)
      out[i].f32 = texel[i];
   return true;
}

static bool
run_sysval(void *data, unsigned lane, const nir_intrinsic_instr *intr,
           const nir_const_value *src0, nir_const_value *out)
{
   const struct d3dbc_interp *s = data;

   if (intr->intrinsic == nir_intrinsic_load_frag_coord) {
      for (unsigned i = 0; i < 4; i++)
         out[i].f32 = s->vpos[i] + (i < 2 ? 0.5f : 0);
      return true;
   }
   if (intr->intrinsic == nir_intrinsic_load_front_face) {
      out[0].b = s->vface[0] > 0;
      return true;
   }
   return false;
}

static void
fill_inputs(const struct d3dbc_profile_info *pi, const struct d3dbc_interp *s,
            nir_interp_slot *in)
{
   if (!pi->is_ps) {
      memcpy(in[VERT_ATTRIB_GENERIC0], s->v, sizeof(s->v));
   } else if (pi->major < 3) {
      memcpy(in[VARYING_SLOT_VAR0], s->t, sizeof(s->t));
      memcpy(in[VARYING_SLOT_VAR0 + 16], s->v, 2 * sizeof(s->v[0]));
   } else {
      memcpy(in[VARYING_SLOT_VAR0], s->v, 8 * sizeof(s->v[0]));
      memcpy(in[VARYING_SLOT_VAR0 + 16], s->v[8], 2 * sizeof(s->v[0]));
   }
}

static void
take_outputs(const struct d3dbc_profile_info *pi, struct d3dbc_interp *s,
             nir_interp_slot *out)
{
   if (pi->is_ps) {
      memcpy(pi->major < 2 ? s->r : s->oc, out[FRAG_RESULT_DATA0],
             pi->major < 2 ? 16 : sizeof(s->oc));
      memcpy(s->depth, out[FRAG_RESULT_DEPTH], 4);
      return;
   }
   memcpy(s->raster[1], out[VARYING_SLOT_VAR0 + 20], 16);
   memcpy(s->raster[2], out[VARYING_SLOT_PSIZ], 16);
   memcpy(s->od, out[VARYING_SLOT_VAR0 + 16], sizeof(s->od));
   memcpy(s->o, out[VARYING_SLOT_VAR0], 12 * sizeof(s->o[0]));
   memcpy(pi->major < 3 ? s->raster[0] : s->o[0], out[VARYING_SLOT_POS], 16);
}

const char *
d3dbc_run_nir(nir_shader *nir, const struct d3dbc_shader *shader,
              struct d3dbc_interp *s, struct arena *arena)
{
   static nir_interp_slot in[NIR_INTERP_SLOTS], out[NIR_INTERP_SLOTS];
   const struct d3dbc_profile_info *pi = d3dbc_profile_info(shader->profile);
   static const struct nir_interp_callbacks callbacks = {
      .sysval = run_sysval,
      .tex = run_tex,
   };
   uint32_t bools[16][4] = { { 0 } };
   const struct nir_interp_buffer ubos[] = {
      { s->c, sizeof(s->c) },
      { s->i, sizeof(s->i) },
      { bools, sizeof(bools) },
      { s->bump, sizeof(s->bump) },
   };
   /* clang-format off */
   struct nir_interp_params params = {
      .num_lanes = 1, .inputs = in, .outputs = out,
      .ubos = ubos, .num_ubos = ARRAY_SIZE(ubos),
      .callbacks = &callbacks, .data = s,
   };
   /* clang-format on */
   const char *error;

   for (unsigned i = 0; i < 16; i++)
      bools[i][0] = s->b[i];
   memset(in, 0, sizeof(in));
   memset(out, 0, sizeof(out));
   fill_inputs(pi, s, in);
   error = nir_interp_run(nir, &params, arena);
   s->killed = params.killed & 1;
   take_outputs(pi, s, out);
   return error;
}

static bool
same(const float *a, const float *b, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      if (isnan(a[i]) ? !isnan(b[i])
                      : util_float_bits(a[i]) != util_float_bits(b[i]))
         return false;
   }
   return true;
}

const char *
d3dbc_run_compare(const struct d3dbc_interp *a, const struct d3dbc_interp *b,
                  struct arena *arena)
{
   const struct {
      const char *name;
      const float *a, *b;
      unsigned n;
   } rows[] = {
      { "oPos", a->raster[0], b->raster[0], 4 },
      { "oFog", a->raster[1], b->raster[1], 1 },
      { "oPts", a->raster[2], b->raster[2], 1 },
      { "oD", a->od[0], b->od[0], 8 },
      { "o", a->o[0], b->o[0], 48 },
      { "oC", a->oc[0], b->oc[0], 16 },
      { "oDepth", a->depth, b->depth, 1 },
   };

   if (a->killed != b->killed)
      return "killed";
   for (unsigned i = 0; !a->killed && i < ARRAY_SIZE(rows); i++) {
      for (unsigned c = 0; c < rows[i].n; c++) {
         if (!same(&rows[i].a[c], &rows[i].b[c], 1))
            return arena_printf(arena, "%s%u.%c: %.9g and %.9g", rows[i].name,
                                c / 4, "xyzw"[c % 4], (double)rows[i].a[c],
                                (double)rows[i].b[c]);
      }
   }
   return NULL;
}
