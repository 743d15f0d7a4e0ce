/* SPDX-License-Identifier: MIT */
/*
 * Decoding RENDER_SURFACE_STATE (SKL PRM volume 2d) and finding texels (SKL
 * PRM volume 5, "Memory Views: Common Surface Formats"), once for all the
 * shared functions that read surfaces.
 *
 * Written from the manual, apart from isl, whose tests and the driver's use
 * of both show whether the two agree.
 */
#include "surface.h"

#include <stdarg.h>
#include <stdio.h>

#include "surface_state.h"

#include "intel/isl/isl.h"
#include "intel/sim/gen/traits.h"
#include "intel/sim/mem/watch.h"

struct decoder {
   const struct sim_traits *traits;
   bool lod0_spacing; /* Gen7 */
   struct sim_surface *s;
   const struct GEN9_RENDER_SURFACE_STATE *r;
   char *error;
   size_t error_B;
};

static bool PRINTFLIKE(2, 3)
   refuse(const struct decoder *d, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(d->error, d->error_B, fmt, ap);
   va_end(ap);
   return false;
}

/*
 * HALIGN and VALIGN: 1, 2, 3 are 4, 8, 16: elements since Gen9, pixels before
 * (BDW PRM volume 2d, RENDER_SURFACE_STATE, "Surface Horizontal Alignment"),
 * where a block of a compressed format is at least as large.
 */
static unsigned
align_el(const struct decoder *d, unsigned code, unsigned block)
{
   const unsigned align = code == SIM_VALIGN_2 && d->traits->has_valign_2 ? 2
                          : code ? 2u << code
                                 : 4;
   return d->traits->aligned_in_elements ? align : MAX2(align / block, 1u);
}

/* What the state may say and the simulator does not have. */
static bool
check_implemented(const struct decoder *d)
{
   const struct GEN9_RENDER_SURFACE_STATE *r = d->r;
   if (r->SurfaceType == SIM_SURFACE_STRBUF)
      return refuse(d, "structured buffers are not implemented");
   if (r->TiledResourceMode != TRMODE_NONE)
      return refuse(d, "tiled resource mode %u is not implemented",
                    r->TiledResourceMode);
   if (r->AuxiliarySurfaceMode != AUX_NONE &&
       r->AuxiliarySurfaceMode != AUX_CCS_D &&
       r->AuxiliarySurfaceMode != AUX_CCS_E &&
       r->AuxiliarySurfaceMode != AUX_HIZ)
      return refuse(d, "auxiliary surface mode %u is not implemented",
                    r->AuxiliarySurfaceMode);
   if (r->SeparateUVPlaneEnable || r->MemoryCompressionEnable ||
       r->VerticalLineStride)
      return refuse(d, "media surfaces are not implemented");
   if (r->RenderTargetAndSampleUnormRotation)
      return refuse(d, "rotated surfaces are not implemented");
   if (r->SurfaceType == SIM_SURFACE_2D && r->MultisamplePositionPaletteIndex)
      return refuse(d, "a palette of sample positions is not implemented");
   if (r->BaseMipLevel > 0.0f)
      return refuse(d, "a base level is not implemented");
   return true;
}

static bool
decode_format(const struct decoder *d)
{
   const unsigned format = d->r->SurfaceFormat;
   if (!isl_format_is_valid((enum isl_format)format))
      return refuse(d, "surface format 0x%03x (%s) is not implemented",
                    format, sim_format_name(format));
   const struct isl_format_layout *l =
      isl_format_get_layout((enum isl_format)format);
   d->s->format = format;
   d->s->format_name = l->name;
   d->s->element_B = l->bpb / 8;
   d->s->block_w = l->bw;
   d->s->block_h = l->bh;
   return true;
}

