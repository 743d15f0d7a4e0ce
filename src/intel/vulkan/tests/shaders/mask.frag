#version 450
/* Every other column is not covered. */
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 color;

void main()
{
   color = shade;
   gl_SampleMask[0] = int(gl_FragCoord.x) & 1;
}
