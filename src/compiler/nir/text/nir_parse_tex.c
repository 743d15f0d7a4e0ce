/* SPDX-License-Identifier: MIT */
/* Texture instructions in the text form. */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

static const char *const texop_names[nir_num_texops] = {
   "tex",
   "txb",
   "txl",
   "txd",
   "txf",
   "txf_ms",
   "txf_ms_fb",
   "txf_ms_mcs_intel",
   "txs",
   "lod",
   "tg4",
   "query_levels",
   "texture_samples",
   "samples_identical",
};

static const char *const tex_src_names[nir_num_tex_operand_kinds] = {
   "coord",
   "projector",
   "comparator",
   "offset",
   "bias",
   "lod",
   "min_lod",
   "ms_index",
   "ms_mcs_intel",
   "ddx",
   "ddy",
   "texture_deref",
   "sampler_deref",
   "texture_offset",
   "sampler_offset",
   "texture_handle",
   "sampler_handle",
   "plane",
};

static int
find_in(const char *name, const char *const *names, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      if (strcmp(names[i], name) == 0)
         return (int)i;
   }
   return -1;
}

static nir_alu_type
parse_alu_type(struct nir_parser *p)
{
   static const struct {
      const char *name;
      nir_alu_type base;
   } bases[] = {
      { "float", nir_type_float },
      { "int", nir_type_int },
      { "uint", nir_type_uint },
      { "bool", nir_type_bool },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bases); i++) {
      uint64_t bits = 0;
      if (nir_parse_numbered(p, bases[i].name, &bits) &&
          (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64))
         return bases[i].base | (nir_alu_type)bits;
   }
   nir_parse_fail(p, "expected a type with a size");
   return nir_type_invalid;
}

/* { (x, y), (x, y), (x, y), (x, y) } (offsets) */
static void
parse_tg4_offsets(struct nir_parser *p, nir_tex_instr *tex)
{
   for (unsigned i = 0; i < 4; i++) {
      if (i)
         nir_parse_expect(p, ",");
      nir_parse_expect(p, "(");
      for (unsigned c = 0; c < 2; c++) {
         int64_t v = 0;
         if (c)
            nir_parse_expect(p, ",");
         nir_parse_int(p, &v);
         tex->tg4_offsets[i][c] = (int8_t)v;
      }
      nir_parse_expect(p, ")");
   }
   nir_parse_expect(p, "}");
   nir_parse_expect(p, "(");
   nir_parse_expect(p, "offsets");
   nir_parse_expect(p, ")");
}

static void
parse_tex_operand(struct nir_parser *p, nir_tex_instr *tex)
{
   if (nir_parse_accept(p, "texture non-uniform")) {
      tex->texture_non_uniform = true;
      return;
   }
   if (nir_parse_accept(p, "sampler non-uniform")) {
      tex->sampler_non_uniform = true;
      return;
   }
   if (nir_parse_accept(p, "{")) {
      parse_tg4_offsets(p, tex);
      return;
   }
   nir_parse_skip(p);
   if (p->at < p->end && isdigit((unsigned char)*p->at)) {
      uint64_t v = 0;
      nir_parse_uint(p, &v);
      nir_parse_expect(p, "(");
      char *what = nir_parse_ident(p);
      if (!what)
         return;
      if (strcmp(what, "texture") == 0)
         tex->texture_index = (unsigned)v;
      else if (strcmp(what, "sampler") == 0)
         tex->sampler_index = (unsigned)v;
      else if (strcmp(what, "gather_component") == 0)
         tex->component = v & 3;
      else
         nir_parse_fail(p, "unknown texture index %s", what);
      nir_parse_expect(p, ")");
      return;
   }
   nir_use src = { 0 };
   if (!nir_parse_src(p, &src))
      return;
   nir_parse_expect(p, "(");
   char *kind = nir_parse_ident(p);
   const int type =
      kind ? find_in(kind, tex_src_names, nir_num_tex_operand_kinds) : -1;
   if (type < 0)
      nir_parse_fail(p, "unknown texture source");
   nir_parse_expect(p, ")");
   if (!p->error)
      nir_tex_add(tex, (nir_tex_operand_kind)type, src);
}

