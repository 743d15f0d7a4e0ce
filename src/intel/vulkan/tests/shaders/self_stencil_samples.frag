#version 450
/* The stencil of all four samples, of which each has its own, as a colour. */
layout(input_attachment_index = 0, set = 0, binding = 0)
   uniform usubpassInputMS stencil;
layout(location = 0) out vec4 color;
void main()
{
   color = vec4(subpassLoad(stencil, 0).x, subpassLoad(stencil, 1).x,
                subpassLoad(stencil, 2).x, subpassLoad(stencil, 3).x) / 255.0;
}
