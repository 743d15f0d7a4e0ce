#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 3) uniform In { uint value; };
layout(set = 0, binding = 60000) buffer Out { uint result; };

void main()
{
   result = value + 1;
}