static bool
decode_swizzle(const struct decoder *d)
{
   const uint32_t select[4] = {
      d->r->ShaderChannelSelectRed,
      d->r->ShaderChannelSelectGreen,
      d->r->ShaderChannelSelectBlue,
      d->r->ShaderChannelSelectAlpha,
   };
   d->s->identity_select = true;
   for (unsigned c = 0; c < 4; c++) {
      if (select[c] == 2 || select[c] == 3)
         return refuse(d, "channel select %u is reserved", select[c]);
      d->s->channel_select[c] = (uint8_t)select[c];
      d->s->identity_select &= select[c] == SCS_RED + c;
   }
   return true;
}

static bool
decode_samples(const struct decoder *d)
{
   if (d->r->NumberofMultisamples > MULTISAMPLECOUNT_16)
      return refuse(d, "number of multisamples %u is reserved",
                    d->r->NumberofMultisamples);
   d->s->num_samples = 1u << d->r->NumberofMultisamples;
   if (d->s->num_samples == 1)
      return true;
   d->s->sample_layout = d->r->MultisampledSurfaceStorageFormat ==
                               MSFMT_DEPTH_STENCIL
                            ? SIM_SAMPLES_INTERLEAVED
                            : SIM_SAMPLES_SLICES;
   if (d->s->type != SIM_SURFACE_2D)
      return refuse(d, "a multisampled surface must be 2D");
   return true;
}

/* Levels side by side, 64 elements aligned ("1D Surfaces"). */
static void
place_levels_1d(struct sim_surface *s)
{
   uint32_t x = 0;
   for (unsigned l = 0; l < SIM_SURFACE_LEVELS; l++) {
      s->x0_el[l] = x;
      s->y0_el[l] = 0;
      x += ALIGN(MAX2(s->width >> l, 1u), 64);
   }
}

static uint32_t
y_offset(const struct decoder *d)
{
   return d->traits->y_offset_rows * d->r->YOffset / d->s->block_h;
}

/*
 * Gen7 computes the distance of slices: "QPitch = h0 + h1 + 12 j", or h0 with
 * the spacing for level 0 (IVB PRM volume 1 part 1, "Surface Arrays").
 */
static uint32_t
implied_qpitch_rows(const struct decoder *d)
{
   const struct sim_surface *s = d->s;
   const unsigned valign =
      s->block_h * align_el(d, d->r->SurfaceVerticalAlignment, s->block_h);
   uint32_t h = s->height;
   if (s->sample_layout == SIM_SAMPLES_INTERLEAVED && s->num_samples >= 4)
      h = ALIGN(h, 2) * 2;
   const uint32_t h0 = ALIGN(h, valign);
   const uint32_t h1 = ALIGN(MAX2(h / 2, 1u), valign);
   return (d->lod0_spacing ? h0 : h0 + h1 + 12 * valign) / s->block_h;
}

/*
 * 3D before Gen9: each level is an array of its slices, 2^level side by side;
 * the levels lie below each other (BDW PRM volume 5, "3D Surfaces").
 */
static void
place_levels_3d(const struct decoder *d)
{
   struct sim_surface *s = d->s;
   const unsigned halign =
      align_el(d, d->r->SurfaceHorizontalAlignment, s->block_w);
   const unsigned valign =
      align_el(d, d->r->SurfaceVerticalAlignment, s->block_h);
   const uint32_t x = 4 * d->r->XOffset / s->block_w;
   uint32_t y = y_offset(d);
   s->slices_in_rows = true;
   for (unsigned l = 0; l < SIM_SURFACE_LEVELS; l++) {
      const uint32_t slices = MAX2(s->depth >> l, 1u);
      const uint32_t w = DIV_ROUND_UP(MAX2(s->width >> l, 1u), s->block_w);
      const uint32_t h = DIV_ROUND_UP(MAX2(s->height >> l, 1u), s->block_h);
      s->x0_el[l] = x;
      s->y0_el[l] = y;
      s->slice_w_el[l] = ALIGN(w, halign);
      s->slice_h_el[l] = ALIGN(h, valign);
      y += DIV_ROUND_UP(slices, 1u << l) * s->slice_h_el[l];
   }
}

