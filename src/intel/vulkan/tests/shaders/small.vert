#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_scalar_block_layout : require
#include "small.glsl"

void main()
{
   sums(gl_VertexIndex);
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
}
