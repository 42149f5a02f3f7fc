// The inputs of this problem are const and its sizes are int.

extern "C" void solve(float* A, float* B, float* C, size_t M, size_t N, size_t K) {
}
