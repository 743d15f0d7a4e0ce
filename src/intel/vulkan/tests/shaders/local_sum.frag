#version 450
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput first;
layout(input_attachment_index = 2, set = 0, binding = 2) uniform subpassInput last;
layout(location = 0) out vec4 nowhere;
layout(location = 2) out vec4 sum;
void main()
{
   nowhere = vec4(1);
   sum = (subpassLoad(first) + subpassLoad(last)) / 2;
}
