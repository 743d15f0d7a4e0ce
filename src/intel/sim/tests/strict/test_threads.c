/* SPDX-License-Identifier: MIT */
/*
 * Rules that threads break: programs that do and that do not. r0 to r9 are
 * the payload, r2 counts channels; eight channels run unless a row says
 * otherwise. Messages go nowhere: what is said before they are sent counts.
 */
#include "../eu/eu_test.h"
#include "intel/sim/eu/shadow.h"

/* clang-format off */
static const char *const ids[SIM_THREAD_RULES] = {
   [SIM_RULE_LEFTOVER] = "EU-73",
   [SIM_RULE_GROUP_FLAGS] = "EU-72",
   [SIM_RULE_HEADER] = "EU-75",
   [SIM_RULE_FIRST_TARGET] = "EU-12",
   [SIM_RULE_END] = "EU-15",
   [SIM_RULE_BARRIER] = "EU-35",
   [SIM_RULE_URB_ENTRY] = "EU-78",
   [SIM_RULE_CONTROL] = "EU-02",
   [SIM_RULE_TIMESTAMP] = "EU-04",
   [SIM_RULE_WIDE_COMPARE] = "EU-06",
   [SIM_RULE_OPEN_DEPENDENCY] = "EU-09",
   [SIM_RULE_UNSAFE_DEPENDENCY] = "EU-10",
   [SIM_RULE_WIDE_DEPENDENCY] = "EU-11",
   [SIM_RULE_BRANCH] = "EU-25",
   [SIM_RULE_CALL] = "EU-26",
   [SIM_RULE_FLOW_FORM] = "EU-29",
   [SIM_RULE_FLOW_TARGET] = "EU-30",
   [SIM_RULE_LOOP_TARGET] = "EU-32",
   [SIM_RULE_HALVES] = "EU-47",
   [SIM_RULE_WIDE_BFI] = "EU-60",
   [SIM_RULE_HALF_FLOAT] = "EU-61",
   [SIM_RULE_CSEL] = "EU-62",
   [SIM_RULE_ACC_PRODUCT] = "EU-65",
   [SIM_RULE_ACC_OPERAND] = "EU-67",
   [SIM_RULE_MODIFIED_PRODUCT] = "EU-69",
   [SIM_RULE_AFTER_POW] = "EU-94",
   [SIM_RULE_MATH] = "EU-92",
   [SIM_RULE_ADDRESS_ROWS] = "EU-53",
   [SIM_RULE_COMPRESSION] = "FF-36",
   [SIM_RULE_FORMAT_FILTERED] = "FF-71",
   [SIM_RULE_FORMAT_RENDERED] = "FF-72",
   [SIM_RULE_FORMAT_BLENDED] = "FF-73",
   [SIM_RULE_FORMAT_READ] = "FF-74",
   [SIM_RULE_FORMAT_WRITTEN] = "FF-75",
   [SIM_RULE_FORMAT_ATOMIC] = "FF-76",
   [SIM_RULE_UNTYPED] = "FF-77",
   [SIM_RULE_ALIGNMENT] = "FF-81",
   [SIM_RULE_ROWS_OF_FOUR] = "FF-85",
   [SIM_RULE_SAMPLED_CCS] = "FF-86",
   [SIM_RULE_SAMPLES] = "FF-87",
   [SIM_RULE_ENCRYPTED] = "RL-46",
   [SIM_RULE_CUBE_MODE] = "FF-52",
   [SIM_RULE_COMPARED] = "FF-54",
   [SIM_RULE_BORDER] = "RL-25",
   [SIM_RULE_TARGET_ORDER] = "FF-14",
   [SIM_RULE_LAST_TARGET] = "FF-70",
   [SIM_RULE_HALF_SAMPLE] = "EU-81",
   [SIM_RULE_STATELESS_BYTES] = "EU-82",
   [SIM_RULE_FENCE] = "EU-85",
   [SIM_RULE_OWN_MEMORY] = "EU-98",
   [SIM_RULE_SURFACE_ENTRY] = "RL-22",
   [SIM_RULE_SURFACE_SIZE] = "RL-31",
   [SIM_RULE_SURFACE_TILES] = "RL-32",
   [SIM_RULE_TARGET_WIDTH] = "RL-33",
   [SIM_RULE_NULL_FORMAT] = "FF-16",
   [SIM_RULE_STENCIL_USE] = "FF-24",
   [SIM_RULE_TYPED_STENCIL] = "FF-26",
   [SIM_RULE_SAMPLED_HIZ] = "FF-27",
   [SIM_RULE_WRONG_CCS] = "FF-34",
   [SIM_RULE_RESERVED_SWIZZLE] = "FF-49",
   [SIM_RULE_TARGET_SWIZZLE] = "FF-50",
   [SIM_RULE_SAMPLED_LAYER] = "FF-56",
   [SIM_RULE_MULTISAMPLE] = "FF-57",
   [SIM_RULE_SURFACE_OFFSET] = "FF-58",
   [SIM_RULE_L2_BYPASS] = "FF-59",
   [SIM_RULE_REPLICATED] = "FF-35",
   [SIM_RULE_HALT_TARGET] = "EU-31",
   [SIM_RULE_LONG_PRODUCT] = "EU-68",
   [SIM_RULE_ALT_DIVISION] = "EU-95",
   [SIM_RULE_SECOND_COLOR] = "FF-05",
   [SIM_RULE_BLEND_AND_LOGIC] = "FF-06",
   [SIM_RULE_LOGIC_FORMAT] = "FF-68",
   [SIM_RULE_INTEGER_ACC] = "EU-66",
   [SIM_RULE_LOST_CARRY] = "EU-54",
   [SIM_RULE_ADDRESS_OF_ALL] = "EU-97",
   [SIM_RULE_NULL_COMPARE] = "EU-05",
   [SIM_RULE_SHIPPED] = "EU-99",
};
/* clang-format on */

