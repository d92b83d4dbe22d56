#include "CLibcurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "poller.h"

// MARK: Declarations of libcurl's interface

/// `struct curl_tlssessioninfo`.
typedef struct {
    int backend;
    void *internals;
} tls_session;

enum { BACKEND_OPENSSL = 1 };

typedef struct {
    int age;
    const char *version;
    unsigned version_num;
    const char *host;
    int features;
    const char *ssl_version;
} version_info;

typedef struct {
    const char *name;
    int id;
    int type;
    unsigned flags;
} easy_option;

typedef struct {
    int msg;
    nk_curl_easy *easy;
    union {
        void *whatever;
        int result;
    } data;
} multi_message;

typedef struct {
    void *data;
    size_t length;
    unsigned flags;
} blob;

struct address {
    int family;
    int socket_type;
    int protocol;
    unsigned length;
    struct sockaddr address;
};

enum {
    VERSION_SSL = 1 << 2,
    VERSION_ASYNCHDNS = 1 << 7,
    VERSION_HTTP2 = 1 << 16,
    VERSION_HTTPS_PROXY = 1 << 21,
    VERSION_BROTLI = 1 << 23,
    VERSION_HTTP3 = 1 << 25,
    VERSION_ZSTD = 1 << 26,
    GLOBAL_ALL = 3,
    MULTI_SOCKETFUNCTION = 20001,
    MULTI_SOCKETDATA = 10002,
    MULTI_TIMERFUNCTION = 20004,
    MULTI_TIMERDATA = 10005,
    MULTI_MAXCONNECTS = 6,
    MESSAGE_DONE = 1,
    BLOB_COPY = 1,
    SOCKET_TIMEOUT = -1,
    OLDEST_VERSION = 0x074400,
    // With curl_easy_option_by_name.
    VERSION_WITH_OPTION_NAMES = 0x074900,
    VERSION_WITH_BLOBS = 0x074700,
    VERSION_WITH_ROOT_BLOB = 0x074d00,
    VERSION_WITH_PREREQ = 0x075000,
    VERSION_WITH_QUICK_EXIT = 0x075700,
    // OPENSSL_INIT_NO_ATEXIT.
    OPENSSL_NO_ATEXIT = 0x00080000,
};

static struct {
    int (*global_init)(long flags);
    version_info *(*version_info)(int age);
    nk_curl_easy *(*easy_init)(void);
    int (*easy_setopt)(nk_curl_easy *, int, ...);
    int (*easy_getinfo)(nk_curl_easy *, int, ...);
    /// NULL if libcurl isn't built with OpenSSL.
    int (*ssl_pending)(const void *);
    int (*easy_pause)(nk_curl_easy *, int);
    void (*easy_cleanup)(nk_curl_easy *);
    const char *(*easy_strerror)(int);
    const easy_option *(*easy_option_by_name)(const char *);
    nk_curl_list *(*slist_append)(nk_curl_list *, const char *);
    void (*slist_free_all)(nk_curl_list *);
    nk_curl_multi *(*multi_init)(void);
    int (*multi_setopt)(nk_curl_multi *, int, ...);
    int (*multi_add_handle)(nk_curl_multi *, nk_curl_easy *);
    int (*multi_remove_handle)(nk_curl_multi *, nk_curl_easy *);
    int (*multi_socket_action)(nk_curl_multi *, int, int, int *);
    multi_message *(*multi_info_read)(nk_curl_multi *, int *);
    int (*multi_cleanup)(nk_curl_multi *);
} curl;

// MARK: Opening the library

static nk_curl_library library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// The name of an option in this file, beside the one in the library. `since` is the version that brought it.
typedef struct {
    const char *name;
    int id;
    unsigned since;
} option_name;

#define OPTION(name, since) { #name, NK_OPT_##name, since }

