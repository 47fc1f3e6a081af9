/*
 * A provider that does one thing wrong, chosen where it is compiled:
 *
 *   ID, SPEC, MORE          parts of note and manifest: texts, the last a piece of JSON
 *   NOTE, MANIFEST, REPLY   the whole of each: texts
 *   WITHOUT_NOTE, WITHOUT_ENTRY
 *   TABLE, MAJOR, SIZE, FLAGS, INVOKE   what the entry returns, and what is in the table
 *   WHEN_LOADED, WHEN_INVOKED           one of the functions below
 *   LEAKS                   opens a file for each instance and closes none
 *   WITH_THREAD             logs from a thread of its own from create() to destroy()
 */
#define _GNU_SOURCE
#include <ctxhost.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef ID
#define ID "c-rogue"
#endif
#ifndef SPEC
#define SPEC "envelope/v1"
#endif
#ifndef MORE
#define MORE ""
#endif
#define HEAD                                                                      \
    "{\"id\":\"" ID "\",\"version\":\"1.0.0\",\"title\":\"Rogue\",\"abi\":\"1.0\"," \
    "\"spec\":\"" SPEC "\",\"events\":[\"prompt\"]" MORE "}"
#ifndef NOTE
#define NOTE HEAD
#endif
#ifndef MANIFEST
#define MANIFEST HEAD
#endif
#ifndef REPLY
#define REPLY                                                                   \
    "{\"v\":1,\"spec\":\"" SPEC "\",\"sections\":[{\"key\":\"k\",\"placement\":\"prompt\"," \
    "\"trust\":\"tool\",\"variants\":[{\"body\":\"the rogue's text\\n\"}]}]}"
#endif
#ifndef MAJOR
#define MAJOR CTXHOST_ABI_MAJOR
#endif
#ifndef SIZE
#define SIZE sizeof(ctxhost_provider_v1)
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef INVOKE
#define INVOKE invoke
#endif
#ifndef TABLE
#define TABLE &table
#endif
#ifndef WHEN_INVOKED
#define WHEN_INVOKED reply
#endif
#define PERHAPS static __attribute__((unused))

#ifndef WITHOUT_NOTE
CTXHOST_NOTE(NOTE);
#endif

struct ctxhost_instance {
    const ctxhost_host_v1 *host;
    pthread_t thread;
    int inside, over;
};

static ctxhost_bytes bytes(const char *text) {
    ctxhost_bytes lent = {(const uint8_t *)text, strlen(text)};
    return lent;
}

PERHAPS uint32_t say(ctxhost_sink sink, const char *text) {
    return sink.write(sink.user, bytes(text));
}

PERHAPS void wait_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Leaves a mark in the file that an environment variable names. */
PERHAPS void write_file(void) {
    const char *name = getenv("ROGUE_FILE");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (file) {
        fputs("x", file);
        fclose(file);
    }
}

/* What may happen when the library is loaded. */

PERHAPS void sleep_for_ever(void) {
    for (;;) pause();
}

PERHAPS void crash_at_once(void) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

/* Leaves the number of its process, and stays. */
PERHAPS void name_and_sleep(void) {
    const char *name = getenv("ROGUE_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
    }
    sleep_for_ever();
}

/* More than any pipe holds. */
PERHAPS void flood(void) {
    for (int line = 0; line < 20000; line++) {
        puts("a line of the flood that nobody wants to read, and another word");
    }
    fflush(stdout);
}

PERHAPS void print(void) {
    puts("hello from the constructor");
    fflush(stdout);
}

#ifdef WHEN_LOADED
__attribute__((constructor)) static void loaded(void) {
    WHEN_LOADED();
}
#endif

/* What may happen when it is asked. */

PERHAPS uint32_t reply(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    (void)instance;
    return say(call->out, REPLY);
}

PERHAPS uint32_t crash(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    crash_at_once();
    return reply(instance, call);
}

