#version 450
/* A texel inside and one outside of storage images, by their declarations. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba32f) uniform readonly image2DArray vectors;
layout(set = 0, binding = 1, rg32ui) uniform readonly uimage3D pairs;
layout(set = 0, binding = 2, r16i) uniform readonly iimage2D shorts;
layout(set = 0, binding = 3, r8) uniform readonly image2D bytes;
layout(set = 0, binding = 4, rgba16f) uniform readonly image2D halves;
layout(set = 0, binding = 5, r11f_g11f_b10f) uniform readonly image2D packed;
layout(set = 0, binding = 6, rgba8i) uniform readonly iimage2D colors;
layout(set = 0, binding = 7) buffer Result { uvec4 result[]; };

void main()
{
   result[0] = floatBitsToUint(imageLoad(vectors, ivec3(2, 1, 1)));
   result[1] = floatBitsToUint(imageLoad(vectors, ivec3(4, 1, 1)));
   result[2] = imageLoad(pairs, ivec3(1, 2, 3));
   result[3] = uvec4(imageLoad(shorts, ivec2(3, 1)));
   result[4] = floatBitsToUint(imageLoad(bytes, ivec2(5, 0)));
   result[5] = floatBitsToUint(imageLoad(halves, ivec2(1, 1)));
   result[6] = floatBitsToUint(imageLoad(packed, ivec2(1, 0)));
   result[7] = uvec4(imageLoad(colors, ivec2(2, 3)));
}
