mov (8|M0) r1.0<1>.xz:f r2.0<4>.xyzw:f {Align16}
mov (8|M0) r1.4<1>.xyzw:f -r2.4<4>.wyyx:f {Align16}
(f0.1.z) mov (8|M0) r1.0<1>.xyzw:f r2.0<0>.xxxx:f {Align16}
add (4|M4) r3.0<1>.w:df r2.0<4>.xyzw:df r4.2<0>.xyzw:df {Align16}
dp4 (8|M0) r9.0<1>.x:f r2.0<4>.xyzw:f r4.0<4>.xyzw:f {Align16}
mad (8|M0) r7.0<1>.xy:f r8.0<4>.wyyx:f r9.2<0>.xxxx:f r10.0<4>.xyzw:f {Align16}
