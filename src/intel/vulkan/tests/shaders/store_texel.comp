#version 450
/* Stores a texel to a buffer of them. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) uniform writeonly uimageBuffer texels;

void main()
{
   imageStore(texels, 3, uvec4(77));
}
