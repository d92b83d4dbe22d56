// The part of libcurl's C interface that NetKitCurl uses, declared here so that no development package is needed.
//
// libcurl keeps this interface stable under its soname 4: numbers of options, information and results never change, and
// new ones only get new numbers (https://curl.se/libcurl/abi.html). The library is opened at run time, by the soname under
// which FoundationNetworking loads it, so that a missing or old library is an error in Swift and not of the loader.
// `nk_curl_open` compares the numbers of all options with the names that the loaded library has for them.
#ifndef NETKIT_CLIBCURL_H
#define NETKIT_CLIBCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Handles

typedef struct nk_curl_easy nk_curl_easy;
typedef struct nk_curl_multi nk_curl_multi;
typedef struct nk_curl_list nk_curl_list;

// MARK: Options of a transfer (CURLOPT_…)

enum {
    NK_OPT_WRITEDATA = 10001,
    NK_OPT_URL = 10002,
    NK_OPT_PROXY = 10004,
    NK_OPT_READDATA = 10009,
    NK_OPT_ERRORBUFFER = 10010,
    NK_OPT_WRITEFUNCTION = 20011,
    NK_OPT_READFUNCTION = 20012,
    NK_OPT_HTTPHEADER = 10023,
    NK_OPT_KEYPASSWD = 10026,
    NK_OPT_HEADERDATA = 10029,
    NK_OPT_SSLVERSION = 32,
    NK_OPT_CUSTOMREQUEST = 10036,
    NK_OPT_VERBOSE = 41,
    NK_OPT_HEADER = 42,
    NK_OPT_NOPROGRESS = 43,
    NK_OPT_NOBODY = 44,
    NK_OPT_UPLOAD = 46,
    NK_OPT_POST = 47,
    NK_OPT_INTERFACE = 10062,
    NK_OPT_CAINFO = 10065,
    NK_OPT_FRESH_CONNECT = 74,
    NK_OPT_FORBID_REUSE = 75,
    NK_OPT_HEADERFUNCTION = 20079,
    NK_OPT_HTTPGET = 80,
    NK_OPT_HTTP_VERSION = 84,
    NK_OPT_SSLCERTTYPE = 10086,
    NK_OPT_SSLKEYTYPE = 10088,
    NK_OPT_DEBUGFUNCTION = 20094,
    NK_OPT_DEBUGDATA = 10095,
    NK_OPT_CAPATH = 10097,
    NK_OPT_BUFFERSIZE = 98,
    NK_OPT_NOSIGNAL = 99,
    NK_OPT_ACCEPT_ENCODING = 10102,
    NK_OPT_PRIVATE = 10103,
    NK_OPT_INFILESIZE_LARGE = 30115,
    NK_OPT_POSTFIELDSIZE_LARGE = 30120,
    NK_OPT_CONNECTTIMEOUT_MS = 156,
    NK_OPT_OPENSOCKETFUNCTION = 20163,
    NK_OPT_OPENSOCKETDATA = 10164,
    NK_OPT_COPYPOSTFIELDS = 10165,
    NK_OPT_XFERINFODATA = 10057,
    NK_OPT_XFERINFOFUNCTION = 20219,
    NK_OPT_CLOSESOCKETFUNCTION = 20208,
    NK_OPT_CLOSESOCKETDATA = 10209,
    NK_OPT_SEEKFUNCTION = 20167,
    NK_OPT_SEEKDATA = 10168,
    NK_OPT_NOPROXY = 10177,
    NK_OPT_PROTOCOLS = 181,
    NK_OPT_PINNEDPUBLICKEY = 10230,
    NK_OPT_UNIX_SOCKET_PATH = 10231,
    NK_OPT_PATH_AS_IS = 234,
    NK_OPT_PIPEWAIT = 237,
    NK_OPT_RESOLVE = 10203,
    NK_OPT_CONNECT_TO = 10243,
    NK_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    NK_OPT_REQUEST_TARGET = 10266,
    NK_OPT_HTTP09_ALLOWED = 285,
    NK_OPT_MAXAGE_CONN = 288,
    NK_OPT_PROXY_CAINFO = 10246,
    NK_OPT_PROXY_CAPATH = 10247,
    NK_OPT_PROXY_SSLVERSION = 250,
    NK_OPT_PROXY_CAINFO_BLOB = 40310,
    NK_OPT_SSLCERT_BLOB = 40291,
    NK_OPT_SSLKEY_BLOB = 40292,
    NK_OPT_CAINFO_BLOB = 40309,
    NK_OPT_PREREQFUNCTION = 20312,
    NK_OPT_PREREQDATA = 10313,
    NK_OPT_QUICK_EXIT = 322,
};

