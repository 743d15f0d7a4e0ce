#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
/* What is qualified is no index, but the texture that was chosen with it. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint result[6][64]; };
layout(set = 0, binding = 1) uniform utexture2D textures[5];
layout(set = 0, binding = 2) uniform usampler2D combined[5];
layout(set = 0, binding = 3, r32ui) uniform uimage2D images[5];
layout(set = 0, binding = 4) uniform sampler nearest;

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint b = i / 3 % 5;
   const vec2 center = vec2(0.5);
   result[0][i] =
      textureLod(nonuniformEXT(usampler2D(textures[b], nearest)), center, 0).x;
   result[1][i] =
      textureLod(usampler2D(nonuniformEXT(textures[b]), nearest), center, 0).x;
   result[2][i] = textureLod(nonuniformEXT(combined[b]), center, 0).x;
   result[3][i] = texelFetch(nonuniformEXT(combined[b]), ivec2(0), 0).x;
   result[4][i] = texelFetch(nonuniformEXT(textures[b]), ivec2(0), 0).x;
   result[5][i] = imageLoad(nonuniformEXT(images[b]), ivec2(0)).x;
}
