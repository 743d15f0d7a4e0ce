/* SPDX-License-Identifier: MIT */
/* Inputs, outputs, uniforms at run-time indices, textures. */
#include "d3dbc_emit.h"

static void
mov_dest(struct d3dbc_emit *e, nir_value *dest, unsigned comp,
         struct d3dbc_operand src)
{
   d3dbc_emit1(e, D3DBC_OP_MOV, d3dbc_emit_dest(e, dest, comp), src);
}

/* Components from `first` on of c[addr + reg]. */
static void
load_row(struct d3dbc_emit *e, nir_intrinsic_instr *load,
         struct d3dbc_reg addr, unsigned reg, unsigned first)
{
   for (unsigned c = 0; c < load->instr.result.num_components; c++) {
      const unsigned at = first + c;
      struct d3dbc_operand s =
         d3dbc_emit_reg(D3DBC_FILE_C, reg + at / 4, at % 4);
      s.relative = true;
      s.addr = addr;
      s.addr_swizzle = addr.file == D3DBC_FILE_AL ? D3DBC_SWIZZLE_IDENTITY
                                                  : 0;
      mov_dest(e, &load->instr.result, c, s);
   }
}

/* c[a0.x + n]: the byte offset in registers goes through mova. */
static void
load_uniform(struct d3dbc_emit *e, nir_intrinsic_instr *load)
{
   const nir_intrinsic_instr *res = nir_use_as_intrinsic(load->src[0]);
   struct d3dbc_operand a0 = d3dbc_emit_reg(D3DBC_FILE_A, 0, 0);
   struct d3dbc_operand offset, t;
   const struct d3dbc_emit_al_load *al = d3dbc_al_load(e, load);
   unsigned base = ~0u;

   if (al)
      load_row(e, load, (struct d3dbc_reg) { D3DBC_FILE_AL, 0 }, al->reg,
               al->comp);
   if (al || nir_use_is_const(load->src[1]))
      return;
   for (unsigned i = 0; res && i < e->num_ubos; i++) {
      if ((unsigned)nir_intrinsic_desc_set(res) == e->ubo[i].set &&
          (unsigned)nir_intrinsic_binding(res) == e->ubo[i].binding)
         base = e->ubo[i].first;
   }
   if (e->pi->is_ps || base == ~0u) {
      d3dbc_emit_fail(e, "%s cannot index constants at run time",
                      e->pi->name);
      return;
   }
   /* A row starts every 16 bytes; a component in it is known only if the
    * offset's alignment says so. */
   if (nir_intrinsic_align_mul(load) < 16) {
      d3dbc_emit_fail(e, "a uniform is indexed in steps below 16 bytes");
      return;
   }
   offset = d3dbc_emit_src(e, &load->src[1], 0, D3DBC_CLASS_INT);
   t = d3dbc_emit_scratch(e);
   const unsigned first = (unsigned)nir_intrinsic_align_offset(load) / 4;
   if (first) {
      d3dbc_emit2(e, D3DBC_OP_ADD, t, offset,
                  d3dbc_emit_imm(e, -4.0f * (float)first));
      offset = t;
   }
   d3dbc_emit2(e, D3DBC_OP_MUL, t, offset, d3dbc_emit_imm(e, 1.0f / 16));
   d3dbc_emit1(e, D3DBC_OP_MOVA, a0, t);
   load_row(e, load, a0.reg, base, first);
}

/* --- Outputs ------------------------------------------------------------ */

static bool
output_reg(struct d3dbc_emit *e, unsigned slot, struct d3dbc_operand *o)
{
   enum d3dbc_file file = D3DBC_FILE_COUNT;
   unsigned reg = 0;

   if (e->pi->is_ps) {
      file = slot == FRAG_RESULT_DEPTH ? D3DBC_FILE_ODEPTH : D3DBC_FILE_OC;
      if (slot >= FRAG_RESULT_DATA0)
         reg = slot - FRAG_RESULT_DATA0;
      else if (slot != FRAG_RESULT_DEPTH && slot != FRAG_RESULT_COLOR)
         file = D3DBC_FILE_COUNT;
   } else if (e->pi->major >= 3) {
      file = D3DBC_FILE_O;
      for (unsigned i = 0; i < slot && i < ARRAY_SIZE(e->output_declared);
           i++)
         reg += e->output_declared[i];
   } else {
      const unsigned var = slot - VARYING_SLOT_VAR0;
      if (slot == VARYING_SLOT_POS || slot == VARYING_SLOT_PSIZ) {
         file = D3DBC_FILE_RASTOUT;
         reg = slot == VARYING_SLOT_POS ? 0 : 2;
      } else if (slot >= VARYING_SLOT_VAR0) {
         file = var < 8                  ? D3DBC_FILE_OT
                : var == 16 || var == 17 ? D3DBC_FILE_OD
                                         : D3DBC_FILE_COUNT;
         reg = var < 8 ? var : var - 16;
      }
   }
   if (file == D3DBC_FILE_COUNT ||
       reg >= d3dbc_file_info(file)->limit[e->profile])
      return d3dbc_emit_fail(e, "%s has no register for output slot %u",
                             e->pi->name, slot);
   *o = d3dbc_emit_reg(file, reg, 0);
   return true;
}

