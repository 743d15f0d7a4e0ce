/* SPDX-License-Identifier: MIT */
/* What texture operations read and give, by two tables. */
#include "nir.h"

#include "nir_private.h"

/* Counterclockwise, from the lower left one. */
const int8_t nir_tg4_square[4][2] = {
   [0] = { 0, 1 }, [1] = { 1, 1 }, [2] = { 1, 0 }, [3] = { 0, 0 }
};

/* --- Operations --------------------------------------------------------- */

enum {
   SAMPLES = 1 << 0,      /* by a sampler */
   DERIVES = 1 << 1,      /* the level from neighbours of the channel */
   WHOLE_TEXELS = 1 << 2, /* coordinates are numbers of texels */
   WHOLE_LEVELS = 1 << 3, /* the level is a number */
   COMPARES = 1 << 4,     /* one component where there is a comparator */
};

#define FETCHES WHOLE_TEXELS | WHOLE_LEVELS

/* `size`: components of what comes back, 0 where the image decides. */
static const struct {
   uint8_t size, traits;
} operations[nir_num_texops] = {
   [nir_texop_tex] = { 4, SAMPLES | DERIVES | COMPARES },
   [nir_texop_txb] = { 4, SAMPLES | DERIVES | COMPARES },
   [nir_texop_txl] = { 4, SAMPLES | COMPARES },
   [nir_texop_txd] = { 4, SAMPLES | COMPARES },
   /* A gather gives four texels even where it compares. */
   [nir_texop_tg4] = { 4, SAMPLES },
   [nir_texop_lod] = { 2, SAMPLES | DERIVES },
   [nir_texop_txf] = { 4, FETCHES | COMPARES },
   [nir_texop_txf_ms] = { 4, FETCHES | COMPARES },
   [nir_texop_txf_ms_fb] = { 4, FETCHES | COMPARES },
   [nir_texop_txf_ms_mcs_intel] = { 4, FETCHES },
   [nir_texop_samples_identical] = { 1, FETCHES },
   [nir_texop_txs] = { 0, WHOLE_LEVELS },
   [nir_texop_query_levels] = { 1, 0 },
   [nir_texop_texture_samples] = { 1, 0 },
};

static bool
has_trait(const nir_tex_instr *tex, unsigned trait)
{
   return operations[tex->op].traits & trait;
}

static unsigned
image_dimensions(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_1D:
   case GLSL_SAMPLER_DIM_BUF: return 1;
   case GLSL_SAMPLER_DIM_3D: return 3;
   default: return 2;
   }
}

unsigned
nir_tex_texel_size(const nir_tex_instr *tex)
{
   const unsigned size = operations[tex->op].size;
   if (!size)
      return image_dimensions(tex) + tex->is_array;
   return tex->is_shadow && tex->is_new_style_shadow &&
                has_trait(tex, COMPARES)
             ? 1
             : size;
}

unsigned
nir_tex_size(const nir_tex_instr *tex)
{
   return nir_tex_texel_size(tex) + tex->is_sparse;
}

bool
nir_tex_needs_derivatives(const nir_tex_instr *tex)
{
   return has_trait(tex, DERIVES);
}

bool
nir_tex_uses_sampler(const nir_tex_instr *tex)
{
   return has_trait(tex, SAMPLES);
}

bool
nir_tex_has_tg4_offsets(const nir_tex_instr *tex)
{
   return tex->op == nir_texop_tg4 &&
          memcmp(tex->tg4_offsets, nir_tg4_square, sizeof(nir_tg4_square));
}

/* --- Operands ----------------------------------------------------------- */

/* Sizes that the coordinate decides. */
enum { COORD = -2, COORD_WITHOUT_LAYER = -1 };

