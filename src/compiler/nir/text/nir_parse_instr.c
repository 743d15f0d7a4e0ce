/* SPDX-License-Identifier: MIT */
/* The parser's instructions. Nothing is inserted unless it is well formed
 * enough for the builder; the validator checks the rest. */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

/* What stands left of the '='. */
struct dest {
   bool present, is_ssa;
   uint64_t number;
   unsigned components, bit_size;
   nir_register *reg;
   unsigned base_offset, write_mask;
   nir_src *indirect;
};

/* --- Operands --------------------------------------------------------------------- */

static nir_ssa_def *
parse_ssa(struct parser *p)
{
   uint64_t n = 0;
   const char *start = p->at;
   if (!parse_numbered(p, "ssa_", &n)) {
      parse_fail(p, "expected a value");
      return NULL;
   }
   nir_ssa_def *def = hash_table_get(&p->defs, n);
   if (!def) {
      p->at = start;
      parse_skip(p);
      parse_fail(p, "ssa_%llu is used before it is defined",
                 (unsigned long long)n);
   }
   return def;
}

static bool parse_src(struct parser *p, nir_src *src);

/* rN or rN[base] or rN[base + ssa_M] */
static nir_register *
parse_reg(struct parser *p, unsigned *base_offset, nir_src **indirect)
{
   uint64_t n = 0;
   if (!parse_numbered(p, "r", &n)) {
      parse_fail(p, "expected a register");
      return NULL;
   }
   nir_register *reg = hash_table_get(&p->regs, n);
   if (!reg) {
      parse_fail(p, "r%llu is not declared", (unsigned long long)n);
      return NULL;
   }
   *base_offset = 0;
   *indirect = NULL;
   if (reg->num_array_elems && parse_expect(p, "[")) {
      uint64_t base = 0;
      parse_uint(p, &base);
      if (base >= reg->num_array_elems)
         parse_fail(p, "r%llu has %u elements", (unsigned long long)n,
                    reg->num_array_elems);
      *base_offset = (unsigned)base;
      if (parse_accept(p, "+")) {
         nir_ssa_def *def = parse_ssa(p);
         if (def && (def->num_components != 1 || def->bit_size != 32))
            parse_fail(p, "an indirect offset is a 32-bit scalar");
         if (!p->error) {
            *indirect = arena_new(p->shader->arena, nir_src);
            **indirect = nir_src_for_ssa(def);
         }
      }
      parse_expect(p, "]");
   }
   return p->error ? NULL : reg;
}

static bool
parse_src(struct parser *p, nir_src *src)
{
   parse_skip(p);
   if (p->at < p->end && *p->at == 'r') {
      unsigned base;
      nir_src *indirect;
      nir_register *reg = parse_reg(p, &base, &indirect);
      if (!reg)
         return false;
      *src = nir_src_for_reg(reg);
      src->reg.base_offset = base;
      src->reg.indirect = indirect;
      return true;
   }
   nir_ssa_def *def = parse_ssa(p);
   if (def)
      *src = nir_src_for_ssa(def);
   return def != NULL;
}

/* Letters of components that `have` has; their count, or 0 and an error. */
static unsigned
parse_components(struct parser *p, unsigned have,
                 uint8_t comps[NIR_MAX_VEC_COMPONENTS])
{
   const char *letters = have > 4 ? "abcdefghijklmnop" : "xyzw";
   char *text = parse_ident(p);
   unsigned n = 0;
   for (; text && text[n]; n++) {
      const char *l = strchr(letters, text[n]);
      if (!l || (unsigned)(l - letters) >= have ||
          n == NIR_MAX_VEC_COMPONENTS) {
         parse_fail(p, "no such component: %s", text);
         return 0;
      }
      comps[n] = (uint8_t)(l - letters);
   }
   return n;
}