/* Four components of one register, which a mov to a colour can take as they
 * are; before SM3 in their own order. */
static bool
one_register(const struct d3dbc_emit *e, const struct d3dbc_operand s[4],
             struct d3dbc_operand *whole)
{
   struct d3dbc_operand o = s[0];

   o.swizzle = 0;
   for (unsigned c = 0; c < 4; c++) {
      const unsigned comp = s[c].swizzle & 3;
      if (s[c].reg.file != o.reg.file || s[c].reg.index != o.reg.index ||
          s[c].mod != o.mod || s[c].relative ||
          (e->pi->major < 3 && comp != c))
         return false;
      o.swizzle |= (uint8_t)(comp << 2 * c);
   }
   *whole = o;
   return true;
}

/* oC# is written whole, at once: so the profiles ask. Outputs that share a
 * location, by components or for blending by two colours, are not put
 * together. */
static void
store_colour(struct d3dbc_emit *e, nir_intrinsic_instr *store,
             struct d3dbc_operand out)
{
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(store)
                         << nir_intrinsic_component(store);
   struct d3dbc_operand t = d3dbc_emit_scratch4(e), s[4];

   if (e->colours >> out.reg.index & 1 ||
       nir_intrinsic_io_semantics(store).dual_source_blend_index)
      d3dbc_emit_fail(e, "two outputs for colour %u", out.reg.index);
   e->colours |= 1u << out.reg.index;
   for (unsigned c = 0; c < 4; c++)
      s[c] =
         mask >> c & 1
            ? d3dbc_emit_src(e, &store->src[0],
                             c - (unsigned)nir_intrinsic_component(store),
                             d3dbc_alu_class(nir_intrinsic_src_type(store)))
            : d3dbc_emit_imm(e, 0);
   out.mask = 0xf;
   if (one_register(e, s, &t)) {
      d3dbc_emit1(e, D3DBC_OP_MOV, out, t);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      d3dbc_emit1(e, D3DBC_OP_MOV,
                  d3dbc_emit_reg(D3DBC_FILE_R, t.reg.index, c), s[c]);
   d3dbc_emit1(e, D3DBC_OP_MOV, out, t);
}

static void
store_output(struct d3dbc_emit *e, nir_intrinsic_instr *store)
{
   struct d3dbc_operand out;
   const unsigned mask = (unsigned)nir_intrinsic_write_mask(store);
   const unsigned first = (unsigned)nir_intrinsic_component(store);

   if (!nir_use_is_const(store->src[1])) {
      d3dbc_emit_fail(e, "an output is indexed at run time");
      return;
   }
   if (!output_reg(e,
                   nir_intrinsic_io_semantics(store).location +
                      (unsigned)nir_use_as_uint(store->src[1]),
                   &out))
      return;
   if (out.reg.file == D3DBC_FILE_OC) {
      store_colour(e, store, out);
      return;
   }
   for (unsigned c = 0; c < store->src[0].value->num_components; c++) {
      if (!(mask >> c & 1))
         continue;
      out.mask = (uint8_t)(1u << (first + c));
      if (out.reg.file == D3DBC_FILE_ODEPTH ||
          (out.reg.file == D3DBC_FILE_RASTOUT && out.reg.index))
         out.mask = 0xf;
      d3dbc_emit1(
         e, D3DBC_OP_MOV, out,
         d3dbc_emit_src(e, &store->src[0], c,
                        d3dbc_alu_class(nir_intrinsic_src_type(store))));
   }
}

/* --- Pixels ------------------------------------------------------------- */

/* texkill ends the pixel where its operand is negative. */
static void
discard(struct d3dbc_emit *e, struct d3dbc_operand condition)
{
   struct d3dbc_operand t = d3dbc_emit_scratch4(e);
   struct d3dbc_inst *inst;

   d3dbc_emit1(e, D3DBC_OP_MOV, t, d3dbc_emit_neg(condition));
   inst = d3dbc_emit_inst(e, D3DBC_OP_TEXKILL);
   inst->operand[0] = t;
   inst->operand[0].swizzle = 0;
}

static void
load_frag_coord(struct d3dbc_emit *e, nir_intrinsic_instr *intr)
{
   const unsigned read = nir_value_components_read(&intr->instr.result);

   if (e->pi->major < 3 || (read & ~3u)) {
      d3dbc_emit_fail(e, "%s has no fragment coordinate%s", e->pi->name,
                      e->pi->major < 3 ? "" : " beyond x and y");
      return;
   }
   e->vpos = true;
   for (unsigned c = 0; c < 2; c++) {
      if (read >> c & 1)
         d3dbc_emit2(e, D3DBC_OP_ADD,
                     d3dbc_emit_dest(e, &intr->instr.result, c),
                     d3dbc_emit_reg(D3DBC_FILE_MISC, 0, c),
                     d3dbc_emit_imm(e, 0.5f));
   }
}

static void
load_front_face(struct d3dbc_emit *e, nir_intrinsic_instr *intr)
{
   if (e->pi->major < 3) {
      d3dbc_emit_fail(e, "%s does not know which face it draws", e->pi->name);
      return;
   }
   e->vface = true;
   d3dbc_emit3(e, D3DBC_OP_CMP, d3dbc_emit_dest(e, &intr->instr.result, 0),
               d3dbc_emit_reg(D3DBC_FILE_MISC, 1, 0), d3dbc_emit_imm(e, 1),
               d3dbc_emit_imm(e, 0));
}

/* Registers come interpolated with perspective. */
static void
check_input(struct d3dbc_emit *e, nir_intrinsic_instr *intr)
{
   const bool flat = intr->intrinsic == nir_intrinsic_load_input;

   if (!nir_use_is_const(*nir_get_io_offset_src(intr)))
      d3dbc_emit_fail(e, "an input is indexed at run time");
   if (e->pi->is_ps &&
       (flat || nir_intrinsic_interp_mode(nir_use_as_intrinsic(
                   intr->src[0])) == INTERP_MODE_NOPERSPECTIVE))
      d3dbc_emit_fail(e, "%s has no input that is %s", e->pi->name,
                      flat ? "flat" : "interpolated without perspective");
}

void
d3dbc_select_intrinsic(struct d3dbc_emit *e, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input: check_input(e, intr); break;
   case nir_intrinsic_load_barycentric_pixel: /* how inputs come anyway */
   case nir_intrinsic_vulkan_resource_index: break;
   case nir_intrinsic_load_ubo: load_uniform(e, intr); break;
   case nir_intrinsic_store_output: store_output(e, intr); break;
   case nir_intrinsic_load_frag_coord: load_frag_coord(e, intr); break;
   case nir_intrinsic_load_front_face: load_front_face(e, intr); break;
   case nir_intrinsic_discard:
   case nir_intrinsic_demote:
   case nir_intrinsic_terminate: discard(e, d3dbc_emit_imm(e, 1)); break;
   case nir_intrinsic_discard_if:
   case nir_intrinsic_demote_if:
   case nir_intrinsic_terminate_if:
      discard(e, d3dbc_emit_src(e, &intr->src[0], 0, D3DBC_CLASS_BOOL));
      break;
   default:
      d3dbc_emit_fail(e, "%s has no counterpart in %s",
                      nir_intrinsic_infos[intr->intrinsic].name, e->pi->name);
      break;
   }
}

