#version 450
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
/* The least and the greatest of floats of both signs. */
layout(local_size_x = 48) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats {
   float f[2];
};
layout(set = 0, binding = 0) buffer Result {
   float least, greatest, shared_least, shared_greatest;
   uvec2 address;
};
shared float low, high;

void main()
{
   const float x = (float((gl_LocalInvocationIndex * 29) % 48) - 20) / 4;
   low = high = 1;
   barrier();
   atomicMin(least, x);
   atomicMax(greatest, x);
   atomicMin(low, x);
   atomicMax(high, x);
   Floats far = Floats(address);
   atomicMin(far.f[0], x);
   atomicMax(far.f[1], x);
   barrier();
   shared_least = low;
   shared_greatest = high;
}
