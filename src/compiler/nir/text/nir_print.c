/* SPDX-License-Identifier: MIT */
/*
 * The text form of NIR, as Mesa 22.3 prints it, so that people and tools
 * read both alike. What that form leaves out and nir_parse.c needs stands in
 * braces behind a declaration.
 */
#include "nir.h"

#include <inttypes.h>

#include "nir_private.h"
#include "util/half.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

struct print_state {
   struct strbuf *out;
   nir_shader *shader;
   struct hash_table names;       /* variable -> the name it prints under */
   struct hash_table names_taken; /* by content */
   struct hash_table *annotations;
   struct arena *arena;
   unsigned next_unnamed;
};

#define P(...) strbuf_printf(s->out, __VA_ARGS__)

static void
indent(struct print_state *s, unsigned tabs)
{
   for (unsigned i = 0; i < tabs; i++)
      strbuf_puts(s->out, "\t");
}

static const char *
component_letters(unsigned n)
{
   return n > 4 ? "abcdefghijklmnop" : "xyzw";
}

static void
annotate(struct print_state *s, const void *obj)
{
   if (!s->annotations)
      return;
   const char *note = hash_table_get(s->annotations, hash_key_ptr(obj));
   if (note)
      P("%s\n\n", note);
}

/* --- Variables ---------------------------------------------------------------- */

static const char *
mode_name(unsigned mode, bool want_local)
{
   switch (mode) {
   case nir_var_shader_in: return "shader_in";
   case nir_var_shader_out: return "shader_out";
   case nir_var_shader_temp: return "shader_temp";
   case nir_var_function_temp: return want_local ? "function_temp" : "";
   case nir_var_uniform: return "uniform";
   case nir_var_mem_ubo: return "ubo";
   case nir_var_system_value: return "system";
   case nir_var_mem_ssbo: return "ssbo";
   case nir_var_mem_shared: return "shared";
   case nir_var_mem_global: return "global";
   case nir_var_mem_push_const: return "push_const";
   case nir_var_mem_constant: return "constant";
   case nir_var_image: return "image";
   default: return "";
   }
}

/* Unique: two variables of one name get @ and a number. */
static const char *
var_name(struct print_state *s, const nir_variable *var)
{
   const char *name = hash_table_get(&s->names, hash_key_ptr(var));
   if (name)
      return name;
   if (!var->name) {
      name = arena_printf(s->arena, "#%u", s->next_unnamed++);
   } else {
      name = var->name;
      while (hash_table_get_bytes(&s->names_taken, name,
                                  (uint32_t)strlen(name)))
         name =
            arena_printf(s->arena, "%s@%u", var->name, s->next_unnamed++);
   }
   hash_table_insert(&s->names, hash_key_ptr(var), (void *)name);
   hash_table_insert_bytes(&s->names_taken, name, (uint32_t)strlen(name),
                           (void *)name);
   return name;
}

static void
print_constant(struct print_state *s, const nir_constant *c,
               const struct glsl_type *type)
{
   if (glsl_type_is_vector_or_scalar(type)) {
      const unsigned n = glsl_get_vector_elements(type);
      const unsigned bits = glsl_get_bit_size(type);
      for (unsigned i = 0; i < n; i++) {
         P("%s0x%0*" PRIx64, i ? ", " : "", (int)MAX2(bits / 4, 1),
           nir_const_value_as_uint(c->values[i], bits));
      }
      return;
   }
   for (unsigned i = 0; i < c->num_elements; i++) {
      const struct glsl_type *t = glsl_type_is_struct_or_ifc(type)
                                     ? glsl_get_struct_field(type, i)
                                     : glsl_get_array_element(type);
      P("%s{ ", i ? ", " : "");
      print_constant(s, c->elements[i], t);
      P(" }");
   }
}