static bool
parse_dest(struct parser *p, struct dest *d)
{
   memset(d, 0, sizeof(*d));
   if (parse_peek(p, "vec") || (p->end - p->at > 3 &&
                                memcmp(p->at, "vec", 3) == 0 &&
                                isdigit((unsigned char)p->at[3]))) {
      d->present = d->is_ssa = true;
      if (!parse_vec_and_bits(p, &d->components, &d->bit_size))
         return false;
      if (!parse_accept(p, "con"))
         parse_accept(p, "div");
      if (!parse_numbered(p, "ssa_", &d->number)) {
         parse_fail(p, "expected a value");
         return false;
      }
      if (hash_table_has(&p->defs, d->number)) {
         parse_fail(p, "ssa_%llu is defined twice",
                    (unsigned long long)d->number);
         return false;
      }
      return parse_expect(p, "=");
   }
   if (p->end - p->at > 1 && p->at[0] == 'r' &&
       isdigit((unsigned char)p->at[1])) {
      d->present = true;
      d->reg = parse_reg(p, &d->base_offset, &d->indirect);
      if (!d->reg)
         return false;
      d->components = d->reg->num_components;
      d->bit_size = d->reg->bit_size;
      d->write_mask = BITFIELD_MASK(d->components);
      if (parse_accept(p, ".")) {
         uint8_t comps[NIR_MAX_VEC_COMPONENTS];
         const unsigned n = parse_components(p, d->components, comps);
         d->write_mask = 0;
         for (unsigned i = 0; i < n; i++)
            d->write_mask |= 1u << comps[i];
      }
      return parse_expect(p, "=");
   }
   return true;
}

static void
set_dest(struct parser *p, nir_instr *instr, nir_dest *dest,
         const struct dest *d)
{
   if (d->is_ssa) {
      nir_ssa_dest_init(instr, dest, d->components, d->bit_size, NULL);
      hash_table_insert(&p->defs, d->number, &dest->ssa);
   } else {
      *dest = nir_dest_for_reg(d->reg);
      dest->reg.base_offset = d->base_offset;
      dest->reg.indirect = d->indirect;
   }
}

static void
insert(struct parser *p, nir_instr *instr)
{
   nir_block *block = nir_cursor_current_block(p->b.cursor);
   nir_instr *last = nir_block_last_instr(block);
   if (last && last->type == nir_instr_type_jump) {
      parse_fail(p, "an instruction behind a jump");
   } else if (instr->type == nir_instr_type_phi && last &&
              last->type != nir_instr_type_phi) {
      parse_fail(p, "phis stand first in their block");
   } else if (!p->error) {
      p->b.cursor = nir_after_block(block);
      nir_builder_instr_insert(&p->b, instr);
   }
}

static bool
need_ssa(struct parser *p, const struct dest *d)
{
   if (!d->present || !d->is_ssa)
      parse_fail(p, "this instruction defines an SSA value");
   return !p->error;
}

/* --- Constants ---------------------------------------------------------------------- */

static void
skip_to_paren(struct parser *p)
{
   while (p->at < p->end && *p->at != ')' && *p->at != '\n')
      p->at++;
}

static void
parse_load_const(struct parser *p, const struct dest *d)
{
   if (!need_ssa(p, d) || !parse_expect(p, "("))
      return;
   nir_load_const_instr *lc =
      nir_load_const_instr_create(p->shader, d->components, d->bit_size);
   for (unsigned i = 0; i < d->components && !p->error; i++) {
      uint64_t v = 0;
      if (i)
         parse_expect(p, ",");
      if (parse_accept(p, "true"))
         v = 1;
      else if (!parse_accept(p, "false"))
         parse_uint(p, &v);
      lc->value[i] = nir_const_value_for_raw_uint(v, d->bit_size);
   }
   /* The decimal forms are for people. */
   if (parse_accept(p, "="))
      skip_to_paren(p);
   parse_expect(p, ")");
   if (parse_accept(p, "=")) {
      parse_expect(p, "(");
      skip_to_paren(p);
      parse_expect(p, ")");
   }
   if (p->error)
      return;
   hash_table_insert(&p->defs, d->number, &lc->def);
   insert(p, &lc->instr);
}

