#version 450
/* The size of the point stands where w would. */
layout(location = 0) in vec4 position;

void main()
{
   gl_Position = vec4(position.xyz, 1);
   gl_PointSize = position.w;
}