PERHAPS uint32_t hang(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    sleep_for_ever();
    return reply(instance, call);
}

/* Fails when another call is inside, and stays a little so that one can be. */
PERHAPS uint32_t stay(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    if (__atomic_fetch_add(&instance->inside, 1, __ATOMIC_SEQ_CST) > 0) {
        say(call->err, "two calls at once");
        return CTXHOST_FAILED;
    }
    wait_ms(2);
    __atomic_fetch_sub(&instance->inside, 1, __ATOMIC_SEQ_CST);
    return reply(instance, call);
}

#ifdef LATE_MS
PERHAPS uint32_t late(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    wait_ms(LATE_MS);
    return reply(instance, call);
}
#endif

/* Says that it is inside, and goes on when it is told to, or after ten seconds. */
PERHAPS uint32_t wait_for_file(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    const char *go = getenv("ROGUE_GO");
    write_file();
    for (int i = 0; go && i < 10000 && access(go, F_OK) != 0; i++) wait_ms(1);
    return reply(instance, call);
}

/* Tells the file that its code runs from. */
PERHAPS uint32_t tell_file(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    Dl_info info;
    (void)instance;
    if (!dladdr((void *)bytes, &info)) return CTXHOST_FAILED;
    say(call->out, "{\"v\":1,\"spec\":\"envelope/v1\",\"sections\":[{\"key\":\"k\",\"placement\":\"prompt\","
                   "\"trust\":\"tool\",\"variants\":[{\"body\":\"runs from ");
    say(call->out, info.dli_fname);
    return say(call->out, "\\n\"}]}]}");
}

#ifdef WITH_THREAD
static void *log_on(void *arg) {
    ctxhost_instance *instance = arg;
    while (!__atomic_load_n(&instance->over, __ATOMIC_SEQ_CST)) {
        instance->host->log(instance->host, CTXHOST_LEVEL_INFO, bytes("still here"));
        wait_ms(1);
    }
    instance->host->log(instance->host, CTXHOST_LEVEL_WARNING, bytes("the thread ends"));
    return NULL;
}
#endif

PERHAPS uint32_t manifest(ctxhost_sink out) {
    return say(out, MANIFEST);
}

PERHAPS uint32_t create(const ctxhost_host_v1 *host, ctxhost_bytes settings,
                        ctxhost_instance **instance, ctxhost_sink err) {
    (void)settings;
    ctxhost_instance *made = calloc(1, sizeof *made);
    made->host = host;
#ifdef LEAKS
    made->over = open("/dev/null", O_RDONLY);
#endif
#ifdef WITH_THREAD
    if (pthread_create(&made->thread, NULL, log_on, made) != 0) {
        free(made);
        say(err, "no thread");
        return CTXHOST_FAILED;
    }
#endif
    (void)err;
    *instance = made;
    return CTXHOST_OK;
}

PERHAPS uint32_t invoke(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    if (call->op.len != 5 || memcmp(call->op.ptr, "event", 5) != 0) return CTXHOST_UNKNOWN_OP;
    return WHEN_INVOKED(instance, call);
}

PERHAPS void destroy(ctxhost_instance *instance) {
#ifdef WITH_THREAD
    __atomic_store_n(&instance->over, 1, __ATOMIC_SEQ_CST);
    pthread_join(instance->thread, NULL);
    instance->host->log(instance->host, CTXHOST_LEVEL_INFO, bytes("the instance ends"));
#endif
    free(instance);
}

PERHAPS const ctxhost_provider_v1 table = {
    .struct_size = SIZE,
    .abi_major = MAJOR,
    .abi_minor = CTXHOST_ABI_MINOR,
    .flags = FLAGS,
    .manifest = manifest,
    .create = create,
    .invoke = INVOKE,
    .destroy = destroy,
};

#ifndef WITHOUT_ENTRY
const ctxhost_provider_v1 *ctxhost_entry_v1(void) {
    return TABLE;
}
#endif
