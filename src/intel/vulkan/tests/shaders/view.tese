#version 450
#extension GL_EXT_multiview : require
layout(quads) in;
layout(location = 0) in float from[];
layout(location = 0) out float view;

/* The corners of a strip. */
void main()
{
   const vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position,
                        gl_TessCoord.x);
   const vec4 high = mix(gl_in[2].gl_Position, gl_in[3].gl_Position,
                         gl_TessCoord.x);
   gl_Position = mix(low, high, gl_TessCoord.y);
   view = from[3] == float(gl_ViewIndex) ? float(gl_ViewIndex) : 100;
}