/* --- Derefs --------------------------------------------------------------------------- */

static void
parse_deref_type(struct parser *p, nir_deref_instr *deref)
{
   parse_expect(p, "(");
   deref->modes = 0;
   do {
      char *mode = parse_ident(p);
      const int m = mode ? parse_variable_mode(mode) : -1;
      if (m < 0) {
         parse_fail(p, "unknown mode");
         return;
      }
      deref->modes |= (nir_variable_mode)m;
   } while (parse_accept(p, "|"));
   parse_skip(p);
   const char *start = p->at;
   while (p->at < p->end && *p->at != ')' && *p->at != '\n')
      p->at++;
   char *type =
      arena_printf(p->tmp, "%.*s", (int)(p->at - start), start);
   deref->type = parse_type_name(p, type);
   parse_expect(p, ")");
}

/* Up to the space before the parenthesis. */
static void
parse_deref_var(struct parser *p, nir_deref_instr *deref)
{
   parse_expect(p, "&");
   char *name = parse_word(p);
   if (!name)
      return;
   deref->var =
      hash_table_get_bytes(&p->vars, name, (uint32_t)strlen(name));
   if (!deref->var) {
      parse_fail(p, "variable %s is not declared", name);
      return;
   }
   parse_deref_type(p, deref);
   deref->type = deref->var->type;
}

static nir_deref_instr *
set_parent(struct parser *p, nir_deref_instr *deref, nir_ssa_def *def)
{
   if (!def)
      return NULL;
   deref->parent = nir_src_for_ssa(def);
   nir_deref_instr *parent = nir_src_as_deref(deref->parent);
   if (!parent)
      parse_fail(p, "the parent is no deref");
   return parent;
}

static void
parse_deref_struct(struct parser *p, nir_deref_instr *deref)
{
   parse_expect(p, "&");
   const bool starred = parse_accept(p, "(*");
   nir_deref_instr *parent = set_parent(p, deref, parse_ssa(p));
   if (starred)
      parse_expect(p, ")");
   if (!parse_accept(p, "->"))
      parse_expect(p, ".");
   if (p->error)
      return;
   const char *start = p->at;
   char *field = parse_word(p);
   if (!field)
      return;
   int index = -1;
   if (glsl_type_is_struct_or_ifc(parent->type)) {
      index = glsl_get_field_index(parent->type, field);
      unsigned n = 0;
      if (index < 0 && sscanf(field, "field%u", &n) == 1 &&
          n < glsl_get_length(parent->type))
         index = (int)n;
   }
   if (index < 0) {
      p->at = start;
      parse_fail(p, "%s has no member %s: is it declared?",
                 glsl_get_type_name(parent->type), field);
      return;
   }
   deref->strct.index = (unsigned)index;
   parse_deref_type(p, deref);
   deref->type = glsl_get_struct_field(parent->type, (unsigned)index);
}

static void
parse_deref_array(struct parser *p, nir_deref_instr *deref)
{
   parse_expect(p, "&");
   parse_expect(p, "(*");
   nir_deref_instr *parent = set_parent(p, deref, parse_ssa(p));
   parse_expect(p, ")");
   parse_expect(p, "[");
   if (p->error)
      return;
   if (deref->deref_type == nir_deref_type_array_wildcard) {
      parse_expect(p, "*");
   } else if (p->at < p->end &&
              (isdigit((unsigned char)*p->at) || *p->at == '-')) {
      /* A constant stands for the value that holds it. */
      int64_t v = 0;
      parse_int(p, &v);
      if (p->error)
         return;
      nir_load_const_instr *lc = nir_load_const_instr_create(
         p->shader, 1, nir_src_bit_size(deref->parent));
      lc->value[0] = nir_const_value_for_raw_uint(
         (uint64_t)v, nir_src_bit_size(deref->parent));
      insert(p, &lc->instr);
      deref->arr.index = nir_src_for_ssa(&lc->def);
   } else {
      parse_src(p, &deref->arr.index);
   }
   parse_expect(p, "]");
   if (p->error)
      return;
   parse_deref_type(p, deref);
   if (deref->deref_type == nir_deref_type_ptr_as_array)
      deref->type = parent->type;
   else
      deref->type = glsl_get_array_element(parent->type);
}

