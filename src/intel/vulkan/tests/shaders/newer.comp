#version 450
/* A sum of what is in a buffer and among the push constants, or a constant. */
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer In { uint value; };
layout(std430, set = 0, binding = 1) buffer Out { uint sums[]; };
layout(constant_id = 0) const uint least = 0;
layout(push_constant) uniform Push { uint at, more; };

void main()
{
   sums[at] = max(value + more, least);
}
