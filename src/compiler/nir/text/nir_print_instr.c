/* SPDX-License-Identifier: MIT */
/* Instructions in the text form. */
#include "nir_print_private.h"

#include <inttypes.h>

#include "nir_private.h"
#include "util/half.h"

void nir_print_src(struct nir_printer *s, const nir_use *src);

void
nir_print_src(struct nir_printer *s, const nir_use *src)
{
   if (src->value)
      P("ssa_%u", src->value->index);
   else
      P("(null)");
}

static void
print_def(struct nir_printer *s, const nir_value *def)
{
   P("vec%u %2u ssa_%u", def->num_components, def->bit_size, def->index);
}

static void
print_dest(struct nir_printer *s, const nir_value *dest)
{
   print_def(s, dest);
}

/* --- Instructions ------------------------------------------------------ */

static void
print_alu_src(struct nir_printer *s, const nir_alu_instr *alu, unsigned i)
{
   const nir_operand *src = &alu->src[i];
   nir_print_src(s, &src->use);

   const unsigned have = src->use.value->num_components;
   unsigned used = 0;
   bool identity = true;
   for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
      if (nir_operand_reads(alu, i, c)) {
         used++;
         identity &= src->swizzle[c] == c;
      }
   }
   if (!identity || used != have) {
      P(".");
      for (unsigned c = 0; c < NIR_MAX_VEC_COMPONENTS; c++) {
         if (nir_operand_reads(alu, i, c))
            P("%c", src->swizzle[c] < have
                       ? nir_print_letters(have)[src->swizzle[c]]
                       : '?');
      }
   }
}

static void
print_alu(struct nir_printer *s, const nir_alu_instr *alu)
{
   print_dest(s, &alu->instr.result);
   P(" = %s%s%s%s ", nir_op_infos[alu->op].name, alu->exact ? "!" : "",
     alu->no_signed_wrap ? ".nsw" : "", alu->no_unsigned_wrap ? ".nuw" : "");
   for (unsigned i = 0; i < alu->instr.num_operands; i++) {
      if (i)
         P(", ");
      print_alu_src(s, alu, i);
   }
}

