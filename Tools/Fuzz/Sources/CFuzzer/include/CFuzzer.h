#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer with the arguments of its command line; declared in no header of the toolchain.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
