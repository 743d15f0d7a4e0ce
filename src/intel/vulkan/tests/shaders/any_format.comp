#version 450
#extension GL_EXT_shader_image_load_formatted : require
/* Texels of images and texel buffers whose formats are not said; those of two
 * kinds of numbers are read where `kind` says so. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform readonly image2D floats;
layout(set = 0, binding = 1) uniform readonly uimage2D words;
layout(set = 0, binding = 2) uniform readonly iimage2D ints;
layout(set = 0, binding = 3) uniform readonly imageBuffer float_list;
layout(set = 0, binding = 4) uniform readonly uimageBuffer word_list;
layout(set = 0, binding = 5) uniform readonly iimageBuffer int_list;
layout(set = 0, binding = 6) buffer Result {
   uint kind;
   uvec4 result[3];
};

void main()
{
   const ivec2 at = ivec2(1, 2), outside = ivec2(4, 0);
   if (kind == 0) {
      result[0] = floatBitsToUint(imageLoad(floats, at));
      result[1] = floatBitsToUint(imageLoad(float_list, 3));
      result[2] = floatBitsToUint(imageLoad(floats, outside));
   } else if (kind == 1) {
      result[0] = imageLoad(words, at);
      result[1] = imageLoad(word_list, 3);
      result[2] = imageLoad(words, outside);
   } else {
      result[0] = uvec4(imageLoad(ints, at));
      result[1] = uvec4(imageLoad(int_list, 3));
      result[2] = uvec4(imageLoad(ints, outside));
   }
}
