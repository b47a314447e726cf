// Only there so that the headers that every test reads are compiled once: see tests/CMakeLists.txt.