static const option_name options[] = {
    OPTION(WRITEDATA, 0), OPTION(URL, 0), OPTION(PROXY, 0), OPTION(READDATA, 0), OPTION(ERRORBUFFER, 0),
    OPTION(WRITEFUNCTION, 0), OPTION(READFUNCTION, 0), OPTION(HTTPHEADER, 0), OPTION(KEYPASSWD, 0),
    OPTION(HEADERDATA, 0), OPTION(SSLVERSION, 0), OPTION(CUSTOMREQUEST, 0), OPTION(VERBOSE, 0), OPTION(NOBODY, 0),
    OPTION(HEADER, 0), OPTION(NOPROGRESS, 0), OPTION(XFERINFODATA, 0), OPTION(XFERINFOFUNCTION, 0),
    OPTION(UPLOAD, 0), OPTION(POST, 0), OPTION(INTERFACE, 0), OPTION(CAINFO, 0), OPTION(FRESH_CONNECT, 0),
    OPTION(HEADERFUNCTION, 0), OPTION(HTTPGET, 0), OPTION(HTTP_VERSION, 0), OPTION(SSLCERTTYPE, 0),
    OPTION(SSLKEYTYPE, 0), OPTION(DEBUGFUNCTION, 0), OPTION(DEBUGDATA, 0), OPTION(CAPATH, 0), OPTION(BUFFERSIZE, 0),
    OPTION(NOSIGNAL, 0), OPTION(ACCEPT_ENCODING, 0), OPTION(PRIVATE, 0), OPTION(INFILESIZE_LARGE, 0),
    OPTION(POSTFIELDSIZE_LARGE, 0), OPTION(CONNECTTIMEOUT_MS, 0), OPTION(OPENSOCKETFUNCTION, 0),
    OPTION(OPENSOCKETDATA, 0), OPTION(COPYPOSTFIELDS, 0), OPTION(SEEKFUNCTION, 0), OPTION(SEEKDATA, 0),
    OPTION(PROTOCOLS, 0), OPTION(PINNEDPUBLICKEY, 0), OPTION(UNIX_SOCKET_PATH, 0), OPTION(PATH_AS_IS, 0),
    OPTION(PIPEWAIT, 0), OPTION(RESOLVE, 0), OPTION(CONNECT_TO, 0), OPTION(SUPPRESS_CONNECT_HEADERS, 0),
    OPTION(REQUEST_TARGET, 0), OPTION(NOPROXY, 0),
    OPTION(HTTP09_ALLOWED, 0), OPTION(CLOSESOCKETFUNCTION, 0), OPTION(CLOSESOCKETDATA, 0), OPTION(MAXAGE_CONN, 0), OPTION(SSLCERT_BLOB, VERSION_WITH_BLOBS),
    OPTION(SSLKEY_BLOB, VERSION_WITH_BLOBS), OPTION(CAINFO_BLOB, VERSION_WITH_ROOT_BLOB),
    OPTION(PROXY_CAINFO, 0), OPTION(PROXY_CAPATH, 0), OPTION(PROXY_SSLVERSION, 0),
    OPTION(PROXY_CAINFO_BLOB, VERSION_WITH_ROOT_BLOB), OPTION(FORBID_REUSE, 0),
    OPTION(PREREQFUNCTION, VERSION_WITH_PREREQ), OPTION(PREREQDATA, VERSION_WITH_PREREQ),
    OPTION(QUICK_EXIT, VERSION_WITH_QUICK_EXIT),
};

/// Returns false unless every option has the number that this file says.
static bool has_expected_options(void) {
    if (library.version < VERSION_WITH_OPTION_NAMES) return true;
    if (!curl.easy_option_by_name) return false;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (library.version < options[i].since) continue;
        const easy_option *option = curl.easy_option_by_name(options[i].name);
        if (!option || option->id != options[i].id) return false;
    }
    return true;
}

#if defined(__APPLE__)
static const char library_name[] = "/usr/lib/libcurl.4.dylib";
#else
static const char library_name[] = "libcurl.so.4";
#endif

void *nk_library_open(const char *name, const char **problem) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle) return handle;
    // The loader keeps its words only until its next use.
    const char *words = dlerror();
    const char *kept = words ? strdup(words) : NULL;
    *problem = kept ? kept : "it can't be loaded";
    return NULL;
}

/// Keeps OpenSSL from freeing what it needs when the process ends while the thread of a transport uses it: that ends the
/// process with SIGSEGV. Without effect if somebody else has used OpenSSL before, or libcurl is built with another library.
static void keep_tls_until_the_end(void *handle) {
    int (*initialize)(uint64_t, const void *);
    *(void **)(&initialize) = dlsym(handle, "OPENSSL_init_crypto");
    if (initialize) initialize(OPENSSL_NO_ATEXIT, NULL);
}

