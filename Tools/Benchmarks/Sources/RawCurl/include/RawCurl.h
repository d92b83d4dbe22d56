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

/// Receives the end of a GET: what went wrong, or its status and body.
typedef void (*raw_curl_answer)(void *context, const char *failure, int status, const char *body, size_t length);

/// A thread with the multi interface, which makes the GET requests of others. It never ends.
typedef struct raw_curl_loop raw_curl_loop;

/// Starts a loop for one URL with at most `connections` connections (0: no limit). Returns NULL without libcurl.
raw_curl_loop *raw_curl_loop_start(const char *url, long connections);

/// Makes a GET request. `answer` is called once, on the thread of the loop. Returns false without memory.
bool raw_curl_loop_get(raw_curl_loop *loop, raw_curl_answer answer, void *context);

/// Writes the body of a response to a file. Returns NULL, or what went wrong.
const char *raw_curl_download(const char *url, const char *file);

/// Sends a file with POST, and checks the answer's body. Returns NULL, or what went wrong.
const char *raw_curl_upload(
    const char *url, const char *file, long long length, raw_curl_check check, void *context
);

#endif
