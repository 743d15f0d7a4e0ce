#version 450
/* Pixels of an image, sample by sample, a group for each. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform usampler2DMS image;
layout(std430, binding = 1) buffer Out { uvec4 texels[]; };

void
main()
{
   const ivec2 at = ivec2(gl_LocalInvocationID.xy);
   const int number = int(gl_WorkGroupID.x);
   texels[(number * 16 + at.y) * 16 + at.x] = texelFetch(image, at, number);
}
