#version 450
/* The words of a compressed image, two to a block. */
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform usampler2D blocks;
layout(set = 0, binding = 1) buffer Result { uvec2 result[]; };

void main()
{
   const uint i = gl_LocalInvocationIndex;
   result[i] = texelFetch(blocks, ivec2(i & 1, i >> 1), 0).xy;
}