/* --- Textures ----------------------------------------------------------- */

static const nir_variable *
opaque(nir_tex_instr *tex, nir_tex_operand_kind type)
{
   const int i = nir_tex_find(tex, type);
   nir_deref_instr *d = i < 0 ? NULL : nir_use_as_deref(tex->src[i].use);

   return d && d->deref_type == nir_deref_type_var ? d->var : NULL;
}

/* s# is a texture and how it is sampled, both in one. */
static bool
is_other_pair(struct d3dbc_emit *e, unsigned index,
              const nir_variable *texture, const nir_variable *state)
{
   const nir_variable *const first = e->texture[index];

   if (first && (first->data.descriptor_set != texture->data.descriptor_set ||
                 e->sampler[index] != state))
      return true;
   e->texture[index] = texture;
   e->sampler[index] = state;
   return false;
}

/* What goes into no coordinate. */
static bool
has_more_sources(const nir_tex_instr *tex)
{
   for (unsigned i = 0; i < tex->instr.num_operands; i++) {
      switch (tex->src[i].src_type) {
      case nir_tex_src_texture_deref:
      case nir_tex_src_sampler_deref:
      case nir_tex_src_coord:
      case nir_tex_src_bias:
      case nir_tex_src_lod:
      case nir_tex_src_ddx:
      case nir_tex_src_ddy: break;
      default: return true;
      }
   }
   return false;
}

