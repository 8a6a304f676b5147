// Stands before libwebsockets in the programs of a release's archive. That library looks for its event plug-ins in the
// folder of the machine that built it, and nowhere else; here it looks in the folder of this file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

typedef int plugins_init(void **list, const char *const *folders, const char *kind, const char *filter, void *each,
                         void *user);

// The signature of libwebsockets 4.1 (lws-protocols-plugins.h). Called at the start of each context.
plugins_init lws_plugins_init;

int lws_plugins_init(void **list, const char *const *folders, const char *kind, const char *filter, void *each,
                     void *user) {
    char folder[PATH_MAX];
    const char *const beside[] = {folder, NULL};
    union {
        void *symbol;
        plugins_init *function;
    } next, own;
    next.symbol = dlsym(RTLD_NEXT, "lws_plugins_init");
    if (!next.symbol) return 1;
    own.function = lws_plugins_init;
    Dl_info here;
    if (dladdr(own.symbol, &here) && strlen(here.dli_fname) < sizeof folder) {
        strcpy(folder, here.dli_fname);
        char *name = strrchr(folder, '/');
        if (name) {
            *name = 0;
            folders = beside;
        }
    }
    return next.function(list, folders, kind, filter, each, user);
}
