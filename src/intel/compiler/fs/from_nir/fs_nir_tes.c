/* SPDX-License-Identifier: MIT */
/*
 * Tessellation evaluation shaders: SIMD8, eight points of one patch.
 *
 * Thread payload (PRM SKL vol 7, "Domain Shader (DS) Stage", SIMD8 thread
 * payload): g0.0 handle of the patch's URB entry; g0.1 primitive ID; g1 to
 * g3 u, v, w; g4 URB return handles; then push constants; then the start of
 * the patch's entry, two slots a GRF, the same for all channels. What lies
 * further on, or at an index, is read by messages.
 */
#include "fs_nir.h"

#define MAX_PUSHED_GRFS 24

static enum tess_primitive_mode
domain(const struct eu_shader *s)
{
   return s->nir->info.tess._primitive_mode;
}

static bool
is_tess_factor(const nir_intrinsic_instr *intr)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;

   return location == VARYING_SLOT_TESS_LEVEL_OUTER ||
          location == VARYING_SLOT_TESS_LEVEL_INNER;
}

/* ---- where inputs are ---- */

struct input {
   int slot;                      /* constant part; -1: not there */
   const nir_use *vertex, *index; /* not constant; NULL: none */
};

/* Vertices of the patch; as many as there can be if no TCS is known. */
static unsigned
patch_vertices(const struct eu_shader *s)
{
   const unsigned n = s->nir->info.tess.tcs_vertices_out;

   return n ? n : 32;
}

static struct input
find_input(const struct eu_shader *s, nir_intrinsic_instr *intr)
{
   const struct intel_patch_map *map = &s->prog_data.tes->patch_map;
   const nir_use *vertex = nir_get_io_arrayed_index_src(intr);
   const nir_use *off = nir_get_io_offset_src(intr);
   unsigned location = nir_intrinsic_io_semantics(intr).location;
   struct input in = { .slot = -1 };

   if (nir_use_is_const(*off))
      location += (unsigned)nir_use_as_uint(*off);
   else
      in.index = off;
   if (location >= VARYING_SLOT_TESS_MAX)
      return in;
   in.slot = map->varying_to_slot[location];
   if (in.slot < 0 || !vertex)
      return in;
   in.slot += (int)map->num_patch_slots;
   /* Out of bounds is undefined; any vertex of the patch will do. */
   if (nir_use_is_const(*vertex))
      in.slot += (int)(MIN2(nir_use_as_uint(*vertex), patch_vertices(s) - 1) *
                       map->num_vertex_slots);
   else
      in.vertex = vertex;
   return in;
}

/* ---- setup ---- */

struct gathered {
   uint64_t written, inputs, patch_inputs;
};

static void
gather(struct eu_shader *s, const nir_intrinsic_instr *intr,
       struct gathered *g)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_per_vertex_input:
      fs_gather_io_slots(intr, &g->inputs, &g->patch_inputs);
      break;
   case nir_intrinsic_store_output:
      fs_gather_io_slots(intr, &g->written, NULL);
      break;
   case nir_intrinsic_load_primitive_id:
      s->prog_data.tes->uses_primitive_id = true;
      break;
   default: break;
   }
}

/* Payload GRFs that hold what is read at constant offsets. */
static void
note_pushed(struct eu_shader *s, nir_intrinsic_instr *intr)
{
   struct intel_tes_prog_data *pd = s->prog_data.tes;
   const struct input in = find_input(s, intr);
   unsigned grfs;

   if ((intr->intrinsic != nir_intrinsic_load_input &&
        intr->intrinsic != nir_intrinsic_load_per_vertex_input) ||
       in.slot < 0 || in.vertex || in.index)
      return;
   grfs = is_tess_factor(intr) ? 1 : (unsigned)in.slot / 2 + 1;
   if (grfs <= MAX_PUSHED_GRFS)
      pd->urb_read_length = MAX2(pd->urb_read_length, grfs);
}

static void
set_tessellation(struct eu_shader *s)
{
   const struct shader_info *info = &s->nir->info;
   struct intel_tes_prog_data *pd = s->prog_data.tes;

   switch (domain(s)) {
   case TESS_PRIMITIVE_QUADS: pd->domain = INTEL_TESS_DOMAIN_QUAD; break;
   case TESS_PRIMITIVE_TRIANGLES: pd->domain = INTEL_TESS_DOMAIN_TRI; break;
   case TESS_PRIMITIVE_ISOLINES:
      pd->domain = INTEL_TESS_DOMAIN_ISOLINE;
      break;
   default: eu_fail(s, "tessellation evaluation without a domain"); return;
   }
   pd->compute_w = pd->domain == INTEL_TESS_DOMAIN_TRI;
   switch (info->tess.spacing) {
   case TESS_SPACING_FRACTIONAL_ODD:
      pd->partitioning = INTEL_TESS_PARTITIONING_ODD_FRACTIONAL;
      break;
   case TESS_SPACING_FRACTIONAL_EVEN:
      pd->partitioning = INTEL_TESS_PARTITIONING_EVEN_FRACTIONAL;
      break;
   default: pd->partitioning = INTEL_TESS_PARTITIONING_INTEGER; break;
   }
   /* The tessellator's v points down where OpenGL's points up, so its
    * windings have the opposite names. */
   if (info->tess.point_mode)
      pd->topology = INTEL_TESS_OUTPUT_POINT;
   else if (pd->domain == INTEL_TESS_DOMAIN_ISOLINE)
      pd->topology = INTEL_TESS_OUTPUT_LINE;
   else
      pd->topology = info->tess.ccw ? INTEL_TESS_OUTPUT_TRI_CW
                                    : INTEL_TESS_OUTPUT_TRI_CCW;
}

