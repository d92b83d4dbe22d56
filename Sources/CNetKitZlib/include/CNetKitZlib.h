// The part of zlib's C interface that NetKitCompression uses, declared here so that no development package is needed.
//
// zlib keeps this interface stable under its soname 1: the layout of its stream never changes, and `deflateInit2_` is told
// the size of that layout and the version of the interface, and refuses others. The library is opened at run time, by the
// soname under which FoundationNetworking's libcurl loads it, so that a missing library is no error of the loader.
#ifndef NETKIT_CNETKITZLIB_H
#define NETKIT_CNETKITZLIB_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A gzip file (RFC 1952) that is written.
typedef struct nk_gzip nk_gzip;

enum {
    /// There is more to write.
    NK_GZIP_MORE = 0,
    /// The file is complete.
    NK_GZIP_END = 1,
    /// zlib refused: it is out of memory, or was called wrongly.
    NK_GZIP_FAILED = -1,
};

/// Whether zlib could be opened. It is opened once, by the first caller.
bool nk_zlib_is_available(void);

/// Begins a file with zlib's default level, without a name and a time, so that equal contents make equal files.
/// Returns NULL without zlib or memory.
nk_gzip *nk_gzip_new(void);

/// Compresses bytes. Both counts are the sizes of the buffers before, and the bytes read and written after. `finishes` says
/// that no bytes follow, and is repeated until the file is complete.
int nk_gzip_write(
    nk_gzip *gzip,
    const void *input,
    size_t *input_count,
    void *output,
    size_t *output_count,
    bool finishes
);

/// Releases a file, complete or not.
void nk_gzip_free(nk_gzip *gzip);

#ifdef __cplusplus
}
#endif

#endif
