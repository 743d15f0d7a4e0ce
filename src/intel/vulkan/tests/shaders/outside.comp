#version 450
/* What is outside of an image is zero, with alpha of 1 where the format has
 * none, and stays as it is. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uvec4 result[20]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
layout(set = 0, binding = 2, r32ui) uniform uimage2DArray layers;
layout(set = 0, binding = 3, r32ui) uniform uimage3D volume;
layout(set = 0, binding = 4) uniform utexture2DArray texels;
layout(set = 0, binding = 5) uniform sampler nothing;
layout(set = 0, binding = 6, rgba32ui) uniform readonly uimage2D vectors;

void main()
{
   const ivec2 out2[] = { ivec2(4, 0), ivec2(0, 4), ivec2(-1, 2),
                          ivec2(2, 0x40000000) };
   const ivec3 out3[] = { ivec3(0, 0, 3), ivec3(4, 1, 1), ivec3(1, 1, -1),
                          ivec3(1, 4, 2) };
   for (int i = 0; i < 4; i++) {
      result[i] = imageLoad(image, out2[i]);
      result[4 + i] = imageLoad(layers, out3[i]);
      result[8 + i] = imageLoad(volume, out3[i]);
      result[16 + i] = imageLoad(vectors, out2[i]);
      result[12 + i] = texelFetch(usampler2DArray(texels, nothing), out3[i],
                                  0);
      imageStore(image, out2[i], uvec4(9));
      imageStore(layers, out3[i], uvec4(9));
      imageStore(volume, out3[i], uvec4(9));
   }
}
