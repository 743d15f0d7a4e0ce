/* SPDX-License-Identifier: MIT */
/* Words to structs and back, field by field from the generated table. */
#include "gp_isa_private.h"

unsigned
gp_field_get(const struct gp_instr *instr, enum gp_field field)
{
   const struct gp_field_info *f = &gp_field_table[field];
   const uint8_t *at = (const uint8_t *)instr + f->offset_B;
   return f->size_B == 2 ? *(const uint16_t *)(const void *)at : *at;
}

void
gp_field_set(struct gp_instr *instr, enum gp_field field, unsigned v)
{
   const struct gp_field_info *f = &gp_field_table[field];
   uint8_t *at = (uint8_t *)instr + f->offset_B;
   if (f->size_B == 2)
      *(uint16_t *)(void *)at = (uint16_t)v;
   else
      *at = (uint8_t)v;
}

const char *
gp_field_name(enum gp_field field)
{
   return gp_field_table[field].name;
}

unsigned
gp_field_width(enum gp_field field)
{
   return gp_field_table[field].width;
}

void
gp_instr_init(struct gp_instr *instr)
{
   memset(instr, 0, sizeof(*instr));
   for (unsigned f = 0; f < GP_FIELD_COUNT; f++)
      gp_field_set(instr, (enum gp_field)f, gp_field_table[f].idle);
}

void
gp_decode(const uint32_t dw[GP_INSTR_DWORDS], struct gp_instr *instr)
{
   const uint64_t half[2] = { dw[0] | (uint64_t)dw[1] << 32,
                              dw[2] | (uint64_t)dw[3] << 32 };
   memset(instr, 0, sizeof(*instr));
   for (unsigned i = 0; i < GP_FIELD_COUNT; i++) {
      const struct gp_field_info *f = &gp_field_table[i];
      unsigned value = 0, shift = 0;
      for (unsigned p = 0; p < f->num_parts; p++) {
         const unsigned low = f->part[p].low, width = f->part[p].width;
         uint64_t bits = half[low / 64] >> (low % 64);
         if (f->part[p].inverted)
            bits = ~bits;
         value |= (unsigned)(bits & BITFIELD64_MASK(width)) << shift;
         shift += width;
      }
      gp_field_set(instr, (enum gp_field)i, value);
   }
}

bool
gp_encode(const struct gp_instr *instr, uint32_t dw[GP_INSTR_DWORDS],
          const char **which)
{
   uint64_t half[2] = { 0, 0 };
   for (unsigned i = 0; i < GP_FIELD_COUNT; i++) {
      const struct gp_field_info *f = &gp_field_table[i];
      unsigned value = gp_field_get(instr, (enum gp_field)i);
      if (value >> f->width) {
         if (which)
            *which = f->name;
         return false;
      }
      for (unsigned p = 0; p < f->num_parts; p++) {
         const unsigned low = f->part[p].low, width = f->part[p].width;
         uint64_t bits = f->part[p].inverted ? ~(uint64_t)value : value;
         half[low / 64] |= (bits & BITFIELD64_MASK(width)) << (low % 64);
         value >>= width;
      }
   }
   for (unsigned i = 0; i < GP_INSTR_DWORDS; i++)
      dw[i] = (uint32_t)(half[i / 2] >> (i % 2 * 32));
   return true;
}

bool
gp_add_op_is_unary(unsigned op)
{
   return op == GP_ADD_OP_FLOOR || op == GP_ADD_OP_SIGN;
}

unsigned
gp_components_read(const struct gp_instr *i, enum gp_src first)
{
   const bool unary = gp_add_op_is_unary(i->add_op);
   const uint8_t src[] = {
      i->mul_src[0][0], i->mul_src[0][1],
      i->mul_src[1][0], i->mul_src[1][1],
      i->add_src[0][0], unary ? GP_SRC_UNUSED : i->add_src[0][1],
      i->add_src[1][0], unary ? GP_SRC_UNUSED : i->add_src[1][1],
      i->complex_src,   i->pass_src,
   };
   unsigned mask = 0;
   for (unsigned n = 0; n < ARRAY_SIZE(src); n++) {
      if (src[n] >= first && src[n] < first + 4)
         mask |= BITFIELD_BIT(src[n] - first);
   }
   /* Its bounds. */
   if (first == GP_SRC_UNIFORM_X && i->pass_op == GP_PASS_OP_CLAMP &&
       i->pass_src != GP_SRC_UNUSED)
      mask |= 0x3;
   return mask;
}

const char *
gp_unit_name(enum gp_unit unit)
{
   return gp_unit_names[unit];
}

const char *
gp_rule_name(enum gp_rule rule)
{
   return gp_rule_names[rule];
}

const char *
gp_rule_text(enum gp_rule rule)
{
   return gp_rule_texts[rule];
}

bool
gp_mul_op_is_known(unsigned op)
{
   return op < ARRAY_SIZE(gp_mul_op_names) && gp_mul_op_names[op];
}

bool
gp_add_op_is_known(unsigned op)
{
   return op < ARRAY_SIZE(gp_add_op_names) && gp_add_op_names[op];
}

bool
gp_complex_op_is_known(unsigned op)
{
   return op < ARRAY_SIZE(gp_complex_op_names) && gp_complex_op_names[op];
}

bool
gp_pass_op_is_known(unsigned op)
{
   return op < ARRAY_SIZE(gp_pass_op_names) && gp_pass_op_names[op];
}
