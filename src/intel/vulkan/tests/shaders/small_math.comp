#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
/* In shared memory, in arrays, and of subgroups, too. */
#include "small_math.glsl"
layout(local_size_x = 16) in;
shared float16_t halves[16];
shared i8vec3 bytes[16];
shared uint16_t words[17];

void together(int8_t c, int16_t s)
{
   put(subgroupShuffleXor(c, 1u));
   put(subgroupMax(s)); put(subgroupMin(uint8_t(c)));
   put(subgroupAdd(uint16_t(s)));
   put(subgroupExclusiveMin(c)); put(subgroupExclusiveMax(s));
}

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const float16_t a = float16_t(x[i]), b = float16_t(x[16 + i]);
   const int8_t c = int8_t(int(x[i] * 60));
   const int16_t s = int16_t(int(x[i] * 16000));
   float16_t table[7];
   row = i;
   halves[i] = a;
   bytes[i] = i8vec3(i, i + 100, i + 200);
   words[i] = uint16_t(i * 3000);
   for (uint k = 0; k < 7; k++)
      table[k] = a * float16_t(k);
   barrier();
   put(halves[15 - i]); put(bytes[(i + 1) % 16].y); put(bytes[i].z);
   put(words[15 - i] + words[i]); put(table[i % 7]);
   floats(a, b);
   integers(c, s);
   together(c, s);
   put(subgroupAdd(a)); put(subgroupMax(b));
   products(a);
}