static enum glsl_sampler_dim
dim_from_coords(unsigned n)
{
   return n <= 1   ? GLSL_SAMPLER_DIM_1D
          : n == 2 ? GLSL_SAMPLER_DIM_2D
                   : GLSL_SAMPLER_DIM_3D;
}

/* The sampler that the deref names, or that is bound to the index. */
static const struct glsl_type *
texture_type(struct nir_parser *p, const nir_tex_instr *tex)
{
   const int t = nir_tex_find(tex, nir_tex_src_texture_deref);
   nir_deref_instr *deref = t >= 0 ? nir_use_as_deref(tex->src[t].use) : NULL;
   if (deref)
      return glsl_without_array(deref->type);
   nir_foreach_uniform_variable(var, p->shader) {
      const struct glsl_type *type = glsl_without_array(var->type);
      const unsigned first = var->data.binding;
      if ((glsl_type_is_sampler(type) || glsl_type_is_texture(type)) &&
          tex->texture_index >= first &&
          tex->texture_index - first < glsl_get_aoa_size(var->type))
         return type;
   }
   return NULL;
}

/* From our note, from the texture's type, or a guess by the coordinate. */
static void
set_tex_shape(struct nir_parser *p, nir_tex_instr *tex, const char *note,
              unsigned dest_size)
{
   static const char *const dims[] = {
      "1D",  "2D",       "3D", "Cube",    "Rect",
      "Buf", "External", "MS", "Subpass", "SubpassMS",
   };
   const int coord = nir_tex_find(tex, nir_tex_src_coord);
   if (coord >= 0)
      tex->coord_components = tex->src[coord].use.value->num_components;
   char dim[16];
   if (note && sscanf(note, " %15[0-9A-Za-z]", dim) == 1 &&
       find_in(dim, dims, ARRAY_SIZE(dims)) >= 0) {
      tex->sampler_dim =
         (enum glsl_sampler_dim)find_in(dim, dims, ARRAY_SIZE(dims));
      tex->is_array = strstr(note, " array") != NULL;
      tex->is_shadow = strstr(note, " shadow") != NULL;
      tex->is_new_style_shadow = strstr(note, " scalar") != NULL;
      return;
   }
   const struct glsl_type *type = texture_type(p, tex);
   if (type) {
      tex->is_shadow = glsl_sampler_type_is_shadow(type);
      tex->is_array = glsl_sampler_type_is_array(type);
      tex->sampler_dim = glsl_get_sampler_dim(type);
   } else {
      tex->sampler_dim = dim_from_coords(tex->coord_components);
      tex->is_shadow = nir_tex_find(tex, nir_tex_src_comparator) >= 0;
   }
   tex->is_new_style_shadow = tex->is_shadow && dest_size == 1;
}

void
nir_parse_tex(struct nir_parser *p, const struct nir_parse_dest *d)
{
   nir_tex_instr *tex = nir_new_tex(p->shader, 0);
   tex->dest_type = parse_alu_type(p);
   nir_parse_expect(p, ")");
   char *name = p->error ? NULL : nir_parse_ident(p);
   const int op = name ? find_in(name, texop_names, nir_num_texops) : -1;
   if (op < 0) {
      nir_parse_fail(p, "unknown texture operation");
      return;
   }
   if (!d->present) {
      nir_parse_fail(p, "a texture operation has a destination");
      return;
   }
   tex->op = (nir_texop)op;
   do {
      parse_tex_operand(p, tex);
   } while (!p->error && nir_parse_accept(p, ","));
   if (p->error)
      return;
   set_tex_shape(p, tex, nir_parse_comment(p), d->components);
   tex->is_sparse = d->components == nir_tex_texel_size(tex) + 1;
   nir_parse_set_dest(p, &tex->instr, &tex->instr.result, d);
   nir_parse_insert(p, &tex->instr);
}
