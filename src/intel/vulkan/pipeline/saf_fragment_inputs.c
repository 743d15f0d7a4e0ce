/* SPDX-License-Identifier: MIT */
/*
 * Problem: the setup unit moves the first 16 inputs of a fragment shader from
 * anywhere in a vertex, and takes the others from the place of their number
 * (PRM SKL vol 2a, "3DSTATE_SBE_SWIZ": attributes 16 to 31 are not swizzled).
 * A fragment shader is compiled without a look at the stages before it, and
 * numbers its inputs as they come: with more than 16 they can be elsewhere.
 *
 * Method: where that is so, it is compiled again, with numbers that fit. Who
 * is in one of the first 16 places of a vertex gets one of the first 16
 * numbers, as does what is a constant; all else has the number of its place.
 * Coordinates of points come from the unit itself: they take any number.
 */
#include "saf_fragment_inputs.h"
#include "intel/vulkan/base/saf_base.h"

#include "util/macros.h"

#include <string.h>

#define MOVABLE 16

/* Header and position are read for layer and viewport only. */
#define MIN_READ_OFFSET 1

static bool
header_slot(unsigned varying)
{
   return varying == VARYING_SLOT_LAYER || varying == VARYING_SLOT_VIEWPORT;
}

static bool
written_header_slot(unsigned varying, const struct intel_vue_outputs *out)
{
   return varying == VARYING_SLOT_LAYER ? out->writes_layer
                                        : out->writes_viewport;
}

/* Reading starts at the pair with the first slot that is used: then a shader
 * that reads all varyings in order needs nothing moved. */
unsigned
saf_input_read_offset(const struct intel_wm_prog_data *wm,
                      const struct intel_vue_outputs *out)
{
   int first = INT8_MAX;
   for (unsigned v = 0; v < ARRAY_SIZE(wm->urb_setup); v++) {
      if (wm->urb_setup[v] < 0)
         continue;
      if (header_slot(v) && written_header_slot(v, out))
         return 0;
      const int slot = out->vue_map.varying_to_slot[v];
      if (slot >= 2 * MIN_READ_OFFSET)
         first = MIN2(first, slot);
   }
   return first == INT8_MAX ? MIN_READ_OFFSET : (unsigned)first / 2;
}

int
saf_input_source(unsigned varying, const struct intel_vue_outputs *out,
                 unsigned read_offset)
{
   if (header_slot(varying))
      return written_header_slot(varying, out) ? 0 - 2 * (int)read_offset
                                               : -1;
   return out->vue_map.varying_to_slot[varying] - 2 * (int)read_offset;
}

static bool
is_in_place(unsigned varying, int index, int source)
{
   return index < MOVABLE || varying == VARYING_SLOT_PNTC || source == index;
}

static int
take_number(uint32_t *used, unsigned end)
{
   for (unsigned i = 0; i < end; i++) {
      if (!(*used & 1u << i)) {
         *used |= 1u << i;
         return (int)i;
      }
   }
   return -1;
}

enum saf_inputs_fit
saf_fit_inputs(const struct intel_wm_prog_data *wm,
               const struct intel_vue_outputs *out, int8_t numbers[64])
{
   const unsigned offset = saf_input_read_offset(wm, out);
   uint32_t used = 0;
   bool fits = wm->num_varying_inputs <= SAF_MAX_FRAGMENT_INPUTS;
   memset(numbers, -1, 64);
   for (unsigned v = 0; v < 64; v++) {
      const int source = saf_input_source(v, out, offset);
      if (wm->urb_setup[v] < 0)
         continue;
      fits = fits && is_in_place(v, wm->urb_setup[v], source);
      if (source >= SAF_MAX_FRAGMENT_INPUTS)
         return SAF_INPUTS_TOO_MANY;
      if (source >= MOVABLE && v != VARYING_SLOT_PNTC) {
         numbers[v] = (int8_t)source;
         used |= 1u << source;
      }
   }
   if (fits)
      return SAF_INPUTS_FIT;
   for (unsigned v = 0; v < 64; v++) {
      if (wm->urb_setup[v] < 0 || numbers[v] >= 0 || v == VARYING_SLOT_PNTC)
         continue;
      numbers[v] = (int8_t)take_number(&used, MOVABLE);
      if (numbers[v] < 0)
         return SAF_INPUTS_TOO_MANY;
   }
   if (wm->urb_setup[VARYING_SLOT_PNTC] >= 0)
      numbers[VARYING_SLOT_PNTC] =
         (int8_t)take_number(&used, SAF_MAX_FRAGMENT_INPUTS);
   return wm->urb_setup[VARYING_SLOT_PNTC] >= 0 &&
                numbers[VARYING_SLOT_PNTC] < 0
             ? SAF_INPUTS_TOO_MANY
             : SAF_INPUTS_MOVE;
}