static const char *
location_name(const nir_shader *shader, const nir_variable *var,
              struct arena *arena)
{
   const int loc = var->data.location;
   if (loc < 0)
      return "~0";
   if (var->data.mode == nir_var_system_value)
      return gl_system_value_name((gl_system_value)loc);
   if (var->data.mode == nir_var_shader_in &&
       shader->info.stage == MESA_SHADER_VERTEX)
      return gl_vert_attrib_name((gl_vert_attrib)loc);
   if (var->data.mode == nir_var_shader_out &&
       shader->info.stage == MESA_SHADER_FRAGMENT)
      return gl_frag_result_name((gl_frag_result)loc);
   if (var->data.mode & (nir_var_shader_in | nir_var_shader_out))
      return gl_varying_slot_name_for_stage((gl_varying_slot)loc,
                                            shader->info.stage);
   return arena_printf(arena, "%d", loc);
}

static void
print_location(struct print_state *s, const nir_variable *var)
{
   char comps[8] = "";
   if (var->data.mode & (nir_var_shader_in | nir_var_shader_out)) {
      const unsigned n =
         glsl_get_components(glsl_without_array(var->type));
      if (n != 4 || var->data.location_frac) {
         unsigned k = 0;
         comps[k++] = '.';
         for (unsigned c = 0; c < n && c + var->data.location_frac < 4 &&
                              !glsl_type_is_matrix(
                                 glsl_without_array(var->type));
              c++)
            comps[k++] = "xyzw"[c + var->data.location_frac];
         comps[k > 1 ? k : 0] = '\0';
      }
   }
   P(" (%s%s, %u, %u)%s", location_name(s->shader, var, s->arena), comps,
     var->data.driver_location, var->data.binding,
     var->data.compact ? " compact" : "");
}

/* What the Mesa form does not say and is not the default. */
static void
print_var_extras(struct print_state *s, const nir_variable *var)
{
   const struct {
      const char *name;
      unsigned v;
   } extras[] = {
      { "set", var->data.descriptor_set },
      { "index", var->data.index },
      { "stream", var->data.stream },
      { "xfb_buffer", var->data.xfb.buffer },
      { "xfb_stride", var->data.xfb.stride },
      { "offset", var->data.offset },
      { "explicit_xfb", var->data.explicit_xfb_buffer },
   };
   bool first = true;
   for (unsigned i = 0; i < ARRAY_SIZE(extras); i++) {
      if (extras[i].v) {
         P("%s%s=%u", first ? " {" : ", ", extras[i].name, extras[i].v);
         first = false;
      }
   }
   if (!first)
      P("}");
}

