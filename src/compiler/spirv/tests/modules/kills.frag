#version 450
/* Functions that end the invocation, called in loops: see test_kills.c. */
layout(location = 0) flat in int x;
layout(location = 0) out int o;

/* As long as x is 1 nothing is next. */
int next(int i)
{
   if (x == 1)
      discard;
   return x == 1 ? i : i + 1;
}

int through(int i)
{
   int r = next(i);
   return r;
}

/* With a loop of its own. */
int search(int i)
{
   for (int k = 0;; k++) {
      if (x == 2)
         discard;
      if (k == i)
         return k + 1;
   }
}

void main()
{
   int n = 0;
   for (int i = 0; i < 10;) {
      i = next(i);
      n++;
   }
   for (int i = 0; i < 3; ) {
      for (int k = 0; k < 4; )
         k = through(k);
      i = through(i);
      n += 100;
   }
   for (int i = 0; i < 5;) {
      int found = search(i);
      if (x != 2)
         i = found;
      n += 1000;
   }
   o = n;
}
