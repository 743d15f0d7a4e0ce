#version 450
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
/* Each operation on its own word of 64 bits; the last is past the end. */
layout(local_size_x = 37) in;
layout(set = 0, binding = 0) buffer Result { uint64_t u[12]; int64_t after[]; };
layout(set = 0, binding = 1) buffer Old { uint64_t old[38]; uint64_t past; };

void main()
{
   const uint i = gl_LocalInvocationIndex;
   const uint64_t x = 0x100000001ul * (i + 1);
   old[i] = atomicAdd(u[0], x);
   atomicMin(u[1], x);
   atomicMax(u[2], x);
   atomicAnd(u[3], ~(1ul << (i + 10)));
   atomicOr(u[4], 1ul << (i + 10));
   atomicXor(u[5], x);
   if (i == 5)
      past = atomicExchange(u[6], x);
   uint64_t want = u[7];
   for (;;) {
      const uint64_t was = atomicCompSwap(u[7], want, want * 3 + 1);
      if (was == want)
         break;
      want = was;
   }
   if (i == 6) {
      atomicMin(after[0], -0x123456789al);
      atomicMax(after[1], -0x123456789al);
      old[37] = uint64_t(atomicAdd(after[i], 1l));
   }
}