static bool
sampler(struct d3dbc_emit *e, nir_tex_instr *tex, unsigned *index)
{
   const nir_variable *var = opaque(tex, nir_tex_src_texture_deref);
   const unsigned type =
      tex->sampler_dim == GLSL_SAMPLER_DIM_2D     ? D3DBC_SAMPLER_2D
      : tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE ? D3DBC_SAMPLER_CUBE
      : tex->sampler_dim == GLSL_SAMPLER_DIM_3D   ? D3DBC_SAMPLER_VOLUME
                                                  : 0;

   if (!var || !type || tex->is_array || tex->is_shadow)
      return d3dbc_emit_fail(e, "a texture that %s does not know",
                             e->pi->name);
   if (has_more_sources(tex))
      return d3dbc_emit_fail(e,
                             "a texture lookup with an offset of texels, or "
                             "what else %s has not",
                             e->pi->name);
   *index = var->data.binding - e->first_sampler;
   if (*index >= d3dbc_file_info(D3DBC_FILE_S)->limit[e->profile])
      return d3dbc_emit_fail(e, "%s has no sampler %u", e->pi->name, *index);
   if (e->sampler_type[*index] && e->sampler_type[*index] != type)
      return d3dbc_emit_fail(e, "sampler %u is used as two types", *index);
   if (is_other_pair(e, *index, var, opaque(tex, nir_tex_src_sampler_deref)))
      return d3dbc_emit_fail(e, "sampler %u stands for two of them", *index);
   e->sampler_type[*index] = (uint8_t)type;
   return true;
}

/* Components of a source side by side in a scratch register. */
static struct d3dbc_operand
gather(struct d3dbc_emit *e, nir_tex_instr *tex, nir_tex_operand_kind type)
{
   const int i = nir_tex_find(tex, type);
   const struct d3dbc_operand t = d3dbc_emit_scratch4(e);

   for (unsigned c = 0; i >= 0 && c < nir_tex_operand_size(tex, (unsigned)i);
        c++)
      d3dbc_emit1(e, D3DBC_OP_MOV,
                  d3dbc_emit_reg(D3DBC_FILE_R, t.reg.index, c),
                  d3dbc_emit_src(e, &tex->src[i].use, c, D3DBC_CLASS_FLOAT));
   return t;
}

/* Coordinates that lie in one register as a lookup takes them: from x on. */
static bool
coordinates(struct d3dbc_emit *e, nir_tex_instr *tex, struct d3dbc_operand *o)
{
   const int i = nir_tex_find(tex, nir_tex_src_coord);

   for (unsigned c = 0; c < nir_tex_operand_size(tex, (unsigned)i); c++) {
      const struct d3dbc_operand s =
         d3dbc_emit_src(e, &tex->src[i].use, c, D3DBC_CLASS_FLOAT);
      if (c == 0)
         *o = s;
      if (s.reg.file != o->reg.file || s.reg.index != o->reg.index || s.mod ||
          s.relative || (s.swizzle & 3u) != c)
         return false;
   }
   o->swizzle = D3DBC_SWIZZLE_IDENTITY;
   return o->reg.file == D3DBC_FILE_R || o->reg.file == D3DBC_FILE_T ||
          (o->reg.file == D3DBC_FILE_V && e->pi->major >= 3);
}

/* The register that a value of four components has for itself. */
static bool
lies_whole(struct d3dbc_emit *e, nir_value *dest, struct d3dbc_operand *o)
{
   if (dest->num_components != 4)
      return false;
   for (unsigned c = 0; c < 4; c++) {
      const struct d3dbc_operand d = d3dbc_emit_dest(e, dest, c);
      if (c == 0)
         *o = d;
      if (d.reg.index != o->reg.index || d.mask != 1u << c)
         return false;
   }
   o->mask = 0xf;
   return true;
}

/* How the coordinates change: where they lie, of two coordinates in what is
 * left of two scratch registers. */
static void
derivatives(struct d3dbc_emit *e, nir_tex_instr *tex,
            struct d3dbc_operand coord, bool direct,
            struct d3dbc_operand out[2])
{
   static const nir_tex_operand_kind types[] = { nir_tex_src_ddx,
                                                 nir_tex_src_ddy };
   struct d3dbc_operand t = coord;