static const struct {
   nir_alu_type type;
   uint8_t int_if; /* operations that make an integer of a float */
   int8_t size;
} operands[nir_num_tex_operand_kinds] = {
   [nir_tex_src_coord] = { nir_type_float, WHOLE_TEXELS, COORD },
   [nir_tex_src_lod] = { nir_type_float, WHOLE_LEVELS, 1 },
   [nir_tex_src_min_lod] = { nir_type_float, 0, 1 },
   [nir_tex_src_bias] = { nir_type_float, 0, 1 },
   [nir_tex_src_projector] = { nir_type_float, 0, 1 },
   [nir_tex_src_comparator] = { nir_type_float, 0, 1 },
   [nir_tex_src_ddx] = { nir_type_float, 0, COORD_WITHOUT_LAYER },
   [nir_tex_src_ddy] = { nir_type_float, 0, COORD_WITHOUT_LAYER },
   [nir_tex_src_offset] = { nir_type_int, 0, COORD_WITHOUT_LAYER },
   [nir_tex_src_ms_index] = { nir_type_int, 0, 1 },
   [nir_tex_src_plane] = { nir_type_int, 0, 1 },
   [nir_tex_src_ms_mcs_intel] = { nir_type_uint, 0, 4 },
   [nir_tex_src_texture_deref] = { nir_type_uint, 0, 1 },
   [nir_tex_src_sampler_deref] = { nir_type_uint, 0, 1 },
   [nir_tex_src_texture_offset] = { nir_type_uint, 0, 1 },
   [nir_tex_src_sampler_offset] = { nir_type_uint, 0, 1 },
   [nir_tex_src_texture_handle] = { nir_type_uint, 0, 1 },
   [nir_tex_src_sampler_handle] = { nir_type_uint, 0, 1 },
};

nir_alu_type
nir_tex_operand_type(const nir_tex_instr *tex, unsigned i)
{
   const nir_tex_operand_kind kind = tex->src[i].src_type;
   return has_trait(tex, operands[kind].int_if) ? nir_type_int
                                                : operands[kind].type;
}

unsigned
nir_tex_operand_size(const nir_tex_instr *tex, unsigned i)
{
   const int size = operands[tex->src[i].src_type].size;
   return size > 0 ? (unsigned)size
                   : tex->coord_components -
                        (size == COORD_WITHOUT_LAYER && tex->is_array);
}

int
nir_tex_find(const nir_tex_instr *tex, nir_tex_operand_kind kind)
{
   for (int i = 0; i < tex->instr.num_operands; i++) {
      if (tex->src[i].src_type == kind)
         return i;
   }
   return -1;
}

/* Puts into `to` what `from` reads; `from` reads nothing then. */
static void
move_operand(nir_tex_instr *tex, nir_tex_operand *to, nir_tex_operand *from)
{
   nir_value *value = from->use.value;
   to->src_type = from->src_type;
   nir_set_use(&tex->instr, &from->use, NULL);
   nir_set_use(&tex->instr, &to->use, value);
}

void
nir_tex_resize(nir_tex_instr *tex, unsigned n)
{
   nir_tex_operand *to = arena_new_array(tex->arena, nir_tex_operand, n);
   for (unsigned i = 0; i < MIN2(n, tex->instr.num_operands); i++)
      move_operand(tex, &to[i], &tex->src[i]);
   tex->src = to;
   tex->instr.operands = &to->use;
   tex->instr.operand_B = sizeof(*to);
   tex->instr.num_operands = (uint16_t)n;
}

void
nir_tex_add(nir_tex_instr *tex, nir_tex_operand_kind kind, nir_use use)
{
   const unsigned last = tex->instr.num_operands;
   nir_tex_resize(tex, last + 1);
   tex->src[last].src_type = kind;
   nir_set_use(&tex->instr, &tex->src[last].use, use.value);
}

void
nir_tex_remove(nir_tex_instr *tex, unsigned i)
{
   assert(i < tex->instr.num_operands);
   nir_set_use(&tex->instr, &tex->src[i].use, NULL);
   while (++i < tex->instr.num_operands)
      move_operand(tex, &tex->src[i - 1], &tex->src[i]);
   tex->instr.num_operands--;
}