#define ALL "ivb hsw bdw skl"

/* The first register of a header, and colours. */
#define TARGET_HEADER                                                        \
   "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"                                       \
   "(W) mov (16|M0) r22.0<1>:ud 0:ud\n"                                      \
   "(W) mov (16|M0) r24.0<1>:ud 0:ud\n"

/* The header of a message to what begins at 1024 bytes. */
#define OWN_MEMORY                                                           \
   "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"                                       \
   "(W) mov (1|M0) r20.5<1>:ud 0x400:ud\n"

/* A branch that depends on r20, or a flag. */
#define LOOK_R20                                                             \
   "and (8|M0) (ne)f0.0 null<1>:ud r20.0<8;8,1>:ud 0xffffffff:ud\n" BRANCH
#define BRANCH                                                               \
   "(f0.0) if (8|M0) END END\n"                                              \
   "END:\n"                                                                  \
   "endif (8|M0) NEXT\n"                                                     \
   "NEXT:\n"

#define UPPER_MASKS                                                          \
   "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"                                       \
   "(W) and (1|M0) r20.5<1>:ud r30.5<0;1,0>:ud 0xf000:ud\n"
#define URB_HEADER                                                           \
   "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"                                       \
   "(W) mov (1|M0) r20.5<1>:ud 0xff00:ud\n"
#define FROM(x) x " r20.0<1>:ud r30.0<8;8,1>:ud "

