#version 450
layout(location=0) in vec4 c; layout(location=1) flat in int k; layout(location=2) in vec2 uv;
layout(location=0) out vec4 o;
layout(set=0,binding=0) uniform U { mat4 m; vec4 v[4]; dvec3 d; layout(row_major) mat3 r; } u;
layout(set=0,binding=1) uniform sampler2D t[2];
layout(push_constant) uniform P { float f; ivec2 i; } p;
float f1(float x){ if(x>1.0) return 2.0; for(int i=0;i<4;i++){ if(x*float(i)>3.0) return x; if (i==2) continue; x+=1.0;} return x*0.5; }
void g(inout vec4 a, in float b){ a.x+=b; a[k&3]=b; if(b<0.0) discard; }
void main(){
  vec4 a=c; 
  g(a,f1(c.y));
  switch(k){ case 0: a*=2.0; break; case 1: a+=u.v[k]; case 2: if(a.x>0.5) break; a.y=3.0; break; default: return; case 7: a=u.m*a; }
  int n=0; while(true){ n++; if(n>p.i.x) break; if((n&1)==0) continue; a+=texture(t[1],uv*float(n)); }
  do { a.z+=1.0; n--; } while(n>0);
  double dd=u.d.z*double(a.x); a.w+=float(sqrt(dd));
  a.xyz=u.r*a.xyz;
  o=a+textureLod(t[0],uv,2.0)+vec4(p.f)+dFdx(a);
}
