#version 450
/* Layers of an image, sample behind sample, a group for each. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform usampler2DMSArray image;
layout(std430, binding = 1) buffer Out { uint texels[]; };

void
main()
{
   const ivec2 at = ivec2(gl_LocalInvocationID.xy);
   const int samples = textureSamples(image);
   const int number = int(gl_WorkGroupID.x);
   texels[(number * 16 + at.y) * 16 + at.x] =
      texelFetch(image, ivec3(at, number / samples), number % samples).x;
}
