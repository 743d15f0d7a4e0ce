/* SPDX-License-Identifier: MIT */
/* Each rule of src/intel/sim/legal has rows: text that breaks it, and text
 * next to it that breaks none. A generation of a rule without a row fails. */
#include "util/unit_test.h"

#include <stdio.h>

#include "intel/sim/legal/legal.h"

/* clang-format off */
enum { IVB = 1 << ISA_IVB, HSW = 1 << ISA_HSW, BDW = 1 << ISA_BDW,
       SKL = 1 << ISA_SKL, GEN7 = IVB | HSW, GEN8 = BDW | SKL,
       TO_8 = GEN7 | BDW, ALL = GEN7 | GEN8,
       LOW_POWER = GEN8 | ISA_LOW_POWER };
/* clang-format on */

static const struct row {
   const char *id;
   unsigned gens;
   const char *bad, *good;
} rows[] = {
   /* Form. */
   { "group", ALL, "mov (16|M8) r10.0<1>:f r2.0<8;8,1>:f",
     "mov (16|M16) r10.0<1>:f r2.0<8;8,1>:f" },
   { "group", ALL, "mov (8|M4) r10.0<1>:f r2.0<8;8,1>:f",
     "(W) mov (8|M4) r10.0<1>:f r2.0<8;8,1>:f" },
   { "exec-bytes", ALL, "mov (32|M0) r10.0<1>:ud r2.0<0;1,0>:ud",
     "mov (32|M0) r10.0<1>:uw r2.0<0;1,0>:uw" },
   { "condition-missing", ALL,
     "cmp (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (eq)f0.0 r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "sel-either", ALL, "sel (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "(f0.0) sel (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "sel-either", ALL,
     "(f0.0) sel (8|M0) (ge)f0.0 r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "sel (8|M0) (ge)f0.0 r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "wide-condition", GEN7,
     "and (32|M0) (ne)f0.0 r10.0<1>:uw r2.0<16;16,1>:uw 0x1:uw",
     "and (32|M0) r10.0<1>:uw r2.0<16;16,1>:uw 0x1:uw" },
   { "flag-end", ALL, "(f0.1) mov (8|M16) r10.0<1>:f r2.0<8;8,1>:f",
     "(f0.1) mov (8|M8) r10.0<1>:f r2.0<8;8,1>:f" },
   { "flag-end", ALL, "(W&f1.1) mov (1|M16) r10.0<1>:f r2.0<0;1,0>:f",
     "(W&f1.0) mov (1|M16) r10.0<1>:f r2.0<0;1,0>:f" },
   { "flag-end", ALL, "(f0.1) mov (32|M0) r10.0<1>:uw r2.0<16;16,1>:uw",
     "(f0.1) mov (16|M0) r10.0<1>:uw r2.0<16;16,1>:uw" },
   { "flag-end", ALL, "and (16|M16) (ne)f0.1 r10.0<1>:d r2.0<8;8,1>:d 1:d",
     "sel (16|M16) (ge)f0.1 r10.0<1>:d r2.0<8;8,1>:d 1:d" },
   { "wide-ternary-condition", GEN8,
     "mad (32|M0) (ge)f0.0 r10.0<1>:hf r12.0<2;1>:hf r14.0<2;1>:hf "
     "r16.0<1>:hf",
     "mad (32|M0) r10.0<1>:hf r12.0<2;1>:hf r14.0<2;1>:hf r16.0<1>:hf" },
   { "compare-null-switch", GEN7,
     "cmp (8|M0) (eq)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (eq)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {Switch}" },
   { "division-wide", ALL,
     "math.iqot (16|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d",
     "math.iqot (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d" },
   { "ternary-compressed", IVB,
     "mad (16|M0) r10.0<1>:f r2.0<2;1>:f r4.0<2;1>:f r6.0<1>:f",
     "mad (8|M0) r10.0<1>:f r2.0<2;1>:f r4.0<2;1>:f r6.0<1>:f" },
   { "movi-wide", ALL, "movi (16|M0) r10.0<1>:f r[a0.0]<8;8,1>:f",
     "movi (8|M0) r10.0<1>:f r[a0.0]<8;8,1>:f" },
   { "dot-narrow", ALL, "dp4 (2|M0) r10.0<1>:f r2.0<2;2,1>:f r3.0<2;2,1>:f",
     "dp4 (4|M0) r10.0<1>:f r2.0<4;4,1>:f r3.0<4;4,1>:f" },
   { "plane-channels", ALL,
     "pln (4|M0) r10.0<1>:f r6.0<0;1,0>:f "
     "r2.0<4;4,1>:f",
     "pln (8|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { "plane-align1", ALL,
     "pln (8|M0) r10.0<1>.xyzw:f r6.0<0>.xxxx:f r2.0<4>.xyzw:f {Align16}",
     "pln (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f" },
   { "wait-one", ALL, "wait (8|M0) n0.0<0;1,0>:ud", "wait n0.0<0;1,0>:ud" },

   /* Types. */
   { "no-modifiers", ALL, "bfrev (8|M0) r10.0<1>:ud -r2.0<8;8,1>:ud",
     "bfrev (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { "types", ALL, "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:d",
     "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f 0x30:vf" },
   { "types", ALL, "and (8|M0) r10.0<1>:f r2.0<8;8,1>:ud r3.0<8;8,1>:ud",
     "and (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud" },
   { "types", ALL, "mac (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "mac (8|M0) r10.0<1>:d r2.0<8;8,1>:w r3.0<8;8,1>:w" },
   { "types", ALL,
     "cmp (8|M0) (ne)f0.0 r10.0<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (ne)f0.0 null<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f {Switch}" },
   { "types", ALL, "(W) fbl (1|M0) r10.0<1>:ud f0.0<0;1,0>:w",
     "(W) fbl (1|M0) r10.0<1>:ud f0.0<0;1,0>:uw" },
   { "types", ALL, "mach (8|M0) r10.0<1>:d r2.0<8;8,1>:w r3.0<8;8,1>:w",
     "mach (8|M0) r10.0<1>:d r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   { "types", ALL, "math.iqot (1|M0) r3.6<1>:f r3.4<0;1,0>:d r3.5<0;1,0>:d",
     "math.iqot (1|M0) r3.6<1>:d r3.4<0;1,0>:ud r3.5<0;1,0>:ud" },
   { "types", ALL, "fbh (8|M0) r10.0<1>:w r2.0<8;8,1>:d",
     "fbh (8|M0) r10.0<1>:d r2.0<8;8,1>:d" },
   { "types", ALL, "fbh (8|M0) r10.0<1>:d r2.0<8;8,1>:uw",
     "fbh (8|M0) r10.0<1>:d r2.0<8;8,1>:ud" },
   { "types", ALL, "bfi1 (8|M0) r10.0<1>:ud r2.0<8;8,1>:uw r3.0<8;8,1>:uw",
     "bfi1 (8|M0) r10.0<1>:ud r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { "types", ALL, "bfi1 (8|M0) r10.0<1>:f r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "bfi1 (8|M0) r10.0<1>:d r2.0<8;8,1>:ud r3.0<8;8,1>:d" },
   { "types", GEN7, "mul (1|M0) r44.2<2>:uw r54.0<0;1,0>:d 2:w",
     "mul (1|M0) r44.2<1>:d r54.0<0;1,0>:d 2:w" },
   { "types", GEN8, "mul (1|M0) r44.2<2>:b r54.0<0;1,0>:d 2:w",
     "mul (1|M0) r44.2<2>:uw r54.0<0;1,0>:d 2:w" },
   { "math-class", ALL,
     "math.iqot (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "math.fdiv (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "math-class", ALL, "math.sqt (8|M0) r10.0<1>:d r2.0<8;8,1>:d",
     "math.sqt (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { "math-class", GEN8, "math.inv (4|M0) r10.0<1>:df r2.0<4;4,1>:df",
     "math.invm (4|M0) (eo)f1.0 r10.mme0:df r2.nomme:df r4.nomme:df" },
   { "half-integer-stride", GEN8, "mov (8|M0) r10.0<1>:hf r2.0<8;8,1>:w",
     "mov (8|M0) r10.0<2>:hf r2.0<8;8,1>:w" },
   { "half-integer-stride", GEN8, "mov (8|M0) r10.1<2>:w r2.0<8;8,1>:hf",
     "mov (4|M0) r10.2<2>:w r2.0<4;4,1>:hf" },

   /* Registers of the architecture. */
   { "arf-unknown", ALL, "mov (8|M0) r10.0<1>:f acc2.0<8;8,1>:f",
     "mov (8|M0) r10.0<1>:f acc1.0<8;8,1>:f" },
   { "arf-end", ALL, "(W) mov (4|M0) f0.0<1>:uw r2.0<4;4,1>:uw",
     "(W) mov (2|M0) f0.0<1>:uw r2.0<2;2,1>:uw" },
   { "arf-end", GEN7, "(W) mov (16|M0) a0.0<1>:uw r2.0<8;8,1>:uw",
     "(W) mov (8|M0) a0.0<1>:uw r2.0<8;8,1>:uw" },
   { "arf-end", ALL, "(W) mov (4|M0) r10.0<1>:ud cr0.0<4;4,1>:ud",
     "(W) mov (2|M0) r10.0<1>:ud cr0.1<2;2,1>:ud" },
   { "null-source", ALL, "mov (8|M0) r10.0<1>:f null<8;8,1>:f",
     "mov (8|M0) null<1>:f r10.0<8;8,1>:f" },
   { "arf-read-only", GEN8, "(W) mov (1|M0) tm0.0<1>:ud 0x3E0:uw {Switch}",
     "(W) mov (1|M0) tm0.4<1>:ud 0x3E0:uw {Switch}" },
   { "arf-read-only", ALL, "(W) mov (1|M0) ce.0<1>:ud r2.0<0;1,0>:ud",
     "(W) mov (1|M0) r2.0<1>:ud ce.0<0;1,0>:ud" },
   { "acc-second", ALL, "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f" },
   { "acc-implicit-source", ALL,
     "mac (8|M0) r10.0<1>:f acc0.0<8;8,1>:f r3.0<8;8,1>:f",
     "mac (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "acc-implicit-destination", ALL,
     "addc (8|M0) acc0.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}",
     "addc (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   { "acc-write-enable", ALL,
     "subb (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud",
     "subb (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   { "acc-swizzle", ALL,
     "mov (8|M0) r10.0<1>.xyzw:f acc0.0<4>.xxxx:f {Align16}",
     "mov (8|M0) r10.0<1>.xyzw:f acc0.0<4>.xyzw:f {Align16}" },
   { "acc-logic", ALL, "not (8|M0) r10.0<1>:d -acc0.0<8;8,1>:d",
     "not (8|M0) r10.0<1>:d acc0.0<8;8,1>:d" },
   { "acc-oword", ALL, "mov (4|M0) r10.1<1>:f acc0.0<4;4,1>:f",
     "mov (4|M0) r10.4<1>:f acc0.0<4;4,1>:f" },
   { "acc-one-oword", ALL, "mov (1|M0) r10.1<1>:f acc0.0<0;1,0>:f",
     "mov (1|M0) r10.4<1>:f acc0.0<0;1,0>:f" },
   { "compare-arf", GEN7,
     "cmp (8|M0) (eq)f0.0 acc0.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (eq)f0.0 r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "logic-abs", GEN8, "not (8|M0) r10.0<1>:d (abs)r2.0<8;8,1>:d",
     "not (8|M0) r10.0<1>:d ~r2.0<8;8,1>:d" },
   { "division-modified", ALL,
     "math.iqot (8|M0) r10.0<1>:d -r2.0<8;8,1>:d r4.0<8;8,1>:d",
     "math.iqot (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d" },
   { "vector-oword", ALL, "mov (8|M0) r10.1<1>:w 0x76543210:v",
     "mov (8|M0) r10.8<1>:w 0x76543210:v" },
   { "vector-stride", ALL, "mov (4|M0) r10.0<4>:w 0x76543210:v",
     "mov (8|M0) r10.0<1>:w 0x76543210:v" },
   { "vector-dwords", ALL, "mov (8|M0) r10.0<1>:d 0x76543210:v",
     "mov (4|M0) r10.0<1>:d 0x76543210:v" },
   { "vector-dwords", ALL, "mov (8|M0) r10.0<2>:w 0x76543210:uv",
     "add (4|M0) r10.0<1>:ud r6.8<0;1,0>:uw 0xC080400:uv" },
   { "vector-stride", ALL, "mov (4|M0) r10.0<2>:f 0x30003000:vf",
     "mov (4|M0) r10.0<1>:f 0x30003000:vf" },
   { "unaligned", ALL, "(W) mov (1|M0) r10.@2<1>:ud r2.0<0;1,0>:ud",
     "(W) mov (1|M0) r10.@4<1>:ud r2.0<0;1,0>:ud" },
   { "plane-scalar", ALL,
     "line (8|M0) r10.0<1>:f r6.1<0;1,0>:f r2.0<8;8,1>:f",
     "line (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f" },
   { "plane-registers", ALL,
     "pln (8|M0) r10.0<1>:f r6.0<0;1,0>:f r[a0.0]<8;8,1>:f",
     "pln (8|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { "movi-indirect", ALL, "movi (8|M0) r10.0<1>:f r2.0<8;8,1>:f",
     "movi (8|M0) r10.0<1>:f r[a0.0]<8;8,1>:f" },
   { "bytes-64", ALL, "(W) mov (1|M0) r10.0<1>:df r2.0<0;1,0>:b",
     "(W) mov (1|M0) r10.0<1>:df r2.0<0;1,0>:w" },
   { "halves-64", GEN8, "(W) mov (1|M0) r10.0<1>:df r2.0<0;1,0>:hf",
     "(W) mov (1|M0) r10.0<1>:df r2.0<0;1,0>:f" },
   { "dependency-64", BDW,
     "add (4|M0) r10.0<1>:df r2.0<4;4,1>:df r4.0<4;4,1>:df {NoDDClr}",
     "add (4|M0) r10.0<1>:df r2.0<4;4,1>:df r4.0<4;4,1>:df" },
   { "rows-of-doubles", IVB, "mov (8|M0) r10.0<1>:df r[a0.0]<1,0>:df",
     "mov (8|M0) r10.0<1>:ud r[a0.0]<1,0>:ud" },

   /* Regions. */
   { "width-channels", ALL, "mov (4|M0) r10.0<1>:f r2.0<8;8,1>:f",
     "mov (4|M0) r10.0<1>:f r2.0<4;4,1>:f" },
   { "one-row", ALL, "mov (8|M0) r10.0<1>:f r2.0<4;8,1>:f",
     "mov (8|M0) r10.0<1>:f r2.0<4;4,1>:f" },
   { "one-column", ALL, "mov (8|M0) r10.0<1>:f r2.0<1;1,1>:f",
     "mov (8|M0) r10.0<1>:f r2.0<1;1,0>:f" },
   { "one-element", ALL, "(W) mov (1|M0) r10.0<1>:f r2.0<1;1,0>:f",
     "(W) mov (1|M0) r10.0<1>:f r2.0<0;1,0>:f" },
   { "no-stride-width", ALL, "mov (8|M0) r10.0<1>:f r2.0<0;8,0>:f",
     "mov (8|M0) r10.0<1>:f r2.0<0;1,0>:f" },
   { "destination-stride", ALL, "mov (8|M0) r10.0<0>:f r2.0<8;8,1>:f",
     "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { "row-crosses", ALL, "mov (8|M0) r10.0<1>:w r2.12<8;8,1>:w",
     "mov (8|M0) r10.0<1>:w r2.8<8;8,1>:w" },
   { "two-registers", ALL, "mov (8|M0) r10.0<1>:f r2.0<16;4,4>:f",
     "mov (8|M0) r10.0<1>:f r2.0<8;4,2>:f" },
   { "register-end", ALL, "mov (16|M0) r127.0<1>:f r2.0<8;8,1>:f",
     "mov (16|M0) r126.0<1>:f r2.0<8;8,1>:f" },
   { "destination-ratio", ALL, "mov (8|M0) r10.0<1>:w r2.0<8;8,1>:d",
     "mov (8|M0) r10.0<2>:w r2.0<8;8,1>:d" },
   { "destination-ratio", ALL,
     "add (8|M0) r10.0<1>:b r2.0<8;8,1>:b r3.0<8;8,1>:b",
     "mov (8|M0) r10.0<1>:b r2.0<8;8,1>:b" },
   { "destination-ratio", ALL, "shr (8|M0) r10.0<1>:b r2.0<8;8,1>:uw 1:w",
     "shr (8|M0) r10.0<4>:b r2.0<8;8,1>:uw 1:w" },
   { "destination-ratio", ALL, "mov (4|M0) r10.0<1>:w r2.0<4;4,1>:d",
     "mov (4|M0) r10.0<4>:w r2.0<4;4,1>:d" },
   { "destination-ratio", HSW | GEN8, "mov (4|M0) r10.0<1>:f r2.0<4;4,1>:df",
     "mov (4|M0) r10.0<2>:f r2.0<4;4,1>:df" },
   { "destination-aligned", ALL, "mov (4|M0) r10.1<2>:w r2.0<4;4,1>:d",
     "mov (4|M0) r10.2<2>:w r2.0<4;4,1>:d" },
   { "destination-aligned", ALL, "mov (4|M0) r10.2<4>:b r2.0<4;4,1>:d",
     "mov (4|M0) r10.1<4>:b r2.0<4;4,1>:d" },
   { "destination-even", TO_8, "mov (4|M0) r10.5<1>:f r2.5<1;1,0>:f",
     "mov (4|M0) r10.6<1>:f r2.6<0;1,0>:f" },
   { "math-destination-even", SKL, "math.inv (4|M0) r10.5<1>:f r2.5<1;1,0>:f",
     "mov (4|M0) r10.5<1>:f r2.5<1;1,0>:f" },
   { "two-to-one", TO_8, "mov (4|M0) r10.3<1>:f r2.6<1;1,0>:f",
     "mov (4|M0) r10.2<1>:f r2.6<1;1,0>:f" },
   { "two-to-one-halves", GEN7, "mov (4|M0) r10.0<1>:f r2.5<1;1,0>:f",
     "mov (4|M0) r10.0<1>:f r2.6<1;1,0>:f" },
   { "two-to-one-uneven", BDW, "mov (16|M0) r76.0<1>:uw r21.4<4;4,1>:uw",
     "mov (16|M0) r76.0<1>:uw r21.0<16;16,1>:uw" },
   { "one-to-two", GEN7, "mov (8|M0) r10.0<2>:d r2.0<8;8,1>:d",
     "mov (8|M0) r10.0<2>:d r2.0<8;4,2>:d" },
   { "one-to-two", GEN7, "mov (16|M0) r10.0<1>:d r2.0<16;16,1>:b",
     "mov (16|M0) r10.0<1>:d r2.0<16;16,1>:w" },
   { "two-to-two", GEN7, "mov (8|M0) r10.4<1>:f r2.4<4;4,1>:f",
     "mov (16|M0) r10.0<1>:d r2.0<16;8,2>:w" },
   { "math-regions", ALL, "math.inv (8|M0) r10.0<1>:f r2.0<8;4,2>:f",
     "math.inv (8|M0) r10.0<1>:f r2.0<4;4,1>:f" },
   { "math-regions", ALL, "math.inv (4|M0) r10.4<1>:f r2.0<4;4,1>:f",
     "math.inv (4|M0) r10.4<1>:f r2.0<0;1,0>:f" },

   /* Align16, three sources, mixed floats. */
   { "a16-destination-stride", ALL,
     "mov (8|M0) r10.0<2>.xyzw:f r2.0<4>.xyzw:f {Align16}",
     "mov (8|M0) r10.0<1>.xyzw:f r2.0<4>.xyzw:f {Align16}" },
   { "a16-stride-of-dwords", IVB,
     "mov (8|M0) r10.0<1>.xyzw:df r2.0<2>.xyzw:df {Align16}",
     "mov (8|M0) r10.0<1>.xyzw:df r2.0<4>.xyzw:df {Align16}" },
   { "a16-stride", HSW | GEN8,
     "mov (8|M0) r10.0<1>.xyzw:f r2.0<2>.xyzw:f {Align16}",
     "mov (4|M0) r10.0<1>.xyzw:df r2.0<2>.xyzw:df {Align16}" },
   { "a16-one", ALL, "mov (1|M0) r10.0<1>.x:f r2.0<0>.xxxx:f {Align16}",
     "mov (4|M0) r10.0<1>.x:f r2.0<0>.xxxx:f {Align16}" },
   { "a16-wide", IVB, "mov (16|M0) r10.0<1>.xyzw:f r2.0<4>.xyzw:f {Align16}",
     "mov (8|M0) r10.0<1>.xyzw:f r2.0<4>.xyzw:f {Align16}" },
   { "a16-swizzle-doubles", ALL,
     "mov (4|M0) r10.0<1>.xyzw:df r2.0<4>.xzxz:df {Align16}",
     "mov (4|M0) r10.0<1>.xyzw:df r2.0<4>.zwxy:df {Align16}" },
   { "a16-mixed-qwords", GEN8,
     "mov (4|M0) r10.0<1>.xyzw:df r2.0<4>.xyzw:f {Align16}",
     "mov (2|M0) r10.0<1>.xyzw:df r2.0<4>.xyzw:f {Align16}" },
   { "a16-double-immediate", GEN8,
     "mov (4|M0) r10.0<1>.xyzw:f 1.5:df {Align16}",
     "mov (4|M0) r10.0<1>.xyzw:df 1.5:df {Align16}" },
   { "ternary-repeated-double", ALL,
     "mad (4|M0) r10.0<1>.xyzw:df r2.0<0>.xxxx:df r4.0<4>.xyzw:df "
     "r6.0<4>.xyzw:df {Align16}",
     "mad (4|M0) r10.0<1>.xyzw:df r2.0<4>.xyxy:df r4.0<4>.xyzw:df "
     "r6.0<4>.xyzw:df {Align16}" },
   { "ternary-oword", ALL,
     "mad (8|M0) r10.0<1>:f r2.1<2;1>:f r4.0<2;1>:f r6.0<1>:f",
     "mad (8|M0) r10.0<1>:f r2.1<0;0>:f r4.0<2;1>:f r6.0<1>:f" },
   { "ternary-half", BDW,
     "mad (8|M0) r10.0<1>:hf r2.0<2;1>:hf r4.8<2;1>:hf r6.0<1>:hf",
     "mad (8|M0) r10.8<1>:hf r2.0<2;1>:hf r4.0<2;1>:hf r6.2<0>:hf" },
   { "macro-register", GEN8,
     "math.rsqtm (8|M0) (eo)f0.1 r10.4.mme1:f r11.nomme:f",
     "math.rsqtm (8|M0) (eo)f0.1 r10.mme1:f r11.nomme:f" },
   { "mixed-f-wide", SKL,
     "add (16|M0) r10.0<1>:f r2.0<16;16,1>:hf r4.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:f r2.0<8;8,1>:hf r4.0<8;8,1>:f" },
   { "mixed-f-wide", SKL, "math.inv (16|M0) r10.0<1>:f r2.0<16;8,2>:hf",
     "mov (16|M0) r10.0<1>:f r2.0<16;16,1>:hf" },
   { "mixed-packed-wide", SKL,
     "add (16|M0) r10.0<1>:hf r2.0<16;16,1>:hf r4.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:hf r2.0<8;8,1>:hf r4.0<8;8,1>:f" },
   { "mixed-packed-oword", SKL,
     "add (8|M0) r10.4<1>:hf r2.0<8;8,1>:hf r4.0<8;8,1>:f",
     "add (8|M0) r10.8<1>:hf r2.0<8;8,1>:hf r4.0<8;8,1>:f" },
   { "mixed-indirect", SKL,
     "add (8|M0) r10.0<1>:hf r[a0.0]<8;8,1>:hf r4.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:hf r[a0.0]<8;8,1>:hf r4.0<8;8,1>:hf" },
   { "mixed-repeated", SKL,
     "add (8|M0) r10.0<1>.xyzw:hf r2.0<0>.xyzw:hf r4.0<4>.xyzw:f {Align16}",
     "add (8|M0) r10.0<1>.xyzw:hf r2.0<4>.xyzw:hf r4.0<4>.xyzw:f "
     "{Align16}" },
   { "mixed-accumulator", SKL,
     "add (8|M0) r10.0<1>.xyzw:hf acc0.0<4>.xyzw:hf r4.0<4>.xyzw:f "
     "{Align16}",
     "add (8|M0) r10.0<1>:hf acc0.0<8;8,1>:hf r4.0<8;8,1>:f" },
   { "mixed-accumulator-offset", SKL,
     "add (8|M0) r10.0<1>:hf acc0.8<8;8,1>:hf r4.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:hf acc0.0<8;8,1>:hf r4.0<8;8,1>:f" },
   { "mixed-math", SKL,
     "math.pow (8|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:hf",
     "math.pow (8|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<16;8,2>:hf" },
   { "mixed-math", SKL,
     "math.pow (8|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<0;1,0>:hf",
     "math.pow (8|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<0;1,0>:f" },

   /* Messages: block reads and scratch of the data port, the sampler. */
   { "payload-file", ALL, "send (8|M0) r20 null 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "payload-address", TO_8, "send (8|M0) r20 r[a0.0] 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "payload-register", TO_8, "send (8|M0) r20 r10.1 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "payload-register", SKL, "sends (8|M0) null r10.4 r12 0x4C 0x02026E01",
     "sends (8|M0) null r10 r12 0x4C 0x02026E01" },
   { "response-file", ALL, "send (8|M0) acc0 r10 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "no-response-file", GEN8, "send (16|M0) acc0:uw r4:d 0xC 0x060A8000",
     "send (16|M0) null:uw r4:d 0xC 0x060A8000" },
   { "no-response-file", ALL,
     "send (1|M0) acc0:uw r112:d 0x27 0x02000010 {EOT}",
     "send (1|M0) null:uw r112:d 0x27 0x02000010 {EOT}" },
   { "response-register", ALL, "send (8|M0) r20.4 r10 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "payload-empty", ALL, "send (8|M0) r20 r10 0xA 0x00180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "response-long", ALL, "send (8|M0) r20 r10 0x6 0x03180003",
     "send (8|M0) r20 r10 0x6 0x03080003" },
   { "second-payload", SKL, "sends (8|M0) null r10 r12 0xC 0x04026E01",
     "sends (8|M0) null r10 null 0xC 0x04026E01" },
   { "response-null", ALL, "send (8|M0) null r10 0xA 0x02180001",
     "send (8|M0) null r10 0xA 0x0219E000" },
   { "message-end", ALL, "send (8|M0) r127 r10 0xA 0x02280301",
     "send (8|M0) r126 r10 0xA 0x02280301" },
   { "message-end", ALL, "send (8|M0) null r127 0xA 0x060A0301",
     "send (8|M0) null r125 0xA 0x060A0301" },
   { "payloads-overlap", SKL, "sends (8|M0) null r10 r10 0x4C 0x02026E01",
     "sends (8|M0) null r10 r11 0x4C 0x02026E01" },
   { "last-register", GEN8, "send (8|M0) r126 r126 0xA 0x02280301",
     "send (8|M0) r126 r125 0xA 0x02280301" },
   { "eot-low-registers", GEN7,
     "send (16|M0) acc0:ud r64:d 0x27 0x02000010 {EOT}",
     "send (16|M0) null:ud r112:d 0x27 0x02000010 {EOT}" },
   { "eot-registers", GEN8, "send (8|M0) null r111 0x25 0x08031400 {EOT}",
     "send (8|M0) null r112 0x25 0x08031400 {EOT}" },
   { "eot-response", ALL, "send (8|M0) r20 r112 0x25 0x08031400 {EOT}",
     "send (8|M0) null r112 0x25 0x08031400 {EOT}" },
   { "eot-function", ALL, "send (8|M0) null r112 0x22 0x02420001 {EOT}",
     "send (8|M0) r20 r112 0x2 0x02420001" },
   { "function", ALL, "send (8|M0) r20 r10 0xE 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "function-later", IVB, "send (8|M0) r20 r10 0xC 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "descriptor-bits", ALL, "send (8|M0) null r10 0x3 0x02000014",
     "send (8|M0) null r10 0x3 0x02000004" },
   { "fence-surface", ALL, "send (16|M0) r91 r90:d 0xA 0x0219E003",
     "send (16|M0) r91 r90:d 0xA 0x0219E000" },
   { "descriptor-value", ALL, "send (8|M0) r20 r10 0xA 0x02180701",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "header-needed", ALL, "send (8|M0) r20 r10 0xA 0x02100001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "header-forbidden", ALL, "send (8|M0) r20 r10 0xB 0x02280000",
     "send (8|M0) r20 r10 0xB 0x02200000" },
   { "payload-length", ALL, "send (8|M0) r20 r10 0xA 0x04180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "payload-length", ALL, "send (8|M0) r20 r10 0x2 0x18420001",
     "send (8|M0) r20 r10 0x2 0x16420001" },
   /* A sampler's message of video. */
   { "response-length", ALL, "send (8|M0) r46:ud r18:ub 0x2 0x045A8003",
     "send (8|M0) r46:ud r18:ub 0x2 0x045E8003" },
   { "response-length", ALL, "send (8|M0) r20 r10 0xA 0x02280001",
     "send (8|M0) r20 r10 0xA 0x02280301" },

   /* Flow. */
   { "jump-unit", GEN8, "(f0.0) if (8|M0) 36 64", "(f0.0) if (8|M0) 32 64" },
   { "jump-unit", HSW | GEN8, "jmpi (1|M0) 36", "jmpi (1|M0) 32" },
   { "target-register", ALL, "jmpi (1|M0) null", "jmpi (1|M0) r2.0" },
   { "target-aligned", ALL, "ret (8|M0) r30.1", "ret (8|M0) r30.2" },
   { "call-register", ALL, "call (8|M0) null 64", "call (8|M0) r30.0 64" },

   /* Low-power chips: a channel stays in its quadword. */
   { "qword-moves", LOW_POWER, "mov (4|M0) r10.0<1>:df r2.0<4;4,1>:f",
     "mov (4|M0) r10.0<1>:df r2.0<8;4,2>:f" },
   { "qword-moves", LOW_POWER,
     "mul (4|M0) r10.0<1>:q r2.0<8;8,1>:d r3.0<0;1,0>:d",
     "mul (4|M0) r10.0<1>:q r2.0<8;4,2>:d r3.0<0;1,0>:d" },
   { "qword-shared", LOW_POWER,
     "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d",
     "mul (8|M0) r10.0<2>:d r2.0<8;4,2>:d r4.0<8;4,2>:d" },
   /* A narrower factor is none of a product of dwords. */
   { "qword-moves", LOW_POWER,
     "shl (4|M0) r10.0<1>:uq r2.0<4;4,1>:uq r4.0<4;4,1>:ud",
     "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<16;8,2>:uw" },
   { "qword-moves", LOW_POWER,
     "cmp (4|M0) (lt)f0.0 null<1>:f r2.0<4;4,1>:df r4.0<4;4,1>:df",
     "cmp (4|M0) (lt)f0.0 null<1>:df r2.0<4;4,1>:df r4.0<4;4,1>:df" },
   { "qword-moves", LOW_POWER,
     "add (4|M0) r10.0<1>:df r2.0<0;2,1>:df r4.0<4;4,1>:df",
     "add (4|M0) r10.0<1>:df r2.0<0;1,0>:df r4.0<2;2,1>:df" },
   { "qword-moves", LOW_POWER, "mov (2|M0) r10.1<1>:df r2.0<2;2,1>:df",
     "mov (2|M0) r10.1<1>:df r2.1<2;2,1>:df" },
   { "qword-moves", LOW_POWER, "mov (2|M0) r10.0<2>:f r2.1<2;2,1>:df",
     "mov (2|M0) r10.1<1>:df r2.0<0;1,0>:df" },
   { "qword-address", LOW_POWER, "mov (4|M0) r10.0<1>:df r[a0.0]<4;4,1>:df",
     "mov (8|M0) r10.0<1>:f r[a0.0]<8;8,1>:f" },
   { "qword-address", LOW_POWER, "mov (4|M0) r[a0.0]<1>:df r2.0<4;4,1>:df",
     "mov (4|M0) r[a0.0]<2>:ud r2.0<8;4,2>:ud" },
   { "qword-architectural", LOW_POWER,
     "mov (4|M0) r10.0<1>:df acc0.0<4;4,1>:df",
     "mov (8|M0) r10.0<1>:f acc0.0<8;8,1>:f" },
   { "qword-architectural", LOW_POWER,
     "mac (4|M0) r10.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df",
     "mad (4|M0) r10.0<1>:df r2.0<2;1>:df r3.0<2;1>:df r4.0<1>:df" },
   { "qword-architectural", LOW_POWER,
     "add (4|M0) r10.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df {AccWrEn}",
     "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {AccWrEn}" },
   { "qword-dependencies", LOW_POWER,
     "mov (4|M0) r10.0<1>:df r2.0<4;4,1>:df {NoDDClr}",
     "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f {NoDDClr}" },
};

static bool
breaks(enum isa_gen gen, bool low_power, const struct isa_inst *inst,
       const char *id)
{
   const struct sim_legal_rule *rule;
   unsigned from = 0;
   while ((rule = sim_legal_next(gen, low_power, inst, &from))) {
      if (!strcmp(rule->id, id))
         return true;
   }
   return false;
}

static struct isa_inst
parse(enum isa_gen gen, const char *text)
{
   struct isa_inst parsed, inst = { 0 };
   struct isa_error err = { 0 };
   uint32_t dw[4];
   if (!isa_parse(gen, text, &parsed, &err) ||
       !isa_encode(gen, &parsed, dw, &err) ||
       !isa_decode(gen, dw, sizeof(dw), &inst, NULL, &err))
      fail_msg("%s: \"%s\": %s", isa_gen_name(gen), text, err.text);
   return inst;
}

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         const enum isa_gen gen = (enum isa_gen)g;
         if (!(rows[i].gens >> g & 1))
            continue;
         const struct isa_inst bad = parse(gen, rows[i].bad);
         const bool low_power = rows[i].gens & ISA_LOW_POWER;
         if (!breaks(gen, low_power, &bad, rows[i].id))
            fail_msg("%s: \"%s\" does not break %s", isa_gen_name(gen),
                     rows[i].bad, rows[i].id);
         const struct isa_inst good = parse(gen, rows[i].good);
         const struct sim_legal_rule *rule =
            sim_legal_inst(gen, low_power, &good);
         if (rule)
            fail_msg("%s: \"%s\" breaks %s", isa_gen_name(gen), rows[i].good,
                     rule->id);
      }
   }
}

