#version 450
/* Reads by formats that views need not have; what is read from those that
 * have another one is undefined, and nothing is lost. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba32f) uniform readonly image2D vectors;
layout(set = 0, binding = 1, r32ui) uniform readonly uimage2D words;
layout(set = 0, binding = 2, rgba8) uniform readonly image2D colors;
layout(set = 0, binding = 3, rgba16ui) uniform readonly uimage2D shorts;
layout(set = 0, binding = 4, rgba32f) uniform readonly imageBuffer
   vector_list;
layout(set = 0, binding = 5, r32ui) uniform readonly uimageBuffer word_list;
layout(set = 0, binding = 6, rgba8) uniform readonly imageBuffer color_list;
layout(set = 0, binding = 7) buffer Result { uvec4 result[]; };

void main()
{
   const ivec2 at = ivec2(1, 2);
   result[0] = floatBitsToUint(imageLoad(vectors, at));
   result[1] = imageLoad(words, at);
   result[2] = floatBitsToUint(imageLoad(colors, at));
   result[3] = imageLoad(shorts, at);
   result[4] = floatBitsToUint(imageLoad(vector_list, 3));
   result[5] = imageLoad(word_list, 3);
   result[6] = floatBitsToUint(imageLoad(color_list, 3));
}
