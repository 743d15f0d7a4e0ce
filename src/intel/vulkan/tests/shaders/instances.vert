#version 450
/* A point for each instance, in its colour. The target has 16 pixels. */
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 shade;
void main()
{
   gl_Position = vec4((gl_InstanceIndex + 0.5) / 8 - 1, 0, 0, 1);
   gl_PointSize = 1;
   shade = color;
}
