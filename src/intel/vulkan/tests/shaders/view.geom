#version 450
#extension GL_EXT_multiview : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in float from[];
layout(location = 0) out float view;

/* Nothing of a view whose number those before it saw in another way. */
void main()
{
   for (int i = 0; i < 3; i++) {
      if (from[i] != float(gl_ViewIndex))
         return;
      gl_Position = gl_in[i].gl_Position;
      view = float(gl_ViewIndex);
      EmitVertex();
   }
}
