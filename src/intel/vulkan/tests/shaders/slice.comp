#version 450
/* Two slices of a 3D image, each seen as an image of its own. */
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0, r32ui) uniform uimage2D image;
layout(binding = 1) uniform usampler2D tex;

void main()
{
   const ivec2 at = ivec2(gl_LocalInvocationID.xy);
   const uint old = imageLoad(image, at).x;
   imageStore(image, at, uvec4(old * 1000 + texelFetch(tex, at, 0).x));
}
