#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
/* In shared memory and of subgroups, too. */
#include "small_ints.glsl"
#include "small_subgroup.glsl"
layout(local_size_x = 16) in;
shared i8vec3 bytes[16];
shared uint16_t words[17];

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const int8_t c = int8_t(int(x[i] * 60));
   const int16_t s = int16_t(int(x[i] * 16000));
   row = i;
   bytes[i] = i8vec3(i, i + 100, i + 200);
   words[i] = uint16_t(i * 3000);
   barrier();
   put(bytes[(i + 1) % 16].y); put(bytes[i].z); put(words[15 - i] + words[i]);
   integers(c, s);
   together(c, s);
}
