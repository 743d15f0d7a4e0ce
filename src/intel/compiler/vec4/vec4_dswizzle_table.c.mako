/* SPDX-License-Identifier: MIT */
/* Generated from vec4_dswizzle.py: do not edit. */
#include "intel/compiler/vec4/vec4_dswizzle.h"

const struct vec4_dform_table
vec4_dforms[ISA_GEN_COUNT][VEC4_DLAYOUT_COUNT] = {
% for gen in gens:
   [ISA_${gen.name}] = {
% for layout in layouts:
<% rows = tables[gen.name, layout] %>\
      [VEC4_DLAYOUT_${layout.upper()}] = {
% if rows:
         (const struct vec4_dform[]) {
% for r in rows:
            { VEC4_D${r.mode.upper()}, ${r.offset * 8}, ${r.vs}, ${r.w},
              ${r.hs}, ${hex(r.swz)}, ISA_SWIZZLE(${', '.join(str(c) for c in r.reads)}),
              ${'true' if r.packed else 'false'} },
% endfor
         }, ${len(rows)},
% else:
         NULL, 0,
% endif
      },
% endfor
   },
% endfor
};