static void
print_var_decl(struct print_state *s, const nir_variable *var)
{
   P("decl_var %s%s%s%s%s%s%s%s ", var->data.bindless ? "bindless " : "",
     var->data.centroid ? "centroid " : "",
     var->data.sample ? "sample " : "", var->data.patch ? "patch " : "",
     var->data.invariant ? "invariant " : "",
     var->data.per_view ? "per_view " : "",
     var->data.per_vertex ? "per_vertex " : "",
     mode_name(var->data.mode, false));

   static const struct {
      unsigned bit;
      const char *name;
   } access[] = {
      { ACCESS_COHERENT, "coherent" },
      { ACCESS_VOLATILE, "volatile" },
      { ACCESS_RESTRICT, "restrict" },
      { ACCESS_NON_WRITEABLE, "readonly" },
      { ACCESS_NON_READABLE, "writeonly" },
      { ACCESS_CAN_REORDER, "reorderable" },
      { ACCESS_NON_UNIFORM, "non-uniform" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(access); i++) {
      if (var->data.access & access[i].bit)
         P("%s ", access[i].name);
   }
   if (glsl_type_is_image(glsl_without_array(var->type)) &&
       var->data.image.format)
      P("%s ", nir_image_format_name(var->data.image.format));
   P("%s %s %s",
     glsl_interp_mode_name((enum glsl_interp_mode)var->data.interpolation),
     glsl_get_type_name(var->type), var_name(s, var));

   if (var->data.mode &
       (nir_var_shader_in | nir_var_shader_out | nir_var_uniform |
        nir_var_system_value | nir_var_mem_ubo | nir_var_mem_ssbo |
        nir_var_image))
      print_location(s, var);
   if (var->constant_initializer) {
      P(" = { ");
      if (var->constant_initializer->is_null_constant)
         P("null");
      else
         print_constant(s, var->constant_initializer, var->type);
      P(" }");
   }
   if (var->pointer_initializer)
      P(" = &%s", var_name(s, var->pointer_initializer));
   print_var_extras(s, var);
   P("\n");
   annotate(s, var);
}

/* --- Sources and destinations ---------------------------------------------------- */

static void print_src(struct print_state *s, const nir_src *src);

static void
print_reg(struct print_state *s, const nir_register *reg, unsigned base,
          const nir_src *indirect)
{
   P("r%u", reg->index);
   if (reg->num_array_elems == 0)
      return;
   P("[%u", base);
   if (indirect) {
      P(" + ");
      print_src(s, indirect);
   }
   P("]");
}

static void
print_src(struct print_state *s, const nir_src *src)
{
   if (!src->is_ssa)
      print_reg(s, src->reg.reg, src->reg.base_offset, src->reg.indirect);
   else if (src->ssa)
      P("ssa_%u", src->ssa->index);
   else
      P("(null)");
}

static void
print_def(struct print_state *s, const nir_ssa_def *def)
{
   P("vec%u %2u ssa_%u", def->num_components, def->bit_size, def->index);
}

static void
print_dest(struct print_state *s, const nir_dest *dest)
{
   if (dest->is_ssa)
      print_def(s, &dest->ssa);
   else
      print_reg(s, dest->reg.reg, dest->reg.base_offset, dest->reg.indirect);
}

/* --- Instructions -------------------------------------------------------------------- */

static void
print_alu_src(struct print_state *s, const nir_alu_instr *alu, unsigned i)
{
   const nir_alu_src *src = &alu->src[i];
   if (src->negate)
      P("-");
   if (src->abs)
      P("abs(");
   print_src(s, &src->src);

   const unsigned have = nir_src_num_components(src->src);
   unsigned used = 0;
   bool identity = true;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (nir_alu_instr_channel_used(alu, i, c)) {
         used++;
         identity &= src->swizzle[c] == c;
      }
   }
   if (!identity || used != have) {
      P(".");
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
         if (nir_alu_instr_channel_used(alu, i, c))
            P("%c", src->swizzle[c] < have
                       ? component_letters(have)[src->swizzle[c]]
                       : '?');
      }
   }
   if (src->abs)
      P(")");
}

static void
print_alu(struct print_state *s, const nir_alu_instr *alu)
{
   print_dest(s, &alu->dest.dest);
   if (!alu->dest.dest.is_ssa) {
      const unsigned n = alu->dest.dest.reg.reg->num_components;
      if (alu->dest.write_mask != BITFIELD_MASK(n)) {
         P(".");
         for (unsigned c = 0; c < n; c++) {
            if ((alu->dest.write_mask >> c) & 1)
               P("%c", component_letters(n)[c]);
         }
      }
   }
   P(" = %s%s%s%s%s ", nir_op_infos[alu->op].name, alu->exact ? "!" : "",
     alu->dest.saturate ? ".sat" : "", alu->no_signed_wrap ? ".nsw" : "",
     alu->no_unsigned_wrap ? ".nuw" : "");
   for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
      if (i)
         P(", ");
      print_alu_src(s, alu, i);
   }
}

static void
print_const_value(struct print_state *s, nir_const_value v, unsigned bits,
                  bool decimal)
{
   if (bits == 1) {
      P("%s", v.b ? "true" : "false");
   } else if (!decimal) {
      P("0x%0*" PRIx64, (int)bits / 4, nir_const_value_as_uint(v, bits));
   } else if (bits == 8) {
      P("%d", v.i8);
   } else {
      P("%f", nir_const_value_as_float(v, bits));
   }
}