/* Level 1 below level 0, level 2 right of 1, the rest below 2. */
static void
place_levels_2d(const struct decoder *d)
{
   struct sim_surface *s = d->s;
   uint32_t w = s->width, h = s->height;
   if (s->sample_layout == SIM_SAMPLES_INTERLEAVED) {
      const unsigned shift = util_logbase2(s->num_samples);
      w = ALIGN(w, 2) << (shift + 1) / 2;
      h = shift > 1 ? ALIGN(h, 2) << shift / 2 : h;
   }
   uint32_t x = 4 * d->r->XOffset / s->block_w;
   uint32_t y = y_offset(d);
   for (unsigned l = 0; l < SIM_SURFACE_LEVELS; l++) {
      s->x0_el[l] = x;
      s->y0_el[l] = y;
      const uint32_t w_el = DIV_ROUND_UP(MAX2(w >> l, 1u), s->block_w);
      const uint32_t h_el = DIV_ROUND_UP(MAX2(h >> l, 1u), s->block_h);
      if (l == 1)
         x += ALIGN(w_el, align_el(d, d->r->SurfaceHorizontalAlignment,
                                   s->block_w));
      else
         y += ALIGN(h_el,
                    align_el(d, d->r->SurfaceVerticalAlignment, s->block_h));
   }
}

/* The clear colour as it would be in memory, and as it is read from there. */
static void
decode_clear_color(const struct decoder *d)
{
   struct sim_aux *a = &d->s->aux;
   const uint32_t rgba[4] = {
      d->r->RedClearColor,
      d->r->GreenClearColor,
      d->r->BlueClearColor,
      d->r->AlphaClearColor,
   };
   memcpy(a->clear_rgba, rgba, sizeof(rgba));
   if (!sim_format_can_pack(d->s->format))
      return;
   sim_format_pack(d->s->format, rgba, a->clear_texel);
   if (sim_format_can_unpack(d->s->format))
      sim_format_unpack(d->s->format, a->clear_texel, a->clear_rgba);
}

/* How many pixels of a fast clear a pixel of its rectangle stands for: PRM
 * SKL volume 7, "MCS Buffer for Render Target(s)", "Fast Color Clear". */
static void
set_mcs_scale(struct sim_surface *s)
{
   struct sim_aux *a = &s->aux;
   a->clear_w = s->num_samples <= 4 ? 8 : s->num_samples == 8 ? 2 : 1;
   a->clear_h = 2;
}

/* An element is a pair of cache lines; the rectangles' scales are in the
 * same section, under "Fast Color Clear" and "Render Target Resolve". */
static bool
set_ccs_blocks(const struct decoder *d)
{
   struct sim_surface *s = d->s;
   struct sim_aux *a = &s->aux;
   const bool x_tiled = s->tiling == SIM_TILE_X;
   if ((s->element_B != 4 && s->element_B != 8 && s->element_B != 16) ||
       (s->tiling != SIM_TILE_Y && !(x_tiled && d->traits->ccs_of_x_tiling)))
      return refuse(d, "a colour control surface beside %s in tile mode %u",
                    s->format_name, (unsigned)s->tiling);
   a->element_bits = d->traits->ccs_bits;
   a->block_w = (x_tiled ? 64 : 32) / s->element_B;
   a->block_h = x_tiled ? 2 : 4;
   a->block_w_log2 = (uint8_t)util_logbase2(a->block_w);
   a->block_h_log2 = (uint8_t)util_logbase2(a->block_h);
   a->clear_w = a->block_w * 8;
   a->clear_h = a->block_h * d->traits->ccs_clear_blocks;
   a->resolve_w = a->clear_w;
   a->resolve_h = a->clear_h;
   if (d->traits->ccs_resolves_halves) {
      a->resolve_w = a->block_w / 2;
      a->resolve_h = a->block_h / 2;
   }
   return true;
}

