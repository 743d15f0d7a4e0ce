#version 450
layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput self;
layout(location = 0) out vec4 color;
void main() { color = 1 - subpassLoad(self); }
