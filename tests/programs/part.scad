// A cube with a hole in each side.
difference() {
    cube(20, center = true);
    for (a = [[0, 0, 0], [90, 0, 0], [0, 90, 0]])
        rotate(a) cylinder(h = 30, r = 6, center = true, $fn = 48);
}
