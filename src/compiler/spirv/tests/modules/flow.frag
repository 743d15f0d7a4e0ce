#version 450
layout(location = 0) flat in ivec4 k;
layout(location = 0) out ivec4 o;
struct pair { int a; ivec2 b[2]; };
int early(int n)
{
   for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 10; j++) {
         if (i * j == n)
            return i;
         if (j > i)
            break;
         switch (j & 3) {
         case 0: continue;
         case 1: if (n > 50) return -1; break;
         case 2: n++;
         default: n += 2;
         }
      }
      if ((n & 7) == 3)
         continue;
      n -= 1;
   }
   return n;
}
pair make(int n)
{
   pair p;
   p.a = n;
   p.b[0] = ivec2(n, n + 1);
   p.b[1] = p.b[0].yx;
   if (n > 3)
      p.b[n & 1].x = 7;
   return p;
}
void change(inout pair p, out int r)
{
   r = p.b[1].y;
   p.a += r;
}
void main()
{
   pair p = make(k.x);
   int r;
   change(p, r);
   int n = early(k.y);
   do {
      n += p.b[0].x;
      if (n == 17)
         break;
   } while (n < k.z);
   while (true) {
      if (n < 0)
         break;
      n -= 3;
      if (n == k.w)
         return;
   }
   o = ivec4(p.a, r, n, early(n) + p.b[1].x);
}