static void
print_load_const(struct print_state *s, const nir_load_const_instr *lc)
{
   const unsigned n = lc->def.num_components, bits = lc->def.bit_size;
   print_def(s, &lc->def);
   P(" = load_const (");
   for (unsigned i = 0; i < n; i++) {
      P("%s", i ? ", " : "");
      print_const_value(s, lc->value[i], bits, false);
   }
   if (bits > 1 && n == 1) {
      P(" = ");
      print_const_value(s, lc->value[0], bits, true);
   } else if (bits > 1) {
      P(") = (");
      for (unsigned i = 0; i < n; i++) {
         P("%s", i ? ", " : "");
         print_const_value(s, lc->value[i], bits, true);
      }
   }
   P(")");
}

/* The last step of a chain, and with `whole` all of it. */
static void
print_deref_link(struct print_state *s, const nir_deref_instr *d, bool whole)
{
   if (d->deref_type == nir_deref_type_var) {
      P("%s", var_name(s, d->var));
      return;
   }
   const nir_deref_instr *parent = nir_deref_instr_parent(d);
   if (d->deref_type == nir_deref_type_cast) {
      P("(%s *)", glsl_get_type_name(d->type));
      print_src(s, &d->parent);
      return;
   }
   const bool member = d->deref_type == nir_deref_type_struct;
   if (whole && parent) {
      print_deref_link(s, parent, true);
   } else {
      P("%s", member ? "" : "(*");
      print_src(s, &d->parent);
      P("%s", member ? "" : ")");
   }
   switch (d->deref_type) {
   case nir_deref_type_struct: {
      const char *name =
         parent ? glsl_get_struct_elem_name(parent->type, d->strct.index)
                : "";
      P("%s", whole && parent ? "." : "->");
      if (*name)
         P("%s", name);
      else
         P("field%u", d->strct.index);
      break;
   }
   case nir_deref_type_array:
   case nir_deref_type_ptr_as_array:
      if (nir_src_is_const(d->arr.index)) {
         P("[%" PRId64 "]", nir_src_as_int(d->arr.index));
      } else {
         P("[");
         print_src(s, &d->arr.index);
         P("]");
      }
      break;
   case nir_deref_type_array_wildcard:
      P("[*]");
      break;
   default:
      break;
   }
}

static void
print_deref(struct print_state *s, const nir_deref_instr *d)
{
   static const char *const names[] = {
      [nir_deref_type_var] = "deref_var",
      [nir_deref_type_array] = "deref_array",
      [nir_deref_type_array_wildcard] = "deref_array_wildcard",
      [nir_deref_type_ptr_as_array] = "deref_ptr_as_array",
      [nir_deref_type_struct] = "deref_struct",
      [nir_deref_type_cast] = "deref_cast",
   };
   print_dest(s, &d->dest);
   P(" = %s ", names[d->deref_type]);
   if (d->deref_type != nir_deref_type_cast)
      P("&");
   print_deref_link(s, d, false);
   P(" (");
   bool first = true;
   for (unsigned m = d->modes; m;) {
      const unsigned mode = 1u << u_bit_scan(&m);
      P("%s%s", first ? "" : "|", mode_name(mode, true));
      first = false;
   }
   P(" %s)", glsl_get_type_name(d->type));
   if (d->deref_type == nir_deref_type_cast) {
      P(" /* ptr_stride=%u, align_mul=%u, align_offset=%u */",
        d->cast.ptr_stride, d->cast.align_mul, d->cast.align_offset);
   } else if (d->deref_type != nir_deref_type_var) {
      P(" /* &");
      print_deref_link(s, d, true);
      P(" */");
   }
}

static void
print_alu_type(struct print_state *s, nir_alu_type type)
{
   const char *base = "invalid";
   switch (nir_alu_type_get_base_type(type)) {
   case nir_type_int: base = "int"; break;
   case nir_type_uint: base = "uint"; break;
   case nir_type_bool: base = "bool"; break;
   case nir_type_float: base = "float"; break;
   default: break;
   }
   P("%s%u", base, nir_alu_type_get_type_size(type));
}