// MARK: Values

enum {
    NK_PROTOCOL_HTTP = 1,
    NK_PROTOCOL_HTTPS = 2,
    NK_HTTP_VERSION_1_1 = 2,
    NK_HTTP_VERSION_2TLS = 4,
    NK_HTTP_VERSION_2_PRIOR_KNOWLEDGE = 5,
    NK_HTTP_VERSION_3 = 30,
    NK_SSLVERSION_TLSv1_2 = 6,
    NK_SSLVERSION_TLSv1_3 = 7,
    NK_SSLVERSION_MAX_TLSv1_3 = 7 << 16,
    NK_ERROR_SIZE = 256,
    NK_WRITE_PAUSE = 0x10000001,
    NK_READ_ABORT = 0x10000000,
    NK_READ_PAUSE = 0x10000001,
    NK_SEEK_OK = 0,
    NK_SEEK_FAIL = 1,
    NK_PREREQ_OK = 0,
    NK_PREREQ_ABORT = 1,
    NK_PAUSE_CONT = 0,
    NK_PAUSE_RECV = 1,
    NK_INFO_TEXT = 0,
};

// MARK: Information (CURLINFO_…)

enum {
    NK_INFO_SIZE_UPLOAD = 0x600007,
    NK_INFO_REQUEST_SIZE = 0x20000C,
    NK_INFO_NUM_CONNECTS = 0x20001A,
    NK_INFO_OS_ERRNO = 0x200019,
    NK_INFO_HTTP_CONNECTCODE = 0x200016,
    NK_INFO_HTTP_VERSION = 0x20002E,
    NK_INFO_PRIVATE = 0x100015,
    NK_INFO_TLS_SSL_PTR = 0x40002D,
    NK_INFO_PRIMARY_IP = 0x100020,
    NK_INFO_PRIMARY_PORT = 0x200028,
    NK_INFO_NAMELOOKUP_TIME = 0x600033,
    NK_INFO_CONNECT_TIME = 0x600034,
    NK_INFO_APPCONNECT_TIME = 0x600038,
};

// MARK: Results (CURLE_…)

enum {
    NK_OK = 0,
    NK_UNSUPPORTED_PROTOCOL = 1,
    NK_URL_MALFORMAT = 3,
    NK_NOT_BUILT_IN = 4,
    NK_COULDNT_RESOLVE_PROXY = 5,
    NK_COULDNT_RESOLVE_HOST = 6,
    NK_COULDNT_CONNECT = 7,
    NK_WEIRD_SERVER_REPLY = 8,
    NK_HTTP2 = 16,
    NK_PARTIAL_FILE = 18,
    NK_WRITE_ERROR = 23,
    NK_OUT_OF_MEMORY = 27,
    NK_OPERATION_TIMEDOUT = 28,
    NK_SSL_CONNECT_ERROR = 35,
    NK_ABORTED_BY_CALLBACK = 42,
    NK_BAD_FUNCTION_ARGUMENT = 43,
    NK_INTERFACE_FAILED = 45,
    NK_GOT_NOTHING = 52,
    NK_SEND_ERROR = 55,
    NK_RECV_ERROR = 56,
    NK_SSL_CERTPROBLEM = 58,
    NK_SSL_CIPHER = 59,
    NK_PEER_FAILED_VERIFICATION = 60,
    NK_BAD_CONTENT_ENCODING = 61,
    NK_SEND_FAIL_REWIND = 65,
    NK_SSL_CACERT_BADFILE = 77,
    NK_SSL_CRL_BADFILE = 82,
    NK_SSL_ISSUER_ERROR = 83,
    NK_SSL_PINNEDPUBKEYNOTMATCH = 90,
    NK_SSL_INVALIDCERTSTATUS = 91,
    NK_HTTP2_STREAM = 92,
    NK_HTTP3 = 95,
    NK_QUIC_CONNECT_ERROR = 96,
    NK_PROXY_FAILED = 97,
    NK_SSL_CLIENTCERT = 98,
    NK_TOO_LARGE = 100,
};

