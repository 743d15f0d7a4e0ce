#version 450
/* The border, all channels of a footprint of it, a texel, one of a buffer. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform usampler2D tex;
layout(set = 0, binding = 1) uniform usamplerBuffer texels;
layout(set = 0, binding = 2) buffer Result { uvec4 result[]; };

void main()
{
   result[0] = textureLod(tex, vec2(-0.5), 0);
   result[1] = textureGather(tex, vec2(-2), 0);
   result[2] = textureGather(tex, vec2(-2), 1);
   result[3] = textureGather(tex, vec2(-2), 2);
   result[4] = textureGather(tex, vec2(-2), 3);
   result[5] = textureLod(tex, vec2(0.5), 0);
   result[6] = texelFetch(texels, 0);
}