/* NAME=VALUE; where the value is a word, its number follows as a comment. */
static void
print_index(struct print_state *s, const nir_intrinsic_instr *intr,
            unsigned index, int value)
{
   const char *name = nir_intrinsic_index_names[index];
   switch (index) {
   case NIR_INTRINSIC_WRITE_MASK:
      P("%s=", name);
      /* Bits of components that are not there only show in the number. */
      for (unsigned c = 0; c < MIN2(intr->num_components,
                                    NIR_MAX_VEC_COMPONENTS); c++) {
         if ((value >> c) & 1)
            P("%c", component_letters(intr->num_components)[c]);
      }
      break;
   case NIR_INTRINSIC_IO_SEMANTICS: {
      const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
      P("io location=%u slots=%u", sem.location, sem.num_slots);
      if (sem.dual_source_blend_index)
         P(" dualsrc");
      if (sem.gs_streams)
         P(" gs_streams=%u", sem.gs_streams);
      break;
   }
   case NIR_INTRINSIC_SRC_TYPE:
   case NIR_INTRINSIC_DEST_TYPE:
      P("%s=", name);
      print_alu_type(s, (nir_alu_type)value);
      break;
   default:
      P("%s=%d", name, value);
      return;
   }
   P(" /*%d*/", value);
}

static void
print_intrinsic(struct print_state *s, const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   if (info->has_dest) {
      print_dest(s, &intr->dest);
      P(" = ");
   }
   P("intrinsic %s (", info->name);
   for (unsigned i = 0; i < info->num_srcs; i++) {
      P("%s", i ? ", " : "");
      print_src(s, &intr->src[i]);
   }
   P(") (");
   for (unsigned i = 0; i < info->num_indices; i++) {
      P("%s", i ? ", " : "");
      print_index(s, intr, info->indices[i], intr->const_index[i]);
   }
   P(")");
}

static const char *const texop_names[] = {
   [nir_texop_tex] = "tex",
   [nir_texop_txb] = "txb",
   [nir_texop_txl] = "txl",
   [nir_texop_txd] = "txd",
   [nir_texop_txf] = "txf",
   [nir_texop_txf_ms] = "txf_ms",
   [nir_texop_txf_ms_fb] = "txf_ms_fb",
   [nir_texop_txf_ms_mcs_intel] = "txf_ms_mcs_intel",
   [nir_texop_txs] = "txs",
   [nir_texop_lod] = "lod",
   [nir_texop_tg4] = "tg4",
   [nir_texop_query_levels] = "query_levels",
   [nir_texop_texture_samples] = "texture_samples",
   [nir_texop_samples_identical] = "samples_identical",
};
static_assert(ARRAY_SIZE(texop_names) == nir_num_texops, "a name each");

static const char *const tex_src_names[] = {
   [nir_tex_src_coord] = "coord",
   [nir_tex_src_projector] = "projector",
   [nir_tex_src_comparator] = "comparator",
   [nir_tex_src_offset] = "offset",
   [nir_tex_src_bias] = "bias",
   [nir_tex_src_lod] = "lod",
   [nir_tex_src_min_lod] = "min_lod",
   [nir_tex_src_ms_index] = "ms_index",
   [nir_tex_src_ms_mcs_intel] = "ms_mcs_intel",
   [nir_tex_src_ddx] = "ddx",
   [nir_tex_src_ddy] = "ddy",
   [nir_tex_src_texture_deref] = "texture_deref",
   [nir_tex_src_sampler_deref] = "sampler_deref",
   [nir_tex_src_texture_offset] = "texture_offset",
   [nir_tex_src_sampler_offset] = "sampler_offset",
   [nir_tex_src_texture_handle] = "texture_handle",
   [nir_tex_src_sampler_handle] = "sampler_handle",
   [nir_tex_src_plane] = "plane",
};
static_assert(ARRAY_SIZE(tex_src_names) == nir_num_tex_src_types,
              "a name each");