/* Bits that an opcode has no use for, and text has no words for. */
static const struct bits {
   const char *id;
   unsigned gens, bit;
   const char *text;
} bits[] = {
   { "no-predicate", HSW, 16, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { "no-condition", HSW, 24, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { "no-saturation", HSW, 31, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { "no-predicate", GEN8, 16,
     "csel (8|M0) (lt)f0.0 r10.0<1>:f r11.0<2;1>:f r12.0<2;1>:f "
     "r13.0<1>:f" },
   { "no-saturation", ALL, 31,
     "and (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud 0x1:ud" },
   { "no-condition", ALL, 24, "bfrev (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { "rows-direct", ALL, 79, "mov (8|M0) r10.0<1>:ud r[a0.0]<1,0>:ud" },
};

static void
test_bits(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(bits); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         const enum isa_gen gen = (enum isa_gen)g;
         uint32_t dw[4];
         if (!(bits[i].gens >> g & 1))
            continue;
         struct isa_inst inst = parse(gen, bits[i].text);
         assert_null(sim_legal_inst(gen, false, &inst));
         assert_true(isa_encode(gen, &inst, dw, NULL));
         dw[bits[i].bit / 32] ^= 1u << bits[i].bit % 32;
         assert_true(isa_decode(gen, dw, sizeof(dw), &inst, NULL, NULL));
         if (!breaks(gen, false, &inst, bits[i].id))
            fail_msg("%s: bit %u does not break %s", isa_gen_name(gen),
                     bits[i].bit, bits[i].id);
      }
   }
}

/* Each rule on each of its generations has a row; names are unique. */
static void
test_every_rule(void **state)
{
   const struct sim_legal_rule *rule, *other;
   for (unsigned r = 0; (rule = sim_legal_rule_at(r)); r++) {
      unsigned seen = 0;
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
         seen |= strcmp(rows[i].id, rule->id) ? 0 : rows[i].gens;
      for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
         seen |= strcmp(bits[i].id, rule->id) ? 0 : bits[i].gens;
      if (rule->gens & ~seen)
         fail_msg("rule %s: no row for generations 0x%x", rule->id,
                  rule->gens & ~seen);
      assert_true(rule->text[0] && rule->source[0]);
      for (unsigned i = 0; i < r && (other = sim_legal_rule_at(i)); i++)
         assert_string_not_equal(rule->id, other->id);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      bool known = false;
      for (unsigned r = 0; (rule = sim_legal_rule_at(r)); r++)
         known |= !strcmp(rule->id, rows[i].id);
      if (!known)
         fail_msg("a row of the unknown rule %s", rows[i].id);
   }
}

/* Programs: the place of a fault, and jumps. */
static void
test_programs(void **state)
{
   static const struct {
      const char *text, *rule;
      uint32_t at_B;
   } programs[] = {
      { "nop\nmov (4|M0) r1.0<1>:f r2.0<8;8,1>:f\n", "width-channels", 16 },
      { "nop\n(f0.0) while (8|M0) -16\n", NULL, 0 },
      { "nop\n(f0.0) while (8|M0) -8\n", "jump-target", 16 },
      { "nop\njmpi (1|M0) 16\n", NULL, 0 },
      { "nop\njmpi (1|M0) 32\n", "jump-target", 16 },
      { "(f0.0) break (8|M0) 16 32\nnop\n", NULL, 0 },
      { "(f0.0) break (8|M0) 16 48\nnop\n", "jump-target", 0 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      struct util_dynarray code = { 0 };
      struct sim_legal_place place;
      uint32_t dw[4];
      char text[100], *line, *rest = text;
      snprintf(text, sizeof(text), "%s", programs[i].text);
      while ((line = strsep(&rest, "\n")) && *line) {
         const struct isa_inst inst = parse(ISA_SKL, line);
         assert_true(isa_encode(ISA_SKL, &inst, dw, NULL));
         memcpy(util_dynarray_grow_bytes(&code, sizeof(dw)), dw, sizeof(dw));
      }
      const bool good = sim_legal_program(ISA_SKL, false, code.data,
                                          (uint32_t)code.size_B, &place);
      assert_int_equal(good, programs[i].rule == NULL);
      if (!good) {
         assert_string_equal(place.rule->id, programs[i].rule);
         assert_int_equal(place.offset_B, programs[i].at_B);
      }
      /* Cut off in the middle of an instruction. */
      assert_false(sim_legal_program(ISA_SKL, false, code.data,
                                     (uint32_t)code.size_B - 8, &place));
      util_dynarray_fini(&code);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_every_rule),
      cmocka_unit_test(test_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
