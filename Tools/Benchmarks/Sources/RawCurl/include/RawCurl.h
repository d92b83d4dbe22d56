// The floor of a client over libcurl: its multi interface, driven by one thread that does nothing else.
#ifndef NETKIT_BENCH_RAW_CURL_H
#define NETKIT_BENCH_RAW_CURL_H

#include <stdbool.h>
#include <stddef.h>

/// Receives the body of a response with status 200. Returns whether it is right.
typedef bool (*raw_curl_check)(void *context, const char *body, size_t length);

/// Makes `count` GET requests, `in_flight` at a time over at most `connections` connections (0: no limit), and checks
/// each body. Returns NULL, or what went wrong.
const char *raw_curl_get(
    const char *url, long count, long in_flight, long connections, raw_curl_check check, void *context
);

/// Writes the body of a response to a file. Returns NULL, or what went wrong.
const char *raw_curl_download(const char *url, const char *file);

/// Sends a file with POST, and checks the answer's body. Returns NULL, or what went wrong.
const char *raw_curl_upload(
    const char *url, const char *file, long long length, raw_curl_check check, void *context
);

#endif