static void open_once(void) {
    void *handle = nk_library_open(library_name, &library.problem);
    if (!handle) return;
#define SYMBOL(member, name)                                                  \
    *(void **)(&curl.member) = dlsym(handle, name);                           \
    if (!curl.member) {                                                       \
        library.problem = "libcurl lacks " name;                              \
        return;                                                               \
    }
    SYMBOL(version_info, "curl_version_info")
    version_info *info = curl.version_info(3);
    library.version = info->version_num;
    library.version_text = info->version;
    library.tls_text = info->ssl_version;
    library.has_tls = info->features & VERSION_SSL;
    library.has_asynchronous_dns = info->features & VERSION_ASYNCHDNS;
    library.has_http2 = info->features & VERSION_HTTP2;
    library.has_https_proxy = info->features & VERSION_HTTPS_PROXY;
    library.has_brotli = info->features & VERSION_BROTLI;
    library.has_http3 = info->features & VERSION_HTTP3;
    library.has_zstd = info->features & VERSION_ZSTD;
    if (library.version < OLDEST_VERSION) {
        library.problem = "it is too old: NetKitCurl needs 7.68 or later";
        return;
    }
    SYMBOL(global_init, "curl_global_init")
    SYMBOL(easy_init, "curl_easy_init")
    SYMBOL(easy_setopt, "curl_easy_setopt")
    SYMBOL(easy_getinfo, "curl_easy_getinfo")
    SYMBOL(easy_pause, "curl_easy_pause")
    SYMBOL(easy_cleanup, "curl_easy_cleanup")
    SYMBOL(easy_strerror, "curl_easy_strerror")
    SYMBOL(slist_append, "curl_slist_append")
    SYMBOL(slist_free_all, "curl_slist_free_all")
    SYMBOL(multi_init, "curl_multi_init")
    SYMBOL(multi_setopt, "curl_multi_setopt")
    SYMBOL(multi_add_handle, "curl_multi_add_handle")
    SYMBOL(multi_remove_handle, "curl_multi_remove_handle")
    SYMBOL(multi_socket_action, "curl_multi_socket_action")
    SYMBOL(multi_info_read, "curl_multi_info_read")
    SYMBOL(multi_cleanup, "curl_multi_cleanup")
#undef SYMBOL
    *(void **)(&curl.ssl_pending) = dlsym(handle, "SSL_pending");
    // Missing before 7.73.
    *(void **)(&curl.easy_option_by_name) = dlsym(handle, "curl_easy_option_by_name");
    if (!has_expected_options()) {
        library.problem = "its options have other numbers than libcurl's documentation says";
        return;
    }
    keep_tls_until_the_end(handle);
    if (curl.global_init(GLOBAL_ALL) != NK_OK) {
        library.problem = "curl_global_init failed";
    }
}

const nk_curl_library *nk_curl_open(void) {
    pthread_once(&once, open_once);
    return &library;
}

// MARK: Transfers

nk_curl_easy *nk_easy_create(void) { return curl.easy_init(); }

void nk_easy_destroy(nk_curl_easy *easy) { curl.easy_cleanup(easy); }

long nk_easy_set_long(nk_curl_easy *easy, long option, long value) { return curl.easy_setopt(easy, (int)option, value); }

long nk_easy_set_offset(nk_curl_easy *easy, long option, int64_t value) {
    return curl.easy_setopt(easy, (int)option, value);
}

long nk_easy_set_pointer(nk_curl_easy *easy, long option, const void *value) {
    return curl.easy_setopt(easy, (int)option, value);
}

long nk_easy_set_text(nk_curl_easy *easy, long option, const char *value) {
    return curl.easy_setopt(easy, (int)option, value);
}

long nk_easy_set_blob(nk_curl_easy *easy, long option, const void *bytes, size_t count) {
    blob copied = { (void *)bytes, count, BLOB_COPY };
    return curl.easy_setopt(easy, (int)option, &copied);
}

long nk_easy_set_data_callback(nk_curl_easy *easy, long option, nk_data_callback callback) {
    return curl.easy_setopt(easy, (int)option, callback);
}

long nk_easy_set_seek_callback(nk_curl_easy *easy, nk_seek_callback callback) {
    return curl.easy_setopt(easy, NK_OPT_SEEKFUNCTION, callback);
}

bool nk_easy_has_unread(nk_curl_easy *easy) {
    tls_session *session = NULL;
    if (!curl.ssl_pending || curl.easy_getinfo(easy, NK_INFO_TLS_SSL_PTR, &session) != NK_OK || !session) return false;
    return session->backend == BACKEND_OPENSSL && session->internals && curl.ssl_pending(session->internals) > 0;
}