// MARK: Callbacks

typedef size_t (*nk_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*nk_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*nk_prereq_callback)(void *context, char *remote, char *local, int remote_port, int local_port);
/// Returns 0 if a transfer is to go on.
typedef int (*nk_progress_callback)(void *context, int64_t total, int64_t received, int64_t all, int64_t sent);
typedef int (*nk_debug_callback)(nk_curl_easy *easy, int kind, char *bytes, size_t size, void *context);
/// Receives the numeric address of a socket that is about to connect, and returns whether it may.
typedef bool (*nk_address_callback)(void *context, const char *address);

typedef struct nk_poller nk_poller;
typedef struct nk_sockets nk_sockets;

/// Who is asked about sockets, and who watches them.
struct nk_sockets {
    nk_poller *poller;
    /// NULL allows every address.
    nk_address_callback is_allowed;
    /// The owner of the transfers.
    void *context;
    /// The socket that libcurl waited for last, or -1.
    int last;
    /// The `errno` of the last socket if the system refused it, otherwise 0. libcurl doesn't keep it.
    int failure;
    /// Whether the request was sent, so that the end of a socket isn't that of an address which can't be reached.
    bool has_sent;
    /// The transfer that lost a socket before it was sent, or NULL, and the next one.
    nk_curl_easy *lost;
    nk_sockets *next_lost;
};

/// Receives the milliseconds until libcurl's next deadline, or -1 for none.
typedef int (*nk_timer_callback)(nk_curl_multi *multi, long milliseconds, void *context);

// MARK: The library

/// What the loaded library is and can do.
typedef struct {
    /// Such as 0x075801 for 7.88.1; 0 if there is no library.
    unsigned version;
    const char *version_text;
    const char *tls_text;
    bool has_http2;
    bool has_http3;
    bool has_brotli;
    bool has_zstd;
    bool has_https_proxy;
    bool has_tls;
    bool has_asynchronous_dns;
    /// Why the library can't be used, or NULL.
    const char *problem;
} nk_curl_library;

/// Opens libcurl once for the process, and describes it. Thread-safe.
const nk_curl_library *nk_curl_open(void);
/// Opens a library, or returns NULL and sets the loader's words, which name what is missing and live as long as the process.
void *nk_library_open(const char *name, const char **problem);

// MARK: Transfers. Every function but `nk_curl_open` and `nk_poller_wake` belongs to the thread of the loop.

nk_curl_easy *nk_easy_create(void);
void nk_easy_destroy(nk_curl_easy *easy);
long nk_easy_set_long(nk_curl_easy *easy, long option, long value);
long nk_easy_set_offset(nk_curl_easy *easy, long option, int64_t value);
long nk_easy_set_pointer(nk_curl_easy *easy, long option, const void *value);
long nk_easy_set_text(nk_curl_easy *easy, long option, const char *value);
/// Sets an option to a copy of the bytes.
long nk_easy_set_blob(nk_curl_easy *easy, long option, const void *bytes, size_t count);
long nk_easy_set_data_callback(nk_curl_easy *easy, long option, nk_data_callback callback);
long nk_easy_set_seek_callback(nk_curl_easy *easy, nk_seek_callback callback);
long nk_easy_set_prereq_callback(nk_curl_easy *easy, nk_prereq_callback callback);
/// Sets a callback that is also asked for each byte of what a proxy answers to CONNECT.
long nk_easy_set_progress_callback(nk_curl_easy *easy, nk_progress_callback callback);
long nk_easy_set_debug_callback(nk_curl_easy *easy, nk_debug_callback callback);
/// Opens the sockets of a transfer's connections, each after a question, and closes them. `sockets` must live as long as
/// the easy handle, whose `NK_OPT_PRIVATE` it is, and its poller as long as the multi handle.
long nk_easy_set_sockets(nk_curl_easy *easy, nk_sockets *sockets);
long nk_easy_get_long(nk_curl_easy *easy, long information, long *value);
long nk_easy_get_offset(nk_curl_easy *easy, long information, int64_t *value);
long nk_easy_get_text(nk_curl_easy *easy, long information, const char **value);
/// Returns whether OpenSSL has read more of the transfer's connection than libcurl. False with another TLS library.
bool nk_easy_has_unread(nk_curl_easy *easy);
/// Unpauses both directions.
long nk_easy_resume(nk_curl_easy *easy);
/// Lets a transfer that isn't paused look, at its next deadline, for what another one has read of its response.
long nk_easy_look(nk_curl_easy *easy);
const char *nk_result_text(long result);