static void
parse_deref(struct parser *p, const struct dest *d, nir_deref_type kind)
{
   if (!need_ssa(p, d))
      return;
   nir_deref_instr *deref = nir_deref_instr_create(p->shader, kind);
   switch (kind) {
   case nir_deref_type_var:
      parse_deref_var(p, deref);
      break;
   case nir_deref_type_struct:
      parse_deref_struct(p, deref);
      break;
   case nir_deref_type_array:
   case nir_deref_type_array_wildcard:
   case nir_deref_type_ptr_as_array:
      parse_deref_array(p, deref);
      break;
   case nir_deref_type_cast:
      parse_fail(p, "deref_cast is not implemented");
      break;
   }
   if (p->error)
      return;
   set_dest(p, &deref->instr, &deref->dest, d);
   insert(p, &deref->instr);
}

/* --- Intrinsics ------------------------------------------------------------------------- */

static int
find_intrinsic(const char *name)
{
   int lo = 0, hi = nir_num_intrinsics - 1;
   while (lo <= hi) {
      const int mid = (lo + hi) / 2;
      const int c = strcmp(name, nir_intrinsic_infos[mid].name);
      if (c == 0)
         return mid;
      if (c < 0)
         hi = mid - 1;
      else
         lo = mid + 1;
   }
   return -1;
}

/* The number in an item: that of its comment if there is one, as behind a
 * write mask of letters, else what stands behind the '='. */
static bool
item_value(const char *item, const char *end, int *value)
{
   const char *at = item;
   for (const char *c = item; c < end; c++) {
      if (*c == '=' && at == item)
         at = c + 1;
      if (end - c > 2 && c[0] == '/' && c[1] == '*') {
         at = c + 2;
         break;
      }
   }
   char text[24];
   const size_t n = MIN2((size_t)(end - at), sizeof(text) - 1);
   memcpy(text, at, n);
   text[n] = '\0';
   long long v = 0;
   if (sscanf(text, " %lld", &v) != 1)
      return false;
   *value = (int)v;
   return true;
}

/* (0, 15) by place, or (base=0, wrmask=xyzw) by name. Names that the row
 * does not have are another version's and are passed over. */
static void
parse_indices(struct parser *p, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   unsigned place = 0;
   parse_expect(p, "(");
   while (!p->error && !parse_peek(p, ")")) {
      const char *item = p->at;
      unsigned parens = 0;
      while (p->at < p->end && *p->at != '\n' &&
             (parens || (*p->at != ',' && *p->at != ')'))) {
         parens += *p->at == '(';
         parens -= *p->at == ')';
         p->at++;
      }
      int value = 0;
      unsigned slot = place;
      if (isalpha((unsigned char)*item)) {
         slot = UINT32_MAX;
         const size_t n = strcspn(item, "= ");
         for (unsigned i = 0; i < info->num_indices; i++) {
            const char *name = nir_intrinsic_index_names[info->indices[i]];
            if (strlen(name) == n && memcmp(name, item, n) == 0)
               slot = i;
         }
      }
      if (slot != UINT32_MAX && slot >= info->num_indices) {
         p->at = item;
         parse_fail(p, "%s has %u indices", info->name, info->num_indices);
      } else if (slot != UINT32_MAX && !item_value(item, p->at, &value)) {
         p->at = item;
         parse_fail(p, "an index without a number");
      } else if (slot != UINT32_MAX) {
         intr->const_index[slot] = value;
      }
      place++;
      if (!parse_accept(p, ","))
         break;
   }
   parse_expect(p, ")");
}

