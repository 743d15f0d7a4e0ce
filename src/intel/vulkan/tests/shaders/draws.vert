#version 450
#extension GL_ARB_shader_draw_parameters : require
/* A point for each vertex of each draw, four to a draw, with what the shader
 * is told of the draw. The target has 16 pixels. */
layout(location = 0) out vec4 shade;
void main()
{
   const int x = gl_DrawIDARB * 4 + gl_VertexIndex - gl_BaseVertexARB;
   gl_Position = vec4((x + 0.5) / 8 - 1, 0, 0, 1);
   gl_PointSize = 1;
   shade = vec4(gl_BaseVertexARB, gl_BaseInstanceARB, gl_InstanceIndex, 255)
      / 255;
}
