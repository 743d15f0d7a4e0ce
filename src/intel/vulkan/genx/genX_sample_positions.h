/* SPDX-License-Identifier: MIT */
/*
 * The sample positions that Vulkan calls standard, in 1/16 pixel (Vulkan
 * specification, "Rasterization", standardSampleLocations): S(number, x, y)
 * for each. Gen7 has them in 3DSTATE_MULTISAMPLE, others all of them in
 * 3DSTATE_SAMPLE_PATTERN.
 */
#ifndef GENX_SAMPLE_POSITIONS_H
#define GENX_SAMPLE_POSITIONS_H

/* clang-format off */
#define SAF_POSITIONS_2(S) S(0, 12, 12) S(1, 4, 4)
#define SAF_POSITIONS_4(S)                                                   \
   S(0, 6, 2) S(1, 14, 6) S(2, 2, 10) S(3, 10, 14)
#define SAF_POSITIONS_8(S)                                                   \
   S(0, 9, 5) S(1, 7, 11) S(2, 13, 9) S(3, 5, 3)                             \
   S(4, 3, 13) S(5, 1, 7) S(6, 11, 15) S(7, 15, 1)
#define SAF_POSITIONS_16(S)                                                  \
   S(0, 9, 9) S(1, 7, 5) S(2, 5, 10) S(3, 12, 7)                             \
   S(4, 3, 6) S(5, 10, 13) S(6, 13, 11) S(7, 11, 3)                          \
   S(8, 6, 14) S(9, 8, 1) S(10, 4, 2) S(11, 2, 12)                           \
   S(12, 0, 8) S(13, 15, 4) S(14, 14, 15) S(15, 1, 0)
/* clang-format on */

#endif
