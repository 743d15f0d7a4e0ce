#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint add; };
layout(constant_id = 0) const uint SIZE = 64;
shared uint part[SIZE];
void main()
{
   const uint i = gl_LocalInvocationIndex;
   part[i] = data[i] * data[i] + add;
   barrier();
   data[i] = part[63 - i];
}
