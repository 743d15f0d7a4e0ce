#version 450
/* One sample of a pixel a group: x, y and the sample's number, then bits. */
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2DMS image;
layout(std430, binding = 1) buffer Places { uvec4 at[]; };

void
main()
{
   const uint i = gl_WorkGroupID.x;
   at[i].w = floatBitsToUint(
      texelFetch(image, ivec2(at[i].xy), int(at[i].z)).x);
}