/* clang-format off */
static const struct row {
   const char *rule, *gens, *broken, *kept;
   uint32_t channels; /* that run; 0: eight */
} rows[] = {
   /* What a branch depends on. */
   { "EU-73", ALL, LOOK_R20, "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n"
     LOOK_R20 },
   { "EU-73", ALL, BRANCH,
     "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 3:d {Switch}\n" BRANCH },
   /* A channel that is off does not count, nor what it had. */
   { "EU-73", ALL, "mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud\n" LOOK_R20,
     "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" LOOK_R20, 0 },
   { "EU-73", ALL, "mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud\n" LOOK_R20,
     "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" LOOK_R20, 0x1f },
   { "EU-73", ALL, NULL,
     "mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud\n" LOOK_R20, 0x0f },
   /* Logic and shifts go bit by bit. */
   { "EU-73", ALL, FROM("or (8|M0)") "0xff:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0x1ff:ud\n"
     "xor (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xff:ud\n" LOOK_R20,
     FROM("or (8|M0)") "0xff:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xff:ud\n"
     "xor (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xff:ud\n" LOOK_R20 },
   { "EU-73", ALL, "mov (8|M0) r30.0<2>:uw r2.0<8;8,1>:uw\n"
     FROM("shr (8|M0)") "1:ud\n" LOOK_R20,
     "mov (8|M0) r30.0<2>:uw r2.0<8;8,1>:uw\n"
     FROM("shl (8|M0)") "16:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xffff0000:ud\n" LOOK_R20 },
   { "EU-73", "bdw skl", "and (8|M0) r20.0<1>:ud ~r30.0<8;8,1>:ud 1:ud\n"
     LOOK_R20, "and (8|M0) r20.0<1>:ud ~r30.0<8;8,1>:ud 0:ud\n" LOOK_R20 },
   /* Sums carry upwards, products with zero are zero. */
   { "EU-73", ALL, "mov (8|M0) r30.0<2>:uw r2.0<8;8,1>:uw\n"
     FROM("add (8|M0)") "r2.0<8;8,1>:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0x1ffff:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0x10000:ud\n" LOOK_R20,
     "mov (8|M0) r30.0<2>:uw r2.0<8;8,1>:uw\n"
     FROM("add (8|M0)") "r2.0<8;8,1>:ud\n"
     "and (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xffff:ud\n" LOOK_R20 },
   { "EU-73", ALL, "mul (8|M0) r20.0<1>:f r30.0<8;8,1>:f 0.0:f\n" LOOK_R20,
     "mul (8|M0) r20.0<1>:f r2.0<8;8,1>:f 0.0:f\n" LOOK_R20 },
   /* A comparison that a defined bit decides. */
   { "EU-73", ALL,
     "mov (8|M0) r30.0<2>:uw 7:uw\n"
     "cmp (8|M0) (eq)f0.0 null<1>:ud r30.0<8;8,1>:ud 7:ud {Switch}\n" BRANCH,
     "mov (8|M0) r30.0<2>:uw 7:uw\n"
     "cmp (8|M0) (eq)f0.0 null<1>:ud r30.0<8;8,1>:ud 8:ud {Switch}\n"
     BRANCH },
   /* What SEL does not choose. */
   { "EU-73", ALL,
     "cmp (8|M0) (ge)f0.0 null<1>:d r2.0<8;8,1>:d 0:d {Switch}\n"
     "(f0.0) sel (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud r2.0<8;8,1>:ud\n"
     LOOK_R20,
     "cmp (8|M0) (ge)f0.0 null<1>:d r2.0<8;8,1>:d 0:d {Switch}\n"
     "(f0.0) sel (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud r30.0<8;8,1>:ud\n"
     LOOK_R20 },
   /* A predicate that is not known: the result is not. */
   { "EU-73", ALL,
     "(f1.0) mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" LOOK_R20,
     "(W) mov (1|M0) f1.0<1>:uw 0xff:uw\n"
     "(f1.0) mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" LOOK_R20 },
   /* Accumulators. */
   { "EU-73", ALL,
     "mac (8|M0) r20.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n" LOOK_R20,
     "mov (8|M0) acc0.0<1>:f r2.0<8;8,1>:f\n"
     "mac (8|M0) r20.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n" LOOK_R20 },
   /* Addresses. */
   { "EU-73", ALL, "(W) mov (1|M0) r20.0<1>:ud r[a0.0]<0;1,0>:ud\n",
     "(W) mov (1|M0) a0.0<1>:uw 64:uw\n"
     "(W) mov (1|M0) r20.0<1>:ud r[a0.0]<0;1,0>:ud\n" },

   /* All channels of a group, of which some never wrote their flags. */
   { "EU-72", ALL,
     "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 99:d {Switch}\n"
     "(W&f0.0.any8h) jmpi (1|M0) 0:d\n",
     "(W) mov (1|M0) f0.0<1>:uw 0:uw\n"
     "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 99:d {Switch}\n"
     "(W&f0.0.any8h) jmpi (1|M0) 0:d\n", 0x3f },
   /* One that did decides. */
   { "EU-72", ALL, NULL,
     "cmp (8|M0) (ge)f0.0 null<1>:d r2.0<8;8,1>:d 0:d {Switch}\n"
     "(W&f0.0.any8h) jmpi (1|M0) 0:d\n", 0x3f },

   /* Two OWords without a surface: offset in dword 2, base in dword 5. */
   { "EU-75", ALL,
     "(W) mov (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud\n"
     "(W) mov (1|M0) r20.2<1>:ud 0:ud\n"
     "send (8|M0) r40:uw r20:ud 0xA 0x021802FF\n",
     "(W) mov (1|M0) r20.5<1>:ud r0.5<0;1,0>:ud\n"
     "(W) mov (1|M0) r20.2<1>:ud 0:ud\n"
     "send (8|M0) r40:uw r20:ud 0xA 0x021802FF\n" },
   /* With one, dword 5 does not matter. */
   { "EU-75", ALL, "send (8|M0) r40:uw r20:ud 0xA 0x02180201\n",
     "(W) mov (1|M0) r20.2<1>:ud 0:ud\n"
     "send (8|M0) r40:uw r20:ud 0xA 0x02180201\n" },
   /* A render target write: pixels are dword 7 of the second register. */
   { "EU-75", ALL,
     TARGET_HEADER "(W) mov (4|M0) r21.0<1>:ud 0:ud\n"
     "(W) mov (2|M0) r21.4<1>:ud 0:ud\n(W) mov (1|M0) r21.6<1>:ud 0:ud\n"
     "sendc (8|M0) null r20 0x5 0x0C0B1400\n",
     TARGET_HEADER "(W) mov (1|M0) r21.7<1>:ud 0:ud\n"
     "sendc (8|M0) null r20 0x5 0x0C0B1400\n" },
   /* Masks of the upper channels of a URB write, which count if those run. */
   { "EU-75", "ivb hsw", UPPER_MASKS "send (8|M0) null r20 0x6 0x04084001\n",
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) null r20 0x6 0x04084001\n" },
   { "EU-75", "ivb hsw", NULL,
     UPPER_MASKS "send (8|M0) null r20 0x6 0x04084001\n", 0x0f },
   /* A barrier. */
   { "EU-75", ALL, "(W) send (8|M0) null r20 0x3 0x02000004\n",
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n" },

   /* Untyped messages: addresses, data. */
   { "EU-73", "hsw bdw skl", "send (8|M0) r40:uw r20:ud 0xC 0x02106E01\n",
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) r40:uw r20:ud 0xC 0x02106E01\n" },
   { "EU-73", "hsw bdw skl",
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) null r20:ud 0xC 0x04026E01\n",
     "(W) mov (16|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) null r20:ud 0xC 0x04026E01\n" },

   /* Which messages. */
   { "EU-12", ALL, "send (8|M0) null r2 0x5 0x08031400\n",
     "sendc (8|M0) null r2 0x5 0x08031400\n" },
   { "EU-15", "bdw skl", "",
     "send (8|M0) null r127 0x26 0x02080007 {EOT}\n" },
   { "EU-15", "ivb hsw", "",
     "send (8|M0) null r126 0x26 0x04080000 {EOT}\n" },
   { "EU-35", ALL,
     "(W) mov (8|M0) r20.0<1>:ud 1:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n",
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "(W) mov (1|M0) r20.2<1>:ud 0x3000000:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n" },
   /* The id in each dword, as IGC has it. */
   { "EU-35", ALL,
     "(W) mov (8|M0) r20.0<1>:ud 0x3000000:ud\n"
     "(W) mov (1|M0) r20.4<1>:ud 0x2000000:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n",
     "(W) mov (8|M0) r20.0<1>:ud 0x3000000:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n" },
   /* What was never written may be anything. */
   { "EU-35", ALL,
     "(W) mov (1|M0) r20.2<1>:ud 0x3000000:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n",
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n" },
   /* Handles of slots, which are no header. */
   { "EU-73", "bdw skl", "mov (8|M0) r21.0<1>:ud r2.0<8;8,1>:ud\n"
     "send (8|M0) null r20 0x6 0x04080037\n",
     "mov (8|M0) r21.0<1>:ud r2.0<8;8,1>:ud\n"
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) null r20 0x6 0x04080037\n" },
   { "EU-78", "bdw skl", "send (8|M0) null r4 0x6 0x04080047\n",
     "send (8|M0) null r4 0x6 0x04080037\n" },
   { "EU-78", "ivb hsw", URB_HEADER "send (8|M0) null r20 0x6 0x04080010\n",
     URB_HEADER "send (8|M0) null r20 0x6 0x04080008\n" },

   /* Slots of a target from 8 on, then those below; SIMD16 halves. */
   { "FF-14", ALL,
     "sendc (8|M0) null r2 0x5 0x08031C00\n"
     "sendc (8|M0) null r2 0x5 0x08031400\n",
     "sendc (8|M0) null r2 0x5 0x08031400\n"
     "sendc (8|M0) null r2 0x5 0x08031C00\n" },
   /* One more target, or the same pixels once more, after the last. */
   { "FF-70", ALL,
     "sendc (8|M0) null r2 0x5 0x08031400\n"
     "sendc (8|M0) null r2 0x5 0x08031401\n",
     "sendc (8|M0) null r2 0x5 0x08030400\n"
     "sendc (8|M0) null r2 0x5 0x08031401\n" },
   { "FF-70", ALL,
     "sendc (8|M0) null r2 0x5 0x08031400\n"
     "sendc (8|M0) null r2 0x5 0x08031400\n",
     "sendc (8|M0) null r2 0x5 0x08031400\n"
     "sendc (8|M0) null r2 0x5 0x08031C00\n" },
   { "EU-81", "skl", "send (16|M0) r40:uw r2:ud 0x2 0x48440001\n",
     "send (16|M0) r40:uw r2:ud 0x2 0x08840001\n" },
   { "EU-82", "bdw", "send (8|M0) r40:uw r2:ud 0xA 0x021108FF\n",
     "send (8|M0) r40:uw r2:ud 0xA 0x02110801\n" },
   { "EU-98", "skl", OWN_MEMORY "send (8|M0) r40:uw r20:ud 0xA 0x021802FF\n",
     OWN_MEMORY "send (8|M0) r40:uw r20:ud 0xA 0x021802FD\n" },
   { "EU-98", "skl", NULL,
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "send (8|M0) r40:uw r20:ud 0xA 0x021802FF\n" },
   { "EU-85", ALL, "(W) send (8|M0) null r2:ud 0xA 0x0209C000\n",
     "(W) send (8|M0) r40:uw r2:ud 0xA 0x0219E000\n" },
   /* Others go on before it is read. */
   { "EU-85", ALL,
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "(W) send (8|M0) r40:uw r2:ud 0xA 0x0219E000\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n",
     "(W) mov (8|M0) r20.0<1>:ud 0:ud\n"
     "(W) send (8|M0) r40:uw r2:ud 0xA 0x0219E000\n"
     "(W) mov (8|M0) null<1>:ud r40.0<8;8,1>:ud\n"
     "(W) send (8|M0) null r20 0x3 0x02000004\n" },

   /* Instructions. */
   { "EU-31", ALL,
     "(f0.0) halt (8|M0) LAST LAST\n"
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "LAST:\nmov (8|M0) r21.0<1>:ud 0:ud\n",
     "(f0.0) halt (8|M0) LAST NEXT\n"
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "LAST:\nhalt (8|M0) NEXT NEXT\nNEXT:\n" },
   { "EU-31", ALL,
     "(f0.0) halt (8|M0) LAST LAST\n"
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "LAST:\nhalt (8|M0) NEXT NEXT\nNEXT:\n",
     "halt (8|M0) NEXT NEXT\nNEXT:\n" },
   { "EU-31", ALL,
     "(f0.0) halt (8|M0) LAST NEXT\n"
     "LAST:\n(f0.0) halt (8|M0) NEXT NEXT\nNEXT:\n",
     "(f0.0) halt (8|M0) LAST NEXT\n"
     "LAST:\nhalt (8|M0) NEXT NEXT\nNEXT:\n" },
   { "EU-53", "ivb hsw",
     "(W) mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (16|M0) r20.0<1>:uw r[a0.0]<1,0>:uw\n",
     "(W) mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n" },
   { "EU-53", "bdw skl",
     "(W) mov (16|M0) a0.0<1>:uw 64:uw\n"
     "mov (16|M0) r20.0<1>:uw r[a0.1]<1,0>:uw\n",
     "(W) mov (16|M0) a0.0<1>:uw 64:uw\n"
     "mov (16|M0) r20.0<1>:uw r[a0.0]<1,0>:uw\n" },
   { "EU-54", "ivb hsw",
     "(W) mov (1|M0) a0.0<1>:uw 0x50:uw\n"
     "(W) mov (1|M0) r20.0<1>:ud r[a0.0,16]<0;1,0>:ud\n",
     "(W) mov (1|M0) a0.0<1>:uw 0x50:uw\n"
     "(W) mov (1|M0) r20.0<1>:ud r[a0.0,12]<0;1,0>:ud\n" },
   /* Of channels that are off, too: never written, misaligned, beyond. */
   { "EU-97", ALL,
     "mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n",
     "(W) mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n", 0x3f },
   { "EU-97", ALL,
     "(W) mov (8|M0) a0.0<1>:uw 66:uw\n"
     "mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n",
     "(W) mov (8|M0) a0.0<1>:uw 68:uw\n"
     "mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n", 0x3f },
   { "EU-97", ALL,
     "(W) mov (8|M0) a0.0<1>:uw 4096:uw\n"
     "mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n",
     "(W) mov (8|M0) a0.0<1>:uw 4092:uw\n"
     "mov (8|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n", 0x3f },
   /* One address for all has no channel that is off. */
   { "EU-97", ALL, NULL,
     "(W) mov (1|M0) a0.0<1>:uw 64:uw\n"
     "mov (8|M0) r20.0<1>:ud r[a0.0]<0;1,0>:ud\n", 0x3f },
   { "EU-66", "ivb",
     "mach (8|M8) r20.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d {AccWrEn}\n",
     "mach (8|M0) r20.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d {AccWrEn}\n" },
   { "EU-66", "hsw bdw skl",
     "mov (8|M0) acc1.0<1>:d r2.0<8;8,1>:d\n",
     "mov (8|M0) acc1.0<1>:f r2.0<8;8,1>:f\n" },
   { "EU-68", ALL,
     "mul (8|M0) r20.0<1>:d r2.0<16;8,2>:w r4.0<8;8,1>:d\n",
     "mul (8|M0) r20.0<1>:d r4.0<8;8,1>:d r2.0<16;8,2>:w\n" },
   { "EU-68", ALL,
     "mul (8|M0) (sat)r20.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d\n",
     "mul (8|M0) r20.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d\n" },
   { "EU-95", ALL,
     "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 1:ud {Switch}\n"
     "math.fdiv (8|M0) r20.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n",
     "math.fdiv (8|M0) r20.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n" },
   { "EU-02", ALL, "(W) mov (1|M0) r20.0<1>:ud cr0.0<0;1,0>:ud\n",
     "(W) mov (1|M0) r20.0<1>:ud cr0.0<0;1,0>:ud {Switch}\n" },
   { "EU-04", ALL, "(W) mov (1|M0) r20.0<1>:ud tm0.0<0;1,0>:ud\n",
     "(W) mov (4|M0) r20.0<1>:ud tm0.0<4;4,1>:ud\n" },
   { "EU-06", "ivb",
     "cmp (16|M0) (gt)f0.0 r20.0<1>:d r2.0<8;8,1>:d 3:d\n",
     "cmp (8|M0) (gt)f0.0 r20.0<1>:d r2.0<8;8,1>:d 3:d\n" },
   { "EU-09", ALL,
     "(W) mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud {NoDDClr}\n",
     "(W) mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud {NoDDClr}\n"
     "(W) mov (2|M0) r20.4<1>:ud r2.0<2;2,1>:ud {NoDDChk,NoDDClr}\n"
     "mov (8|M0) r21.0<1>:ud r2.0<8;8,1>:ud\n"
     "(W) mov (2|M0) r20.6<1>:ud r2.0<2;2,1>:ud {NoDDChk}\n" },
   { "EU-09", ALL,
     "(W) mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud {NoDDClr}\n"
     "(f0.0) mov (4|M0) r20.4<1>:ud r2.0<4;4,1>:ud {NoDDChk}\n",
     "(W) mov (4|M0) r20.0<1>:ud r2.0<4;4,1>:ud\n" },
   { "EU-10", ALL,
     "(f0.0) mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud {NoDDChk}\n",
     "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud {NoDDChk}\n" },
   { "EU-11", "ivb hsw bdw",
     "mov (4|M0) r20.0<1>:df r2.0<4;4,1>:f {NoDDChk}\n",
     "mov (4|M0) r20.0<1>:f r2.0<4;4,1>:f {NoDDChk}\n" },
   { "EU-25", ALL, "brc (8|M0) NEXT NEXT\nNEXT:\n",
     "brc (8|M0) NEXT NEXT {Switch}\nNEXT:\n" },
   { "EU-26", "bdw skl", "call (8|M0) r5.0 NEXT\nNEXT:\n",
     "call (8|M0) r5.0 NEXT {Switch}\nNEXT:\n" },
   { "EU-29", ALL, "jmpi (1|M0) 0:d\n", "(W) jmpi (1|M0) 0:d\n" },
   { "EU-30", ALL, "(f0.0) if (8|M0) 4096 4096\n", BRANCH },
   { "EU-32", ALL,
     "TOP:\n(f0.0) break (8|M0) TEST TEST\n"
     "TEST:\nmov (8|M0) r20.0<1>:ud 0:ud\n"
     "(f1.0) while (8|M0) TOP\n",
     "TOP:\n(f0.0) break (8|M0) TEST TEST\n"
     "mov (8|M0) r20.0<1>:ud 0:ud\n"
     "TEST:\n(f1.0) while (8|M0) TOP\n" },
   { "EU-47", ALL, "add (16|M0) r20.0<1>:ud r20.0<0;1,0>:ud 1:ud\n",
     "add (16|M0) r20.0<1>:ud r20.0<8;8,1>:ud 1:ud\n" },
   { "EU-60", "hsw",
     "bfi1 (16|M0) r20.0<1>:ud r2.0<8;8,1>:ud r4.0<8;8,1>:ud\n",
     "bfi1 (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud r4.0<8;8,1>:ud\n" },
   { "EU-61", "ivb hsw", "f32to16 (8|M0) r20.0<1>:ud r2.0<8;8,1>:f\n",
     "f32to16 (8|M0) r20.0<2>:w r2.0<8;8,1>:f\n" },
   { "EU-05", "ivb hsw",
     "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 3:d\n",
     "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d 3:d {Switch}\n" },
   { "EU-99", ALL, "(W) mov (1|M0) r20.0<1>:ud r2.0<1;1,0>:ud\n",
     "(W) mov (1|M0) r20.0<1>:ud r2.0<0;1,0>:ud\n" },
   { "EU-99", ALL, "(W) mov (8|M0) r20.0<1>:ud 0x76543210:v\n",
     "(W) mov (4|M0) r20.0<1>:ud 0x76543210:v\n" },
   { "EU-62", "bdw",
     "csel (8|M0) (lt)f0.0 r20.0<1>.xyzw:f r2.0<4>.xyzw:f "
     "r4.0<4>.xyzw:f r6.0<4>.xyzw:f {Align16}\n",
     "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" },
   { "EU-65", "ivb hsw",
     "mul (8|M0) r20.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f\n",
     "add (8|M0) r20.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f\n" },
   { "EU-65", "bdw skl",
     "mul (8|M0) r20.0<1>:d acc0.0<8;8,1>:d r2.0<8;8,1>:d\n",
     "mul (8|M0) r20.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f\n" },
   { "EU-67", ALL, "math.inv (8|M0) r20.0<1>:f acc0.0<8;8,1>:f\n",
     "math.inv (8|M0) r20.0<1>:f r2.0<8;8,1>:f\n" },
   { "EU-69", "bdw skl",
     "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d -r4.0<16;8,2>:w\n",
     "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r4.0<16;8,2>:w\n" },
   { "EU-92", ALL, "math.inv (8|M0) r20.0<2>:f r2.0<8;8,1>:f\n",
     "math.inv (8|M0) r20.0<1>:f r2.0<8;8,1>:f\n" },
   { "EU-94", "bdw skl",
     "math.pow (8|M0) r20.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n"
     "mov (16|M0) r22.0<1>:ud r2.0<8;8,1>:ud\n",
     "math.pow (8|M0) r20.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f\n"
     "nop\n"
     "mov (16|M0) r22.0<1>:ud r2.0<8;8,1>:ud\n" },
};
/* clang-format on */

struct heard {
   unsigned count;
   enum sim_thread_rule rule;
   char text[256];
};

static bool
hear(void *data, const struct sim_eu_thread *t, enum sim_thread_rule rule,
     const char *text)
{
   struct heard *h = data;
   if (!h->count++) {
      h->rule = rule;
      snprintf(h->text, sizeof(h->text), "%s", text);
   }
   return true;
}

/* A render target that swallows all, and says whether the thread that wrote
 * to it has a shadow that looks at each instruction. */
static bool had_steps;

static bool
take(struct sim_eu_thread *t, const struct sim_message *m)
{
   had_steps = t->shadow_steps;
   return true;
}

/* More than run before a proof is tried that they need no shadow. */
#define THREADS 12

static void
run_thread(struct sim_eu_thread *t, const struct sim_eu_env *env,
           const struct sim_eu_program *p, uint32_t channels)
{
   sim_eu_thread_init_for(t, env, p, channels);
   memset(t->grf, 0, 10 * SIM_GRF_B);
   for (unsigned i = 0; i < 8; i++)
      t->grf[2].ud[i] = i;
   t->max_instructions = 1000;
   sim_eu_run(t, p, 0);
   sim_shadow_end(t);
}

/* What strict mode says to later threads does not depend on a proof; rules
 * of instructions alone are told to the first. */
static void
run_again(const struct sim_eu_env *env, const struct sim_eu_program *p,
          uint32_t channels, const char *text)
{
   static struct sim_eu_thread t;
   struct heard *h = env->rules->data;
   struct heard second;
   for (unsigned i = 0; i < THREADS; i++) {
      memset(h, 0, sizeof(*h));
      run_thread(&t, env, p, channels);
      if (!i)
         second = *h;
      else if (memcmp(&second, h, sizeof(*h)))
         fail_msg("%u and %u reports, '%s' and '%s'\n%s", second.count,
                  h->count, second.text, h->text, text);
   }
}

/* `only`: the rule that is looked at. */
static void
run(unsigned verx10, const char *only, const char *text, uint32_t channels,
    struct heard *h)
{
   static struct sim_eu_thread t;
   struct sim_thread_rules rules = { .broken = hear, .data = h };
   static uint8_t urb[1024];
   const struct sim_eu_env env = { .verx10 = verx10,
                                   .rules = &rules,
                                   .urb = urb,
                                   .urb_size_B = sizeof(urb),
                                   .urb_entry_B = 64,
                                   .render_target = take };
   struct strbuf whole = { 0 };
   for (unsigned i = 0; i < SIM_THREAD_RULES; i++)
      rules.on[i] = !strcmp(ids[i], only);
   memset(h, 0, sizeof(*h));
   strbuf_printf(&whole, "%s" TEST_EOT, text);
   struct sim_eu_program *p =
      test_assemble(verx10, strbuf_str(&whole), EU_BODIES_BEST);
   strbuf_fini(&whole);
   sim_eu_thread_init(&t, &env, channels ? channels : 0xff);
   memset(t.grf, 0, 10 * SIM_GRF_B);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].ud[i] = i;
   t.max_instructions = 1000;
   sim_eu_run(&t, p, 0);
   if (t.status == SIM_EU_FAULT && t.fault.reason == SIM_FAULT_ILLEGAL &&
       !h->count)
      fail_msg("%s: %s\n%s", t.fault.inst, t.fault.text, text);
   sim_shadow_end(&t);
   const struct heard first = *h;
   run_again(&env, p, channels ? channels : 0xff, text);
   *h = first;
   sim_eu_program_destroy(p);
   sim_thread_rules_finish(&rules);
}