static bool
decode_aux(const struct decoder *d)
{
   const struct GEN9_RENDER_SURFACE_STATE *r = d->r;
   struct sim_surface *s = d->s;
   struct sim_aux *a = &s->aux;
   if (r->AuxiliarySurfaceMode == AUX_NONE)
      return true;
   a->address = r->AuxiliarySurfaceBaseAddress;
   a->pitch_B = (r->AuxiliarySurfacePitch + 1) * 128;
   /* What is without a QPitch has one level. */
   a->qpitch_rows = d->traits->has_qpitch ? r->AuxiliarySurfaceQPitch * 4
                                          : ALIGN(s->height, 4);
   decode_clear_color(d);
   if (r->AuxiliarySurfaceMode == AUX_HIZ) {
      a->mode = SIM_AUX_HIZ;
      return true;
   }
   if (s->num_samples > 1) {
      if (s->sample_layout != SIM_SAMPLES_SLICES)
         return refuse(d, "a multisample control surface beside "
                          "interleaved samples");
      a->mode = SIM_AUX_MCS;
      set_mcs_scale(s);
      return true;
   }
   a->mode = SIM_AUX_CCS;
   return set_ccs_blocks(d);
}

static bool
decode_image(const struct decoder *d)
{
   struct sim_surface *s = d->s;
   const struct GEN9_RENDER_SURFACE_STATE *r = d->r;
   s->width = r->Width + 1;
   s->height = s->type == SIM_SURFACE_1D ? 1 : r->Height + 1;
   s->depth = r->Depth + 1;
   s->view_extent = r->RenderTargetViewExtent + 1;
   s->is_array = r->SurfaceArray;
   s->first_slice = r->MinimumArrayElement;
   s->first_level = r->SurfaceMinLOD;
   s->level_count = r->MIPCountLOD + 1;
   s->target_level = r->MIPCountLOD;
   s->resource_min_lod = r->ResourceMinLOD;
   if (s->first_level + s->level_count > SIM_SURFACE_LEVELS)
      return refuse(d, "levels %u to %u: there are %u at most",
                    s->first_level, s->first_level + s->level_count - 1,
                    SIM_SURFACE_LEVELS);

   s->tiling = (enum sim_tile_mode)r->TileMode;
   s->pitch_B = r->SurfacePitch + 1;
   /* "For compressed textures this field is in units of rows in the
    * uncompressed surface" (BDW PRM volume 2d, "Surface QPitch"). */
   s->qpitch_rows = r->SurfaceQPitch * 4;
   if (d->traits->qpitch_is_uncompressed)
      s->qpitch_rows /= s->block_h;
   if (s->tiling == SIM_TILE_W && s->element_B != 1)
      return refuse(d, "W tiling of %s", s->format_name);
   if (!decode_samples(d))
      return false;
   if (!d->traits->has_qpitch)
      s->qpitch_rows = implied_qpitch_rows(d);
   /* Tiled ones (of depth and stencil) are laid out as 2D. */
   s->is_linear_1d = d->traits->levels_1d_in_a_row &&
                     s->type == SIM_SURFACE_1D &&
                     s->tiling == SIM_TILE_LINEAR;
   if (s->is_linear_1d)
      place_levels_1d(s);
   else if (d->traits->levels_3d_below && s->type == SIM_SURFACE_3D)
      place_levels_3d(d);
   else
      place_levels_2d(d);
   return decode_aux(d);
}

