#version 450
/* More than the setup unit can move; point n of a row has its number in w. */
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 many[30];

void
main()
{
   gl_Position = position;
   gl_PointSize = 1;
   for (int i = 0; i < 30; i++)
      many[i] = vec4(4 * i, 4 * i + 1, 4 * i + 2, gl_VertexIndex);
}
