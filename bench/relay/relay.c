/*
 * A bare relay on libwebsockets with libev: what comes from one member of a group goes to all others, frame by frame.
 * It knows no users, stores nothing and decides nothing: the physical limit of naive relaying, to compare with.
 *
 * usage: relay PORT        (0 picks a free one; prints "listening on 127.0.0.1:PORT")
 * A connection to /g/NAME belongs to group NAME, which is a number. Stops at SIGTERM.
 */
#include <ev.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 65536, MEMBERS = 64, QUEUE = 64, FRAME = 512 };

/* One received frame, shared by all who are still to get it. */
struct frame {
    int users;
    size_t length;
    unsigned char bytes[LWS_PRE + FRAME];
};

struct member {
    struct lws *wsi;
    int group, slot;
    struct frame *queue[QUEUE];
    unsigned head, tail;
};

static struct member *groups[GROUPS][MEMBERS];
static struct ev_loop *loop;

static void release(struct frame *frame) {
    if (--frame->users == 0) free(frame);
}

static int join(struct member *member, struct lws *wsi) {
    char path[32];
    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0 || strncmp(path, "/g/", 3)) return -1;
    member->wsi = wsi;
    member->group = atoi(path + 3);
    if (member->group < 0 || member->group >= GROUPS) return -1;
    for (int slot = 0; slot < MEMBERS; slot++)
        if (!groups[member->group][slot]) {
            groups[member->group][member->slot = slot] = member;
            return 0;
        }
    member->wsi = NULL;
    return -1;
}

static void leave(struct member *member) {
    if (!member->wsi) return;
    groups[member->group][member->slot] = NULL;
    while (member->head != member->tail) release(member->queue[member->head++ % QUEUE]);
}

static int relay(struct member *sender, const void *bytes, size_t length) {
    if (length > FRAME) return -1;
    struct frame *frame = malloc(sizeof *frame);
    if (!frame) return -1;
    frame->users = 1;
    frame->length = length;
    memcpy(frame->bytes + LWS_PRE, bytes, length);
    for (int slot = 0; slot < MEMBERS; slot++) {
        struct member *other = groups[sender->group][slot];
        /* Who reads too slowly loses frames: the load tool counts them as missing. */
        if (!other || other == sender || other->tail - other->head == QUEUE) continue;
        other->queue[other->tail++ % QUEUE] = frame;
        frame->users++;
        lws_callback_on_writable(other->wsi);
    }
    release(frame);
    return 0;
}

static int write_next(struct member *member) {
    if (member->head == member->tail) return 0;
    struct frame *frame = member->queue[member->head++ % QUEUE];
    int sent = lws_write(member->wsi, frame->bytes + LWS_PRE, frame->length, LWS_WRITE_BINARY);
    release(frame);
    if (sent < 0) return -1;
    if (member->head != member->tail) lws_callback_on_writable(member->wsi);
    return 0;
}

static int called(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED: return join(user, wsi);
    case LWS_CALLBACK_RECEIVE: return relay(user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_next(user);
    case LWS_CALLBACK_CLOSED: leave(user); return 0;
    default: return 0;
    }
}

static void stop(struct ev_loop *running, ev_signal *signal, int events) {
    (void)signal, (void)events;
    ev_break(running, EVBREAK_ALL);
}

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: relay PORT\n"), 2;
    static const struct lws_protocols protocols[] = {
        {.name = "relay", .callback = called, .per_session_data_size = sizeof(struct member), .rx_buffer_size = FRAME},
        {.name = NULL},
    };
    static const lws_retry_bo_t no_pings;
    loop = ev_default_loop(0);
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .port = atoi(argv[1]), .iface = "127.0.0.1", .protocols = protocols, .foreign_loops = loops,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS, .retry_and_idle_policy = &no_pings,
    };
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    struct lws_vhost *vhost = context ? lws_create_vhost(context, &info) : NULL;
    if (!vhost) return fprintf(stderr, "relay: cannot listen\n"), 1;
    ev_signal terminated;
    ev_signal_init(&terminated, stop, SIGTERM);
    ev_signal_start(loop, &terminated);
    printf("listening on 127.0.0.1:%d\n", lws_get_vhost_listen_port(vhost));
    fflush(stdout);
    ev_run(loop, 0);
    lws_context_destroy(context);
    return 0;
}
