#include "RawCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of libcurl's interface that is used, by the numbers of its soname 4 (https://curl.se/libcurl/abi.html).
enum {
    WRITEDATA = 10001, URL = 10002, READDATA = 10009, WRITEFUNCTION = 20011, READFUNCTION = 20012,
    HTTPHEADER = 10023, CUSTOMREQUEST = 10036, UPLOAD = 46, BUFFERSIZE = 98, NOSIGNAL = 99, PRIVATE = 10103, INFILESIZE_LARGE = 30115,
    UPLOAD_BUFFERSIZE = 280, MAX_HOST_CONNECTIONS = 7, MAXCONNECTS = 6, RESPONSE_CODE = 0x200002,
    GET_PRIVATE = 0x100015, DONE = 1,
};

typedef struct {
    int kind;
    void *easy;
    union { void *whatever; int code; } data;
} message;

static struct {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_perform)(void *);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    int (*multi_wakeup)(void *);
    message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
} curl;

static bool is_open;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (!library) library = dlopen("libcurl.4.dylib", RTLD_NOW);
    if (!library) return;
#define FIND(member, name) \
    if (!(*(void **)&curl.member = dlsym(library, name))) return
    FIND(easy_init, "curl_easy_init");
    FIND(easy_setopt, "curl_easy_setopt");
    FIND(easy_getinfo, "curl_easy_getinfo");
    FIND(easy_perform, "curl_easy_perform");
    FIND(easy_cleanup, "curl_easy_cleanup");
    FIND(easy_strerror, "curl_easy_strerror");
    FIND(slist_append, "curl_slist_append");
    FIND(slist_free_all, "curl_slist_free_all");
    FIND(multi_init, "curl_multi_init");
    FIND(multi_setopt, "curl_multi_setopt");
    FIND(multi_add_handle, "curl_multi_add_handle");
    FIND(multi_remove_handle, "curl_multi_remove_handle");
    FIND(multi_perform, "curl_multi_perform");
    FIND(multi_poll, "curl_multi_poll");
    FIND(multi_wakeup, "curl_multi_wakeup");
    FIND(multi_info_read, "curl_multi_info_read");
    FIND(multi_cleanup, "curl_multi_cleanup");
    is_open = true;
}

// MARK: Small responses

typedef struct {
    void *easy;
    char *bytes;
    size_t length, capacity;
} transfer;

static size_t collect(char *bytes, size_t size, size_t count, void *context) {
    transfer *transfer = context;
    size_t length = size * count;
    if (transfer->length + length > transfer->capacity) {
        size_t capacity = 2 * (transfer->length + length);
        char *larger = realloc(transfer->bytes, capacity);
        if (!larger) return 0;
        transfer->capacity = capacity;
        transfer->bytes = larger;
    }
    memcpy(transfer->bytes + transfer->length, bytes, length);
    transfer->length += length;
    return length;
}

/// Sets the options of a GET, which are the same for each one.
static void prepare(transfer *transfer, const char *url, void *headers) {
    void *easy = transfer->easy = curl.easy_init();
    curl.easy_setopt(easy, URL, url);
    curl.easy_setopt(easy, NOSIGNAL, 1L);
    curl.easy_setopt(easy, HTTPHEADER, headers);
    curl.easy_setopt(easy, WRITEFUNCTION, collect);
    curl.easy_setopt(easy, WRITEDATA, transfer);
    curl.easy_setopt(easy, PRIVATE, transfer);
}

const char *raw_curl_get(
    const char *url, long count, long in_flight, long connections, raw_curl_check check, void *context
) {
    pthread_once(&once, open_library);
    if (!is_open) return "libcurl can't be loaded";
    if (in_flight > count) in_flight = count;
    void *multi = curl.multi_init();
    void *headers = curl.slist_append(NULL, "Accept: application/json");
    transfer *transfers = calloc((size_t)in_flight, sizeof(transfer));
    if (!multi || !headers || !transfers) return "no memory";
    if (connections > 0) curl.multi_setopt(multi, MAX_HOST_CONNECTIONS, connections);
    curl.multi_setopt(multi, MAXCONNECTS, in_flight);
    for (long number = 0; number < in_flight; number++) {
        prepare(&transfers[number], url, headers);
        curl.multi_add_handle(multi, transfers[number].easy);
    }
    const char *failure = NULL;
    long unstarted = count - in_flight, unfinished = count;
    while (unfinished > 0 && !failure) {
        int running, left;
        curl.multi_perform(multi, &running);
        bool has_more = false;
        for (message *message; !failure && (message = curl.multi_info_read(multi, &left));) {
            if (message->kind != DONE) continue;
            void *easy = message->easy;
            int code = message->data.code;
            transfer *transfer = NULL;
            long status = 0;
            curl.easy_getinfo(easy, GET_PRIVATE, &transfer);
            curl.easy_getinfo(easy, RESPONSE_CODE, &status);
            if (code != 0) failure = curl.easy_strerror(code);
            else if (status != 200) failure = "the status isn't 200";
            else if (!check(context, transfer->bytes, transfer->length)) failure = "another value";
            unfinished -= 1;
            curl.multi_remove_handle(multi, easy);
            transfer->length = 0;
            if (unstarted > 0) {
                unstarted -= 1;
                has_more = true;
                curl.multi_add_handle(multi, easy);
            }
        }
        if (unfinished > 0 && !has_more && !failure) curl.multi_poll(multi, NULL, 0, 1000, NULL);
    }
    for (long number = 0; number < in_flight; number++) {
        curl.multi_remove_handle(multi, transfers[number].easy);
        curl.easy_cleanup(transfers[number].easy);
        free(transfers[number].bytes);
    }
    free(transfers);
    curl.multi_cleanup(multi);
    curl.slist_free_all(headers);
    return failure;
}

