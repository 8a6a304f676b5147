#ifndef C_FUZZER_H
#define C_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Returns 0 for every input; anything that breaks a property ends the process.
typedef int (*promised_fuzz_callback)(const uint8_t *_Nullable data, size_t size);

/// Runs libFuzzer with its own arguments until it has done what they ask for.
///
/// Returns its exit code; -1 if the program was built without libFuzzer.
int promised_fuzz(int count, char *_Nullable *_Nonnull arguments, promised_fuzz_callback _Nonnull callback);

#endif
