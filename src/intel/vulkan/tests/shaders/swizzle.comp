#version 450
/* A texel, all channels of a footprint, and a comparison. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform usampler2D ints;
layout(set = 0, binding = 2) buffer Result { uvec4 result[]; };

void main()
{
   result[0] = floatBitsToUint(textureLod(tex, vec2(0.5), 0));
   result[1] = floatBitsToUint(textureGather(tex, vec2(0.5), 0));
   result[2] = floatBitsToUint(textureGather(tex, vec2(0.5), 1));
   result[3] = floatBitsToUint(textureGather(tex, vec2(0.5), 2));
   result[4] = floatBitsToUint(textureGather(tex, vec2(0.5), 3));
   result[5] = texelFetch(ints, ivec2(0), 0);
}
