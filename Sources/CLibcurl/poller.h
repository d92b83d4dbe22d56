// Sockets in epoll (Linux) or kqueue (elsewhere), and a wake from other threads.
#ifndef NETKIT_POLLER_H
#define NETKIT_POLLER_H

#include "CLibcurl.h"

/// Who wants to know when a transfer waits for its socket no more, or NULL.
nk_quiet_callback nk_poller_quiet_callback(nk_poller *poller);
/// Notes that a transfer lost its socket before it was sent.
void nk_poller_note_lost(nk_poller *poller, nk_sockets *sockets, nk_curl_easy *easy);
/// Returns the transfers that lost their sockets, by `next_lost`, and forgets them.
nk_sockets *nk_poller_take_lost(nk_poller *poller);
/// Forgets a transfer that ends.
void nk_poller_forget_lost(nk_poller *poller, nk_sockets *sockets);
/// Closes a socket, and forgets it.
int nk_poller_close(nk_poller *poller, int socket);

#endif
