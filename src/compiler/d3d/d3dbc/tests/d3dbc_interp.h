/* SPDX-License-Identifier: MIT */
/*
 * Executes d3dbc tokens, one invocation at a time. It shares nothing with
 * the tables and the decoder, so that each can find the other's mistakes; it
 * trusts its input (which d3dbc_validate() has seen).
 */
#ifndef D3DBC_INTERP_H
#define D3DBC_INTERP_H

#include "util/macros.h"

struct d3dbc_interp {
   /* In. */
   float v[16][4], t[8][4], c[256][4];
   int i[16][4];
   unsigned b[16];
   float bump[8][8];
   float vpos[4], vface[4];
   bool mul_zero;
   /* Texels by stage, coordinate and what the lookup adds: kind 0 plain, 1
    * bias, 2 level, 3 derivatives (their sum). */
   void (*texel)(unsigned stage, const float coord[3], unsigned kind,
                 float extra, float out[4]);
   /* Coordinates that stages have: 2 or 3. */
   unsigned coords[16];
   uint64_t max_steps;

   /* Out: oPos, oFog, oPts; oD; oT or o; oC; oDepth. */
   float raster[3][4], od[2][4], o[16][4], oc[4][4], depth[4];
   bool killed, wrote_depth;
   uint64_t steps;

   /* State. */
   float r[32][4];
   int a[4], al;
   bool p[4];
   float row[3];
   unsigned num_rows;
};

/* NULL, or what went wrong. */
const char *d3dbc_interp_run(struct d3dbc_interp *s, const uint32_t *words,
                             size_t num_words);

#endif