nk_curl_list *nk_list_append(nk_curl_list *list, const char *text);
void nk_list_free(nk_curl_list *list);

// MARK: The loop's handle and its sockets

/// Runs a function on a new thread, in which a write to a closed connection is an error and no signal. The name lives as
/// long as the process. Returns 0 or an `errno`.
int nk_thread_start(const char *name, void *context, void (*body)(void *context));

/// A socket that is ready, in the terms of `curl_multi_socket_action`.
typedef struct {
    int socket;
    int mask;
} nk_ready;

/// Returns NULL if the system has no descriptors left. `rest` is for how many milliseconds the room of a socket isn't watched
/// that libcurl waits for and doesn't use.
nk_poller *nk_poller_create(int rest);
void nk_poller_destroy(nk_poller *poller);
/// Ends `nk_poller_wait` on another thread, or the next one. Can be called from any thread.
void nk_poller_wake(nk_poller *poller);
/// Watches a socket for reading (1), writing (2) or both (3), or no longer (0).
void nk_poller_watch(nk_poller *poller, int socket, int interest);
/// Waits until a socket is ready, the time is over, or a wake. Returns the number of ready sockets.
int nk_poller_wait(nk_poller *poller, int milliseconds, nk_ready *ready, int capacity);

/// Surrounds the time in which libcurl reads and writes a ready socket. A socket on which it sends nothing, although there is
/// room again and again, rests for a while.
void nk_poller_begin(nk_poller *poller);
void nk_poller_end(nk_poller *poller, nk_ready ready);
/// Notes that a transfer is held back, or no longer.
void nk_poller_hold_back(nk_poller *poller, bool holds_back);
/// Stops or goes on watching a socket for something to read.
void nk_poller_ignore(nk_poller *poller, int socket, bool ignores);
/// Tells that a socket was opened for a connection: it will be closed by `nk_poller_close` and in no other way.
void nk_poller_own(nk_poller *poller, int socket);
/// Notes that a socket is a connection of HTTP/1.1.
void nk_poller_note_http1(nk_poller *poller, int socket);
/// Notes that a connection carries no request of its last transfer for now. If it is of HTTP/1.1 and the server says something
/// then, it is ended. Connections of HTTP/2 may carry other requests. -1 is no connection.
void nk_poller_note_idle(nk_poller *poller, int socket);
/// Looks at the connections of HTTP/1.1 from a local port for which libcurl doesn't wait. The port is 0 for those of unix sockets.
/// Returns 1 if the server has said something on one or has closed it, 0 if not, and -1 if there are none.
int nk_poller_look(nk_poller *poller, int port);
/// Notes that libcurl took bytes of a body to send.
void nk_poller_note_sent(nk_poller *poller);

/// Receives the owner of a transfer, and whether it waits for a socket no more.
typedef void (*nk_quiet_callback)(void *owner, int socket, bool is_quiet);

/// The number of connections that are kept under a limit of descriptors.
long nk_maximum_connections(uint64_t descriptors);
/// Creates a multi handle that watches its sockets with the poller and reports its next deadline.
nk_curl_multi *nk_multi_create(nk_poller *poller, nk_timer_callback timer, void *context);
/// Reports changes of what transfers wait for, or no longer with NULL.
void nk_poller_report_quiet(nk_poller *poller, nk_quiet_callback quiet);
void nk_multi_destroy(nk_curl_multi *multi);
long nk_multi_add(nk_curl_multi *multi, nk_curl_easy *easy);
long nk_multi_remove(nk_curl_multi *multi, nk_curl_easy *easy);
/// Lets libcurl read and write a ready socket.
long nk_multi_socket_ready(nk_curl_multi *multi, nk_poller *poller, nk_ready ready);
/// Tells libcurl that its deadline has passed.
long nk_multi_deadline_passed(nk_curl_multi *multi, nk_poller *poller);
/// Returns the next transfer that ended, with its result and its owner, or NULL.
nk_curl_easy *nk_multi_next_ended(nk_curl_multi *multi, long *result, void **context);

#ifdef __cplusplus
}
#endif

#endif
