#version 450
/* What is captured is never written. */
layout(xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16, location = 0)
   out vec4 unwritten;
void main()
{
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1;
}
