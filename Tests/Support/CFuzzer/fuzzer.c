#include "CFuzzer.h"

// The entry of libFuzzer for programs with a main of their own (llvm.org/docs/LibFuzzer.html). Null in an ordinary build.
extern __attribute__((weak)) int LLVMFuzzerRunDriver(int *count, char ***arguments, promised_fuzz_callback callback);

int promised_fuzz(int count, char **arguments, promised_fuzz_callback callback) {
    if (!LLVMFuzzerRunDriver) return -1;
    return LLVMFuzzerRunDriver(&count, &arguments, callback);
}