static void
parse_intrinsic(struct parser *p, const struct dest *d)
{
   const char *start = p->at;
   char *name = parse_ident(p);
   const int op = name ? find_intrinsic(name) : -1;
   if (op < 0) {
      p->at = start;
      parse_skip(p);
      parse_fail(p, "unknown intrinsic");
      return;
   }
   const nir_intrinsic_info *info = &nir_intrinsic_infos[op];
   if (info->has_dest != d->present) {
      parse_fail(p, "%s %s", name,
                 info->has_dest ? "has a destination" : "has none");
      return;
   }
   nir_intrinsic_instr *intr =
      nir_intrinsic_instr_create(p->shader, (nir_intrinsic_op)op);
   parse_expect(p, "(");
   for (unsigned i = 0; i < info->num_srcs && !p->error; i++) {
      if (i)
         parse_expect(p, ",");
      parse_src(p, &intr->src[i]);
   }
   parse_expect(p, ")");
   parse_indices(p, intr);
   if (p->error)
      return;
   if (info->has_dest) {
      set_dest(p, &intr->instr, &intr->dest, d);
      if (info->dest_components == 0)
         intr->num_components = (uint8_t)d->components;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (info->src_components[i] == 0)
         intr->num_components =
            (uint8_t)nir_src_num_components(intr->src[i]);
   }
   insert(p, &intr->instr);
}

/* --- Textures ---------------------------------------------------------------------------- */

static const char *const texop_names[nir_num_texops] = {
   "tex", "txb", "txl", "txd", "txf", "txf_ms", "txf_ms_fb",
   "txf_ms_mcs_intel", "txs", "lod", "tg4", "query_levels",
   "texture_samples", "samples_identical",
};

static const char *const tex_src_names[nir_num_tex_src_types] = {
   "coord", "projector", "comparator", "offset", "bias", "lod", "min_lod",
   "ms_index", "ms_mcs_intel", "ddx", "ddy", "texture_deref",
   "sampler_deref", "texture_offset", "sampler_offset", "texture_handle",
   "sampler_handle", "plane",
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
parse_alu_type(struct parser *p)
{
   static const struct {
      const char *name;
      nir_alu_type base;
   } bases[] = {
      { "float", nir_type_float }, { "int", nir_type_int },
      { "uint", nir_type_uint },   { "bool", nir_type_bool },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bases); i++) {
      uint64_t bits = 0;
      if (parse_numbered(p, bases[i].name, &bits) &&
          (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64))
         return bases[i].base | (nir_alu_type)bits;
   }
   parse_fail(p, "expected a type with a size");
   return nir_type_invalid;
}

/* { (x, y), (x, y), (x, y), (x, y) } (offsets) */
static void
parse_tg4_offsets(struct parser *p, nir_tex_instr *tex)
{
   for (unsigned i = 0; i < 4; i++) {
      if (i)
         parse_expect(p, ",");
      parse_expect(p, "(");
      for (unsigned c = 0; c < 2; c++) {
         int64_t v = 0;
         if (c)
            parse_expect(p, ",");
         parse_int(p, &v);
         tex->tg4_offsets[i][c] = (int8_t)v;
      }
      parse_expect(p, ")");
   }
   parse_expect(p, "}");
   parse_expect(p, "(");
   parse_expect(p, "offsets");
   parse_expect(p, ")");
}

