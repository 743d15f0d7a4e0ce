/* SPDX-License-Identifier: MIT */
/* Legal instructions to begin with: one at least of each opcode and form.
 * What our compiler makes of whole shaders is added by the test. */
#ifndef LEGAL_SEEDS_H
#define LEGAL_SEEDS_H

#include "intel/isa/isa.h"

#define SEED_IVB (1 << ISA_IVB)
#define SEED_HSW (1 << ISA_HSW)
#define SEED_BDW (1 << ISA_BDW)
#define SEED_SKL (1 << ISA_SKL)
#define SEED_7 (SEED_IVB | SEED_HSW)
#define SEED_75UP (SEED_HSW | SEED_8)
#define SEED_8 (SEED_BDW | SEED_SKL)
#define SEED_ALL (SEED_7 | SEED_8)

struct legal_text {
   uint8_t gens;
   const char *text;
};

/* What chance seldom finds. */
static const struct legal_text legal_probes[] = {
   { SEED_IVB, "mov (4|M0) r10.0<4>:uw r2.0<4;4,1>:df" },
   { SEED_SKL, "math.pow (8|M0) r10.0<1>:f r4.0<8;8,1>:f r6.0<0;1,0>:hf" },
   { SEED_8, "send (8|M0) null r10 0xA 0x0219E000" },
   /* Forms that a manual forbids and compilers emit (intel-vaapi-driver,
    * igt, IGC). */
   { SEED_ALL, "mov (1|M0) r14.2<1>:f acc0.0<1;1,1>:f" },
   { SEED_ALL, "(f0.0) add (1|M0) r32.0<1>:w r32.0<1;1,0>:w 1:w" },
   { SEED_ALL, "mov (2|M0) r13.2<1>:uw 0x10101010:v" },
   { SEED_ALL, "mov (8|M0) r13.0<1>:ud 0x76543210:uv" },
   { SEED_ALL, "send (16|M0) r91:ud r90:d 0xA 0x0219E003" },
   { SEED_ALL, "send (1|M0) acc0:uw r112:d 0x27 0x02000010 {EOT}" },
   { SEED_7, "send (16|M0) acc0:ud r64:d 0x27 0x02000010 {EOT}" },
   { SEED_BDW, "mov (16|M0) r76.0<1>:uw r21.4<4;4,1>:uw" },
   { SEED_SKL, "sends (8|M0) r127 r127 r100 0x4C 0x0210B701" },
   { SEED_HSW,
     "(f0.0) sel (8|M0) r10.0<1>.xyzw:df r2.0<2>.xyzw:df r4.0<2>.xyzw:df "
     "{Align16}" },
};

