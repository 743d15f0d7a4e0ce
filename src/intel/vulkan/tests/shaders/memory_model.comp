#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
/* The group that is done last adds up what all have written. */
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Result {
   uint total, done;
   uint part[];
};
shared uint last;

void main()
{
   const uint i = gl_LocalInvocationIndex, n = gl_NumWorkGroups.x * 48;
   const int release = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
   const int acquire = gl_SemanticsAcquire | gl_SemanticsMakeVisible;
   atomicStore(part[gl_GlobalInvocationID.x], gl_GlobalInvocationID.x + 1,
               gl_ScopeDevice, 0, 0);
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                  gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                  gl_SemanticsMakeVisible);
   if (i == 0) {
      const uint before =
         atomicAdd(done, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                   gl_SemanticsMakeVisible);
      atomicStore(last, uint(before + 1 == gl_NumWorkGroups.x),
                  gl_ScopeWorkgroup, gl_StorageSemanticsShared, release);
   }
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);
   if (i == 1 && atomicLoad(last, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                            acquire) != 0) {
      uint sum = 0;
      for (uint k = 0; k < n; k++)
         sum += atomicLoad(part[k], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                           acquire);
      total = sum;
   }
}
