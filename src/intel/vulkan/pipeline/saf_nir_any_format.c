/* SPDX-License-Identifier: MIT */
/*
 * Problem: typed reads do not convert normalised, packed and small formats
 * (isl_storage_read_format()), so that the shader does, by the format that it
 * names; with shaderStorageImageReadWithoutFormat it names none.
 *
 * Method: what is to be done stands in a word beside what else shaders know
 * of a view (struct saf_surface_info): how channels are coded, how many there
 * are, of how many bits, and what a missing alpha is. Formats of four
 * channels that the data port reads itself cost one comparison of a uniform.
 *
 * Before: image_load without a format. After: such loads are of four raw
 * channels, and their uses see those of the view. Gen9: of all formats that
 * are offered a read returns either the channels, or their bits.
 */
#include "saf_nir_format.h"

#include <stddef.h>

/* Where typed reads return the channels of a format, or their bits. */
bool
saf_reads_any_format(const struct intel_device_info *info)
{
   return info->typed_reads == INTEL_TYPED_READS_MOST;
}

enum coding {
   AS_IS,
   UNORM,
   SNORM,
   /* In one dword. */
   FIRST_PACKED,
   UNORM_10_2 = FIRST_PACKED,
   UINT_10_2,
   FLOATS_11_10,
};

#define CHANNELS_SHIFT 8
#define BITS_SHIFT 16
#define INTEGERS (1u << 24)
#define EXCHANGED (1u << 25) /* blue is first */

static enum coding
coding_of(enum isl_format format)
{
   switch ((int)format) {
   case ISL_FORMAT_R10G10B10A2_UNORM: return UNORM_10_2;
   case ISL_FORMAT_R10G10B10A2_UINT: return UINT_10_2;
   case ISL_FORMAT_R11G11B10_FLOAT: return FLOATS_11_10;
   }
   switch (saf_nir_format_channel(format, 0).type) {
   case ISL_UNORM: return UNORM;
   case ISL_SNORM: return SNORM;
   default: return AS_IS;
   }
}

uint32_t
saf_any_format_word(enum isl_format format)
{
   const enum coding coding = coding_of(format);
   uint32_t channels = 0;
   while (channels < 4 && saf_nir_format_channel(format, channels).bits)
      channels++;
   if (coding == AS_IS && channels == 4)
      return 0;
   return coding | channels << CHANNELS_SHIFT |
          (uint32_t)saf_nir_format_channel(format, 0).bits << BITS_SHIFT |
          (isl_format_has_int_channel(format) ? INTEGERS : 0) |
          (format == ISL_FORMAT_B8G8R8A8_UNORM ? EXCHANGED : 0);
}

static nir_value *
field(nir_builder *b, nir_value *word, unsigned shift)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, shift), 0xff);
}

static nir_value *
is_coding(nir_builder *b, nir_value *word, enum coding coding)
{
   return nir_ieq_imm(b, field(b, word, 0), coding);
}

/* A channel of 8 or 16 bits, or one that is what it should be. */
static nir_value *
normalized(nir_builder *b, nir_value *word, nir_value *raw)
{
   nir_value *bytes = nir_ieq_imm(b, field(b, word, BITS_SHIFT), 8);
   nir_value *as[2][2]; /* of words and bytes: without and with a sign */
   static const uint8_t types[] = { ISL_UNORM, ISL_SNORM };
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned sign = 0; sign < 2; sign++)
         as[i][sign] = saf_nir_convert_channel(
            b, raw,
            (struct isl_channel_layout) { .type = types[sign],
                                          .bits = i ? 8 : 16 });
   }
   nir_value *unorm = nir_bcsel(b, bytes, as[1][0], as[0][0]);
   nir_value *snorm = nir_bcsel(b, bytes, as[1][1], as[0][1]);
   return nir_bcsel(b, is_coding(b, word, UNORM), unorm,
                    nir_bcsel(b, is_coding(b, word, SNORM), snorm, raw));
}

static nir_value *
unpacked(nir_builder *b, nir_value *word, nir_value *dword, unsigned c)
{
   nir_value *dwords[4] = { dword };
   nir_value *unorm =
      saf_nir_texel_channel(b, dwords, ISL_FORMAT_R10G10B10A2_UNORM, c);
   nir_value *uint =
      saf_nir_texel_channel(b, dwords, ISL_FORMAT_R10G10B10A2_UINT, c);
   nir_value *floats =
      saf_nir_texel_channel(b, dwords, ISL_FORMAT_R11G11B10_FLOAT, c);
   return nir_bcsel(b, is_coding(b, word, UNORM_10_2), unorm,
                    nir_bcsel(b, is_coding(b, word, UINT_10_2), uint,
                              floats));
}

