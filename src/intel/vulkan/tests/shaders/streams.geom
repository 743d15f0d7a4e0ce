#version 450
/* The left half of the picture is stream 0, the right half stream 1. */
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0, stream = 0) out float zero;
layout(location = 1, stream = 1) out float one;

void main()
{
   gl_Position = vec4(-0.5, 0, 0, 1);
   gl_PointSize = 1;
   zero = 0;
   EmitStreamVertex(0);
   EndStreamPrimitive(0);
   gl_Position = vec4(0.5, 0, 0, 1);
   gl_PointSize = 1;
   one = 1;
   EmitStreamVertex(1);
   EndStreamPrimitive(1);
}
