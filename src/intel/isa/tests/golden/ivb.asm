mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f
mov (16|M16) r10.0<1>:d -r12.0<8;8,1>:d {NoDDChk,NoDDClr}
mov (8|M8) r3.0<2>:w (abs)r4.0<8;8,1>:w {AccWrEn}
mov (1|M0) a0.0<1>:ud 0x20:ud
(W) mov (1|M0) r1.3<1>:uw sr0.0<0;1,0>:uw {Switch}
mov (8|M0) r5.0<1>:f -2.5:f
mov (8|M0) r5.0<1>:f snan(0x12345):f
mov (8|M0) r5.0<1>:w 0x76543210:v
mov (4|M0) r5.0<1>:f 0x30003000:vf
mov (8|M0) r5.0<1>:w -7:w
mov (8|M0) r5.0<1>:f r[a0.2,-40]<8;8,1>:f
mov (8|M0) r[a0.1,16]<2>:uw r6.0<8;8,1>:uw
mov (8|M0) r5.0<1>:ud r[a0.0,64]<1,0>:ud
mov (4|M4) r4.0<1>:df r8.0<4;4,1>:df
mov (8|M0) r12.0<1>:ud r8.1<8;4,2>:ud
(f0.0) sel (16|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<8;8,1>:f
sel (8|M0) (ge)f0.0 r2.0<1>:f r4.0<8;8,1>:f 1.0:f
not (8|M0) r2.0<1>:d r3.0<8;8,1>:d
and (8|M0) (ne)f0.1 null<1>:ud r2.0<8;8,1>:ud 0x1:ud {Switch}
(~f1.1.any4h) add (8|M8) (lt)f1.1 (sat)r12.4<2>:w -r2.0<8;8,1>:w 16:w {Atomic}
(W&f0.1) shl (8|M0) r1.0<1>:d r2.0<8;8,1>:d 2:d
cmp (8|M0) (lt)f0.0 null<1>:f r2.0<8;8,1>:f r3.0<0;1,0>:f {Switch}
bfi1 (8|M0) r2.0<1>:ud r3.0<8;8,1>:ud r4.0<8;8,1>:ud
math.sin (8|M0) r2.0<1>:f r3.0<8;8,1>:f
math.pow (16|M0) r2.0<1>:f r4.0<8;8,1>:f r6.0<8;8,1>:f
math.iqot (8|M0) r2.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d
mul (8|M0) acc0.0<1>:d r2.0<8;8,1>:d r3.0<16;8,2>:uw
mach (8|M0) r4.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}
pln (8|M0) r4.0<1>:f r6.0<0;1,0>:f r2.0<8;8,1>:f
mad (8|M0) r10.0<1>:f -r11.0<2;1>:f (abs)r12.3<0;0>:f r13.0<1>:f
mad (1|M0) r10.3<1>:f r11.5<0;0>:f r12.3<0;0>:f r13.1<0>:f
mad (4|M4) r10.0<1>:df r11.0<2;1>:df r12.3<0;0>:df -r13.0<1>:df
lrp (16|M0) (sat)r10.0<1>:f r12.0<2;1>:f r14.0<2;1>:f r16.0<1>:f
bfe (8|M0) r10.0<1>:ud r11.0<2;1>:ud r12.0<2;1>:ud r13.0<1>:ud
send (8|M0) r2:uw r10 0x2 0x08427001
(f0.0) sendc (16|M0) null:f r120:f 0x25 0x10031000 {EOT}
send (16|M0) r10:ud r2 0xA a0.0
wait n0.0<0;1,0>:ud
nop
illegal
L640:
(f0.0) if (16|M0) L672 L720
break (16|M0) L720 L736
L672:
else (16|M0) L720
(~f0.0.any8h) cont (16|M0) L736 L736
halt (8|M0) L752 L752
L720:
endif (16|M0) L736
L736:
(f0.1) while (16|M0) L640
L752:
(W) jmpi L640
call (8|M0) r5.0 L640
ret (8|M0) r5.0
brd (16|M0) L640