static nir_value *
or_missing(nir_builder *b, nir_value *word, nir_value *v, unsigned c)
{
   nir_value *missing = nir_imm_int(b, 0);
   if (c == 0)
      return v;
   if (c == 3) {
      nir_value *integers = nir_iand_imm(b, word, INTEGERS);
      missing = nir_bcsel(b, nir_ine_imm(b, integers, 0), nir_imm_int(b, 1),
                          nir_imm_float(b, 1.0f));
   }
   nir_value *channels = field(b, word, CHANNELS_SHIFT);
   return nir_bcsel(b, nir_ult(b, nir_imm_int(b, (int)c), channels), v,
                    missing);
}

/* The raw channel that component `c` comes from. */
static nir_value *
ordered(nir_builder *b, nir_value *word, nir_value *raw, unsigned c)
{
   if (c % 2 || raw->num_components < 3)
      return nir_channel(b, raw, c);
   nir_value *exchanged = nir_ine_imm(b, nir_iand_imm(b, word, EXCHANGED), 0);
   return nir_bcsel(b, exchanged, nir_channel(b, raw, 2 - c),
                    nir_channel(b, raw, c));
}

static nir_value *
converted(nir_builder *b, nir_value *word, nir_value *raw, unsigned n)
{
   nir_value *out[4], *apart[4];
   nir_value *in_one =
      nir_ige(b, field(b, word, 0), nir_imm_int(b, FIRST_PACKED));
   nir_if *packed = nir_push_if(b, in_one);
   for (unsigned c = 0; c < n; c++)
      out[c] = unpacked(b, word, nir_channel(b, raw, 0), c);
   nir_value *one = nir_vec(b, out, n);
   nir_push_else(b, packed);
   for (unsigned c = 0; c < n; c++)
      apart[c] = or_missing(b, word,
                            normalized(b, word, ordered(b, word, raw, c)), c);
   nir_value *several = nir_vec(b, apart, n);
   nir_pop_if(b, packed);
   return nir_if_phi(b, one, several);
}

void
saf_nir_convert_any(nir_builder *b, nir_intrinsic_instr *old,
                    const struct saf_info_place *place)
{
   const unsigned n = old->instr.result.num_components;
   b->cursor = nir_before_instr(&old->instr);
   nir_intrinsic_instr *load =
      nir_instr_as_intrinsic(nir_instr_clone(b->shader, &old->instr));
   load->num_components = 4;
   load->instr.result.num_components = 4;
   /* No conversion. */
   nir_intrinsic_set_format(load, PIPE_FORMAT_R32G32B32A32_UINT);
   nir_intrinsic_set_dest_type(load, nir_type_uint32);
   nir_emit(b, &load->instr);
   nir_value *raw = &load->instr.result;
   nir_value *word = saf_nir_load_info(
      b, place, offsetof(struct saf_surface_info, load_format), 1);
   nir_value *as_is = nir_trim_vector(b, raw, n);
   nir_if *differs = nir_push_if(b, nir_ine_imm(b, word, 0));
   nir_value *other = converted(b, word, raw, n);
   nir_pop_if(b, differs);
   nir_instr_replace(&old->instr, nir_if_phi(b, other, as_is));
}

bool
saf_nir_convert_any_loads(nir_shader *nir, struct saf_bind_map *map)
{
   nir_function_impl *impl = nir_entry_point(nir);
   nir_builder b = nir_builder_create(impl);
   struct util_dynarray found = { 0 };
   bool ok = true;
   nir_foreach_block(block, impl) {
      nir_foreach_instr(instr, block) {
         nir_intrinsic_instr *intr = nir_maybe_intrinsic(instr);
         if (!intr)
            continue;
         if (saf_nir_is_any_load(intr))
            util_dynarray_append(&found, nir_intrinsic_instr *, intr);
      }
   }
   util_dynarray_foreach(&found, nir_intrinsic_instr *, load) {
      struct saf_info_place place;
      b.cursor = nir_before_instr(&(*load)->instr);
      ok = ok && saf_nir_table_info(&b, map, (*load)->src[0].value, &place);
      if (ok)
         saf_nir_convert_any(&b, *load, &place);
   }
   if (found.size_B)
      nir_metadata_preserve(impl, nir_metadata_none);
   util_dynarray_fini(&found);
   return ok;
}
