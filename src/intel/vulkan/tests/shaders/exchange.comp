#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_KHR_memory_scope_semantics : require
/* A float goes from hand to hand, through three kinds of memory: each gets
 * what the one before it left. */
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Result { float hand; float got[48][3]; };
layout(set = 0, binding = 1, r32f) uniform image2D image;
shared float bag;

void main()
{
   const uint i = gl_LocalInvocationIndex;
   if (i == 0)
      atomicStore(bag, 0.5, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                  gl_SemanticsRelease);
   barrier();
   got[i][0] = atomicExchange(hand, i + 1.5);
   got[i][1] = atomicExchange(bag, i + 1.5);
   got[i][2] = imageAtomicExchange(image, ivec2(0), i + 1.5);
   barrier();
   if (i == 0)
      hand += atomicLoad(bag, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                         gl_SemanticsAcquire);
}