/* So small that offsets have 32 bits with a sign, whatever is added. */
static bool
is_plain(const struct sim_surface *s)
{
   struct sim_range range[2];
   if (s->block_w != 1 || s->block_h != 1 || s->num_samples != 1 ||
       (s->aux.mode != SIM_AUX_NONE && s->aux.mode != SIM_AUX_CCS) ||
       s->is_linear_1d || s->slices_in_rows || s->tiling == SIM_TILE_W ||
       (s->type != SIM_SURFACE_2D && s->type != SIM_SURFACE_CUBE &&
        s->type != SIM_SURFACE_3D))
      return false;
   sim_surface_ranges(s, range);
   return range[0].end - range[0].begin < 1u << 30;
}

bool
sim_surface_decode(struct sim_surface *s, const uint32_t dw[16], char *error,
                   size_t error_B)
{
   return sim_surface_decode_gen(s, 90, dw, error, error_B);
}

bool
sim_surface_decode_gen(struct sim_surface *s, unsigned verx10,
                       const uint32_t *dw, char *error, size_t error_B)
{
   struct GEN9_RENDER_SURFACE_STATE r;
   sim_surface_state_unpack(verx10, dw, &r);
   memset(s, 0, sizeof(*s));
   s->type = (enum sim_surface_type)r.SurfaceType;
   s->address = r.SurfaceBaseAddress;
   s->num_samples = 1;
   const struct sim_traits *traits = sim_traits(verx10);
   const bool lod0_spacing = !traits->has_qpitch &&
                             sim_surface_state_lod0_spacing(dw);
   const struct decoder d = { traits, lod0_spacing, s, &r, error, error_B };
   if (s->type == SIM_SURFACE_NULL) {
      s->format_name = "null surface";
      s->width = r.Width + 1;
      s->height = r.Height + 1;
      s->depth = r.Depth + 1;
      s->level_count = 1;
      return true;
   }
   if (r.SurfaceType == 6)
      return refuse(&d, "surface type 6 is reserved");
   if (!check_implemented(&d) || !decode_format(&d) || !decode_swizzle(&d))
      return false;
   s->integer_border = traits->border_has_integers &&
                       sim_surface_state_integer_border(dw);
   if (s->type == SIM_SURFACE_BUFFER) {
      s->num_elements = (r.Width | r.Height << 7 | r.Depth << 21) + 1;
      s->pitch_B = r.SurfacePitch + 1;
      s->width = s->num_elements;
      s->height = s->depth = s->level_count = 1;
      return true;
   }
   if (!decode_image(&d))
      return false;
   s->is_plain = is_plain(s);
   return true;
}

uint64_t
sim_surface_element_address(const struct sim_surface *s, unsigned level,
                            uint32_t x_el, uint32_t y_el, uint32_t slice,
                            unsigned sample)
{
   if (s->type == SIM_SURFACE_BUFFER)
      return s->address + (uint64_t)x_el * s->pitch_B;
   if (s->is_linear_1d) {
      const uint64_t x = (uint64_t)slice * s->qpitch_rows + s->x0_el[level];
      return s->address + (x + x_el) * s->element_B;
   }
   if (s->sample_layout == SIM_SAMPLES_INTERLEAVED)
      sim_interleave_sample(s->num_samples, sample, &x_el, &y_el);
   else if (s->sample_layout == SIM_SAMPLES_SLICES)
      slice = slice * s->num_samples + sample;
   if (s->slices_in_rows) {
      const uint32_t x = (slice & BITFIELD_MASK(level)) *
                         s->slice_w_el[level];
      const uint32_t y = (slice >> level) * s->slice_h_el[level];
      return s->address +
             sim_tile_offset(s->tiling, s->pitch_B,
                             (s->x0_el[level] + x + x_el) * s->element_B,
                             s->y0_el[level] + y + y_el);
   }
   return s->address +
          sim_tile_offset(s->tiling, s->pitch_B,
                          (s->x0_el[level] + x_el) * s->element_B,
                          s->y0_el[level] + y_el + slice * s->qpitch_rows);
}

