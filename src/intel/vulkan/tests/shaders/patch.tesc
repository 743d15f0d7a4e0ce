#version 450
layout(vertices = 2) out;

void main()
{
   gl_out[gl_InvocationID].gl_Position =
      gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1;
   gl_TessLevelInner[0] = 1;
}
