#include "poller.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <fcntl.h>
#include <sys/event.h>
#include <sys/time.h>
#endif

/// What is known of a socket.
typedef struct {
    /// What libcurl waits for: 1 reading, 2 writing, 3 both, 0 nothing.
    unsigned char interest;
    /// What the system was last told.
    unsigned char watched;
    /// Whether the socket is closed by `nk_poller_close` alone, so that the system may watch it while it is idle.
    bool is_owned;
    /// How often in succession the socket had room, and libcurl took no byte of a body to send.
    unsigned char vain_writes;
    /// Whether the room to write isn't watched for the moment.
    bool is_resting;
    /// Whether what there is to read isn't watched for the moment.
    bool is_ignored;
    /// Whether it is a connection of HTTP/1.1 without a request.
    bool is_idle;
    /// Whether it is a connection of HTTP/1.1, and its local port; 0 for that of a unix socket.
    bool is_http1;
    uint16_t port;
    /// Its neighbors among those of HTTP/1.1 in the same bucket of ports; -1 at the ends.
    int previous, next;
} socket_state;

enum { BUCKETS = 4096 };

/// libcurl 7.88 waits for room although it may not send, while an upload over HTTP/2 has used up its window or was reset. There
/// is always room, so it would be called all the time. After this many calls in vain, the socket rests until the server says
/// something or the pause is over. What libcurl took before is sent in fewer calls: it takes 64 KiB of a body at a time. Only a
/// short body, of which libcurl has a copy, may then wait for the pause.
static const unsigned char most_vain_writes = 32;

struct nk_poller {
    int queue;
    int wake_read;
    int wake_write;
    socket_state *sockets;
    size_t capacity;
    /// The first socket of HTTP/1.1 in each bucket, or -1.
    int http1[BUCKETS];
    nk_quiet_callback quiet;
    /// The transfers that lost their sockets before they were sent.
    nk_sockets *lost;
    /// Whether libcurl took bytes of a body since `nk_poller_begin`.
    bool has_sent;
    /// The number of transfers that are held back, whose sockets libcurl doesn't wait for either.
    size_t held_back;
    /// The number of sockets that rest, and when they are watched again.
    size_t resting;
    int64_t rested;
    /// The milliseconds of a rest.
    int64_t rest;
};

/// The milliseconds of a clock that never goes back.
static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// What the system is to watch.
static unsigned char wanted(const socket_state *state) {
    if (state->is_idle) return 1;
    unsigned char interest = state->is_resting ? state->interest & 1 : state->interest;
    return state->is_ignored ? interest & 2 : interest;
}

/// Returns the state of a socket, or NULL without memory.
static socket_state *state_of(nk_poller *poller, int socket) {
    if (socket < 0) return NULL;
    if ((size_t)socket >= poller->capacity) {
        size_t capacity = poller->capacity ? poller->capacity : 64;
        while (capacity <= (size_t)socket) capacity *= 2;
        socket_state *sockets = realloc(poller->sockets, capacity * sizeof(socket_state));
        if (!sockets) return NULL;
        poller->sockets = sockets;
        memset(sockets + poller->capacity, 0, (capacity - poller->capacity) * sizeof(socket_state));
        poller->capacity = capacity;
    }
    return &poller->sockets[socket];
}

/// Tells the system what to watch.
static void tell(nk_poller *poller, int socket, socket_state *state);

/// Watches a socket for room again.
static void wake(nk_poller *poller, int socket, socket_state *state) {
    if (!state->is_resting) return;
    state->is_resting = false;
    poller->resting--;
    tell(poller, socket, state);
}

/// Forgets all about a socket.
static void forget(nk_poller *poller, socket_state *state) {
    if (state->is_resting) poller->resting--;
    if (state->is_http1) {
        if (state->next >= 0) poller->sockets[state->next].previous = state->previous;
        *(state->previous >= 0 ? &poller->sockets[state->previous].next : &poller->http1[state->port % BUCKETS]) = state->next;
    }
    *state = (socket_state){ 0 };
}

