#version 450
layout(location = 0) flat in vec4 flat_color;
layout(location = 0) out vec4 color;
void main() { color = vec4(flat_color.rgb, float(gl_PrimitiveID) / 255); }