long nk_easy_set_prereq_callback(nk_curl_easy *easy, nk_prereq_callback callback) {
    if (library.version < VERSION_WITH_PREREQ) return NK_UNSUPPORTED_PROTOCOL;
    return curl.easy_setopt(easy, NK_OPT_PREREQFUNCTION, callback);
}

long nk_easy_set_progress_callback(nk_curl_easy *easy, nk_progress_callback callback) {
    long result = curl.easy_setopt(easy, NK_OPT_XFERINFOFUNCTION, callback);
    return result == NK_OK ? nk_easy_set_long(easy, NK_OPT_NOPROGRESS, 0) : result;
}

long nk_easy_set_debug_callback(nk_curl_easy *easy, nk_debug_callback callback) {
    return curl.easy_setopt(easy, NK_OPT_DEBUGFUNCTION, callback);
}

long nk_easy_get_long(nk_curl_easy *easy, long information, long *value) {
    return curl.easy_getinfo(easy, (int)information, value);
}

long nk_easy_get_offset(nk_curl_easy *easy, long information, int64_t *value) {
    return curl.easy_getinfo(easy, (int)information, value);
}

long nk_easy_get_text(nk_curl_easy *easy, long information, const char **value) {
    return curl.easy_getinfo(easy, (int)information, value);
}

long nk_easy_resume(nk_curl_easy *easy) { return curl.easy_pause(easy, NK_PAUSE_CONT); }

long nk_easy_look(nk_curl_easy *easy) {
    // Only a change has an effect.
    long result = curl.easy_pause(easy, NK_PAUSE_RECV);
    return result == NK_OK ? curl.easy_pause(easy, NK_PAUSE_CONT) : result;
}

const char *nk_result_text(long result) { return curl.easy_strerror((int)result); }

nk_curl_list *nk_list_append(nk_curl_list *list, const char *text) { return curl.slist_append(list, text); }

void nk_list_free(nk_curl_list *list) { curl.slist_free_all(list); }

// MARK: Sockets

static int open_socket(void *context, int purpose, struct address *address) {
    nk_sockets *sockets = context;
    (void)purpose;
    char text[INET6_ADDRSTRLEN] = "";
    const void *bytes = NULL;
    if (address->family == AF_INET) {
        bytes = &((struct sockaddr_in *)&address->address)->sin_addr;
    } else if (address->family == AF_INET6) {
        bytes = &((struct sockaddr_in6 *)&address->address)->sin6_addr;
    }
    // The program itself names a socket in the file system.
    if (bytes && sockets->is_allowed) {
        if (!inet_ntop(address->family, bytes, text, sizeof(text))) return -1;
        if (!sockets->is_allowed(sockets->context, text)) return -1;
    }
    int type = address->socket_type;
#if defined(SOCK_CLOEXEC)
    type |= SOCK_CLOEXEC;
#endif
    int opened = socket(address->family, type, address->protocol);
    sockets->failure = opened < 0 ? errno : 0;
#if !defined(SOCK_CLOEXEC)
    if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
#endif
    if (opened >= 0) nk_poller_own(sockets->poller, opened);
    return opened;
}

static int close_socket(void *context, int socket) { return nk_poller_close(context, socket); }

long nk_easy_set_sockets(nk_curl_easy *easy, nk_sockets *sockets) {
    int result = curl.easy_setopt(easy, NK_OPT_OPENSOCKETFUNCTION, open_socket);
    if (result == NK_OK) result = curl.easy_setopt(easy, NK_OPT_OPENSOCKETDATA, sockets);
    if (result == NK_OK) result = curl.easy_setopt(easy, NK_OPT_CLOSESOCKETFUNCTION, close_socket);
    if (result == NK_OK) result = curl.easy_setopt(easy, NK_OPT_CLOSESOCKETDATA, sockets->poller);
    if (result == NK_OK) result = curl.easy_setopt(easy, NK_OPT_PRIVATE, sockets);
    return result;
}

// MARK: The loop

/// Whether libcurl sets no deadline when it goes on to the next address of a host (7.88 to 8.3). It would wait until another one
/// has passed, such as half of the time to connect.
static bool stalls_between_addresses(void) { return library.version >= 0x075800 && library.version < 0x080400; }

