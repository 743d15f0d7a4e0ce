#version 450
/* A third vertex is read, which the patch does not have: any value will do,
 * but the reading must not do harm. */
layout(triangles) in;

void main()
{
   vec4 p = gl_in[0].gl_Position * gl_TessCoord.x +
            gl_in[1].gl_Position * gl_TessCoord.y;
   vec4 none = gl_in[2].gl_Position + gl_in[31].gl_Position;
   int beyond = 2 + int(gl_TessCoord.x);
   none += gl_in[beyond].gl_Position;
   p.x += isnan(none.x) ? 1.0 : 0.0;
   gl_Position = p + vec4(-1, 3, 0, 1) * gl_TessCoord.z;
}