static const char *const dim_names[] = {
   [GLSL_SAMPLER_DIM_1D] = "1D",        [GLSL_SAMPLER_DIM_2D] = "2D",
   [GLSL_SAMPLER_DIM_3D] = "3D",        [GLSL_SAMPLER_DIM_CUBE] = "Cube",
   [GLSL_SAMPLER_DIM_RECT] = "Rect",    [GLSL_SAMPLER_DIM_BUF] = "Buf",
   [GLSL_SAMPLER_DIM_EXTERNAL] = "External",
   [GLSL_SAMPLER_DIM_MS] = "MS",        [GLSL_SAMPLER_DIM_SUBPASS] = "Subpass",
   [GLSL_SAMPLER_DIM_SUBPASS_MS] = "SubpassMS",
};

static void
print_tex(struct print_state *s, const nir_tex_instr *tex)
{
   print_dest(s, &tex->dest);
   P(" = (");
   print_alu_type(s, tex->dest_type);
   P(")%s ", texop_names[tex->op]);
   bool has_texture = false, has_sampler = false;
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      if (i)
         P(", ");
      print_src(s, &tex->src[i].src);
      P(" (%s)", tex_src_names[tex->src[i].src_type]);
      has_texture |= tex->src[i].src_type == nir_tex_src_texture_deref;
      has_sampler |= tex->src[i].src_type == nir_tex_src_sampler_deref;
   }
   if (tex->op == nir_texop_tg4)
      P(", %u (gather_component)", tex->component);
   if (nir_tex_instr_has_explicit_tg4_offsets(tex)) {
      P(", { (%d, %d)", tex->tg4_offsets[0][0], tex->tg4_offsets[0][1]);
      for (unsigned i = 1; i < 4; i++)
         P(", (%d, %d)", tex->tg4_offsets[i][0], tex->tg4_offsets[i][1]);
      P(" } (offsets)");
   }
   if (!has_texture)
      P(", %u (texture)", tex->texture_index);
   if (!has_sampler && nir_tex_instr_need_sampler(tex))
      P(", %u (sampler)", tex->sampler_index);
   if (tex->texture_non_uniform)
      P(", texture non-uniform");
   if (tex->sampler_non_uniform)
      P(", sampler non-uniform");
   /* Ours: without it the instruction cannot be read back. */
   P(" /* %s%s%s%s, %u coords */", dim_names[tex->sampler_dim],
     tex->is_array ? " array" : "", tex->is_shadow ? " shadow" : "",
     tex->is_new_style_shadow ? " scalar" : "", tex->coord_components);
}

static void
print_phi(struct print_state *s, const nir_phi_instr *phi)
{
   print_dest(s, &phi->dest);
   P(" = phi ");
   bool first = true;
   nir_foreach_phi_src(src, phi) {
      P("%sblock_%u: ", first ? "" : ", ", src->pred->index);
      print_src(s, &src->src);
      first = false;
   }
}

static void
print_jump(struct print_state *s, const nir_jump_instr *jump)
{
   static const char *const names[] = {
      [nir_jump_return] = "return",
      [nir_jump_halt] = "halt",
      [nir_jump_break] = "break",
      [nir_jump_continue] = "continue",
   };
   P("%s", names[jump->type]);
}

static void
print_call(struct print_state *s, const nir_call_instr *call)
{
   P("call %s ", call->callee->name);
   for (unsigned i = 0; i < call->num_params; i++) {
      P("%s", i ? ", " : "");
      print_src(s, &call->params[i]);
   }
}

static void
print_parallel_copy(struct print_state *s, const nir_parallel_copy_instr *p)
{
   bool first = true;
   nir_foreach_parallel_copy_entry(entry, p) {
      P("%s", first ? "" : "; ");
      print_dest(s, &entry->dest);
      P(" = ");
      print_src(s, &entry->src);
      first = false;
   }
}

