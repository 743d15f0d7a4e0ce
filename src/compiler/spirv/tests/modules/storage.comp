#version 450
layout(local_size_x=8,local_size_y=2) in;
layout(set=0,binding=0) buffer B { uint n; float v[]; } b;
layout(set=0,binding=1,r32ui) uniform uimage2D im;
shared float s[64];
void main(){ uint i=gl_LocalInvocationIndex; s[i]=b.v[gl_GlobalInvocationID.x]; barrier(); if(i<uint(b.v.length())) b.v[i]=s[63u-i]; atomicAdd(b.n,3u); imageAtomicMax(im,ivec2(i),7u); imageStore(im,ivec2(0),imageLoad(im,ivec2(1))+uvec4(imageSize(im),0,0)); }