// MARK: A loop that takes orders

typedef struct order {
    transfer transfer; // first: libcurl's pointer to the one is a pointer to the other
    raw_curl_answer answer;
    void *context;
    struct order *next;
} order;

struct raw_curl_loop {
    void *multi, *headers;
    char *url;
    pthread_mutex_t lock;
    order *orders;
    order *idle; // of the thread
};

static void *run(void *context) {
    raw_curl_loop *loop = context;
    while (true) {
        pthread_mutex_lock(&loop->lock);
        order *orders = loop->orders;
        loop->orders = NULL;
        pthread_mutex_unlock(&loop->lock);
        while (orders) {
            order *next = orders->next, *order = orders;
            if (loop->idle) { // with its easy handle
                order = loop->idle;
                loop->idle = order->next;
                order->answer = orders->answer;
                order->context = orders->context;
                free(orders);
            } else {
                prepare(&order->transfer, loop->url, loop->headers);
            }
            curl.multi_add_handle(loop->multi, order->transfer.easy);
            orders = next;
        }
        int running, left;
        curl.multi_perform(loop->multi, &running);
        for (message *message; (message = curl.multi_info_read(loop->multi, &left));) {
            if (message->kind != DONE) continue;
            void *easy = message->easy;
            int code = message->data.code;
            order *order = NULL;
            long status = 0;
            curl.easy_getinfo(easy, GET_PRIVATE, &order);
            curl.easy_getinfo(easy, RESPONSE_CODE, &status);
            curl.multi_remove_handle(loop->multi, easy);
            order->answer(
                order->context, code ? curl.easy_strerror(code) : NULL, (int)status, order->transfer.bytes,
                order->transfer.length
            );
            order->transfer.length = 0;
            order->next = loop->idle;
            loop->idle = order;
        }
        curl.multi_poll(loop->multi, NULL, 0, 1000, NULL);
    }
}

raw_curl_loop *raw_curl_loop_start(const char *url, long connections) {
    pthread_once(&once, open_library);
    raw_curl_loop *loop = is_open ? calloc(1, sizeof(raw_curl_loop)) : NULL;
    if (!loop) return NULL;
    loop->multi = curl.multi_init();
    loop->headers = curl.slist_append(NULL, "Accept: application/json");
    loop->url = strdup(url);
    pthread_mutex_init(&loop->lock, NULL);
    if (connections > 0) curl.multi_setopt(loop->multi, MAX_HOST_CONNECTIONS, connections);
    pthread_t thread;
    return pthread_create(&thread, NULL, run, loop) == 0 ? loop : NULL;
}

bool raw_curl_loop_get(raw_curl_loop *loop, raw_curl_answer answer, void *context) {
    order *order = calloc(1, sizeof(struct order));
    if (!order) return false;
    order->answer = answer;
    order->context = context;
    pthread_mutex_lock(&loop->lock);
    order->next = loop->orders;
    loop->orders = order;
    pthread_mutex_unlock(&loop->lock);
    curl.multi_wakeup(loop->multi);
    return true;
}

// MARK: Files

/// Performs the request, and closes the file.
static const char *perform(void *easy, FILE *file) {
    int code = curl.easy_perform(easy);
    long status = 0;
    curl.easy_getinfo(easy, RESPONSE_CODE, &status);
    curl.easy_cleanup(easy);
    bool is_closed = fclose(file) == 0;
    if (code != 0) return curl.easy_strerror(code);
    if (!is_closed) return "the file can't be closed";
    return status == 200 ? NULL : "the status isn't 200";
}

const char *raw_curl_download(const char *url, const char *path) {
    pthread_once(&once, open_library);
    FILE *file = is_open ? fopen(path, "wb") : NULL;
    if (!file) return "libcurl or the file can't be opened";
    void *easy = curl.easy_init();
    curl.easy_setopt(easy, URL, url);
    curl.easy_setopt(easy, NOSIGNAL, 1L);
    curl.easy_setopt(easy, BUFFERSIZE, 262144L);
    curl.easy_setopt(easy, WRITEFUNCTION, fwrite);
    curl.easy_setopt(easy, WRITEDATA, file);
    return perform(easy, file);
}

const char *raw_curl_upload(
    const char *url, const char *path, long long length, raw_curl_check check, void *context
) {
    pthread_once(&once, open_library);
    FILE *file = is_open ? fopen(path, "rb") : NULL;
    if (!file) return "libcurl or the file can't be opened";
    transfer answer = {0};
    void *headers = curl.slist_append(NULL, "Expect:");
    void *easy = curl.easy_init();
    curl.easy_setopt(easy, URL, url);
    curl.easy_setopt(easy, NOSIGNAL, 1L);
    curl.easy_setopt(easy, UPLOAD, 1L);
    curl.easy_setopt(easy, CUSTOMREQUEST, "POST");
    curl.easy_setopt(easy, HTTPHEADER, headers);
    curl.easy_setopt(easy, UPLOAD_BUFFERSIZE, 262144L);
    curl.easy_setopt(easy, READFUNCTION, fread);
    curl.easy_setopt(easy, READDATA, file);
    curl.easy_setopt(easy, INFILESIZE_LARGE, length);
    curl.easy_setopt(easy, WRITEFUNCTION, collect);
    curl.easy_setopt(easy, WRITEDATA, &answer);
    const char *failure = perform(easy, file);
    if (!failure && !check(context, answer.bytes, answer.length)) failure = "another receipt";
    curl.slist_free_all(headers);
    free(answer.bytes);
    return failure;
}
