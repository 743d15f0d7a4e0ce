#version 450
struct Doubles {
   float a;
   double b;
   float c;
};
struct Outer {
   float a;
   Doubles b;
   float c;
};
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out Block {
   Outer o;
   float last;
} blk;

void main()
{
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
   blk.o.a = 1;
   blk.o.b.a = 2;
   blk.o.b.b = 3;
   blk.o.b.c = 4;
   blk.o.c = 5;
   blk.last = 6;
}
