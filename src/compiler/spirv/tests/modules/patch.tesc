#version 450
layout(vertices=3) out; layout(location=0) in dvec2 c[]; layout(location=40) out dvec2 o[]; layout(location=63) patch out vec3 pp;
void main(){ o[gl_InvocationID]=c[gl_InvocationID]; gl_out[gl_InvocationID].gl_Position=gl_in[gl_InvocationID].gl_Position; barrier(); if(gl_InvocationID==0){ gl_TessLevelOuter[0]=float(o[1].x); gl_TessLevelInner[0]=2.0; pp=vec3(1); } }