   if (e->pi->major < 3 || tex->coord_components > 2) {
      d3dbc_emit_fail(e, "texldd of %u coordinates in %s",
                      tex->coord_components, e->pi->name);
      return;
   }
   if (direct)
      t = d3dbc_emit_scratch4(e);
   for (unsigned k = 0; k < 2; k++) {
      const int i = nir_tex_find(tex, types[k]);
      /* Beside the coordinates; then, if those fill half of the first, in the
       * second. */
      const unsigned at = direct ? 2 * k : k ? 0 : 2;
      if (k && !direct)
         t = d3dbc_emit_scratch4(e);
      for (unsigned c = 0; c < 2; c++)
         d3dbc_emit1(e, D3DBC_OP_MOV,
                     d3dbc_emit_reg(D3DBC_FILE_R, t.reg.index, at + c),
                     d3dbc_emit_src(e, &tex->src[i].use, c,
                                    D3DBC_CLASS_FLOAT));
      out[k] = t;
      out[k].swizzle = at ? 0xee : 0x44; /* zwzw, xyxy */
   }
}

void
d3dbc_select_tex(struct d3dbc_emit *e, nir_tex_instr *tex)
{
   static const struct {
      nir_texop op;
      enum d3dbc_op d3d;
      unsigned control;
      nir_tex_operand_kind w; /* what goes into the fourth coordinate */
   } rows[] = {
      { nir_texop_tex, D3DBC_OP_TEXLD, 0, nir_num_tex_operand_kinds },
      { nir_texop_txb, D3DBC_OP_TEXLD, D3DBC_TEX_BIAS, nir_tex_src_bias },
      { nir_texop_txl, D3DBC_OP_TEXLDL, 0, nir_tex_src_lod },
      { nir_texop_txd, D3DBC_OP_TEXLDD, 0, nir_num_tex_operand_kinds },
   };
   unsigned i = 0, index = 0;

   while (i < ARRAY_SIZE(rows) && rows[i].op != tex->op)
      i++;
   if (i == ARRAY_SIZE(rows) ||
       !d3dbc_profile_has_op(e->profile, rows[i].d3d)) {
      d3dbc_emit_fail(e, "texture operation %u in %s", tex->op, e->pi->name);
      return;
   }
   if (nir_tex_needs_derivatives(tex))
      d3dbc_emit_derivative(e, "a texture lookup");
   if (!sampler(e, tex, &index))
      return;
   const int w = rows[i].w == nir_num_tex_operand_kinds
                    ? -1
                    : nir_tex_find(tex, rows[i].w);
   struct d3dbc_operand coord, result;
   const bool direct = w < 0 && coordinates(e, tex, &coord);
   if (!direct)
      coord = gather(e, tex, nir_tex_src_coord);
   if (w >= 0)
      d3dbc_emit1(e, D3DBC_OP_MOV,
                  d3dbc_emit_reg(D3DBC_FILE_R, coord.reg.index, 3),
                  d3dbc_emit_src(e, &tex->src[w].use, 0, D3DBC_CLASS_FLOAT));
   struct d3dbc_operand s = d3dbc_emit_reg(D3DBC_FILE_S, index, 0);
   s.swizzle = D3DBC_SWIZZLE_IDENTITY;
   struct d3dbc_operand derivative[2];
   memset(derivative, 0, sizeof(derivative));
   if (tex->op == nir_texop_txd)
      derivatives(e, tex, coord, direct, derivative);
   const bool whole = lies_whole(e, &tex->instr.result, &result);
   if (!whole)
      result = direct ? d3dbc_emit_scratch4(e) : coord;
   struct d3dbc_inst *inst;
   d3dbc_emit2(e, rows[i].d3d, result, coord, s);
   inst = util_dynarray_element(
      &e->body, struct d3dbc_inst,
      util_dynarray_num_elements(&e->body, struct d3dbc_inst) - 1);
   inst->control = (uint8_t)rows[i].control;
   for (unsigned k = 0; k < 2 && tex->op == nir_texop_txd; k++) {
      inst->operand[3 + k] = derivative[k];
      inst->operand[3 + k].mask = 0;
   }
   for (unsigned c = 0; c < tex->instr.result.num_components && !whole; c++)
      mov_dest(e, &tex->instr.result, c,
               d3dbc_emit_reg(D3DBC_FILE_R, result.reg.index, c));
}