/// Ends a connection on which the server says something although it has no request: it closes the connection, or its bytes would
/// be taken for the next response (RFC 9112, section 9.2). libcurl 7.88 takes bytes to read for a sign of life.
static void end(int socket) {
    shutdown(socket, SHUT_RDWR);
    // What it still has. Later bytes are refused.
    char bytes[4096];
    while (recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) continue;
}

/// Wakes the sockets whose rest is over, and returns for how long to wait otherwise; -1 for as long as it takes.
static int until_rested(nk_poller *poller, int milliseconds) {
    if (poller->resting == 0) return milliseconds;
    int64_t left = poller->rested - now();
    if (left > 0) return milliseconds < 0 || milliseconds > left ? (int)left : milliseconds;
    for (size_t socket = 0; socket < poller->capacity; socket++) wake(poller, (int)socket, &poller->sockets[socket]);
    return milliseconds;
}

#if defined(__linux__)

static bool open_queue(nk_poller *poller) {
    poller->queue = epoll_create1(EPOLL_CLOEXEC);
    poller->wake_read = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    poller->wake_write = poller->wake_read;
    struct epoll_event event = { .events = EPOLLIN, .data.fd = poller->wake_read };
    return poller->queue >= 0 && poller->wake_read >= 0
        && epoll_ctl(poller->queue, EPOLL_CTL_ADD, poller->wake_read, &event) == 0;
}

static void tell(nk_poller *poller, int socket, socket_state *state) {
    unsigned char watched = wanted(state);
    if (state->watched == watched) return;
    struct epoll_event event = { .data.fd = socket };
    event.events = (watched & 1 ? EPOLLIN : 0) | (watched & 2 ? EPOLLOUT : 0);
    int change = watched == 0 ? EPOLL_CTL_DEL : state->watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (epoll_ctl(poller->queue, change, socket, &event) != 0) {
        // The number belongs to another socket than the one that was watched, or the other way round: libcurl 7.88 to 8.1
        // closes a socket that isn't connected yet by itself.
        if (change == EPOLL_CTL_DEL) state->is_owned = false;
        if (errno == ENOENT && change == EPOLL_CTL_MOD) epoll_ctl(poller->queue, EPOLL_CTL_ADD, socket, &event);
        if (errno == EEXIST) epoll_ctl(poller->queue, EPOLL_CTL_MOD, socket, &event);
    }
    state->watched = watched;
}

int nk_poller_wait(nk_poller *poller, int milliseconds, nk_ready *ready, int capacity) {
    struct epoll_event events[64];
    if (capacity > 64) capacity = 64;
    int count = epoll_wait(poller->queue, events, capacity, until_rested(poller, milliseconds));
    int found = 0;
    for (int i = 0; i < count; i++) {
        int socket = events[i].data.fd;
        unsigned what = events[i].events;
        if (socket == poller->wake_read) {
            uint64_t wakes;
            if (read(socket, &wakes, sizeof(wakes)) < 0) continue;
            continue;
        }
        socket_state *state = state_of(poller, socket);
        if (!state) continue;
        if (state->interest == 0) {
            // An idle connection that the server closed, or on which it says something. Over HTTP/2, that is nothing unusual, and
            // libcurl looks before it reuses the connection.
            if (state->is_idle) end(socket);
            state->is_idle = false;
            if (what & EPOLLERR && poller->held_back == 0) {
                // But 7.88 takes a reset for bytes to read. Once the error is read, it finds the end. A transfer that is held
                // back would take it for the end of its response.
                int error = 0;
                socklen_t size = sizeof(error);
                getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
            }
            tell(poller, socket, state);
            continue;
        }
        ready[found].socket = socket;
        ready[found].mask = (what & (EPOLLIN | EPOLLHUP) ? 1 : 0) | (what & EPOLLOUT ? 2 : 0) | (what & EPOLLERR ? 4 : 0);
        found++;
        wake(poller, socket, state);
    }
    return found;
}

