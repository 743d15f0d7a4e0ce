#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
/* Texels as guards: each has its value stored, and is loaded by another. */
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer Result { uint result[16]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D flat_guards;
layout(set = 0, binding = 2, r32ui) uniform uimage2DArray layer_guards;

void main()
{
   const uint i = gl_LocalInvocationIndex, other = (i + 7) % 16;
   const ivec2 own = ivec2(i % 4, i / 4), there = ivec2(other % 4, other / 4);
   const int release = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
   const int acquire = gl_SemanticsAcquire | gl_SemanticsMakeVisible;
   imageAtomicStore(flat_guards, own, i * 3 + 1, gl_ScopeDevice,
                    gl_StorageSemanticsImage, release);
   imageAtomicStore(layer_guards, ivec3(own, 2), i << 16, gl_ScopeDevice,
                    gl_StorageSemanticsImage, release);
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsImage,
                  gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                  gl_SemanticsMakeVisible);
   result[i] = imageAtomicLoad(flat_guards, there, gl_ScopeDevice,
                               gl_StorageSemanticsImage, acquire) +
               imageAtomicLoad(layer_guards, ivec3(there, 2), gl_ScopeDevice,
                               gl_StorageSemanticsImage, acquire);
}
