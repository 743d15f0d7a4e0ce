#version 450
/* Each sample its own colour. */
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_SampleID) / vec4(4, 8, 16, 32); }