static void
print_instr(struct print_state *s, const nir_instr *instr)
{
   switch (instr->type) {
   case nir_instr_type_alu:
      print_alu(s, nir_instr_as_alu(instr));
      break;
   case nir_instr_type_deref:
      print_deref(s, nir_instr_as_deref(instr));
      break;
   case nir_instr_type_call:
      print_call(s, nir_instr_as_call(instr));
      break;
   case nir_instr_type_intrinsic:
      print_intrinsic(s, nir_instr_as_intrinsic(instr));
      break;
   case nir_instr_type_tex:
      print_tex(s, nir_instr_as_tex(instr));
      break;
   case nir_instr_type_load_const:
      print_load_const(s, nir_instr_as_load_const(instr));
      break;
   case nir_instr_type_jump:
      print_jump(s, nir_instr_as_jump(instr));
      break;
   case nir_instr_type_ssa_undef:
      print_def(s, &nir_instr_as_ssa_undef(instr)->def);
      P(" = undefined");
      break;
   case nir_instr_type_phi:
      print_phi(s, nir_instr_as_phi(instr));
      break;
   case nir_instr_type_parallel_copy:
      print_parallel_copy(s, nir_instr_as_parallel_copy(instr));
      break;
   }
}

/* --- Control flow ---------------------------------------------------------------------- */

static void
print_block(struct print_state *s, nir_block *block, unsigned tabs)
{
   indent(s, tabs);
   P("block block_%u:\n", block->index);
   nir_block **preds = nir_block_get_predecessors_sorted(block, s->arena);
   indent(s, tabs);
   P("/* preds: ");
   for (unsigned i = 0; i < block->num_predecessors; i++)
      P("block_%u ", preds[i]->index);
   P("*/\n");
   nir_foreach_instr(instr, block) {
      indent(s, tabs);
      print_instr(s, instr);
      P("\n");
      annotate(s, instr);
   }
   indent(s, tabs);
   P("/* succs: ");
   for (unsigned i = 0; i < 2; i++) {
      if (block->successors[i])
         P("block_%u ", block->successors[i]->index);
   }
   P("*/\n");
}

static void
print_cf_list(struct print_state *s, const struct list_head *list,
              unsigned tabs)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      switch (node->type) {
      case nir_cf_node_block:
         print_block(s, nir_cf_node_as_block(node), tabs);
         break;
      case nir_cf_node_if: {
         nir_if *nif = nir_cf_node_as_if(node);
         indent(s, tabs);
         P("if ");
         print_src(s, &nif->condition);
         P(" {\n");
         print_cf_list(s, &nif->then_list, tabs + 1);
         indent(s, tabs);
         P("} else {\n");
         print_cf_list(s, &nif->else_list, tabs + 1);
         indent(s, tabs);
         P("}\n");
         break;
      }
      case nir_cf_node_loop:
         indent(s, tabs);
         P("loop {\n");
         print_cf_list(s, &nir_cf_node_as_loop(node)->body, tabs + 1);
         indent(s, tabs);
         P("}\n");
         break;
      case nir_cf_node_function:
         unreachable("a function is in no list");
      }
   }
}

static void
print_impl(struct print_state *s, nir_function_impl *impl)
{
   nir_index_blocks(impl);
   P("\nimpl %s {\n", impl->function->name);
   nir_foreach_function_temp_variable(var, impl) {
      indent(s, 1);
      print_var_decl(s, var);
   }
   nir_foreach_register(reg, &impl->registers) {
      indent(s, 1);
      P("decl_reg vec%u %u r%u", reg->num_components, reg->bit_size,
        reg->index);
      if (reg->num_array_elems)
         P("[%u]", reg->num_array_elems);
      P("\n");
   }
   print_cf_list(s, &impl->body, 1);
   indent(s, 1);
   P("block block_%u:\n}\n\n", impl->end_block->index);
}