static void try_next_addresses(nk_poller *poller) {
    nk_sockets *next = nk_poller_take_lost(poller);
    while (next) {
        nk_sockets *sockets = next;
        nk_curl_easy *easy = sockets->lost;
        next = sockets->next_lost;
        sockets->lost = NULL;
        // It sets a deadline of now. A transfer that was sent in the meantime might share its connection.
        if (!sockets->has_sent) nk_easy_look(easy);
    }
}

static int socket_changed(nk_curl_easy *easy, int socket, int what, void *context, void *known) {
    (void)known;
    // 1 reads, 2 writes, 3 both, 4 removes.
    int interest = what == 4 ? 0 : what;
    nk_poller_watch(context, socket, interest);
    nk_quiet_callback quiet = nk_poller_quiet_callback(context);
    nk_sockets *sockets = NULL;
    if (curl.easy_getinfo(easy, NK_INFO_PRIVATE, &sockets) != NK_OK || !sockets) return 0;
    if (interest != 0) sockets->last = socket;
    if (interest == 0 && stalls_between_addresses()) nk_poller_note_lost(context, sockets, easy);
    long version = 0;
    if (interest == 0 && curl.easy_getinfo(easy, NK_INFO_HTTP_VERSION, &version) == NK_OK && version > 0
        && version <= NK_HTTP_VERSION_1_1) {
        nk_poller_note_http1(context, socket);
    }
    if (quiet) quiet(sockets->context, socket, interest == 0);
    return 0;
}

long nk_maximum_connections(uint64_t descriptors) {
    // No limit is a large number, too. 0 would be libcurl's own default.
    const uint64_t most = 1 << 16, reserve = 128;
    uint64_t rest = descriptors - (descriptors / 2 < reserve ? descriptors / 2 : reserve);
    return (long)(rest < 1 ? 1 : rest < most ? rest : most);
}

nk_curl_multi *nk_multi_create(nk_poller *poller, nk_timer_callback timer, void *context) {
    nk_curl_multi *multi = curl.multi_init();
    if (!multi) return NULL;
    curl.multi_setopt(multi, MULTI_SOCKETFUNCTION, socket_changed);
    curl.multi_setopt(multi, MULTI_SOCKETDATA, poller);
    curl.multi_setopt(multi, MULTI_TIMERFUNCTION, timer);
    curl.multi_setopt(multi, MULTI_TIMERDATA, context);
    // The endpoint limits the calls, and their connections are kept. Those to ever more hosts must leave descriptors. Each
    // transport has this bound for itself.
    struct rlimit limit;
    uint64_t descriptors = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 256;
    curl.multi_setopt(multi, MULTI_MAXCONNECTS, nk_maximum_connections(descriptors));
    return multi;
}

void nk_multi_destroy(nk_curl_multi *multi) { curl.multi_cleanup(multi); }

long nk_multi_add(nk_curl_multi *multi, nk_curl_easy *easy) { return curl.multi_add_handle(multi, easy); }

long nk_multi_remove(nk_curl_multi *multi, nk_curl_easy *easy) {
    long result = curl.multi_remove_handle(multi, easy);
    nk_sockets *sockets = NULL;
    if (curl.easy_getinfo(easy, NK_INFO_PRIVATE, &sockets) == NK_OK && sockets) {
        nk_poller_forget_lost(sockets->poller, sockets);
    }
    return result;
}

long nk_multi_socket_ready(nk_curl_multi *multi, nk_poller *poller, nk_ready ready) {
    int running;
    nk_poller_begin(poller);
    long result = curl.multi_socket_action(multi, ready.socket, ready.mask, &running);
    nk_poller_end(poller, ready);
    try_next_addresses(poller);
    return result;
}

long nk_multi_deadline_passed(nk_curl_multi *multi, nk_poller *poller) {
    int running;
    long result = curl.multi_socket_action(multi, SOCKET_TIMEOUT, 0, &running);
    try_next_addresses(poller);
    return result;
}

nk_curl_easy *nk_multi_next_ended(nk_curl_multi *multi, long *result, void **context) {
    int left;
    multi_message *message;
    while ((message = curl.multi_info_read(multi, &left))) {
        if (message->msg != MESSAGE_DONE) continue;
        // The message doesn't survive the next call.
        nk_curl_easy *easy = message->easy;
        *result = message->data.result;
        nk_sockets *sockets = NULL;
        curl.easy_getinfo(easy, NK_INFO_PRIVATE, &sockets);
        *context = sockets ? sockets->context : NULL;
        return easy;
    }
    return NULL;
}