/* Rows of elements from the first to after the last of the surface. */
static uint64_t
rows_of(const struct sim_surface *s)
{
   const unsigned levels =
      MAX2(s->first_level + s->level_count, s->target_level + 1);
   uint64_t slices = (uint64_t)s->first_slice +
                     MAX2(s->depth, s->view_extent);
   slices *= s->type == SIM_SURFACE_CUBE ? 6 : 1;
   slices *= s->sample_layout == SIM_SAMPLES_SLICES ? s->num_samples : 1;
   const unsigned scale = s->sample_layout == SIM_SAMPLES_INTERLEAVED &&
                                s->num_samples > 2
                             ? s->num_samples > 8 ? 4 : 2
                             : 1;
   uint64_t rows = 0;
   for (unsigned l = 0; l < MIN2(levels, SIM_SURFACE_LEVELS); l++) {
      const uint64_t h = (uint64_t)scale *
                         (MAX2(s->height >> l, 1u) + s->block_h) / s->block_h;
      const uint64_t below = s->slices_in_rows
                                ? (slices >> l) * s->slice_h_el[l]
                                : (slices - 1) * s->qpitch_rows;
      rows = MAX2(rows, s->y0_el[l] + h + below);
   }
   return rows;
}

/* The same of what lies beside it, in rows of tiles: see compress.c. */
static uint64_t
aux_tile_rows(const struct sim_surface *s)
{
   const struct sim_aux *a = &s->aux;
   const uint64_t slices = (uint64_t)s->first_slice +
                           MAX2(s->depth, s->view_extent);
   const uint64_t px = 2ull * s->height + 128 + slices * a->qpitch_rows;
   switch (a->mode) {
   case SIM_AUX_NONE: return 0;
   case SIM_AUX_MCS: return px / 32 + 1;
   case SIM_AUX_CCS: return px / a->block_h * a->element_bits / 256 + 1;
   case SIM_AUX_HIZ: return px / (SIM_HIZ_H * 16) + 1;
   }
   unreachable("auxiliary surface");
}

unsigned
sim_surface_ranges(const struct sim_surface *s, struct sim_range range[2])
{
   uint64_t size_B;
   if (s->type == SIM_SURFACE_NULL)
      return 0;
   if (s->type == SIM_SURFACE_BUFFER || s->type == SIM_SURFACE_STRBUF)
      size_B = (uint64_t)s->num_elements * MAX2(s->pitch_B, 1) + 15;
   else if (s->is_linear_1d)
      size_B = (s->x0_el[SIM_SURFACE_LEVELS - 1] + 64ull +
                ((uint64_t)s->first_slice + s->depth) * s->qpitch_rows) *
               s->element_B;
   else if (s->tiling == SIM_TILE_LINEAR)
      size_B = rows_of(s) * s->pitch_B;
   else if (s->tiling == SIM_TILE_W)
      size_B = ALIGN(rows_of(s), 64ull) / 2 * s->pitch_B;
   else
      size_B = ALIGN(rows_of(s), 32ull) * s->pitch_B;
   range[0] = (struct sim_range) { s->address, s->address + size_B };
   if (s->aux.mode == SIM_AUX_NONE)
      return 1;
   const uint64_t aux_B = aux_tile_rows(s) * 32 * s->aux.pitch_B;
   range[1] = (struct sim_range) { s->aux.address, s->aux.address + aux_B };
   return 2;
}

/* Whether the auxiliary surface says that the pixel has the clear colour;
 * false: a memory fault. */
static bool
is_clear(const struct sim_surface *s, struct sim_mem *mem, unsigned level,
         uint32_t x, uint32_t y, uint32_t slice, bool *clear)
{
   *clear = false;
   if (s->aux.mode == SIM_AUX_CCS)
      return sim_ccs_is_clear(s, mem, level, x, y, slice, clear);
   if (s->aux.mode == SIM_AUX_HIZ) {
      struct sim_hiz h;
      sim_hiz_init(&h, s->aux.address, s->aux.pitch_B, s->aux.qpitch_rows,
                   s->width, s->height, level);
      const struct sim_hiz_block *b = sim_hiz_block(&h, mem, x, y, slice);
      *clear = b && b->mark == SIM_HIZ_CLEAR;
      return b != NULL;
   }
   return true;
}

