#version 450
/* A point at each pixel of a row of 16, whose size nobody says. */
void main()
{
   gl_Position = vec4((gl_VertexIndex + 0.5) / 8 - 1, 0, 0, 1);
}