void
fs_setup_tes(struct eu_shader *s)
{
   struct intel_tes_prog_data *pd = s->prog_data.tes;
   nir_function_impl *impl = nir_entry_point(s->nir);
   struct gathered g = { 0 };

   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         if (instr->kind == nir_kind_intrinsic)
            gather(s, nir_instr_as_intrinsic(instr), &g);
      }
   }
   set_tessellation(s);
   if (s->key.tes->patch_map)
      pd->patch_map = *s->key.tes->patch_map;
   else
      intel_compute_patch_map(&pd->patch_map, g.inputs, g.patch_inputs);
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (intr->intrinsic == nir_intrinsic_load_input ||
             intr->intrinsic == nir_intrinsic_load_per_vertex_input)
            note_pushed(s, intr);
      }
   }
   fs_set_vue_outputs(s, g.written, s->key.tes->extra_slots_valid, &pd->out);
   pd->urb_entry_size = DIV_ROUND_UP(pd->out.vue_map.num_slots, 4);
   s->payload.tess_coord = 1;
   s->payload.urb_handles = 4;
   s->payload.patch_handle_dw = 0;
   s->payload.primitive_id_dw = 1;
   s->payload.num_regs = 5;
}

/* ---- inputs ---- */

/* Of g0. */
static eu_reg
header_dword(unsigned dw)
{
   return eu_component(eu_grf(0, ISA_TYPE_UD), dw);
}

static eu_reg
pushed_dword(unsigned dw)
{
   return (eu_reg) {
      .file = EU_ATTR, .type = ISA_TYPE_UD, .stride = 0, .offset = dw * 4
   };
}

static void
load_tess_factor(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned location = nir_intrinsic_io_semantics(intr).location;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   for (unsigned c = 0; c < intr->instr.result.num_components; c++) {
      const int dw = fs_tess_factor_dword(
         domain(n->s), location, (unsigned)nir_intrinsic_component(intr) + c);
      eu_MOV(&n->b, eu_offset(dst, &n->b, c),
             dw >= 0 ? pushed_dword((unsigned)dw) : eu_imm_ud(0));
   }
}

/* Vertex and index as an offset a channel. */
static eu_reg
dynamic_offset(struct nir_to_fs *n, const struct input *in)
{
   const struct intel_patch_map *map = &n->s->prog_data.tes->patch_map;
   eu_reg r = { 0 };

   if (in->vertex) {
      const eu_reg v = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      eu_SEL(&n->b, v, eu_retype(fs_src_comp(n, in->vertex, 0), ISA_TYPE_UD),
             eu_imm_ud(patch_vertices(n->s) - 1))
         ->cond_mod = ISA_COND_MOD_L;
      r = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      eu_MUL(&n->b, r, v, eu_imm_uw(map->num_vertex_slots));
   }
   if (in->index) {
      const eu_reg i = eu_retype(fs_src_comp(n, in->index, 0), ISA_TYPE_UD);
      if (!in->vertex)
         return i;
      eu_reg t = eu_vgrf(&n->b, ISA_TYPE_UD, 1);
      eu_ADD(&n->b, t, r, i);
      return t;
   }
   return r;
}

static void
load_input(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const unsigned first = (unsigned)nir_intrinsic_component(intr);
   const unsigned comps = intr->instr.result.num_components;
   const struct input in = find_input(n->s, intr);

   if (intr->instr.result.bit_size != 32) {
      eu_fail(n->s, "input of %u bits", intr->instr.result.bit_size);
   } else if (is_tess_factor(intr)) {
      load_tess_factor(n, intr);
   } else if (in.slot < 0) {
      eu_undef(&n->b, fs_get_dest(n, &intr->instr.result));
   } else if (!in.vertex && !in.index &&
              (unsigned)in.slot / 2 < n->s->prog_data.tes->urb_read_length) {
      fs_set_dest(n, &intr->instr.result,
                  pushed_dword((unsigned)in.slot * 4 + first));
   } else {
      const struct fs_urb_place at = {
         .handle = header_dword(n->s->payload.patch_handle_dw),
         .slot = (unsigned)in.slot,
         .per_slot = dynamic_offset(n, &in),
      };
      fs_set_dest(n, &intr->instr.result, fs_urb_read(n, &at, first, comps));
   }
}

static void
load_tess_coord(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   const bool w = n->s->prog_data.tes->compute_w;
   const eu_reg dst = fs_get_dest(n, &intr->instr.result);

   for (unsigned c = 0; c < intr->instr.result.num_components; c++)
      eu_MOV(&n->b, eu_offset(dst, &n->b, c),
             c == 2 && !w
                ? eu_imm_ud(0)
                : eu_grf(n->s->payload.tess_coord + c, ISA_TYPE_UD));
}

bool
fs_emit_tes_intrinsic(struct nir_to_fs *n, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_per_vertex_input: load_input(n, intr); return true;
   case nir_intrinsic_load_tess_coord: load_tess_coord(n, intr); return true;
   case nir_intrinsic_load_primitive_id:
      fs_set_dest(n, &intr->instr.result,
                  header_dword(n->s->payload.primitive_id_dw));
      return true;
   case nir_intrinsic_store_output: fs_store_vue_output(n, intr); return true;
   default: return false;
   }
}
