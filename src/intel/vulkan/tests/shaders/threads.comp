#version 450
/* Not the same program for each number. */
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint number = 0;
layout(set = 0, binding = 0) buffer Result { uint result[]; };

void main()
{
   result[gl_LocalInvocationIndex] = number * 1000 + gl_LocalInvocationIndex;
}
