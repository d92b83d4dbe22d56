#include "CNetKitZlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// MARK: Declarations of zlib's interface

typedef struct {
    const unsigned char *next_in;
    unsigned available_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned available_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned, unsigned);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
} stream;

enum {
    NO_FLUSH = 0,
    FINISH = 4,
    OK = 0,
    STREAM_END = 1,
    BUFFER_ERROR = -5,
    DEFAULT_LEVEL = -1,
    DEFLATED = 8,
    // The largest window, and 16 for gzip's header and trailer in place of zlib's.
    GZIP_WINDOW = 15 + 16,
    DEFAULT_MEMORY = 8,
    DEFAULT_STRATEGY = 0,
};

static struct {
    const char *(*version)(void);
    int (*deflate_init)(stream *, int level, int method, int window, int memory, int strategy, const char *, int size);
    int (*deflate)(stream *, int flush);
    int (*deflate_end)(stream *);
} zlib;

struct nk_gzip {
    stream stream;
};

// MARK: Opening the library

static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
#ifdef __APPLE__
    void *handle = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
    if (handle == NULL) return;
    *(void **)&zlib.version = dlsym(handle, "zlibVersion");
    *(void **)&zlib.deflate_init = dlsym(handle, "deflateInit2_");
    *(void **)&zlib.deflate = dlsym(handle, "deflate");
    *(void **)&zlib.deflate_end = dlsym(handle, "deflateEnd");
    is_available = zlib.version != NULL && zlib.deflate_init != NULL && zlib.deflate != NULL && zlib.deflate_end != NULL;
}

bool nk_zlib_is_available(void) {
    pthread_once(&once, open_library);
    return is_available;
}

// MARK: Writing a file

nk_gzip *nk_gzip_new(void) {
    if (!nk_zlib_is_available()) return NULL;
    nk_gzip *gzip = calloc(1, sizeof *gzip);
    if (gzip == NULL) return NULL;
    int result = zlib.deflate_init(
        &gzip->stream, DEFAULT_LEVEL, DEFLATED, GZIP_WINDOW, DEFAULT_MEMORY, DEFAULT_STRATEGY, zlib.version(),
        (int)sizeof gzip->stream
    );
    if (result == OK) return gzip;
    free(gzip);
    return NULL;
}

int nk_gzip_write(
    nk_gzip *gzip, const void *input, size_t *input_count, void *output, size_t *output_count, bool finishes
) {
    stream *stream = &gzip->stream;
    // zlib counts in 32 bits, so that a larger buffer takes several calls.
    unsigned input_size = *input_count > INT_MAX ? INT_MAX : (unsigned)*input_count;
    unsigned output_size = *output_count > INT_MAX ? INT_MAX : (unsigned)*output_count;
    bool is_last = finishes && input_size == *input_count;
    stream->next_in = input;
    stream->available_in = input_size;
    stream->next_out = output;
    stream->available_out = output_size;
    int result = zlib.deflate(stream, is_last ? FINISH : NO_FLUSH);
    *input_count = input_size - stream->available_in;
    *output_count = output_size - stream->available_out;
    stream->next_in = NULL;
    stream->next_out = NULL;
    switch (result) {
        case STREAM_END: return NK_GZIP_END;
        case OK: return NK_GZIP_MORE;
        // No room for output, or no input: not an error.
        case BUFFER_ERROR: return NK_GZIP_MORE;
        default: return NK_GZIP_FAILED;
    }
}

void nk_gzip_free(nk_gzip *gzip) {
    zlib.deflate_end(&gzip->stream);
    free(gzip);
}
