#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint add; };
shared uint part[64];
void main()
{
   const uint i = gl_LocalInvocationIndex;
   part[i] = data[i] * data[i] + add;
   barrier();
   data[i] = part[63 - i];
}
