// Linked with every object of one layer: see add_link_test in cmake/layers.cmake.
int main() {}
