#version 450
layout(local_size_x = 1) in;

layout(constant_id = 0) const uint first = 1000;
layout(constant_id = 64) const uint beyond = 1001;
layout(constant_id = 69) const uint last = 1002;

layout(set = 0, binding = 0) buffer Out { uint values[]; };

void main()
{
   values[0] = first;
   values[1] = beyond;
   values[2] = last;
}