static void
parse_tex_operand(struct parser *p, nir_tex_instr *tex)
{
   if (parse_accept(p, "texture non-uniform")) {
      tex->texture_non_uniform = true;
      return;
   }
   if (parse_accept(p, "sampler non-uniform")) {
      tex->sampler_non_uniform = true;
      return;
   }
   if (parse_accept(p, "{")) {
      parse_tg4_offsets(p, tex);
      return;
   }
   parse_skip(p);
   if (p->at < p->end && isdigit((unsigned char)*p->at)) {
      uint64_t v = 0;
      parse_uint(p, &v);
      parse_expect(p, "(");
      char *what = parse_ident(p);
      if (!what)
         return;
      if (strcmp(what, "texture") == 0)
         tex->texture_index = (unsigned)v;
      else if (strcmp(what, "sampler") == 0)
         tex->sampler_index = (unsigned)v;
      else if (strcmp(what, "gather_component") == 0)
         tex->component = v & 3;
      else
         parse_fail(p, "unknown texture index %s", what);
      parse_expect(p, ")");
      return;
   }
   nir_src src = NIR_SRC_INIT;
   if (!parse_src(p, &src))
      return;
   parse_expect(p, "(");
   char *kind = parse_ident(p);
   const int type =
      kind ? find_in(kind, tex_src_names, nir_num_tex_src_types) : -1;
   if (type < 0)
      parse_fail(p, "unknown texture source");
   parse_expect(p, ")");
   if (!p->error)
      nir_tex_instr_add_src(tex, (nir_tex_src_type)type, src);
}

static enum glsl_sampler_dim
dim_from_coords(unsigned n)
{
   return n <= 1 ? GLSL_SAMPLER_DIM_1D
                 : n == 2 ? GLSL_SAMPLER_DIM_2D : GLSL_SAMPLER_DIM_3D;
}

/* The sampler that the deref names, or that is bound to the index. */
static const struct glsl_type *
texture_type(struct parser *p, const nir_tex_instr *tex)
{
   const int t = nir_tex_instr_src_index(tex, nir_tex_src_texture_deref);
   nir_deref_instr *deref = t >= 0 ? nir_src_as_deref(tex->src[t].src) : NULL;
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
set_tex_shape(struct parser *p, nir_tex_instr *tex, const char *note,
              unsigned dest_size)
{
   static const char *const dims[] = {
      "1D", "2D", "3D", "Cube", "Rect", "Buf", "External", "MS", "Subpass",
      "SubpassMS",
   };
   const int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);
   if (coord >= 0)
      tex->coord_components = nir_src_num_components(tex->src[coord].src);
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
      tex->sampler_dim = glsl_get_sampler_dim(type);
      tex->is_array = glsl_sampler_type_is_array(type);
      tex->is_shadow = glsl_sampler_type_is_shadow(type);
   } else {
      tex->sampler_dim = dim_from_coords(tex->coord_components);
      tex->is_shadow =
         nir_tex_instr_src_index(tex, nir_tex_src_comparator) >= 0;
   }
   tex->is_new_style_shadow = tex->is_shadow && dest_size == 1;
}

static void
parse_tex(struct parser *p, const struct dest *d)
{
   nir_tex_instr *tex = nir_tex_instr_create(p->shader, 0);
   tex->dest_type = parse_alu_type(p);
   parse_expect(p, ")");
   char *name = p->error ? NULL : parse_ident(p);
   const int op = name ? find_in(name, texop_names, nir_num_texops) : -1;
   if (op < 0) {
      parse_fail(p, "unknown texture operation");
      return;
   }
   if (!d->present) {
      parse_fail(p, "a texture operation has a destination");
      return;
   }
   tex->op = (nir_texop)op;
   do {
      parse_tex_operand(p, tex);
   } while (!p->error && parse_accept(p, ","));
   if (p->error)
      return;
   set_tex_shape(p, tex, parse_comment(p), d->components);
   tex->is_sparse = d->components == nir_tex_instr_result_size(tex) + 1;
   set_dest(p, &tex->instr, &tex->dest, d);
   insert(p, &tex->instr);
}

/* --- Phis, jumps, calls -------------------------------------------------------------------- */

