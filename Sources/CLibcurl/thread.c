#define _GNU_SOURCE
#include "CLibcurl.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/// What a new thread does, and with what.
typedef struct {
    const char *name;
    void *context;
    void (*body)(void *context);
} work;

static void *run(void *argument) {
    work own = *(work *)argument;
    free(argument);
#if defined(__APPLE__)
    pthread_setname_np(own.name);
#else
    pthread_setname_np(pthread_self(), own.name);
#endif
    // Keeps a write of libcurl to a closed connection from ending the process.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    own.body(own.context);
    return NULL;
}

int nk_thread_start(const char *name, void *context, void (*body)(void *context)) {
    work *own = malloc(sizeof(work));
    if (!own) return ENOMEM;
    *own = (work){ name, context, body };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int result = pthread_create(&thread, &attributes, run, own);
    pthread_attr_destroy(&attributes);
    if (result != 0) free(own);
    return result;
}
