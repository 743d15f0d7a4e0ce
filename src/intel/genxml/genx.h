/* SPDX-License-Identifier: MIT */
/*
 * For files that are built once a generation. The build says which with
 * GEN_VERX10 (90), GEN_NAME (gen9) and GEN_PREFIX (GEN9); genx_gens in
 * meson.build lists them. GENX() puts the generation in front of a packet's
 * name, genX() in front of a function's.
 */
#ifndef GENX_H
#define GENX_H

#include GEN_PACK_H

#define GENX_JOIN2(a, b) a##_##b
#define GENX_JOIN(a, b) GENX_JOIN2(a, b)
#define GENX(x) GENX_JOIN(GEN_PREFIX, x)
#define genX(x) GENX_JOIN(GEN_NAME, x)

#endif