static void
test_rows(void **state)
{
   static const struct {
      const char *name;
      unsigned verx10;
   } gens[] = { { "ivb", 70 }, { "hsw", 75 }, { "bdw", 80 }, { "skl", 90 } };
   struct heard h;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *r = &rows[i];
      for (unsigned g = 0; g < ARRAY_SIZE(gens); g++) {
         if (!strstr(r->gens, gens[g].name))
            continue;
         if (r->broken) {
            run(gens[g].verx10, r->rule, r->broken, r->channels, &h);
            if (!h.count || strcmp(ids[h.rule], r->rule))
               fail_msg("%s: no %s (%s)\n%s", gens[g].name, r->rule, h.text,
                        r->broken);
         }
         run(gens[g].verx10, r->rule, r->kept, r->channels, &h);
         if (h.count)
            fail_msg("%s: %s: %s\n%s", gens[g].name, ids[h.rule], h.text,
                     r->kept);
      }
   }
}

/* What strict mode says ends the thread if it is to. */
static bool
stop(void *data, const struct sim_eu_thread *t, enum sim_thread_rule rule,
     const char *text)
{
   return false;
}

static void
test_stops(void **state)
{
   static struct sim_eu_thread t;
   struct sim_thread_rules rules = { .broken = stop, .on = { true } };
   const struct sim_eu_env env = { .verx10 = 90, .rules = &rules };
   struct sim_eu_program *p =
      test_assemble(90, LOOK_R20 TEST_EOT, EU_BODIES_BEST);
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.ip_B, 16);
   assert_non_null(strstr(t.fault.text, "f0.0"));
   assert_null(t.shadow);
   sim_eu_program_destroy(p);
   sim_thread_rules_finish(&rules);
}