#else

static bool open_queue(nk_poller *poller) {
    int ends[2];
    poller->queue = kqueue();
    if (poller->queue < 0 || pipe(ends) != 0) return false;
    poller->wake_read = ends[0];
    poller->wake_write = ends[1];
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    struct kevent change;
    EV_SET(&change, ends[0], EVFILT_READ, EV_ADD, 0, 0, NULL);
    return kevent(poller->queue, &change, 1, NULL, 0, NULL) == 0;
}

static void tell(nk_poller *poller, int socket, socket_state *state) {
    unsigned char watched = wanted(state);
    if (state->watched == watched) return;
    int changed = state->watched ^ watched;
    // One call for each: an error of the first change would drop the second.
    for (int interest = 1; interest <= 2; interest++) {
        if (!(changed & interest)) continue;
        struct kevent change;
        int filter = interest == 1 ? EVFILT_READ : EVFILT_WRITE;
        EV_SET(&change, socket, filter, watched & interest ? EV_ADD : EV_DELETE, 0, 0, NULL);
        kevent(poller->queue, &change, 1, NULL, 0, NULL);
    }
    state->watched = watched;
}

int nk_poller_wait(nk_poller *poller, int milliseconds, nk_ready *ready, int capacity) {
    struct kevent events[64];
    if (capacity > 64) capacity = 64;
    milliseconds = until_rested(poller, milliseconds);
    struct timespec limit = { milliseconds / 1000, (milliseconds % 1000) * 1000000 };
    int count = kevent(poller->queue, NULL, 0, events, capacity, milliseconds < 0 ? NULL : &limit);
    int found = 0;
    for (int i = 0; i < count; i++) {
        int socket = (int)events[i].ident;
        if (socket == poller->wake_read) {
            char wakes[64];
            while (read(socket, wakes, sizeof(wakes)) > 0) continue;
            continue;
        }
        socket_state *state = state_of(poller, socket);
        if (!state) continue;
        if (state->interest == 0) {
            if (state->is_idle) end(socket);
            state->is_idle = false;
            tell(poller, socket, state);
            continue;
        }
        ready[found].socket = socket;
        ready[found].mask = events[i].filter == EVFILT_READ ? 1 : 2;
        found++;
        wake(poller, socket, state);
    }
    return found;
}

#endif

nk_poller *nk_poller_create(int rest) {
    nk_poller *poller = calloc(1, sizeof(nk_poller));
    if (!poller) return NULL;
    poller->queue = poller->wake_read = poller->wake_write = -1;
    poller->rest = rest;
    for (int bucket = 0; bucket < BUCKETS; bucket++) poller->http1[bucket] = -1;
    if (open_queue(poller)) return poller;
    nk_poller_destroy(poller);
    return NULL;
}

void nk_poller_destroy(nk_poller *poller) {
    if (poller->queue >= 0) close(poller->queue);
    if (poller->wake_read >= 0) close(poller->wake_read);
    if (poller->wake_write >= 0 && poller->wake_write != poller->wake_read) close(poller->wake_write);
    free(poller->sockets);
    free(poller);
}

void nk_poller_wake(nk_poller *poller) {
    uint64_t one = 1;
#if defined(__linux__)
    size_t size = sizeof(one);
#else
    size_t size = 1;
#endif
    // A full pipe or counter wakes, too.
    while (write(poller->wake_write, &one, size) < 0 && errno == EINTR) continue;
}

void nk_poller_watch(nk_poller *poller, int socket, int interest) {
    socket_state *state = state_of(poller, socket);
    if (!state) return;
    state->interest = (unsigned char)interest;
    state->is_idle = false;
    if (!(interest & 2)) {
        state->vain_writes = 0;
        wake(poller, socket, state);
    }
    // An idle connection stays watched: the next call on it then needs no system call to watch it again.
    if (interest == 0 && state->is_owned && state->watched == 1) return;
    tell(poller, socket, state);
}

