#version 450
#extension GL_EXT_shader_realtime_clock : enable
#extension GL_ARB_shader_clock : require
#extension GL_ARB_gpu_shader_int64 : require
/* Time does not go backwards. */
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Result { uint result[16]; };

void main()
{
   const uint64_t before = clockARB();
   const uvec2 between = clock2x32ARB();
   const uint64_t after = clockARB();
   const uint64_t middle = packUint2x32(between);
   result[gl_LocalInvocationIndex] =
      uint(before < middle && middle < after) + uint(before != 0);
}
