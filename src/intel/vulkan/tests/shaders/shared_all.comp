#version 450
// All shared memory that there may be, written by each invocation in pieces
// and read by another one from the other end; groups have their own.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Out { uint sums[]; };
const uint WORDS = 16384, EACH = WORDS / 128;
shared uint words[WORDS];

void main()
{
   uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
   for (uint k = 0; k < EACH; k++)
      words[k * 128 + i] = (k * 128 + i) * (g + 1);
   barrier();
   uint sum = 0;
   for (uint k = 0; k < EACH; k++)
      sum = sum * 3 + words[WORDS - 1 - (i * EACH + k)];
   sums[g * 128 + i] = sum;
}
