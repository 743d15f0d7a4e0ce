#version 450
/* The last three points of a patch of five, nothing of others. */
layout(vertices = 3) out;

void main()
{
   gl_out[gl_InvocationID].gl_Position =
      gl_in[gl_PatchVerticesIn - 3 + gl_InvocationID].gl_Position;
   const float level = gl_PatchVerticesIn == 5 ? 1.0 : 0.0;
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = level;
   gl_TessLevelInner[0] = level;
}