static void
parse_phi(struct parser *p, const struct dest *d)
{
   if (!d->present)
      parse_fail(p, "a phi has a destination");
   if (p->error)
      return;
   nir_phi_instr *phi = nir_phi_instr_create(p->shader);
   parse_skip(p);
   if (p->at < p->end && *p->at == 'b') {
      do {
         struct parse_phi_src src = { .phi = phi };
         if (!parse_numbered(p, "block_", &src.block)) {
            parse_fail(p, "expected block_N");
            return;
         }
         parse_expect(p, ":");
         src.at = p->at;
         if (!parse_numbered(p, "ssa_", &src.value)) {
            parse_fail(p, "expected a value");
            return;
         }
         util_dynarray_append(&p->phi_srcs, struct parse_phi_src, src);
      } while (parse_accept(p, ","));
   }
   set_dest(p, &phi->instr, &phi->dest, d);
   insert(p, &phi->instr);
}

void
parse_finish_phis(struct parser *p)
{
   if (p->error)
      return;
   util_dynarray_foreach(&p->phi_srcs, struct parse_phi_src, s) {
      nir_block *block = hash_table_get(&p->blocks, s->block);
      nir_ssa_def *def = hash_table_get(&p->defs, s->value);
      if (!block || !def) {
         p->at = s->at;
         parse_skip(p);
         parse_fail(p, block ? "ssa_%llu is not defined"
                             : "block_%llu is not there",
                    (unsigned long long)(block ? s->value : s->block));
         break;
      }
      nir_phi_instr_add_src(s->phi, block, nir_src_for_ssa(def));
   }
   util_dynarray_clear(&p->phi_srcs);
}

static void
parse_jump(struct parser *p, nir_jump_type type)
{
   if (type == nir_jump_break || type == nir_jump_continue) {
      nir_cf_node *n = nir_cursor_current_block(p->b.cursor)->cf_node.parent;
      while (n && n->type != nir_cf_node_loop)
         n = n->parent;
      if (!n) {
         parse_fail(p, "no loop to leave or to continue");
         return;
      }
   }
   insert(p, &nir_jump_instr_create(p->shader, type)->instr);
}

static void
parse_call(struct parser *p)
{
   char *name = parse_ident(p);
   nir_function *callee = NULL;
   nir_foreach_function(f, p->shader) {
      if (name && f->name && strcmp(f->name, name) == 0)
         callee = f;
   }
   if (!callee) {
      parse_fail(p, "no such function");
      return;
   }
   nir_call_instr *call = nir_call_instr_create(p->shader, callee);
   for (unsigned i = 0; i < call->num_params && !p->error; i++) {
      if (i)
         parse_expect(p, ",");
      parse_src(p, &call->params[i]);
   }
   if (!p->error)
      insert(p, &call->instr);
}

/* --- ALU ---------------------------------------------------------------------------------------- */

static int
find_op(const char *name)
{
   int lo = 0, hi = nir_num_opcodes - 1;
   while (lo <= hi) {
      const int mid = (lo + hi) / 2;
      const int c = strcmp(name, nir_op_infos[mid].name);
      if (c == 0)
         return mid;
      if (c < 0)
         hi = mid - 1;
      else
         lo = mid + 1;
   }
   return -1;
}

static void
parse_alu_src(struct parser *p, nir_alu_instr *alu, unsigned i,
              unsigned dest_components)
{
   nir_alu_src *src = &alu->src[i];
   src->negate = parse_accept(p, "-");
   src->abs = parse_accept(p, "abs(");
   if (!parse_src(p, &src->src))
      return;
   const unsigned have = nir_src_num_components(src->src);
   const unsigned size = nir_op_infos[alu->op].input_sizes[i];
   uint8_t comps[NIR_MAX_VEC_COMPONENTS];
   unsigned n = have;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      comps[c] = (uint8_t)MIN2(c, have - 1);
   /* No space before the dot. */
   if (p->at < p->end && *p->at == '.') {
      p->at++;
      n = parse_components(p, have, comps);
   }
   if (src->abs)
      parse_expect(p, ")");
   if (p->error)
      return;

   /* As many letters as channels that are read. */
   const unsigned mask = size ? BITFIELD_MASK(size) : alu->dest.write_mask;
   if (n != (unsigned)__builtin_popcount(mask)) {
      parse_fail(p, "%u components where %u are read", n,
                 (unsigned)__builtin_popcount(mask));
      return;
   }
   unsigned next = 0;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++)
      src->swizzle[c] = (mask >> c) & 1 ? comps[next++] : 0;
}

