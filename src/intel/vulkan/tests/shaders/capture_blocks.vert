#version 450
layout(xfb_buffer = 1, xfb_stride = 24, location = 0) out Block {
   layout(xfb_offset = 0) vec4 a;
   layout(xfb_offset = 16) vec2 b;
} blk[2];
layout(xfb_buffer = 0, xfb_offset = 4, xfb_stride = 8, location = 8)
   out float single;

void main()
{
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
   for (int i = 0; i < 2; i++) {
      blk[i].a = vec4(1, 2, 3, 4) + 10 * i + 100 * gl_VertexIndex;
      blk[i].b = vec2(5, 6) + 10 * i + 100 * gl_VertexIndex;
   }
   single = 7 + 100 * gl_VertexIndex;
}
