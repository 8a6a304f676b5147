#ifndef CWEBSOCKETS_SHIM_H
#define CWEBSOCKETS_SHIM_H

#include <libwebsockets.h>
#include <malloc.h>
#include <pthread.h>

#include "tls.h"

/// In the C library, but hidden from those who do not ask for GNU extensions.
extern int pthread_setname_np(pthread_t thread, const char *name);

/// Names the calling thread for debuggers; at most 15 bytes.
static inline int cws_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

/// From now on no thread is given a heap of the C library of its own.
static inline void cws_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

/// Gives free pages of the heap back to the system.
static inline void cws_trim_heap(void) { malloc_trim(0); }

/// Bytes the library may write in front of a payload handed to `lws_write`.
static inline size_t cws_head_room(void) { return LWS_PRE; }

/// Context option: run on the libev plug-in.
static inline uint64_t cws_option_libev(void) { return LWS_SERVER_OPTION_LIBEV; }

/// Context option: create no virtual host by itself.
static inline uint64_t cws_option_explicit_vhosts(void) { return LWS_SERVER_OPTION_EXPLICIT_VHOSTS; }

/// Context option: close text that is not UTF-8 with 1007.
static inline uint64_t cws_option_validate_utf8(void) { return LWS_SERVER_OPTION_VALIDATE_UTF8; }

/// Context option: send the client's `Origin` as it is given, without a scheme put in front.
static inline uint64_t cws_option_raw_origin(void) { return LWS_SERVER_OPTION_JUST_USE_RAW_ORIGIN; }

/// Context and virtual host option: prepare OpenSSL.
static inline uint64_t cws_option_tls(void) { return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT; }

/// Virtual host option: trust only the given authorities, not the system's.
static inline uint64_t cws_option_no_system_roots(void) { return LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS; }

/// Port number of a virtual host that accepts no connection by itself but serves those given to it.
static inline int cws_port_adopt_only(void) { return CONTEXT_PORT_NO_LISTEN_SERVER; }

/// Port number of a virtual host for clients.
static inline int cws_port_client_only(void) { return CONTEXT_PORT_NO_LISTEN; }

/// Gives an accepted TCP socket to the library, which serves HTTP/1.1 on it, over TLS where the virtual host has it;
/// `tag` is kept with the connection. The socket belongs to the library from here on, also when this fails (NULL).
static inline struct lws *cws_adopt_socket(struct lws_vhost *vhost, int socket, void *tag) {
    lws_adopt_desc_t info;
    memset(&info, 0, sizeof(info));
    info.vh = vhost;
    info.type = (lws_adoption_type)(LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL);
    info.fd.sockfd = socket;
    info.opaque = tag;
    return lws_adopt_descriptor_vhost_via_info(&info);
}

/// Has a file descriptor watched by the library; its callbacks are the `LWS_CALLBACK_RAW_*_FILE` ones.
static inline struct lws *cws_watch_file(struct lws_vhost *vhost, int descriptor) {
    lws_sock_file_fd_type file;
    file.filefd = descriptor;
    return lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, file, NULL, NULL);
}

/// Ends a connection at the library's next turn, without a closing handshake.
static inline void cws_kill(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_ACK, LWS_TO_KILL_ASYNC);
}

/// A timer of the library that fires again and again; lives as long as its context.
struct cws_ticker {
    lws_sorted_usec_list_t sul;  ///< must stay first: the callback casts it back
    struct lws_context *context;
    void (*tick)(void *user);
    void *user;
    lws_usec_t interval;
};

/// Arms the ticker again, then tells the user.
static inline void cws_ticker_fire(lws_sorted_usec_list_t *sul) {
    struct cws_ticker *ticker = (struct cws_ticker *)sul;
    lws_sul_schedule(ticker->context, 0, &ticker->sul, cws_ticker_fire, ticker->interval);
    ticker->tick(ticker->user);
}

/// Starts a ticker whose fields are filled in and whose `sul` is zeroed.
static inline void cws_ticker_start(struct cws_ticker *ticker) {
    lws_sul_schedule(ticker->context, 0, &ticker->sul, cws_ticker_fire, ticker->interval);
}

/// Takes the ticker out of the library's list.
static inline void cws_ticker_stop(struct cws_ticker *ticker) { lws_sul_cancel(&ticker->sul); }

#endif
