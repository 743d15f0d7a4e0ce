#version 450
layout(xfb_buffer = 0, xfb_stride = 24) out gl_PerVertex {
   vec4 gl_Position;
   float gl_PointSize;
   layout(xfb_offset = 0) float gl_ClipDistance[3];
   layout(xfb_offset = 12) float gl_CullDistance[3];
};

void main()
{
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
   for (int i = 0; i < 3; i++) {
      gl_ClipDistance[i] = 1 + i + 10 * gl_VertexIndex;
      gl_CullDistance[i] = 4 + i + 10 * gl_VertexIndex;
   }
}
