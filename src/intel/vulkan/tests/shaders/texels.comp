#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Result { uint result[4]; };
layout(set = 0, binding = 1) uniform usamplerBuffer bytes;
layout(set = 0, binding = 2) uniform samplerBuffer pairs;
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer words;

void main()
{
   const int i = int(gl_LocalInvocationIndex);
   result[i] = texelFetch(bytes, i).x +
               1000 * uint(texelFetch(pairs, i).y) +
               1000000 * imageLoad(words, i).x;
   imageStore(words, i, uvec4(77 + i));
}