/* What means nothing in the payload keeps its value. */
static void
test_left_open(void **state)
{
   static struct sim_eu_thread t;
   struct heard h = { 0 };
   struct sim_thread_rules rules = { .broken = hear, .data = &h };
   const struct sim_eu_env env = { .verx10 = 90, .rules = &rules };
   struct sim_eu_program *p = test_assemble(
      90, "mov (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud\n" LOOK_R20 TEST_EOT,
      EU_BODIES_BEST);
   memset(rules.on, true, sizeof(rules.on));
   sim_eu_thread_init(&t, &env, 0xff);
   for (unsigned i = 0; i < 8; i++)
      t.grf[2].ud[i] = 70 + i;
   sim_shadow_unfill(&rules, t.grf, 2, 3);
   sim_eu_run(&t, p, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(t.grf[20].ud[i], 70 + i);
   assert_true(h.count > 0);
   assert_int_equal(h.rule, SIM_RULE_LEFTOVER);
   sim_shadow_end(&t);
   sim_eu_program_destroy(p);
   sim_thread_rules_finish(&rules);
}

/* A message that the validator refuses has no form to be looked at. */
static void
test_illegal_message(void **state)
{
   static struct sim_eu_thread t;
   struct heard h = { 0 };
   struct sim_thread_rules rules = { .broken = hear, .data = &h };
   const struct sim_eu_env env = { .verx10 = 90, .rules = &rules };
   struct sim_eu_program *p =
      test_assemble(90,
                    "mov (8|M0) r2.0<1>:ud 0:ud\n"
                    "(W) send (8|M0) null r2 0x27 0x02000010 {EOT}\n",
                    EU_BODIES_BEST);
   memset(rules.on, true, sizeof(rules.on));
   sim_eu_thread_init(&t, &env, 0xff);
   assert_int_equal(sim_eu_run(&t, p, 0), SIM_EU_FAULT);
   assert_int_equal(t.fault.reason, SIM_FAULT_ILLEGAL);
   assert_int_equal(t.fault.ip_B, 16);
   assert_non_null(strstr(t.fault.text, "r112"));
   if (h.count)
      fail_msg("%s: %s", ids[h.rule], h.text);
   sim_shadow_end(&t);
   sim_eu_program_destroy(p);
   sim_thread_rules_finish(&rules);
}

/* Which programs need no shadow: those of which nothing undefined can be
 * reached, with all channels, or with five of them. */
#define TO_TARGET "sendc (8|M0) null r20 0x5 0x08031400\n"
#define FILL(r) "mov (8|M0) r" #r ".0<1>:f r2.0<8;8,1>:f\n"
#define BLUE FILL(22) FILL(23)
#define LESS(n)                                                              \
   "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<8;8,1>:d " #n ":d {Switch}\n"
#define END_IF "END:\nendif (8|M0) NEXT\nNEXT:\n"

/* clang-format off */
static const struct {
   const char *text;
   bool all, some;
} programs[] = {
   { FILL(20) FILL(21) BLUE TO_TARGET, true, true },
   { FILL(20) BLUE TO_TARGET, false, false },
   /* A channel reads what another one has written. */
   { FILL(20) "mov (8|M0) r21.0<1>:f r20.7<0;1,0>:f\n" BLUE TO_TARGET,
     true, false },
   { FILL(20) "(W) mov (8|M0) r21.0<1>:f r20.0<8;8,1>:f\n" BLUE TO_TARGET,
     true, false },
   /* Part of a register, and a place that the payload does not fill. */
   { FILL(20) "mov (4|M0) r21.0<1>:f r2.0<4;4,1>:f\n" BLUE TO_TARGET,
     false, false },
   { FILL(20) "mov (8|M0) r21.0<1>:f r40.0<8;8,1>:f\n" BLUE TO_TARGET,
     false, false },
   /* Under a predicate. */
   { LESS(3) FILL(20) "(f0.0) " FILL(21) BLUE TO_TARGET, false, false },
   { LESS(3) FILL(20) FILL(21) "(f0.0) " FILL(21) BLUE TO_TARGET,
     true, true },
   { FILL(20) FILL(21) "(f0.0) " FILL(21) BLUE TO_TARGET, false, false },
   /* Both ways of an if, or one. */
   { LESS(3) FILL(20) "(f0.0) if (8|M0) ELSE END\n" FILL(21)
     "else (8|M0) END END\nELSE:\n" FILL(21) END_IF BLUE TO_TARGET,
     true, true },
   { LESS(3) FILL(20) "(f0.0) if (8|M0) END END\n" FILL(21) END_IF BLUE
     TO_TARGET, false, false },
   /* What a loop leaves; what it reads of the round before. */
   { FILL(20) "LOOP:\n" FILL(21) LESS(30) "(f0.0) while (8|M0) LOOP\n" BLUE
     TO_TARGET, true, true },
   { FILL(20) "LOOP:\nmov (8|M0) r22.0<1>:f r21.0<8;8,1>:f\n" FILL(21)
     LESS(30) "(f0.0) while (8|M0) LOOP\n" BLUE TO_TARGET, false, false },
};
/* clang-format on */

static void
test_proofs(void **state)
{
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(programs); i++) {
      static struct sim_eu_thread t;
      struct heard h = { 0 };
      struct sim_thread_rules rules = { .broken = hear, .data = &h };
      const struct sim_eu_env env = { .verx10 = 90,
                                      .rules = &rules,
                                      .render_target = take };
      const bool all = i % 2;
      struct strbuf text = { 0 };
      strbuf_printf(&text, "%s" TEST_EOT, programs[i / 2].text);
      struct sim_eu_program *p =
         test_assemble(90, strbuf_str(&text), EU_BODIES_BEST);
      strbuf_fini(&text);
      for (unsigned k = 0; k < THREADS; k++)
         run_thread(&t, &env, p, all ? 0xff : 0x1f);
      if (had_steps == (all ? programs[i / 2].all : programs[i / 2].some))
         fail_msg("%s channels: a shadow is %sneeded\n%s",
                  all ? "all" : "some", had_steps ? "not " : "",
                  programs[i / 2].text);
      sim_eu_program_destroy(p);
      sim_thread_rules_finish(&rules);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proofs),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_left_open),
      cmocka_unit_test(test_illegal_message),
      cmocka_unit_test(test_stops),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