bool
sim_surface_read_texel(const struct sim_surface *s, struct sim_mem *mem,
                       unsigned level, uint32_t x, uint32_t y, uint32_t slice,
                       unsigned sample, uint32_t rgba[4])
{
   const bool blocks = s->block_w > 1;
   if (__builtin_expect(s->aux.mode > SIM_AUX_MCS, 0)) {
      bool clear;
      if (!is_clear(s, mem, level, x, y, slice, &clear)) {
         memset(rgba, 0, 4 * sizeof(uint32_t));
         return false;
      }
      if (clear) {
         memcpy(rgba, s->aux.clear_rgba, sizeof(s->aux.clear_rgba));
         return true;
      }
   }
   const uint64_t address =
      blocks ? sim_surface_element_address(s, level, x / s->block_w,
                                           y / s->block_h, slice, sample)
             : sim_surface_element_address(s, level, x, y, slice, sample);
   const void *texel = sim_mem_ptr(mem, address, s->element_B, SIM_MEM_READ);
   if (!texel) {
      memset(rgba, 0, 4 * sizeof(uint32_t));
      return false;
   }
   sim_mem_note_message(mem, address, s->element_B, SIM_MEM_READ);
   if (blocks)
      sim_format_unpack_block(s->format, texel, x % s->block_w,
                              y % s->block_h, rgba);
   else
      sim_format_unpack(s->format, texel, rgba);
   return true;
}

bool
sim_surface_read_sample(const struct sim_surface *s, struct sim_mem *mem,
                        unsigned level, uint32_t x, uint32_t y,
                        uint32_t slice, unsigned sample, uint32_t rgba[4])
{
   if (s->aux.mode == SIM_AUX_MCS) {
      uint64_t word;
      memset(rgba, 0, 4 * sizeof(uint32_t));
      if (!sim_mcs_read(s, mem, x, y, slice, &word))
         return false;
      if (sim_mcs_is_clear(s->num_samples, word)) {
         memcpy(rgba, s->aux.clear_rgba, sizeof(s->aux.clear_rgba));
         return true;
      }
      sample = sim_mcs_plane(s->num_samples, word, sample);
   }
   return sim_surface_read_texel(s, mem, level, x, y, slice, sample, rgba);
}

uint64_t
sim_surface_typed_address(const struct sim_surface *s, uint32_t u, uint32_t v,
                          uint32_t r, unsigned level)
{
   if (s->type == SIM_SURFACE_NULL || s->num_samples > 1)
      return 0;
   if (s->type == SIM_SURFACE_BUFFER)
      return u < s->num_elements
                ? sim_surface_element_address(s, 0, u, 0, 0, 0)
                : 0;
   level += s->first_level;
   if (level >= SIM_SURFACE_LEVELS || u >= MAX2(s->width >> level, 1u))
      return 0;
   uint32_t y = 0, slice = s->first_slice;
   if (s->type == SIM_SURFACE_1D) {
      if (s->is_array && v >= s->depth)
         return 0;
      slice += s->is_array ? v : 0;
   } else {
      const uint32_t slices =
         s->type == SIM_SURFACE_3D
            ? MIN2(s->view_extent, MAX2(s->depth >> level, 1u))
         : s->type == SIM_SURFACE_CUBE ? 6 * s->depth
         : s->is_array                 ? s->depth
                                       : 1;
      const bool sliced = s->is_array || s->type != SIM_SURFACE_2D;
      if (v >= MAX2(s->height >> level, 1u) || (sliced && r >= slices))
         return 0;
      y = v;
      slice += sliced ? r : 0;
   }
   return sim_surface_element_address(s, level, u, y, slice, 0);
}