void nk_poller_begin(nk_poller *poller) { poller->has_sent = false; }

void nk_poller_hold_back(nk_poller *poller, bool holds_back) {
    poller->held_back += holds_back ? 1 : -1;
}

void nk_poller_ignore(nk_poller *poller, int socket, bool ignores) {
    if (socket < 0) return;
    socket_state *state = state_of(poller, socket);
    if (!state || state->is_ignored == ignores) return;
    state->is_ignored = ignores;
    tell(poller, socket, state);
}

void nk_poller_note_sent(nk_poller *poller) { poller->has_sent = true; }

void nk_poller_end(nk_poller *poller, nk_ready ready) {
    socket_state *state = state_of(poller, ready.socket);
    if (!state) return;
    if (poller->has_sent) {
        state->vain_writes = 0;
        return;
    }
    if (ready.mask != 2 || !(state->interest & 2) || state->is_resting) return;
    if (state->vain_writes < most_vain_writes) {
        state->vain_writes++;
        return;
    }
    if (poller->resting == 0) poller->rested = now() + poller->rest;
    poller->resting++;
    state->is_resting = true;
    tell(poller, ready.socket, state);
}

void nk_poller_report_quiet(nk_poller *poller, nk_quiet_callback quiet) { poller->quiet = quiet; }

void nk_poller_note_idle(nk_poller *poller, int socket) {
    socket_state *state = state_of(poller, socket);
    // libcurl may also have closed the connection, or its number belongs to another one.
    if (!state || !state->is_http1 || state->interest != 0) return;
    state->is_idle = true;
    tell(poller, socket, state);
}

void nk_poller_note_http1(nk_poller *poller, int socket) {
    socket_state *state = state_of(poller, socket);
    if (!state || !state->is_owned || state->is_http1) return;
    struct sockaddr_storage address = { 0 };
    socklen_t size = sizeof(address);
    getsockname(socket, (struct sockaddr *)&address, &size);
    if (address.ss_family == AF_INET) state->port = ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) state->port = ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    int *first = &poller->http1[state->port % BUCKETS];
    state->is_http1 = true;
    state->previous = -1;
    state->next = *first;
    if (*first >= 0) poller->sockets[*first].previous = socket;
    *first = socket;
}

int nk_poller_look(nk_poller *poller, int port) {
    int result = -1;
    const socket_state *state;
    for (int socket = poller->http1[port % BUCKETS]; socket >= 0; socket = state->next) {
        state = &poller->sockets[socket];
        if (state->interest != 0 || state->port != port) continue;
        char byte;
        ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return 1;
        result = 0;
    }
    return result;
}

void nk_poller_note_lost(nk_poller *poller, nk_sockets *sockets, nk_curl_easy *easy) {
    if (sockets->has_sent || sockets->lost) return;
    sockets->lost = easy;
    sockets->next_lost = poller->lost;
    poller->lost = sockets;
}

nk_sockets *nk_poller_take_lost(nk_poller *poller) {
    nk_sockets *lost = poller->lost;
    poller->lost = NULL;
    return lost;
}

void nk_poller_forget_lost(nk_poller *poller, nk_sockets *sockets) {
    for (nk_sockets **next = &poller->lost; *next; next = &(*next)->next_lost) {
        if (*next != sockets) continue;
        *next = sockets->next_lost;
        break;
    }
    sockets->lost = NULL;
}

nk_quiet_callback nk_poller_quiet_callback(nk_poller *poller) { return poller->quiet; }

void nk_poller_own(nk_poller *poller, int socket) {
    socket_state *state = state_of(poller, socket);
    if (!state) return;
    forget(poller, state);
    state->is_owned = true;
}

int nk_poller_close(nk_poller *poller, int socket) {
    socket_state *state = state_of(poller, socket);
    if (state) {
        // Closing isn't enough: a forked process may have the socket, too.
        state->interest = 0;
        state->is_idle = false;
        tell(poller, socket, state);
        forget(poller, state);
    }
    return close(socket);
}