static void
print_function(struct print_state *s, nir_function *func)
{
   P("decl_function %s (%u params)", func->name, func->num_params);
   if (func->num_params) {
      P(" /* ");
      for (unsigned i = 0; i < func->num_params; i++)
         P("%svec%u %u", i ? ", " : "", func->params[i].num_components,
           func->params[i].bit_size);
      P(" */");
   }
   if (func->is_entrypoint)
      P(" /* entrypoint */");
   P("\n");
   if (func->impl)
      print_impl(s, func->impl);
}

/* --- Shaders ------------------------------------------------------------------------------ */

static void
state_init(struct print_state *s, struct strbuf *out, nir_shader *shader,
           struct hash_table *annotations)
{
   memset(s, 0, sizeof(*s));
   s->out = out;
   s->shader = shader;
   s->annotations = annotations;
   s->arena = arena_create(NULL);
   hash_table_init(&s->names);
   hash_table_init(&s->names_taken);
}

static void
state_finish(struct print_state *s)
{
   hash_table_finish(&s->names);
   hash_table_finish(&s->names_taken);
   arena_destroy(s->arena);
}

static void
print_info(struct print_state *s)
{
   const struct shader_info *info = &s->shader->info;
   P("shader: %s\n", gl_shader_stage_name(info->stage));
   if (info->name)
      P("name: %s\n", info->name);
   if (info->label)
      P("label: %s\n", info->label);
   if (info->stage == MESA_SHADER_COMPUTE)
      P("workgroup-size: %u, %u, %u%s\n", info->workgroup_size[0],
        info->workgroup_size[1], info->workgroup_size[2],
        info->workgroup_size_variable ? " (variable)" : "");
   P("inputs: %u\noutputs: %u\nuniforms: %u\nshared: %u\n",
     s->shader->num_inputs, s->shader->num_outputs, s->shader->num_uniforms,
     info->shared_size);
   if (s->shader->scratch_size)
      P("scratch: %u\n", s->shader->scratch_size);
}

static void
print_shader(struct strbuf *out, nir_shader *shader,
             struct hash_table *annotations)
{
   struct print_state state, *s = &state;
   state_init(s, out, shader, annotations);
   print_info(s);
   nir_print_type_decls(shader, out, s->arena);
   nir_foreach_variable_in_shader(var, shader)
      print_var_decl(s, var);
   nir_foreach_function(func, shader)
      print_function(s, func);
   state_finish(s);
}

char *
nir_shader_as_str_annotated(nir_shader *shader,
                            struct hash_table *annotations,
                            struct arena *arena)
{
   struct strbuf buf = { 0 };
   print_shader(&buf, shader, annotations);
   char *text = arena_strdup(arena, strbuf_str(&buf));
   strbuf_fini(&buf);
   return text;
}

char *
nir_shader_as_str(nir_shader *shader, struct arena *arena)
{
   return nir_shader_as_str_annotated(shader, NULL, arena);
}

void
nir_print_shader_annotated(nir_shader *shader, FILE *fp,
                           struct hash_table *annotations)
{
   struct strbuf buf = { 0 };
   print_shader(&buf, shader, annotations);
   fputs(strbuf_str(&buf), fp);
   strbuf_fini(&buf);
}

void
nir_print_shader(nir_shader *shader, FILE *fp)
{
   nir_print_shader_annotated(shader, fp, NULL);
}

char *
nir_instr_as_str(const nir_instr *instr, struct arena *arena)
{
   struct strbuf buf = { 0 };
   struct print_state s;
   state_init(&s, &buf, NULL, NULL);
   print_instr(&s, instr);
   state_finish(&s);
   char *text = arena_strdup(arena, strbuf_str(&buf));
   strbuf_fini(&buf);
   return text;
}

void
nir_print_instr(const nir_instr *instr, FILE *fp)
{
   struct arena *arena = arena_create(NULL);
   fputs(nir_instr_as_str(instr, arena), fp);
   arena_destroy(arena);
}
