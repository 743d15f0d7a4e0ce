#version 450
layout(location=0) in vec4 pos; layout(location=1) in dvec3 dv; layout(location=3) in mat3 mm;
layout(location=0) out vec4 c; layout(location=1) flat out dvec4 od; layout(location=5) out Blk { vec3 x; float y[3]; } b;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[5]; float gl_CullDistance[2];};
layout(set=1,binding=0) uniform U { mat4 mvp[2]; int idx; } u;
struct S { vec3 a; float b[4]; mat2 m; };
void main(){
  S s; s.a=pos.xyz; for(int i=0;i<4;i++) s.b[i]=pos[i]*float(i); s.m=mat2(pos);
  gl_Position=u.mvp[u.idx]*pos+vec4(s.b[gl_VertexIndex&3]);
  for(int i=0;i<5;i++) gl_ClipDistance[i]=pos.x+float(i);
  gl_CullDistance[1]=1.0; gl_PointSize=2.0;
  od=dvec4(dv,double(gl_InstanceIndex)); c=vec4(mm*s.a, s.m[1].x); b.x=s.a; b.y[u.idx]=1.0; b.y[0]=modf(pos.x,b.y[2]);
}
