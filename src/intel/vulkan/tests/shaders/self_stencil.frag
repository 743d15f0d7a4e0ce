#version 450
/* The stencil that is there, as red. */
layout(input_attachment_index = 0, set = 0, binding = 0)
   uniform usubpassInput stencil;
layout(location = 0) out vec4 color;
void main() { color = vec4(subpassLoad(stencil).x / 255.0, 0, 0, 1); }