static void
print_const_value(struct nir_printer *s, nir_const_value v, unsigned bits,
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
print_load_const(struct nir_printer *s, const nir_load_const_instr *lc)
{
   const unsigned n = lc->instr.result.num_components,
                  bits = lc->instr.result.bit_size;
   print_def(s, &lc->instr.result);
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
print_deref_link(struct nir_printer *s, const nir_deref_instr *d, bool whole)
{
   if (d->deref_type == nir_deref_type_var) {
      P("%s", nir_print_var_name(s, d->var));
      return;
   }
   const nir_deref_instr *parent = nir_deref_parent(d);
   if (d->deref_type == nir_deref_type_cast) {
      P("(%s *)", glsl_get_type_name(d->type));
      nir_print_src(s, &d->parent);
      return;
   }
   const bool member = d->deref_type == nir_deref_type_struct;
   if (whole && parent) {
      print_deref_link(s, parent, true);
   } else {
      P("%s", member ? "" : "(*");
      nir_print_src(s, &d->parent);
      P("%s", member ? "" : ")");
   }
   switch (d->deref_type) {
   case nir_deref_type_struct: {
      const char *name =
         parent ? glsl_get_struct_elem_name(parent->type, d->member) : "";
      P("%s", whole && parent ? "." : "->");
      if (*name)
         P("%s", name);
      else
         P("field%u", d->member);
      break;
   }
   case nir_deref_type_array:
   case nir_deref_type_ptr_as_array:
      if (nir_use_is_const(d->index)) {
         P("[%" PRId64 "]", nir_use_as_int(d->index));
      } else {
         P("[");
         nir_print_src(s, &d->index);
         P("]");
      }
      break;
   case nir_deref_type_array_wildcard: P("[*]"); break;
   default: break;
   }
}

static void
print_deref(struct nir_printer *s, const nir_deref_instr *d)
{
   static const char *const names[] = {
      [nir_deref_type_var] = "deref_var",
      [nir_deref_type_array] = "deref_array",
      [nir_deref_type_array_wildcard] = "deref_array_wildcard",
      [nir_deref_type_ptr_as_array] = "deref_ptr_as_array",
      [nir_deref_type_struct] = "deref_struct",
      [nir_deref_type_cast] = "deref_cast",
   };
   print_dest(s, &d->instr.result);
   P(" = %s ", names[d->deref_type]);
   if (d->deref_type != nir_deref_type_cast)
      P("&");
   print_deref_link(s, d, false);
   P(" (");
   bool first = true;
   for (unsigned m = d->modes; m;) {
      const unsigned mode = 1u << u_bit_scan(&m);
      P("%s%s", first ? "" : "|", nir_print_mode_name(mode, true));
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
print_alu_type(struct nir_printer *s, nir_alu_type type)
{
   const char *base = "invalid";
   switch (nir_type_base(type)) {
   case nir_type_int: base = "int"; break;
   case nir_type_uint: base = "uint"; break;
   case nir_type_bool: base = "bool"; break;
   case nir_type_float: base = "float"; break;
   default: break;
   }
   P("%s%u", base, nir_type_bits(type));
}

/* NAME=VALUE; where the value is a word, its number follows as a comment. */
static void
print_index(struct nir_printer *s, const nir_intrinsic_instr *intr,
            unsigned index, int value)
{
   const char *name = nir_intrinsic_index_names[index];
   switch (index) {
   case NIR_INTRINSIC_WRITE_MASK:
      P("%s=", name);
      /* Bits of components that are not there only show in the number. */
      for (unsigned c = 0;
           c < MIN2(intr->num_components, NIR_MAX_VEC_COMPONENTS); c++) {
         if ((value >> c) & 1)
            P("%c", nir_print_letters(intr->num_components)[c]);
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
   default: P("%s=%d", name, value); return;
   }
   P(" /*%d*/", value);
}

static void
print_intrinsic(struct nir_printer *s, const nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   if (info->has_dest) {
      print_dest(s, &intr->instr.result);
      P(" = ");
   }
   P("intrinsic %s (", info->name);
   for (unsigned i = 0; i < info->num_srcs; i++) {
      P("%s", i ? ", " : "");
      nir_print_src(s, &intr->src[i]);
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
static_assert(ARRAY_SIZE(tex_src_names) == nir_num_tex_operand_kinds,
              "a name each");

static const char *const dim_names[] = {
   [GLSL_SAMPLER_DIM_1D] = "1D",
   [GLSL_SAMPLER_DIM_2D] = "2D",
   [GLSL_SAMPLER_DIM_3D] = "3D",
   [GLSL_SAMPLER_DIM_CUBE] = "Cube",
   [GLSL_SAMPLER_DIM_RECT] = "Rect",
   [GLSL_SAMPLER_DIM_BUF] = "Buf",
   [GLSL_SAMPLER_DIM_EXTERNAL] = "External",
   [GLSL_SAMPLER_DIM_MS] = "MS",
   [GLSL_SAMPLER_DIM_SUBPASS] = "Subpass",
   [GLSL_SAMPLER_DIM_SUBPASS_MS] = "SubpassMS",
};

static void
print_tex(struct nir_printer *s, const nir_tex_instr *tex)
{
   print_dest(s, &tex->instr.result);
   P(" = (");
   print_alu_type(s, tex->dest_type);
   P(")%s ", texop_names[tex->op]);
   bool has_texture = false, has_sampler = false;
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      if (i)
         P(", ");
      nir_print_src(s, &tex->src[i].use);
      P(" (%s)", tex_src_names[tex->src[i].src_type]);
      has_texture |= tex->src[i].src_type == nir_tex_src_texture_deref;
      has_sampler |= tex->src[i].src_type == nir_tex_src_sampler_deref;
   }
   if (tex->op == nir_texop_tg4)
      P(", %u (gather_component)", tex->component);
   if (nir_tex_has_tg4_offsets(tex)) {
      P(", { (%d, %d)", tex->tg4_offsets[0][0], tex->tg4_offsets[0][1]);
      for (unsigned i = 1; i < 4; i++)
         P(", (%d, %d)", tex->tg4_offsets[i][0], tex->tg4_offsets[i][1]);
      P(" } (offsets)");
   }
   if (!has_texture)
      P(", %u (texture)", tex->texture_index);
   if (!has_sampler && nir_tex_uses_sampler(tex))
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
print_phi(struct nir_printer *s, const nir_phi_instr *phi)
{
   print_dest(s, &phi->instr.result);
   P(" = phi ");
   bool first = true;
   nir_foreach_phi_source(src, phi) {
      P("%sblock_%u: ", first ? "" : ", ", src->pred->index);
      nir_print_src(s, &src->use);
      first = false;
   }
}

static void
print_jump(struct nir_printer *s, const nir_jump_instr *jump)
{
   static const char *const names[] = {
      [nir_jump_return] = "return", [nir_jump_halt] = "halt",
      [nir_jump_break] = "break",   [nir_jump_continue] = "continue",
      [nir_jump_goto] = "goto",     [nir_jump_goto_if] = "goto",
   };
   P("%s", names[jump->type]);
   if (jump->target)
      P(" block_%u", jump->target->index);
   if (jump->type == nir_jump_goto_if) {
      P(" if ");
      nir_print_src(s, &jump->condition);
      P(" else block_%u", jump->else_target->index);
   }
}

static void
print_call(struct nir_printer *s, const nir_call_instr *call)
{
   P("call %s ", call->callee->name);
   for (unsigned i = 0; i < call->num_params; i++) {
      P("%s", i ? ", " : "");
      nir_print_src(s, &call->params[i]);
   }
}

void
nir_print_one_instr(struct nir_printer *s, const nir_instr *instr)
{
   switch (instr->kind) {
   case nir_kind_alu: print_alu(s, nir_instr_as_alu(instr)); break;
   case nir_kind_deref: print_deref(s, nir_instr_as_deref(instr)); break;
   case nir_kind_call: print_call(s, nir_instr_as_call(instr)); break;
   case nir_kind_intrinsic:
      print_intrinsic(s, nir_instr_as_intrinsic(instr));
      break;
   case nir_kind_tex: print_tex(s, nir_instr_as_tex(instr)); break;
   case nir_kind_load_const:
      print_load_const(s, nir_instr_as_load_const(instr));
      break;
   case nir_kind_jump: print_jump(s, nir_instr_as_jump(instr)); break;
   case nir_kind_undef:
      print_def(s, &instr->result);
      P(" = undefined");
      break;
   case nir_kind_phi: print_phi(s, nir_instr_as_phi(instr)); break;
   }
}