static const struct legal_text legal_seeds[] = {
   /* What stock compilers emit, beside what a manual's page has. */
   { SEED_ALL, "fbh (8|M0) r13.0<1>:d r2.5<0;1,0>:d" },
   { SEED_ALL, "bfi1 (8|M0) r8.0<1>:ud r5.2<0;1,0>:d r5.1<0;1,0>:d" },
   { SEED_8, "mov (16|M0) r41.0<1>:f r40.0<16;16,1>:hf" },
   { SEED_8, "add (4|M0) r11.0<1>:ud r6.8<0;1,0>:uw 0xC080400:uv" },
   { SEED_8, "shr (16|M0) r31.0<4>:b r8.0<16;16,1>:uw 1:w" },
   { SEED_8, "(W) mov (1|M0) tm0.4<1>:ud 0x3E0:uw {Switch}" },
   { SEED_8, "mov (8|M0) r72.1<4>:ub 1:w" },
   { SEED_8, "mul (1|M0) r44.2<2>:uw r54.0<0;1,0>:d 2:w" },
   { SEED_7, "send (8|M0) r46:ud r18:ub 0x2 0x045E8003" },
   /* Moves and types. */
   { SEED_ALL, "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "mov (16|M0) r10.0<1>:d r2.0<8;8,1>:f" },
   { SEED_ALL, "mov (16|M16) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { SEED_ALL, "mov (8|M8) r10.0<2>:w r2.0<8;8,1>:d" },
   { SEED_ALL, "mov (16|M0) r10.0<1>:ub r2.0<16;16,1>:ub" },
   { SEED_ALL, "mov (4|M0) r10.2<2>:w r2.0<4;4,1>:d" },
   { SEED_ALL, "mov (8|M0) r10.0<4>:ub r2.0<8;8,1>:d" },
   { SEED_ALL, "mov (16|M0) r10.0<2>:b r2.0<16;16,1>:w" },
   { SEED_ALL, "mov (16|M0) r10.0<1>:f r2.0<16;16,1>:uw" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:ud r2.3<0;1,0>:ud" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:ud r2.0<1;2,0>:ud" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:d r2.0<4;2,2>:d" },
   { SEED_ALL, "mov (4|M4) r10.4<1>:f r2.0<4;4,1>:f" },
   { SEED_ALL, "mov (2|M0) r10.1<2>:f r2.0<2;2,1>:f" },
   { SEED_ALL, "(W) mov (1|M0) r10.5<1>:ud r2.7<0;1,0>:ud" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:f 1.5:f" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:w 0x76543210:v" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:uw 0x76543210:uv" },
   { SEED_ALL, "mov (4|M0) r10.0<1>:f 0x30003000:vf" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:w -7:w" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:f (abs)r2.0<8;8,1>:f" },
   { SEED_ALL, "mov (8|M0) (ne)f0.1 (sat)r10.0<1>:f -r2.0<8;8,1>:f" },
   { SEED_8 | SEED_HSW, "mov (4|M4) r10.0<1>:df r2.0<4;4,1>:df" },
   { SEED_8 | SEED_HSW, "add (8|M0) r10.0<1>:df r2.0<4;4,1>:df "
                        "r4.1<0;1,0>:df" },
   { SEED_8 | SEED_HSW, "mov (4|M0) r10.0<2>:f r2.0<4;4,1>:df" },
   { SEED_8 | SEED_HSW, "mov (4|M0) r10.0<1>:df r2.0<4;4,1>:d" },
   { SEED_IVB, "(W) mul (16|M0) r10.0<1>:df r2.0<8;8,1>:df "
               "r4.0<8;8,1>:df" },
   { SEED_IVB, "mov (8|M4) r10.0<1>:df r2.0<1;2,0>:f" },
   { SEED_IVB, "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:df" },
   { SEED_IVB, "add (8|M0) r10.0<1>:df r2.0<8;8,1>:df r4.0<0;2,1>:df" },
   { SEED_8, "mov (4|M0) r10.0<1>:q r2.0<4;4,1>:d" },
   { SEED_8, "mov (8|M0) r10.0<1>:q r2.0<8;8,1>:d" },
   { SEED_8, "mov (4|M0) r10.0<2>:ud r2.0<4;4,1>:uq" },
   { SEED_8, "add (8|M0) r10.0<1>:q r2.0<4;4,1>:q r4.0<4;4,1>:q" },
   { SEED_8, "mov (4|M0) r10.0<1>:df 0.1:df" },
   { SEED_8, "mov (4|M0) r10.0<1>:q -2:q" },
   { SEED_8, "mov (8|M0) r10.0<2>:hf r2.0<8;8,1>:f" },
   { SEED_8, "mov (8|M0) r10.0<1>:f r2.0<16;8,2>:hf" },
   { SEED_8, "mov (8|M0) r10.0<2>:hf r2.0<8;8,1>:d" },
   { SEED_8, "add (16|M0) r10.0<1>:hf r2.0<16;16,1>:hf r3.0<16;16,1>:hf" },
   { SEED_SKL, "add (8|M0) r10.0<1>:hf r2.0<8;8,1>:f r3.0<16;8,2>:hf" },
   { SEED_SKL, "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<16;8,2>:hf" },
   { SEED_HSW, "dim (1|M0) r10.0<1>:df 0.1:df" },
   { SEED_7, "f32to16 (8|M0) r10.0<2>:w r2.0<8;8,1>:f" },
   { SEED_7, "f16to32 (8|M0) r10.0<1>:f r2.0<16;8,2>:w" },
   { SEED_7, "f32to16 (8|M0) r10.0<1>.xyzw:ud r2.0<4>.xyzw:f {Align16}" },
   { SEED_8, "smov (8|M0) r10.0<1>:ud r3.0<8;8,1>:ud 0x10:ud" },
   { SEED_ALL, "movi (8|M0) r10.0<1>:f r[a0.2,16]<8;8,1>:f" },
   /* Selection and comparison. */
   { SEED_ALL, "(f0.0) sel (16|M0) r10.0<1>:f r4.0<8;8,1>:f "
               "r6.0<8;8,1>:f" },
   { SEED_ALL, "sel (8|M0) (ge)f0.0 r10.0<1>:f r4.0<8;8,1>:f 1.0:f" },
   { SEED_ALL, "(~f1.1.any8h) sel (8|M0) r10.0<1>:d r4.0<8;8,1>:d 3:d" },
   { SEED_8, "csel (8|M0) (lt)f0.0 r10.0<1>:f r11.0<2;1>:f r12.0<2;1>:f "
             "r13.0<1>:f" },
   { SEED_ALL, "cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f "
               "r3.0<0;1,0>:f {Switch}" },
   { SEED_ALL, "cmp (8|M8) (ge)f1.0 r10.0<1>:d r2.0<8;8,1>:d 7:d" },
   { SEED_ALL, "cmpn (8|M0) (gt)f0.1 r10.0<1>:f r2.0<8;8,1>:f "
               "r3.0<8;8,1>:f" },
   /* Integers. */
   { SEED_ALL, "not (8|M0) r10.0<1>:d r3.0<8;8,1>:d" },
   { SEED_ALL, "and (8|M0) (ne)f0.1 null<1>:ud r2.0<8;8,1>:ud 0x1:ud" },
   { SEED_ALL, "or (16|M0) r10.0<1>:ud r2.0<8;8,1>:ud r4.0<8;8,1>:ud" },
   { SEED_ALL, "xor (8|M0) r10.0<1>:uw r2.0<8;8,1>:uw -r3.0<8;8,1>:uw" },
   { SEED_ALL, "shl (8|M0) r10.0<1>:d r2.0<8;8,1>:d 2:d" },
   { SEED_ALL, "shr (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud" },
   { SEED_ALL, "asr (8|M0) r10.0<1>:d r2.0<8;8,1>:d 31:d" },
   { SEED_ALL, "bfrev (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { SEED_ALL, "bfi1 (8|M0) r10.0<1>:ud r3.0<8;8,1>:ud r4.0<8;8,1>:ud" },
   { SEED_ALL, "fbh (8|M0) r10.0<1>:ud r2.0<8;8,1>:d" },
   { SEED_ALL, "fbl (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { SEED_ALL, "cbit (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud" },
   { SEED_ALL, "lzd (8|M0) r10.0<1>:ud r2.0<8;8,1>:d" },
   { SEED_ALL, "avg (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { SEED_ALL, "(~f1.1.any4h) add (8|M8) (lt)f1.1 (sat)r10.0<2>:w "
               "-r2.0<8;8,1>:w 16:w" },
   { SEED_ALL, "mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw" },
   { SEED_ALL, "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:w" },
   { SEED_8, "mul (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d" },
   { SEED_ALL, "mach (8|M0) r10.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d "
               "{AccWrEn}" },
   { SEED_ALL, "mac (8|M0) r10.0<1>:d r2.0<8;8,1>:w r3.0<8;8,1>:w" },
   { SEED_ALL, "addc (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud "
               "{AccWrEn}" },
   { SEED_ALL, "subb (8|M0) r10.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud "
               "{AccWrEn}" },
   { SEED_ALL, "sad2 (8|M0) r10.0<1>:uw r2.0<8;8,1>:ub r3.0<8;8,1>:ub" },
   { SEED_ALL, "sada2 (8|M0) r10.0<1>:uw r2.0<8;8,1>:ub r3.0<8;8,1>:ub" },
   /* Floats. */
   { SEED_ALL, "add (16|M0) r10.0<1>:f -r2.0<8;8,1>:f "
               "(abs)r4.0<8;8,1>:f" },
   { SEED_ALL, "mul (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<0;1,0>:f" },
   { SEED_ALL, "mac (8|M0) r10.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f" },
   { SEED_ALL, "frc (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "rndu (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "rndd (8|M0) (sat)r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "rnde (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "rndz (8|M0) r10.0<1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "dp4 (8|M0) r10.0<1>.x:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f "
               "{Align16}" },
   { SEED_ALL, "dph (8|M0) r10.0<1>.x:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f "
               "{Align16}" },
   { SEED_ALL, "dp3 (8|M0) r10.0<1>.x:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f "
               "{Align16}" },
   { SEED_ALL, "dp2 (8|M0) r10.0<1>.x:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f "
               "{Align16}" },
   { SEED_ALL, "line (8|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "pln (8|M0) r10.0<1>:f r6.4<0;1,0>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "pln (16|M0) r10.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "math.sin (8|M0) r10.0<1>:f r3.0<8;8,1>:f" },
   { SEED_ALL, "math.inv (16|M0) r10.0<1>:f -r3.0<8;8,1>:f" },
   { SEED_ALL, "math.pow (8|M0) r10.0<1>:f r4.0<8;8,1>:f r6.0<0;1,0>:f" },
   { SEED_ALL, "math.iqot (8|M0) r10.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d" },
   { SEED_ALL, "math.irem (8|M0) r10.0<1>:ud r3.0<8;8,1>:ud "
               "r4.0<8;8,1>:ud" },
   { SEED_8, "math.invm (8|M0) (eo)f0.0 r10.mme1:f r11.nomme:f "
             "r12.nomme:f" },
   { SEED_8, "math.rsqtm (8|M0) (eo)f0.1 r10.mme1:f r11.nomme:f" },
   { SEED_8, "madm (8|M0) r10.mme3:f r11.nomme:f r12.mme0:f r13.mme7:f" },
   /* Three sources. */
   { SEED_ALL, "mad (8|M0) r10.0<1>:f -r11.0<2;1>:f (abs)r12.3<0;0>:f "
               "r13.0<1>:f" },
   { SEED_ALL, "mad (8|M0) r10.0<1>.xz:f r2.0<4>.xxyy:f r3.0<0>.xxxx:f "
               "r4.0<4>.wwww:f {Align16}" },
   { SEED_75UP, "mad (4|M0) r10.0<1>:df r11.0<2;1>:df r12.0<2;1>:df "
                "-r13.0<1>:df" },
   { SEED_75UP, "lrp (16|M0) (sat)r10.0<1>:f r12.0<2;1>:f r14.0<2;1>:f "
                "r16.0<1>:f" },
   { SEED_ALL, "lrp (8|M0) r10.0<1>:f r12.0<2;1>:f r14.0<2;1>:f "
               "r16.0<1>:f" },
   { SEED_ALL, "bfe (8|M0) r10.0<1>:ud r11.0<2;1>:ud r12.0<2;1>:ud "
               "r13.0<1>:ud" },
   { SEED_ALL, "bfi2 (8|M0) r10.0<1>:d r11.0<2;1>:d r12.0<2;1>:d "
               "r13.0<1>:d" },
   { SEED_SKL, "mad (8|M0) r10.0<1>:hf r11.0<2;1>:hf r12.0<2;1>:hf "
               "r13.3<0>:hf" },
   { SEED_SKL, "mad (16|M0) r10.0<1>:hf r12.0<2;1>:hf r14.0<2;1>:hf "
               "r16.0<1>:hf" },
   { SEED_SKL, "math.pow (8|M0) r10.0<1>:f r4.0<8;8,1>:f "
               "r6.0<16;8,2>:hf" },
   /* Align16. */
   { SEED_ALL, "mov (4|M0) r10.4<1>.xyzw:f -r2.4<4>.wyyx:f {Align16}" },
   { SEED_ALL, "(f0.1.z) mov (8|M0) r10.0<1>.xyzw:f r2.0<0>.xxxx:f "
               "{Align16}" },
   { SEED_ALL, "add (4|M4) r10.0<1>.w:f r2.0<4>.xyzw:f r4.4<0>.xyzw:f "
               "{Align16}" },
   { SEED_75UP, "add (4|M4) r10.0<1>.w:df r2.0<2>.xyzw:df "
                "r4.2<0>.xyxy:df {Align16}" },
   { SEED_IVB, "mov (8|M4) r10.0<1>.w:df r2.0<4>.xyzw:df {Align16}" },
   { SEED_ALL, "mov (8|M0) r10.0<1>.xy:f r[a0.2,32]<4>.xyzw:f {Align16}" },
   { SEED_8, "mov (2|M0) r10.0<1>.xyzw:df 1.5:df {Align16}" },
   { SEED_SKL, "add (8|M0) r10.0<1>.xyzw:hf acc0.0<4>.xyzw:hf "
               "r2.0<4>.xyzw:hf {Align16}" },
   { SEED_SKL, "add (8|M0) r10.0<1>:hf acc0.0<8;8,1>:hf r2.0<8;8,1>:f" },
   /* Registers of the architecture, and addresses. */
   { SEED_ALL, "(W) mov (1|M0) a0.0<1>:ud 0x20:ud" },
   { SEED_ALL, "(W) mov (1|M0) r10.3<1>:uw sr0.0<0;1,0>:uw {Switch}" },
   { SEED_ALL, "(W) mov (1|M0) r10.0<1>:ud ce.0<0;1,0>:ud" },
   { SEED_ALL, "(W) mov (4|M0) r10.0<1>:ud tm0.0<4;4,1>:ud" },
   { SEED_ALL, "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:ud "
               "{Switch}" },
   { SEED_ALL, "(W) mov (1|M0) f0.1<1>:uw r1.14<0;1,0>:uw" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:d acc0.0<8;8,1>:d" },
   { SEED_ALL, "add (8|M0) r10.0<1>:f acc0.0<8;8,1>:f r2.0<8;8,1>:f" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:f r[a0.2,-40]<8;8,1>:f" },
   { SEED_ALL, "not (8|M0) r10.0<1>:d acc0.0<8;8,1>:d" },
   { SEED_ALL, "mov (8|M0) r[a0.1,16]<2>:uw r6.0<8;8,1>:uw" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:ud r[a0.0,64]<1,0>:ud" },
   { SEED_ALL, "mov (8|M0) r10.0<1>:ud r[a0.0,64]<4,1>:ud" },
   { SEED_ALL, "wait n0.0<0;1,0>:ud" },
   { SEED_ALL, "nop" },
   /* Flow. */
   { SEED_ALL, "(f0.0) jmpi (1|M0) 32" },
   { SEED_ALL, "(f0.0) if (8|M0) 32 64" },
   { SEED_7, "else (8|M0) 32" },
   { SEED_8, "else (8|M0) 32 32" },
   { SEED_ALL, "endif (16|M0) 16" },
   { SEED_ALL, "(~f0.0) while (8|M0) -64" },
   { SEED_ALL, "(f0.0) break (8|M0) 32 64" },
   { SEED_ALL, "cont (8|M0) 32 64" },
   { SEED_ALL, "(f1.0) halt (8|M0) 32 64" },
   { SEED_ALL, "call (8|M0) r30.0 64" },
   { SEED_ALL, "ret (8|M0) r30.0" },
   { SEED_8, "(f0.0) goto (8|M0) 32 64" },
   { SEED_8, "join (8|M0) 32" },
   /* Messages. */
   { SEED_ALL, "send (8|M0) r20:uw r10 0x2 0x02420001" },
   { SEED_ALL, "send (16|M0) r20:uw r10 0x2 0x04840001" },
   { SEED_ALL, "send (8|M0) r20:uw r10 0x2 0x0643A001" },
   { SEED_ALL, "send (8|M0) r20 r10 0xA 0x02180001" },
   { SEED_ALL, "send (8|M0) r20 r10 0xA 0x021842FF" },
   { SEED_ALL, "send (8|M0) null r10 0xA 0x040A02FF" },
   { SEED_75UP, "send (8|M0) r20 r10 0xC 0x02106E01" },
   { SEED_75UP, "send (16|M0) r20 r10 0xC 0x04405C01" },
   { SEED_75UP, "send (8|M0) null r10 0xC 0x04026E01" },
   { SEED_75UP, "send (8|M0) r20 r10 0xC 0x02415001" },
   { SEED_IVB, "send (8|M0) r20 r10 0xA 0x02116E01" },
   { SEED_ALL, "send (8|M0) r20 r10 0xA 0x0219E000" },
   { SEED_ALL, "send (8|M0) null r10 0x3 0x02000004" },
   { SEED_7, "send (8|M0) null r112 0x6 0x0A08C000 {EOT}" },
   { SEED_8, "send (8|M0) null r112 0x26 0x0A080017 {EOT}" },
   { SEED_8, "send (8|M0) r20 r10 0x6 0x02480028" },
   { SEED_ALL, "send (8|M0) null r112 0x25 0x08031400 {EOT}" },
   { SEED_ALL, "sendc (16|M0) null r112 0x25 0x10031000 {EOT}" },
   { SEED_ALL, "send (8|M0) null r127 0x27 0x02000010 {EOT}" },
   { SEED_ALL, "send (8|M0) r126 r125 0xA 0x02280301" },
   { SEED_ALL, "send (16|M0) r20 r2 0xA a0.0" },
   { SEED_ALL, "send (8|M0) r20 r10 0xB 0x02200050" },
   { SEED_SKL, "sends (8|M0) null r10 r12 0x4C 0x02026E01" },
   { SEED_SKL, "sends (8|M0) null r112 r120 a0.2|0x26 0x0A080017 {EOT}" },
   { SEED_SKL, "sends (16|M0) r20:ud r2 r5 a0.2 a0.0" },
};

#endif
