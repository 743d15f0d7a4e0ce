/* SPDX-License-Identifier: MIT */
/* Each rule has rows: text that breaks it, and text next to it that breaks
 * none. A rule, or a generation of a rule, without a row fails the test. */
#include "util/unit_test.h"

#include <stdio.h>

#include "intel/isa/isa.h"

/* clang-format off */
enum { IVB = 1 << ISA_IVB, HSW = 1 << ISA_HSW, BDW = 1 << ISA_BDW,
       SKL = 1 << ISA_SKL, GEN7 = IVB | HSW, GEN8 = BDW | SKL,
       ALL = GEN7 | GEN8, LOW_POWER = GEN8 | ISA_LOW_POWER };
/* clang-format on */

struct row {
   const char *id;
   unsigned gens;
   const char *bad, *good;
};

static const struct row rows[] = {
   /* Types and opcodes. */
   { "dst-type", ALL, "dp4 (8|M0) r1.0<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "dp4 (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "dst-type", ALL, "addc (8|M0) r1.0<2>:w r2.0<8;8,1>:ud r3.0<8;8,1>:ud",
     "addc (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   /* Of 32 bits the sign of a destination says nothing (IGC). */
   { "src-type", ALL, "mach (8|M0) r1.0<1>:d r2.0<8;8,1>:uw r3.0<8;8,1>:uw",
     "mach (8|M0) r1.0<1>:d r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   { "src-type", ALL, "math.iqot (1|M0) r3.6<1>:d r3.4<0;1,0>:uw 3:uw",
     "math.iqot (1|M0) r3.6<1>:d r3.4<0;1,0>:ud r3.5<0;1,0>:ud" },
   { "src-type", ALL, "cbit (8|M0) r1.0<1>:d r2.0<8;8,1>:d",
     "cbit (8|M0) r1.0<1>:d r2.0<8;8,1>:ud" },
   { "src-type", ALL, "and (8|M0) r1.0<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "and (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { "src-type", ALL, "frc (4|M0) r1.0<1>:f r2.0<4;4,1>:df",
     "frc (4|M0) r1.0<1>:f r2.0<4;4,1>:f" },
   { "src-type", GEN7, "mul (8|M0) r1.0<2>:w r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "mul (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { "src-type", GEN8, "mul (8|M0) r1.0<4>:b r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "mul (8|M0) r1.0<2>:uw r2.0<8;8,1>:d r3.0<0;1,0>:w" },
   /* Of these, as Mesa emits them, the manual has those of one type. */
   { "src-type", ALL, "bfi1 (8|M0) r1.0<1>:ud r2.0<8;8,1>:w r3.0<8;8,1>:w",
     "bfi1 (8|M0) r1.0<1>:ud r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { "src-type", ALL, "bfi1 (8|M0) r1.0<1>:ud r2.0<8;8,1>:f r3.0<8;8,1>:d",
     "bfi1 (8|M0) r1.0<1>:d r2.0<8;8,1>:ud r3.0<8;8,1>:d" },
   { "dst-type", ALL, "fbh (8|M0) r1.0<1>:f r2.0<8;8,1>:d",
     "fbh (8|M0) r1.0<1>:d r2.0<8;8,1>:d" },
   { "src-type", ALL, "fbh (8|M0) r1.0<1>:d r2.0<8;8,1>:w",
     "fbh (8|M0) r1.0<1>:d r2.0<8;8,1>:ud" },
   { "src-type", ALL,
     "cmp (8|M0) (ne)f0.0 r1.0<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (ne)f0.0 null<1>:d r2.0<8;8,1>:f r3.0<8;8,1>:f {Switch}" },
   { "src-type", ALL, "(W) fbl (1|M0) r1.0<1>:ud f0.0<0;1,0>:d",
     "(W) fbl (1|M0) r1.0<1>:ud f0.0<0;1,0>:ub" },
   { "src-type", BDW, "add (8|M0) r1.0<2>:hf r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "mov (16|M0) r1.0<1>:f r3.0<16;16,1>:hf" },
   { "src-type", GEN8, "mac (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "mac (4|M0) r1.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df" },
   { "int-and-float", ALL, "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:d",
     "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f 0x30:vf" },
   { "null-source", ALL, "add (8|M0) r1.0<1>:f null<8;8,1>:f 1.0:f",
     "add (8|M0) null<1>:f r1.0<8;8,1>:f 1.0:f" },
   { "acc-src1", ALL, "add (8|M0) r1.0<1>:f r2.0<8;8,1>:f acc0.0<8;8,1>:f",
     "add (8|M0) r1.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f" },
   /* Registers of the architecture. */
   { "arf-none", ALL, "mov (8|M0) r1.0<1>:f acc2.0<8;8,1>:f",
     "mov (8|M0) r1.0<1>:f acc1.0<8;8,1>:f" },
   { "arf-range", ALL, "(W) mov (4|M0) r1.0<1>:ud cr0.0<4;4,1>:ud",
     "(W) mov (2|M0) r1.0<1>:ud cr0.0<2;2,1>:ud" },
   { "arf-range", GEN7, "(W) mov (16|M0) a0.0<1>:uw r2.0<16;16,1>:uw",
     "(W) mov (8|M0) a0.0<1>:uw r2.0<8;8,1>:uw" },
   { "arf-read-only", ALL, "(W) mov (1|M0) tm0.0<1>:ud 0x0:ud",
     "(W) mov (1|M0) a0.0<1>:ud 0x0:ud" },
   { "arf-read-only", GEN8, "(W) mov (1|M0) tm0.3<1>:ud 0x0:ud",
     "(W) mov (1|M0) tm0.4<1>:ud 0x0:ud {Switch}" },
   { "acc-implicit-src", ALL,
     "mac (8|M0) r1.0<1>:f acc0.0<8;8,1>:f r3.0<8;8,1>:f",
     "mac (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "acc-implicit-dst", ALL,
     "subb (8|M0) acc0.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}",
     "subb (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud {AccWrEn}" },
   { "acc-wr-en", ALL, "mach (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d",
     "mach (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}" },
   { "acc-swizzle", ALL,
     "add (8|M0) r1.0<1>.xyzw:f acc0.0<4>.xxxx:f r2.0<4>.xyzw:f {Align16}",
     "add (8|M0) r1.0<1>.xyzw:f acc0.0<4>.xyzw:f r2.0<4>.xxxx:f {Align16}" },
   { "acc-logic", ALL, "and (8|M0) r1.0<1>:d -acc0.0<8;8,1>:d 7:d",
     "add (8|M0) r1.0<1>:d -acc0.0<8;8,1>:d 7:d" },
   { "acc-align-one", ALL, "mov (1|M0) r1.0<1>:d acc0.1<0;1,0>:d",
     "mov (1|M0) r1.0<1>:d acc0.4<0;1,0>:d" },
   { "acc-align", ALL, "mov (4|M0) r1.1<1>:d acc0.0<4;4,1>:d",
     "mov (4|M0) r1.4<1>:d acc0.0<4;4,1>:d" },
   /* Single opcodes. */
   { "sel-either", ALL, "sel (8|M0) r1.0<1>:f r2.0<8;8,1>:f 1.0:f",
     "(f0.0) sel (8|M0) r1.0<1>:f r2.0<8;8,1>:f 1.0:f" },
   { "sel-either", ALL,
     "(f0.0) sel (8|M0) (ge)f0.0 r1.0<1>:f r2.0<8;8,1>:f 1.0:f",
     "sel (8|M0) (ge)f0.0 r1.0<1>:f r2.0<8;8,1>:f 1.0:f" },
   { "movi-direct", ALL, "movi (8|M0) r1.0<1>:f r2.0<8;8,1>:f",
     "movi (8|M0) r1.0<1>:f r[a0.0]<8;8,1>:f" },
   { "movi-wide", ALL, "movi (16|M0) r2.0<1>:f r[a0.0]<8;8,1>:f",
     "movi (8|M0) r2.0<1>:f r[a0.0]<8;8,1>:f" },
   { "dot-narrow", ALL, "dp4 (2|M0) r1.0<1>:f r2.0<2;2,1>:f r3.0<2;2,1>:f",
     "dp4 (4|M0) r1.0<1>:f r2.0<4;4,1>:f r3.0<4;4,1>:f" },
   { "pln-channels", ALL, "pln (4|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<4;4,1>:f",
     "pln (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f" },
   { "pln-align16", ALL,
     "pln (8|M0) r10.0<1>.xyzw:f r6.0<0>.xyzw:f r2.0<4>.xyzw:f {Align16}",
     "pln (8|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { "pln-plane", ALL, "pln (8|M0) r10.0<1>:f r6.1<0;1,0>:f r2.0<8;8,1>:f",
     "pln (16|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { "pln-plane", ALL, "line (8|M0) r10.0<1>:f r6.0<8;8,1>:f r2.0<8;8,1>:f",
     "line (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f" },
   { "pln-registers", ALL,
     "pln (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.4<4;4,1>:f",
     "pln (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<4;4,1>:f" },
   { "wait-one", ALL, "wait (8|M0) n0.0<0;1,0>:ud", "wait n0.0<0;1,0>:ud" },
   { "cond-mod-missing", ALL,
     "cmp (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (ge)f0.0 r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "src-mods", ALL, "bfrev (8|M0) r1.0<1>:ud -r2.0<8;8,1>:ud",
     "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud" },
   { "src-mods", ALL, "wait -n0.0<0;1,0>:ud", "wait n0.0<0;1,0>:ud" },
   { "src-mods", ALL,
     "bfe (8|M0) r1.0<1>:ud r2.0<2;1>:ud -r3.0<2;1>:ud r4.0<1>:ud",
     "mad (8|M0) r1.0<1>:f r2.0<2;1>:f -r3.0<2;1>:f r4.0<1>:f" },
   { "logic-abs", GEN8, "not (8|M0) r1.0<1>:d (abs)r2.0<8;8,1>:d",
     "not (8|M0) r1.0<1>:d ~r2.0<8;8,1>:d" },
   { "byte-64bit", GEN8, "mov (4|M0) r1.0<1>:q r2.0<4;4,1>:ub",
     "mov (4|M0) r1.0<1>:q r2.0<4;4,1>:uw" },
   { "byte-64bit", ALL, "mov (1|M0) r1.0<1>:df r2.0<0;1,0>:b",
     "mov (1|M0) r1.0<1>:df r2.0<0;1,0>:w" },
   { "byte-64bit", HSW | GEN8, "mov (4|M0) r1.0<4>:b r2.0<4;4,1>:df",
     "mov (4|M0) r1.0<4>:w r2.0<4;4,1>:df" },
   { "hf-64bit", GEN8, "mov (4|M0) r1.0<4>:hf r2.0<4;4,1>:df",
     "mov (4|M0) r1.0<2>:f r2.0<4;4,1>:df" },
   { "hf-64bit", GEN8, "mov (4|M0) r1.0<1>:q r2.0<4;4,1>:hf",
     "mov (4|M0) r1.0<1>:d r2.0<4;4,1>:hf" },
   { "hf-int", GEN8, "mov (8|M0) r1.0<1>:w r2.0<8;8,1>:hf",
     "mov (8|M0) r1.0<2>:w r2.0<8;8,1>:hf" },
   { "hf-int", GEN8, "mov (8|M0) r1.1<2>:hf r2.0<8;8,1>:w",
     "mov (8|M0) r1.0<2>:hf r2.0<8;8,1>:w" },
   { "packed-byte", ALL,
     "add (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub",
     "mov (8|M0) r1.0<1>:ub r2.0<8;8,1>:ub" },
   { "packed-byte", ALL, "mov (8|M0) r1.0<1>:b -r2.0<8;8,1>:b",
     "add (8|M0) r1.0<2>:ub r2.0<8;8,1>:ub r3.0<8;8,1>:ub" },
   { "dst-stride", ALL, "mov (8|M0) r1.0<1>:w r2.0<8;8,1>:d",
     "mov (8|M0) r1.0<2>:w r2.0<8;8,1>:d" },
   { "dst-stride", ALL, "mov (8|M0) r1.0<2>:b r2.0<8;8,1>:d",
     "shr (8|M0) r31.0<4>:b r8.0<8;8,1>:uw 1:w" },
   { "dst-stride", GEN8, "shr (16|M0) r31.0<1>:w r8.0<8;8,1>:ud 1:w",
     "shr (16|M0) r31.0<4>:b r8.0<16;16,1>:uw 1:w" },
   /* A double to a float, which needs stride 2 but for IVB. */
   { "dst-stride", HSW | GEN8, "mov (4|M0) r4.0<1>:f r2.0<4;4,1>:df",
     "mov (4|M0) r4.0<2>:f r2.0<4;4,1>:df" },
   /* A double to a word, which is half of what IVB counts by. */
   { "dst-stride", IVB, "mov (4|M0) r4.0<1>:uw r2.0<4;4,1>:df",
     "mov (4|M0) r4.0<2>:uw r2.0<4;4,1>:df" },
   { "dst-alignment", ALL, "mov (4|M0) r1.1<2>:w r2.0<4;4,1>:d",
     "mov (4|M0) r1.2<2>:w r2.0<4;4,1>:d" },
   { "dst-alignment", ALL, "mov (4|M0) r1.2<4>:ub r2.0<4;4,1>:d",
     "mov (4|M0) r1.1<4>:ub r2.0<4;4,1>:d" },
   { "vector-imm-align", ALL, "mov (4|M0) r1.4<1>:w 0x76543210:v",
     "mov (4|M0) r1.8<1>:w 0x76543210:v" },
   { "vector-imm-stride", ALL, "mov (4|M0) r1.0<4>:w 0x76543210:v",
     "mov (8|M0) r1.0<1>:uw 0x76543210:uv" },
   { "vector-imm-dwords", ALL, "mov (8|M0) r1.0<2>:w 0x76543210:v",
     "mov (4|M0) r1.0<2>:uw 0x76543210:uv" },
   { "vector-imm-dwords", ALL, "mov (8|M0) r1.0<1>:d 0x76543210:v",
     "add (4|M0) r11.0<1>:ud r6.8<0;1,0>:uw 0xC080400:uv" },
   { "vector-imm-stride", ALL, "mov (4|M0) r1.0<2>:f 0x30303030:vf",
     "mov (4|M0) r1.0<1>:f 0x30303030:vf" },
   /* 64 bits. */
   { "64bit-dep-ctrl", BDW, "mov (4|M0) r1.0<1>:df r2.0<4;4,1>:df {NoDDClr}",
     "mov (4|M0) r1.0<1>:f r2.0<4;4,1>:f {NoDDClr}" },
   { "64bit-align16", GEN8,
     "mov (4|M0) r1.0<1>.xyzw:df r2.0<4>.xyzw:f {Align16}",
     "mov (4|M0) r1.0<1>.xyzw:df r2.0<4>.xyzw:df {Align16}" },
   { "64bit-rep-ctrl", ALL,
     "mad (4|M0) r1.0<1>.xyzw:df r2.0<0>.xxxx:df r3.0<4>.xyzw:df "
     "r4.0<4>.xyzw:df {Align16}",
     "mad (4|M0) r1.0<1>:df r2.0<0;0>:df r3.0<2;1>:df r4.0<1>:df" },
   { "df-indirect-rows", IVB, "mov (8|M0) r1.0<1>:df r[a0.0]<1,0>:df",
     "mov (8|M0) r1.0<1>:df r[a0.0]<8;8,1>:df" },
   { "df-scalar-2", IVB,
     "mul (16|M0) r1.0<1>:df r2.0<0;2,1>:df r4.0<8;8,1>:df",
     "(W) mul (16|M0) r1.0<1>:df r2.0<0;2,1>:df r4.0<8;8,1>:df" },
   /* Three sources. */
   { "src3-simd16", IVB,
     "mad (16|M0) r2.0<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f",
     "mad (8|M0) r2.0<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f" },
   { "src3-align", ALL,
     "mad (8|M0) r2.1<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f",
     "mad (1|M0) r2.1<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f" },
   { "src3-align", ALL,
     "mad (4|M0) r2.0<1>:f r4.1<2;1>:f r6.0<2;1>:f r8.0<1>:f",
     "mad (4|M0) r2.0<1>:f r4.1<0;0>:f r6.0<2;1>:f r8.4<1>:f" },
   { "src3-half-align", BDW,
     "mad (8|M0) r2.0<1>:hf r4.0<2;1>:hf r6.8<2;1>:hf r8.0<1>:hf",
     "mad (8|M0) r2.8<1>:hf r4.0<2;1>:hf r6.0<2;1>:hf r8.2<0>:hf" },
   { "macro-align", GEN8,
     "math.rsqtm (8|M0) (eo)f0.1 r10.4.mme1:f r11.nomme:f",
     "math.rsqtm (8|M0) (eo)f0.1 r10.mme1:f r11.nomme:f" },
   { "simd32-src3-cond-mod", GEN8,
     "mad (32|M0) (lt)f0.0 r2.0<1>:f r4.0<2;1>:f r8.0<2;1>:f r12.0<1>:f",
     "mad (16|M0) (lt)f0.0 r2.0<1>:f r4.0<2;1>:f r8.0<2;1>:f r12.0<1>:f" },
   /* Math. */
   { "int-div-simd16", ALL,
     "math.iqot (16|M0) r2.0<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d",
     "math.iqot (8|M0) r2.0<1>:d r4.0<8;8,1>:d r6.0<8;8,1>:d" },
   { "int-div-type", ALL,
     "math.irem (8|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<8;8,1>:f",
     "math.irem (8|M0) r2.0<1>:ud r4.0<8;8,1>:ud r6.0<8;8,1>:ud" },
   { "math-type", ALL, "math.sin (8|M0) r2.0<1>:d r4.0<8;8,1>:d",
     "math.sin (8|M0) r2.0<1>:f r4.0<8;8,1>:f" },
   { "math-double", GEN8, "math.inv (4|M0) r2.0<1>:df r4.0<4;4,1>:df",
     "math.invm (4|M0) (eo)f1.0 r2.mme0:df r4.nomme:df r6.nomme:df" },
   { "int-div-mods", ALL,
     "math.iqot (8|M0) r2.0<1>:d -r4.0<8;8,1>:d r6.0<8;8,1>:d",
     "math.iqot (8|M0) r2.0<1>:d r4.0<8;8,1>:d r6.0<0;1,0>:d" },
   { "math-regions", ALL, "math.inv (4|M0) r2.0<1>:f r4.0<8;4,2>:f",
     "math.inv (4|M0) r2.0<2>:f r4.0<8;4,2>:f" },
   { "math-regions", ALL, "math.inv (4|M0) r2.0<1>:f r4.4<4;4,1>:f",
     "math.inv (4|M0) r2.4<1>:f r4.4<4;4,1>:f" },
   { "math-dst-even", SKL, "math.inv (8|M0) r2.1<1>:f r4.0<8;8,1>:f",
     "math.inv (16|M0) r2.0<1>:f r4.0<8;8,1>:f" },
   /* Comparisons and flags. */
   { "cmp-null-switch", GEN7,
     "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {Switch}" },
   { "cmp-arf", GEN7,
     "cmp (8|M0) (lt)f0.0 acc0.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f",
     "cmp (8|M0) (lt)f0.0 r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { "simd32-cond-mod", GEN7,
     "mov (32|M0) (ne)f0.0 r2.0<1>:uw r4.0<16;16,1>:uw",
     "mov (32|M0) r2.0<1>:uw r4.0<16;16,1>:uw" },
   { "flag-end", ALL, "(f0.1) mov (8|M16) r1.0<1>:f r2.0<8;8,1>:f",
     "(f0.0) mov (8|M16) r1.0<1>:f r2.0<8;8,1>:f" },
   { "flag-end", ALL, "(W&f0.1) mov (16|M16) r2.0<1>:f r4.0<8;8,1>:f",
     "(W&f0.1) mov (16|M0) r2.0<1>:f r4.0<8;8,1>:f" },
   { "flag-end", ALL, "mov (8|M24) (ne)f1.1 r1.0<1>:f r2.0<8;8,1>:f",
     "mov (8|M24) (ne)f1.0 r1.0<1>:f r2.0<8;8,1>:f" },
   { "group", ALL, "mov (8|M4) r1.0<1>:f r2.0<8;8,1>:f",
     "mov (4|M4) r1.0<1>:f r2.0<4;4,1>:f" },
   { "group", IVB, "mov (16|M4) r1.0<1>:df r3.0<8;8,1>:df",
     "mov (8|M4) r1.0<1>:df r3.0<8;8,1>:df" },
   /* F and HF. */
   { "mixed-simd16-f", SKL,
     "add (16|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<16;16,1>:hf",
     "add (8|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<8;8,1>:hf" },
   { "mixed-simd16-f", SKL, "math.inv (16|M0) r2.0<1>:f r4.0<16;8,2>:hf",
     "mov (16|M0) r2.0<1>:f r4.0<16;16,1>:hf" },
   { "mixed-simd16-hf", SKL,
     "add (16|M0) r2.0<1>:hf r4.0<8;8,1>:f r6.0<8;8,1>:f",
     "add (8|M0) r2.0<2>:hf r4.0<8;8,1>:f r6.0<8;8,1>:f" },
   { "mixed-simd16-f", SKL,
     "mad (16|M0) r2.0<1>:f r4.0<2;1>:hf r6.0<2;1>:hf r8.0<1>:hf",
     "mad (8|M0) r2.0<1>:f r4.0<2;1>:hf r6.0<2;1>:hf r8.0<1>:hf" },
   { "mixed-packed-align", SKL,
     "add (8|M0) r2.4<1>:hf r4.0<8;8,1>:f r6.0<8;8,1>:f",
     "add (8|M0) r2.8<1>:hf r4.0<8;8,1>:f r6.0<8;8,1>:f" },
   { "mixed-indirect", SKL, "mov (8|M0) r2.0<1>:f r[a0.0]<8;8,1>:hf",
     "mov (8|M0) r2.0<1>:hf r[a0.0]<8;8,1>:hf" },
   { "mixed-math", SKL, "math.inv (8|M0) r2.0<1>:f r4.0<8;8,1>:hf",
     "math.inv (8|M0) r2.0<1>:f r4.0<16;8,2>:hf" },
   { "mixed-math", SKL,
     "math.pow (8|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<0;1,0>:hf",
     "math.pow (8|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<0;1,0>:f" },
   { "mixed-acc", SKL,
     "add (8|M0) r1.0<1>.xyzw:f acc0.0<4>.xyzw:f r2.0<4>.xyzw:hf {Align16}",
     "add (8|M0) r1.0<1>.xyzw:f r3.0<4>.xyzw:f r2.0<4>.xyzw:hf {Align16}" },
   { "mixed-acc-offset", SKL,
     "add (8|M0) r10.0<1>:hf acc0.8<8;8,1>:hf r2.0<8;8,1>:f",
     "add (8|M0) r10.0<1>:hf acc0.0<8;8,1>:hf r2.0<8;8,1>:f" },
   { "mixed-align16", SKL,
     "add (8|M0) r2.0<1>.xyzw:f r4.0<0>.xyzw:hf r6.0<4>.xyzw:f {Align16}",
     "add (8|M0) r2.0<1>.xyzw:f r4.0<4>.xyzw:hf r6.0<4>.xyzw:f {Align16}" },
   /* Regions. */
   { "region-width", ALL, "mov (4|M0) r1.0<1>:f r2.0<8;8,1>:f",
     "mov (4|M0) r1.0<1>:f r2.0<4;4,1>:f" },
   { "region-width", ALL, "mov (4|M0) r1.0<1>:ud r[a0.0]<8,1>:ud",
     "mov (8|M0) r1.0<1>:ud r[a0.0]<4,1>:ud" },
   { "region-one-row", ALL, "mov (8|M0) r1.0<1>:f r2.0<4;8,1>:f",
     "mov (8|M0) r1.0<1>:f r2.0<4;4,1>:f" },
   { "region-width-1", ALL, "mov (8|M0) r1.0<1>:f r2.0<1;1,1>:f",
     "mov (8|M0) r1.0<1>:f r2.0<1;1,0>:f" },
   { "region-width-1", ALL, "mov (8|M0) r1.0<1>:ud r[a0.0]<1,1>:ud",
     "mov (8|M0) r1.0<1>:ud r[a0.0]<1,0>:ud" },
   { "region-one-channel", ALL, "mov (1|M0) r1.0<1>:f r2.0<1;1,0>:f",
     "mov (1|M0) r1.0<1>:f r2.0<0;1,0>:f" },
   { "region-scalar", ALL, "mov (8|M0) r1.0<1>:f r2.0<0;4,0>:f",
     "mov (8|M0) r1.0<1>:f r2.0<0;1,0>:f" },
   { "region-row", ALL, "mov (8|M0) r1.0<1>:f r2.4<8;8,1>:f",
     "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f" },
   { "region-row", ALL, "mov (8|M0) r1.0<1>:f acc0.4<8;8,1>:f",
     "mov (8|M0) r1.0<1>:f acc0.4<4;4,1>:f" },
   /* Eight doubles in one row. */
   { "region-row", HSW | GEN8, "mov (8|M0) r2.0<1>:df r4.0<8;8,1>:df",
     "mov (8|M0) r2.0<1>:df r4.0<4;4,1>:df" },
   { "dst-hstride-0", ALL, "mov (8|M0) r1.0<0>:f r2.0<8;8,1>:f",
     "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f" },
   { "dst-hstride-0", ALL, "mov (8|M0) (ne)f0.0 null<0>:f r2.0<8;8,1>:f",
     "mov (8|M0) (ne)f0.0 null<1>:f r2.0<8;8,1>:f" },
   { "exec-bytes", ALL, "mov (32|M0) r2.0<1>:ud r6.0<0;1,0>:ud",
     "mov (16|M0) r2.0<1>:ud r6.0<0;1,0>:ud" },
   { "align16-dst", ALL, "mov (8|M0) r1.0<2>.xyzw:f r2.0<4>.xyzw:f {Align16}",
     "mov (8|M0) r1.0<1>.xy:f r2.0<4>.xyzw:f {Align16}" },
   { "align16-dst", ALL,
     "mov (8|M0) (ne)f0.0 null<2>.xyzw:f r2.0<4>.xyzw:f {Align16}",
     "mov (8|M0) (ne)f0.0 null<1>.xyzw:f r2.0<4>.xyzw:f {Align16}" },
   { "align16-one", ALL, "mov (1|M0) r1.0<1>.x:f r2.0<4>.xyzw:f {Align16}",
     "mov (4|M0) r1.0<1>.x:f r2.0<4>.xyzw:f {Align16}" },
   { "align16-wide", IVB,
     "mov (16|M0) r2.0<1>.xyzw:f r4.0<4>.xyzw:f {Align16}",
     "mov (8|M0) r2.0<1>.xyzw:f r4.0<4>.xyzw:f {Align16}" },
   { "align16-swizzle", ALL,
     "mov (4|M0) r1.0<1>.xyzw:df r2.0<4>.xxyy:df {Align16}",
     "mov (4|M0) r1.0<1>.xyzw:df r2.0<4>.zwxy:df {Align16}" },
   { "align16-df-imm", GEN8, "mov (2|M0) r2.0<1>.xyzw:f 1.5:df {Align16}",
     "mov (2|M0) r2.0<1>.xyzw:df 1.5:df {Align16}" },
   { "align16-vstride", HSW | GEN8,
     "mov (8|M0) r1.0<1>.xyzw:f r2.0<2>.xyzw:f {Align16}",
     "mov (4|M0) r1.0<1>.xyzw:df r2.0<2>.xyzw:df {Align16}" },
   { "align16-vstride", ALL,
     "mov (8|M0) r1.0<1>.xyzw:f r2.0<8>.xyzw:f {Align16}",
     "mov (8|M0) r1.0<1>.xyzw:f r2.0<0>.xyzw:f {Align16}" },
   { "align16-vstride", IVB,
     "mov (8|M0) r1.0<1>.xyzw:df r2.0<2>.xyzw:df {Align16}", NULL },
   { "operand-align", ALL, "mov (1|M0) r1.@2<1>:f r2.0<0;1,0>:f",
     "mov (1|M0) r1.1<1>:f r2.0<0;1,0>:f" },
   { "src-span", ALL, "mov (8|M0) r1.0<1>:f r2.0<32;4,1>:f",
     "mov (8|M0) r1.0<1>:f r2.0<8;4,1>:f" },
   { "src-span", ALL, "mov (16|M0) r2.0<1>:f r4.0<16;8,2>:f", NULL },
   { "dst-span", ALL, "mov (16|M0) r2.0<2>:f r6.0<0;1,0>:f",
     "mov (16|M0) r2.0<1>:f r6.0<0;1,0>:f" },
   { "grf-range", ALL, "mov (16|M0) r127.0<1>:f r2.0<8;8,1>:f",
     "mov (16|M0) r126.0<1>:f r2.0<8;8,1>:f" },
   { "grf-range", HSW | GEN8,
     "mad (16|M0) r127.0<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f",
     "mad (16|M0) r126.0<1>:f r4.0<2;1>:f r6.0<2;1>:f r8.0<1>:f" },
   { "grf-range", ALL, "pln (16|M0) r10.0<1>:f r6.0<0;1,0>:f r125.0<8;8,1>:f",
     "pln (16|M0) r10.0<1>:f r6.0<0;1,0>:f r124.0<8;8,1>:f" },
   { "dst-even", GEN7 | BDW, "mov (8|M0) r2.1<1>:f r4.0<0;1,0>:f",
     "mov (8|M0) r2.4<1>:f r4.0<0;1,0>:f" },
   { "dst-oword", GEN7 | BDW, "mov (4|M0) r2.1<1>:f r4.0<4;1,0>:f",
     "mov (4|M0) r2.2<1>:f r4.0<4;1,0>:f" },
   /* One channel from the first register, three from the second. */
   { "src-even", GEN7, "mov (4|M0) r2.0<1>:f r4.7<1;1,0>:f",
     "mov (4|M0) r2.0<1>:f r4.6<1;1,0>:f" },
   { "src-even-8", BDW, "mov (16|M0) r76.0<1>:uw r21.4<4;4,1>:uw",
     "mov (16|M0) r76.0<1>:uw r21.8<4;4,1>:uw" },
   { "dst-2-src-1", GEN7, "mov (8|M0) r2.0<2>:f r4.0<8;8,1>:f",
     "mov (8|M0) r2.0<1>:f r4.0<8;8,1>:f" },
   { "dst-2-src-1", GEN7, "mov (16|M0) r2.0<2>:uw r4.0<16;16,1>:uw",
     "mov (16|M0) r2.0<1>:ud r4.0<16;16,1>:uw" },
   { "src-straddles", GEN7, "mov (16|M0) r2.0<1>:f r4.4<4;4,1>:uw",
     "mov (16|M0) r2.0<1>:f r4.0<16;8,1>:uw" },
   { "src-offsets", GEN7, "mov (16|M0) r10.0<1>:f r22.8<8;8,1>:uw",
     "mov (16|M0) r10.0<1>:f r22.8<16;8,1>:uw" },
   /* Messages. */
   { "send-grf", ALL, "send (8|M0) r1:ud a0.0:ud 0x2 0x02100000",
     "send (8|M0) r1:ud r2:ud 0x2 0x02100000" },
   { "send-indirect", GEN7 | BDW,
     "send (8|M0) r1:ud r[a0.0]:ud 0x2 0x02100000",
     "send (8|M0) r1:ud r2:ud 0x2 0x02100000" },
   { "send-align", GEN7 | BDW, "send (8|M0) r20 r10.1 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "send-align", SKL, "sends (8|M0) null r10.4 r12 0x4C 0x02026E01",
     "sends (8|M0) null r10 r12 0x4C 0x02026E01" },
   { "send-response-grf", ALL, "send (8|M0) acc0 r10 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "send-no-response", GEN8, "send (16|M0) acc0:uw r4:d 0xC 0x060A8000",
     "send (16|M0) null:uw r4:d 0xC 0x060A8000" },
   { "send-no-response", ALL,
     "send (1|M0) acc0:uw r112:d 0x27 0x02000010 {EOT}",
     "send (1|M0) null:uw r112:d 0x27 0x02000010 {EOT}" },
   { "send-response-align", ALL, "send (8|M0) r20.4 r10 0xA 0x02180001",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "send-function", ALL, "send (8|M0) r1:ud r2:ud 0xE 0x02100000",
     "send (8|M0) r1:ud r2:ud 0x2 0x02100000" },
   { "send-function", IVB, "send (8|M0) r1:ud r2:ud 0xC 0x02106E01",
     "send (8|M0) r1:ud r2:ud 0xA 0x02116E01" },
   { "send-eot-function", ALL,
     "send (8|M0) null:ud r112:ud 0x22 0x02080000 {EOT}",
     "send (8|M0) null:ud r112:ud 0x26 0x02080000 {EOT}" },
   { "sends-src1-length", SKL, "sends (8|M0) r1:ud r2 r3 0x2 0x02100000",
     "sends (8|M0) r1:ud r2 null 0x2 0x02100000" },
   { "message-bits", ALL, "send (8|M0) null r112 0x25 0x08071400 {EOT}",
     "send (8|M0) null r112 0x25 0x08031400 {EOT}" },
   { "fence-bti", ALL, "send (16|M0) r91 r90:d 0xA 0x0219E003",
     "send (16|M0) r91 r90:d 0xA 0x0219E000" },
   { "message-value", ALL, "send (8|M0) r20 r10 0xA 0x02180501",
     "send (8|M0) r20 r10 0xA 0x02180001" },
   { "sends-src1", SKL, "sends (8|M0) r1:ud r2 acc0 0x42 0x02100000",
     "sends (8|M0) r1:ud r2 r3 0x42 0x02100000" },
   { "send-eot-7", GEN7, "send (16|M0) null:ud r64:d 0x27 0x02000010 {EOT}",
     "send (16|M0) null:ud r112:d 0x27 0x02000010 {EOT}" },
   { "send-eot", GEN8, "send (8|M0) null:ud r2:ud 0x26 0x02080000 {EOT}",
     "send (8|M0) null:ud r112:ud 0x26 0x02080000 {EOT}" },
   { "send-eot", SKL, "sends (8|M0) null:ud r120 r2 0x66 0x02080000 {EOT}",
     "sends (8|M0) null:ud r120 r121 0x66 0x02080000 {EOT}" },
   { "send-eot-response", ALL,
     "send (8|M0) r1:ud r112:ud 0x26 0x02100000 {EOT}",
     "send (8|M0) null:ud r112:ud 0x26 0x02080000 {EOT}" },
   { "send-eot-response", ALL,
     "send (8|M0) r1:ud r112:ud 0x26 0x02080000 {EOT}",
     "send (8|M0) null:ud r112:ud 0x26 0x02080000 {EOT}" },
   { "send-mlen", ALL, "send (8|M0) r1:ud r2:ud 0x2 0x00100000",
     "send (8|M0) r1:ud r2:ud 0x2 a0.0" },
   { "send-rlen", ALL, "send (8|M0) r1:ud r20:ud 0x2 0x03100000",
     "send (8|M0) r1:ud r20:ud 0x2 0x02100000" },
   { "send-range", ALL, "send (8|M0) r1:ud r127:ud 0x2 0x04100000",
     "send (8|M0) r1:ud r126:ud 0x2 0x04100000" },
   { "send-range", SKL, "sends (8|M0) r1:ud r2 r127 0x82 0x02100000",
     "sends (8|M0) r1:ud r2 r126 0x82 0x02100000" },
   { "send-response-range", ALL, "send (8|M0) r127:ud r2:ud 0x2 0x02220000",
     "send (8|M0) r126:ud r2:ud 0x2 0x02220000" },
   { "send-response-null", ALL, "send (8|M0) null:ud r2:ud 0x2 0x02100000",
     "send (8|M0) null:ud r2:ud 0x6 0x02080000" },
   /* A fence tells nobody that it is done. */
   { "send-response-null", ALL, "send (8|M0) null:ud r2:ud 0xA 0x02180001",
     "send (8|M0) null:ud r2:ud 0xA 0x0219E000" },
   { "sends-overlap", SKL, "sends (8|M0) r9:ud r2 r3 0x42 0x04100000",
     "sends (8|M0) r9:ud r2 r4 0x42 0x04100000" },
   /* Jumps. */
   { "jump-unit", HSW | GEN8, "jmpi (1|M0) 20", "jmpi (1|M0) 16" },
   { "jump-register", ALL, "jmpi (1|M0) null", "jmpi (1|M0) r2.0" },
   { "jump-align", ALL, "ret (8|M0) r30.1", "ret (8|M0) r30.2" },
   { "call-register", ALL, "call (8|M0) null 16", "call (8|M0) r30.0 16" },
   /* Programs. */
   { "jump-target", ALL, "endif (8|M0) 32", "endif (8|M0) 16" },
   { "jump-target", ALL, "endif (8|M0) 8", "while (8|M0) 0" },
   { "jump-target", ALL, "(f0.0) if (8|M0) 16 -16",
     "(f0.0) if (8|M0) 16 16" },
   { "send-r127", GEN8, "send (8|M0) r126:ud r125:ud 0x2 0x06220000",
     "send (8|M0) r125:ud r124:ud 0x2 0x06220000" },
   { "send-r127", SKL, "sends (8|M0) r127 r2 r127 0x4C 0x0210B701", NULL },
   /* A block of OWords; the pixel interpolator; bytes, one a channel; the
    * sampler in SIMD16. */
   { "message-header", ALL, "send (8|M0) r1:ud r2:ud 0xA 0x02100200",
     "send (8|M0) r1:ud r2:ud 0xA 0x02180200" },
   { "message-no-header", ALL, "send (8|M0) r1:ud r2:ud 0xB 0x02280000",
     "send (8|M0) r1:ud r2:ud 0xB 0x02200000" },
   { "message-payload", ALL, "send (8|M0) null:ud r2:ud 0xA 0x02030000",
     "send (8|M0) null:ud r2:ud 0xA 0x04030000" },
   { "message-payload", ALL, "send (16|M0) r20:ud r2:ud 0x2 0x06440000",
     "send (16|M0) r20:ud r2:ud 0x2 0x064C0000" },
   { "message-payload", SKL, "sends (8|M0) null:ud r2 r4 0x8A 0x02030000",
     "sends (8|M0) null:ud r2 r4 0x4A 0x02030000" },
   { "message-response", ALL, "send (8|M0) r1:ud r2:ud 0xA 0x02210000",
     "send (8|M0) r1:ud r2:ud 0xA 0x02110000" },
   { "message-response", ALL, "send (16|M0) r20:ud r2:ud 0x2 0x04340000",
     "send (16|M0) r20:ud r2:ud 0x2 0x04440000" },
   /* Twelve registers for the sampler. */
   { "message-payload", ALL, "send (8|M0) r20:ud r2:ud 0x2 0x18420000",
     "send (8|M0) r20:ud r2:ud 0x2 0x16420000" },
   /* The URB: nothing is read. */
   { "message-response", GEN8, "send (8|M0) r20 r10 0x6 0x02080028",
     "send (8|M0) r20 r10 0x6 0x02480028" },

   /* Low-power chips: a channel stays in its quadword. */
   { "qword-stride", LOW_POWER, "mov (4|M0) r10.0<1>:df r2.0<4;4,1>:f",
     "mov (4|M0) r10.0<1>:df r2.0<8;4,2>:f" },
   { "qword-stride", LOW_POWER,
     "mul (4|M0) r10.0<1>:q r2.0<8;8,1>:d r3.0<0;1,0>:d",
     "mul (4|M0) r10.0<1>:q r2.0<8;4,2>:d r3.0<0;1,0>:d" },
   { "qword-stride", LOW_POWER,
     "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<8;8,1>:d",
     "mul (8|M0) r10.0<2>:d r2.0<8;4,2>:d r4.0<8;4,2>:d" },
   /* A narrower factor is none of a product of dwords. */
   { "qword-stride", LOW_POWER,
     "shl (4|M0) r10.0<1>:uq r2.0<4;4,1>:uq r4.0<4;4,1>:ud",
     "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r4.0<16;8,2>:uw" },
   { "qword-stride", LOW_POWER,
     "cmp (4|M0) (lt)f0.0 null<1>:f r2.0<4;4,1>:df r4.0<4;4,1>:df",
     "cmp (4|M0) (lt)f0.0 null<1>:df r2.0<4;4,1>:df r4.0<4;4,1>:df" },
   { "qword-rows", LOW_POWER,
     "add (4|M0) r10.0<1>:df r2.0<0;2,1>:df r4.0<4;4,1>:df",
     "add (4|M0) r10.0<1>:df r2.0<0;1,0>:df r4.0<2;2,1>:df" },
   { "qword-offset", LOW_POWER, "mov (2|M0) r10.1<1>:df r2.0<2;2,1>:df",
     "mov (2|M0) r10.1<1>:df r2.1<2;2,1>:df" },
   { "qword-offset", LOW_POWER, "mov (2|M0) r10.0<2>:f r2.1<2;2,1>:df",
     "mov (2|M0) r10.1<1>:df r2.0<0;1,0>:df" },
   { "qword-indirect", LOW_POWER, "mov (4|M0) r10.0<1>:df r[a0.0]<4;4,1>:df",
     "mov (8|M0) r10.0<1>:f r[a0.0]<8;8,1>:f" },
   { "qword-indirect", LOW_POWER, "mov (4|M0) r[a0.0]<1>:df r2.0<4;4,1>:df",
     "mov (4|M0) r[a0.0]<2>:ud r2.0<8;4,2>:ud" },
   { "qword-arf", LOW_POWER, "mov (4|M0) r10.0<1>:df acc0.0<4;4,1>:df",
     "mov (8|M0) r10.0<1>:f acc0.0<8;8,1>:f" },
   { "qword-arf", LOW_POWER,
     "mac (4|M0) r10.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df",
     "mad (4|M0) r10.0<1>:df r2.0<2;1>:df r3.0<2;1>:df r4.0<1>:df" },
   { "qword-arf", LOW_POWER,
     "add (4|M0) r10.0<1>:df r2.0<4;4,1>:df r3.0<4;4,1>:df {AccWrEn}",
     "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f {AccWrEn}" },
   { "qword-dep-ctrl", LOW_POWER,
     "mov (4|M0) r10.0<1>:df r2.0<4;4,1>:df {NoDDClr}",
     "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f {NoDDClr}" },
};

/* What has no text: a bit that is set, in something good. */
static const struct {
   const char *id;
   unsigned gens, bit;
   const char *good;
} bit_rows[] = {
   { "no-predicate", HSW, 16, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { "no-predicate", GEN8, 16,
     "csel (8|M0) (lt)f0.0 r1.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f" },
   { "no-cond-mod", ALL, 24, "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud" },
   { "no-saturate", ALL, 31, "bfrev (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud" },
   /* Rows that are not addressed indirectly any more. */
   { "region-rows", ALL, 79, "mov (8|M0) r1.0<1>:ud r[a0.0]<1,0>:ud" },
};

static bool
has_fault(const struct isa_faults *faults, const char *id)
{
   for (unsigned i = 0; i < MIN2(faults->count, ISA_MAX_FAULTS); i++) {
      if (!strcmp(faults->rule[i]->id, id))
         return true;
   }
   return false;
}

/* A program of this one line, so that the row is an instruction of that
 * generation and jumps have a place. */
static void
validate(enum isa_gen gen, bool low_power, const char *text,
         struct isa_faults *faults)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   struct isa_error err;
   if (!isa_assemble(gen, text, strlen(text), &code, &errors))
      fail_msg("%s: \"%s\": %s", isa_gen_name(gen), text,
               errors.error[0].text);
   memset(faults, 0, sizeof(*faults));
   const bool good = isa_validate_program(gen, low_power, code.data,
                                          code.size_B, faults, &err);
   assert_int_equal(good, faults->count == 0);
   util_dynarray_fini(&code);
}

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         const bool low_power = rows[i].gens & ISA_LOW_POWER;
         struct isa_faults faults;
         if (!(rows[i].gens & 1u << g))
            continue;
         validate((enum isa_gen)g, low_power, rows[i].bad, &faults);
         if (!has_fault(&faults, rows[i].id))
            fail_msg("%s: \"%s\" does not break %s",
                     isa_gen_name((enum isa_gen)g), rows[i].bad, rows[i].id);
         if (!rows[i].good)
            continue;
         validate((enum isa_gen)g, low_power, rows[i].good, &faults);
         if (faults.count)
            fail_msg("%s: \"%s\" breaks %s", isa_gen_name((enum isa_gen)g),
                     rows[i].good, faults.rule[0]->id);
      }
   }
}

static void
check_bit(enum isa_gen gen, const char *id, const char *text, unsigned bit)
{
   struct isa_faults faults = { 0 };
   struct isa_inst inst;
   uint32_t dw[4];
   assert_true(isa_parse(gen, text, &inst, NULL));
   assert_true(isa_validate(gen, false, &inst, &faults));
   assert_true(isa_encode(gen, &inst, dw, NULL));
   dw[bit / 32] ^= 1u << bit % 32;
   assert_true(isa_decode(gen, dw, sizeof(dw), &inst, NULL, NULL));
   isa_validate(gen, false, &inst, &faults);
   if (!has_fault(&faults, id))
      fail_msg("%s: \"%s\" with bit %u does not break %s", isa_gen_name(gen),
               text, bit, id);
}

static void
test_bits(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(bit_rows); i++) {
      for (unsigned g = 0; g < ISA_GEN_COUNT; g++) {
         if (bit_rows[i].gens & 1u << g)
            check_bit((enum isa_gen)g, bit_rows[i].id, bit_rows[i].good,
                      bit_rows[i].bit);
      }
   }
}

/* Each rule on each of its generations has a bad row, and a good one. */
static void
test_every_rule_has_rows(void **state)
{
   const struct isa_rule *rule;
   for (unsigned r = 0; (rule = isa_rule_at(r)); r++) {
      unsigned bad = 0, good = 0;
      for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
         if (strcmp(rows[i].id, rule->id))
            continue;
         bad |= rows[i].gens;
         good |= rows[i].good ? rows[i].gens : 0;
      }
      for (unsigned i = 0; i < ARRAY_SIZE(bit_rows); i++) {
         if (!strcmp(bit_rows[i].id, rule->id)) {
            bad |= bit_rows[i].gens;
            good |= bit_rows[i].gens;
         }
      }
      if (rule->gens & ~bad)
         fail_msg("rule %s: no bad row for generations 0x%x", rule->id,
                  rule->gens & ~bad);
      if (!good)
         fail_msg("rule %s: no good row", rule->id);
      assert_true(rule->text[0] && rule->source[0]);
   }
   assert_true(isa_rule_at(10000) == NULL);
}

/* Names are unique: tools and expectations refer to them. */
static void
test_names(void **state)
{
   const struct isa_rule *a, *b;
   for (unsigned i = 0; (a = isa_rule_at(i)); i++) {
      for (unsigned k = 0; k < i && (b = isa_rule_at(k)); k++)
         assert_string_not_equal(a->id, b->id);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      bool known = false;
      for (unsigned k = 0; (a = isa_rule_at(k)); k++)
         known |= !strcmp(a->id, rows[i].id);
      if (!known)
         fail_msg("row for unknown rule %s", rows[i].id);
   }
}

/* A program reports where each fault is. */
static void
test_program(void **state)
{
   static const char text[] = "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n"
                              "mov (4|M0) r1.0<1>:f r2.0<8;8,1>:f\n"
                              "mov (8|M0) r1.0<0>:f r2.0<8;8,1>:f\n";
   struct util_dynarray code = { 0 };
   struct isa_errors errors;
   struct isa_faults faults = { 0 };
   assert_true(isa_assemble(ISA_SKL, text, strlen(text), &code, &errors));
   assert_false(isa_validate_program(ISA_SKL, false, code.data, code.size_B,
                                     &faults, NULL));
   assert_int_equal(faults.count, 2);
   assert_string_equal(faults.rule[0]->id, "region-width");
   assert_int_equal(faults.offset_B[0], 16);
   assert_string_equal(faults.rule[1]->id, "dst-hstride-0");
   assert_int_equal(faults.offset_B[1], 32);
   util_dynarray_fini(&code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_every_rule_has_rows),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_program),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
