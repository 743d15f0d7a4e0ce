#version 450
#extension GL_EXT_multiview : require
layout(vertices = 4) out;
layout(location = 0) in float from[];
layout(location = 0) out float view[];

void main()
{
   const bool right = from[gl_InvocationID] == float(gl_ViewIndex);
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   view[gl_InvocationID] = float(gl_ViewIndex);
   gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = right ? 1 : 0;
   gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = right ? 1 : 0;
   gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1;
}
