#version 450
// Each word of C is one more than the word of A before it: where both are the
// same memory, a chain.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint A[]; };
layout(std430, binding = 1) buffer Out { uint C[]; };

void main()
{
   uint g = 8 * gl_LocalInvocationIndex;
   for (uint i = 0; i < 7; i++)
      C[g + i + 1] = A[g + i] + 1;
}
