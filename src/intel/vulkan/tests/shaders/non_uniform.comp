#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
/* Each invocation has a buffer, a texture, an image and a constant of its
 * own choice. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint result[64]; };
layout(set = 0, binding = 1) buffer Counter { uint count, last; } counters[];
layout(set = 0, binding = 2) uniform utexture2D textures[];
layout(set = 0, binding = 3, r32ui) uniform uimage2D images[5];
layout(set = 0, binding = 4) uniform Constant { uint value; } constants[5];

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint a = i * 7 % 5, b = i / 3 % 5, c = i * i % 5, d = (i + a) % 5;
   atomicAdd(counters[nonuniformEXT(a)].count, 1);
   if (i < 5)
      counters[nonuniformEXT(a)].last = i;
   const uint texel =
      texelFetch(textures[nonuniformEXT(b)], ivec2(0), 0).x;
   imageAtomicAdd(images[nonuniformEXT(c)], ivec2(0), 1);
   const uint constant = constants[nonuniformEXT(d)].value;
   result[i] = texel + constant;
}
