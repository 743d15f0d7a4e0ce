#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
/* Each invocation has a descriptor of its own choice of each kind, by an
 * index that a buffer holds. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint result[64][8]; };
layout(set = 0, binding = 1) buffer Choice { uint choice[64]; };
layout(set = 1, binding = 0) buffer Store { uint count, value[]; } stores[];
layout(set = 1, binding = 1) uniform Constant { uint value; } constants[8];
layout(set = 1, binding = 2) uniform sampler samplers[2];
layout(set = 1, binding = 3, r32ui) uniform uimage2D images[8];
layout(set = 1, binding = 4) uniform utextureBuffer texels[8];
layout(set = 1, binding = 5, r32ui) uniform uimageBuffer storeTexels[8];
layout(set = 1, binding = 6) uniform Inline { uvec4 words[2]; };
layout(set = 1, binding = 7) uniform texture2D textures[];

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint n = choice[i], k = n % 8;
   result[i][0] = atomicAdd(stores[nonuniformEXT(n)].count, 1) * 0 +
                  stores[nonuniformEXT(n)].value[1];
   result[i][1] = stores[nonuniformEXT(n)].value.length();
   result[i][2] = constants[nonuniformEXT(k)].value;
   /* Behind the edge: the border or the texel. */
   result[i][3] = uint(
      textureLod(nonuniformEXT(sampler2D(textures[nonuniformEXT(n)],
                                         samplers[nonuniformEXT(k % 2)])),
                 vec2(1.5), 0).x * 255.0 + 0.5);
   result[i][4] = imageAtomicAdd(images[nonuniformEXT(k)], ivec2(0), 0) +
                  imageSize(images[nonuniformEXT(k)]).x * 1000;
   result[i][5] = texelFetch(texels[nonuniformEXT(k)], 1).x;
   result[i][6] = imageLoad(storeTexels[nonuniformEXT(k)], 2).x;
   result[i][7] = words[1].y;
   imageStore(images[nonuniformEXT(k)], ivec2(1, 0), uvec4(n));
}
