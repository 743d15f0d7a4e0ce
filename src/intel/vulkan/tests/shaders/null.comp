#version 450
#extension GL_ARB_shader_texture_image_samples : require
/* Descriptors of nothing, but for the first one: what is read and how large
 * they are, none of which is anything but 0. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Result { uvec4 result[]; };
layout(set = 0, binding = 1) uniform Uniforms { uvec4 uniforms[4]; };
layout(set = 0, binding = 2) buffer Words { uint count; uint words[]; };
layout(set = 0, binding = 3) uniform samplerBuffer texels;
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer store_texels;
layout(set = 0, binding = 5) uniform sampler2D flat_texture;
layout(set = 0, binding = 6) uniform isampler3D volume;
layout(set = 0, binding = 7) uniform samplerCubeArray cubes;
layout(set = 0, binding = 8) uniform sampler2DMS samples;
layout(set = 0, binding = 9) uniform sampler2DArrayShadow shadow;
layout(set = 0, binding = 10, rgba32f) uniform image2D image;
layout(set = 0, binding = 11, r32ui) uniform uimage2DArray layers;
layout(set = 0, binding = 12, r32i) uniform iimage3D store_volume;

void main()
{
   const int c = int(gl_WorkGroupID.x) * 3 - 3; /* -3, 0, 3 */
   const int at = 17 * int(gl_WorkGroupID.x);
   const vec2 p = vec2(c, 0.5);

   words[c & 3] = 7;
   count = 8;
   imageStore(store_texels, c, uvec4(9));
   imageStore(image, ivec2(c, 0), vec4(2));
   imageStore(layers, ivec3(0, 0, c), uvec4(3));
   imageStore(store_volume, ivec3(0, c, 0), ivec4(4));

   result[at] = uniforms[c & 3];
   result[at + 1] = uvec4(words[c & 3], count, words.length(),
                          atomicAdd(words[1], 5));
   result[at + 2] = floatBitsToUint(texelFetch(texels, c));
   result[at + 3] = uvec4(textureSize(texels), imageSize(store_texels),
                          imageLoad(store_texels, c).x,
                          imageAtomicAdd(store_texels, c, 6));
   result[at + 4] = floatBitsToUint(texelFetch(flat_texture, ivec2(c), 0));
   result[at + 5] = floatBitsToUint(textureLod(flat_texture, p, 0));
   result[at + 6] = uvec4(textureSize(flat_texture, 0),
                          textureSize(flat_texture, c));
   result[at + 7] = uvec4(textureQueryLevels(flat_texture),
                          textureQueryLevels(volume),
                          textureQueryLevels(cubes),
                          textureQueryLevels(shadow));
   result[at + 8] = uvec4(textureLod(volume, vec3(p, 0.5), 0));
   result[at + 9] = uvec4(textureSize(volume, 0), textureSamples(samples));
   result[at + 10] = floatBitsToUint(textureLod(cubes, vec4(p, 1, 0), 0));
   result[at + 11] = uvec4(textureSize(cubes, 0), c == 0
                           ? floatBitsToUint(texelFetch(samples, ivec2(0), 0).y)
                           : 0);
   result[at + 12] = uvec4(textureSize(samples), textureSize(shadow, 0).xz);
   result[at + 13] = floatBitsToUint(imageLoad(image, ivec2(c, 0)));
   result[at + 14] = uvec4(imageSize(image), imageLoad(layers, ivec3(c)).xy);
   result[at + 15] = uvec4(imageSize(layers),
                           imageAtomicMax(layers, ivec3(c), 99));
   result[at + 16] = uvec4(imageSize(store_volume),
                           imageLoad(store_volume, ivec3(0, c, 0)).x);
}