static void
parse_alu(struct parser *p, const struct dest *d)
{
   const char *start = p->at;
   char *name = parse_ident(p);
   const int op = name ? find_op(name) : -1;
   if (op < 0 || !d->present) {
      p->at = start;
      parse_skip(p);
      parse_fail(p, op < 0 ? "unknown instruction"
                           : "the instruction needs a destination");
      return;
   }
   nir_alu_instr *alu = nir_alu_instr_create(p->shader, (nir_op)op);
   if (p->at < p->end && *p->at == '!') {
      alu->exact = true;
      p->at++;
   }
   while (p->at < p->end && *p->at == '.') {
      if (parse_accept(p, ".sat"))
         alu->dest.saturate = true;
      else if (parse_accept(p, ".nsw"))
         alu->no_signed_wrap = true;
      else if (parse_accept(p, ".nuw"))
         alu->no_unsigned_wrap = true;
      else
         parse_fail(p, "unknown flag");
      if (p->error)
         return;
   }
   alu->dest.write_mask =
      d->is_ssa ? BITFIELD_MASK(d->components) : d->write_mask;
   for (unsigned i = 0; i < nir_op_infos[op].num_inputs && !p->error; i++) {
      if (i)
         parse_expect(p, ",");
      parse_alu_src(p, alu, i, d->components);
   }
   if (p->error)
      return;
   set_dest(p, &alu->instr, &alu->dest.dest, d);
   insert(p, &alu->instr);
}

/* --- Any -------------------------------------------------------------------------------------------- */

static bool
parse_jump_or_call(struct parser *p)
{
   if (parse_accept(p, "break"))
      parse_jump(p, nir_jump_break);
   else if (parse_accept(p, "continue"))
      parse_jump(p, nir_jump_continue);
   else if (parse_accept(p, "return"))
      parse_jump(p, nir_jump_return);
   else if (parse_accept(p, "halt"))
      parse_jump(p, nir_jump_halt);
   else if (parse_accept(p, "call"))
      parse_call(p);
   else
      return false;
   return true;
}

void
parse_instr(struct parser *p)
{
   static const struct {
      const char *name;
      nir_deref_type type;
   } derefs[] = {
      { "deref_var", nir_deref_type_var },
      { "deref_array", nir_deref_type_array },
      { "deref_array_wildcard", nir_deref_type_array_wildcard },
      { "deref_ptr_as_array", nir_deref_type_ptr_as_array },
      { "deref_struct", nir_deref_type_struct },
      { "deref_cast", nir_deref_type_cast },
   };
   if (parse_jump_or_call(p))
      return;
   struct dest d;
   if (!parse_dest(p, &d))
      return;
   if (parse_accept(p, "intrinsic")) {
      parse_intrinsic(p, &d);
      return;
   }
   if (parse_accept(p, "load_const")) {
      parse_load_const(p, &d);
      return;
   }
   if (parse_accept(p, "phi")) {
      parse_phi(p, &d);
      return;
   }
   if (parse_accept(p, "undefined")) {
      if (!need_ssa(p, &d))
         return;
      nir_ssa_undef_instr *undef =
         nir_ssa_undef_instr_create(p->shader, d.components, d.bit_size);
      hash_table_insert(&p->defs, d.number, &undef->def);
      insert(p, &undef->instr);
      return;
   }
   if (parse_accept(p, "(")) {
      parse_tex(p, &d);
      return;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(derefs); i++) {
      if (parse_accept(p, derefs[i].name)) {
         parse_deref(p, &d, derefs[i].type);
         return;
      }
   }
   parse_alu(p, &d);
}
