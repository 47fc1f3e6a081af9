/*
 * ctxhost.h - the boundary between ctxhost and a context provider: ABI 1.
 *
 * A provider is a shared library that tells a coding agent something worth
 * knowing. The host finds it by the note in its file, opens it, takes its
 * table from ctxhost_entry_v1(), makes an instance of it and asks it
 * questions. Whatever is asked and answered is JSON in UTF-8; the messages
 * are described by the spec `envelope/v1`, which `ctxhost specs show
 * envelope/v1` prints.
 *
 * A provider in C consists of three things:
 *
 *   1. CTXHOST_NOTE("{...}"), once, at file scope;
 *   2. a ctxhost_provider_v1 with its functions;
 *   3. ctxhost_entry_v1(), which returns a pointer to that table.
 *
 * Compile it with `cc -shared -fPIC -o libname.so name.c`, put the library
 * into a folder where `ctxhost list` looks, and hold it against the rules
 * below with `ctxhost check ./libname.so`.
 *
 * RULES FOR BOTH SIDES
 *
 * Memory     Whoever allocates frees. Bytes are borrowed for the call that
 *            they are passed to; whoever needs them longer copies them.
 *            The instance is the only object that the provider owns on
 *            behalf of the host; create() makes it and destroy() frees it.
 * Threads    What may run at the same time is stated at each function.
 * Unwinding  No exception, no panic and no longjmp() crosses the boundary,
 *            in either direction. In C++, catch everything in every function
 *            of the table and return CTXHOST_PANIC.
 * Growth     These structs never change. A later host brings new JSON
 *            fields, new operations (answer CTXHOST_UNKNOWN_OP), extensions
 *            from get_extension(), or ctxhost_entry_v2 beside v1.
 *            Reserved words are zero, and nobody reads them yet.
 * Trust      A library runs with all rights of the host's process. It leaves
 *            alone what is not its own: standard output (which may carry the
 *            host's answer), signal handlers, locale, working directory,
 *            environment. A crash in it ends the host.
 *
 * The host never unloads a library.
 *
 * This file needs nothing but a C99 or C++11 compiler.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef CTXHOST_H
#define CTXHOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of this ABI. Host and provider agree on the major number; any
 * minor number works with any other. */
#define CTXHOST_ABI_MAJOR UINT32_C(1)
#define CTXHOST_ABI_MINOR UINT32_C(0)

/* ------------------------------------------------------------------------
 * Status: what a function of the table returns. A number that is not listed
 * here counts as a failure.
 */
enum ctxhost_status {
    CTXHOST_OK = 0,         /* the reply is in `out` */
    CTXHOST_BAD_INPUT = 1,  /* the input is not what this operation takes */
    CTXHOST_FAILED = 2,     /* it could not be done; `err` says why */
    CTXHOST_PANIC = 3,      /* the provider crashed, and caught it itself */
    CTXHOST_DEADLINE = 4,   /* it stopped because its deadline had passed */
    CTXHOST_CANCELLED = 5,  /* it stopped because nobody wants the answer */
    CTXHOST_TOO_LARGE = 6,  /* the reply is larger than the sink takes */
    CTXHOST_UNKNOWN_OP = 7  /* the provider does not know this operation */
};

/* Flags of a ctxhost_provider_v1. */

/* invoke() may run on several threads at once, on one instance. Without this
 * flag the host takes turns. */
#define CTXHOST_FLAG_THREAD_SAFE UINT64_C(1)

/* The provider asks for a process of its own. A host that cannot give one
 * refuses to load it. */
#define CTXHOST_FLAG_NEEDS_ISOLATION UINT64_C(2)

/* `deadline_ns` of a call that has no deadline. */
#define CTXHOST_NO_DEADLINE UINT64_MAX

/* How bad a line for the log is. */
enum ctxhost_level {
    CTXHOST_LEVEL_ERROR = 1,
    CTXHOST_LEVEL_WARNING = 2,
    CTXHOST_LEVEL_INFO = 3,
    CTXHOST_LEVEL_DEBUG = 4
};

/* ------------------------------------------------------------------------
 * Bytes, borrowed for the duration of one call. They are not terminated by
 * a NUL. `ptr` may be NULL only when `len` is 0.
 */
typedef struct ctxhost_bytes {
    const uint8_t *ptr;
    size_t len;
} ctxhost_bytes;

/* ------------------------------------------------------------------------
 * A sink: where the callee writes. Its owner keeps the memory and bounds the
 * size, so nobody has to free anything of the other side's.
 */
typedef struct ctxhost_sink {
    /* The owner's; handed back to `write` unchanged. */
    void *user;

    /* Appends bytes, any number of times; together they are the text.
     * Returns CTXHOST_OK, or CTXHOST_TOO_LARGE, after which nothing more is
     * kept: return that status from your own function then.
     * Threads: only on the thread that was given the sink, and only until
     * the function that was given it returns. */
    uint32_t (*write)(void *user, ctxhost_bytes bytes);
} ctxhost_sink;

/* ------------------------------------------------------------------------
 * One call to a provider. Everything in it is borrowed until invoke()
 * returns.
 */
typedef struct ctxhost_call_v1 {
    /* The number of this call, for cancelled() and for `progress`
     * notifications. */
    uint64_t call;

    /* When the answer must be there, in nanoseconds on the clock of
     * now_ns(); CTXHOST_NO_DEADLINE for no deadline. */
    uint64_t deadline_ns;

    /* What is asked: `event`, `tool`, `command` or `tools`. Others may be
     * added; answer CTXHOST_UNKNOWN_OP to what you do not know. */
    ctxhost_bytes op;

    /* The question, JSON: request, tool-request or command-request of
     * envelope/v1; nothing for `tools`. */
    ctxhost_bytes input;

    /* Where the reply goes, JSON: reply, tool-reply, command-reply or
     * tools-reply of envelope/v1. The host takes 1 MiB. */
    ctxhost_sink out;

    /* Where one sentence goes when the status is not CTXHOST_OK: a
     * lower-case fragment without a full stop, for a person. */
    ctxhost_sink err;
} ctxhost_call_v1;

/* ------------------------------------------------------------------------
 * The host, as a provider sees it. Each function takes this table first.
 *
 * Lifetime: the table and its functions are valid from the moment create()
 * is called until destroy() of that instance returns, or until create()
 * returns a status other than CTXHOST_OK. A thread of the provider's own may
 * use them as long; destroy() therefore waits for such threads.
 */
typedef struct ctxhost_host_v1 ctxhost_host_v1;
struct ctxhost_host_v1 {
    /* sizeof(ctxhost_host_v1) in the host; at least yours, with ABI 1. */
    size_t struct_size;

    /* The host's CTXHOST_ABI_MINOR. */
    uint32_t abi_minor;

    /* Writes a line to the host's log; `level` is a ctxhost_level.
     * Lines longer than 4 KiB are cut.
     * Threads: any, at any time within the lifetime above. */
    void (*log)(const ctxhost_host_v1 *host, uint32_t level, ctxhost_bytes text);

    /* Whether a call is no longer wanted: 1 when it was cancelled, is past
     * its deadline, or is over; otherwise 0. Look here inside loops and
     * before anything slow, and return CTXHOST_CANCELLED (or
     * CTXHOST_DEADLINE) soon after a 1.
     * A call that does not come back is given up: its provider is asked
     * nothing more, and its instance is never destroyed.
     * Threads: any; `call` is the number of a call of this instance. */
    uint32_t (*cancelled)(const ctxhost_host_v1 *host, uint64_t call);

    /* The host's clock, in nanoseconds since some moment; it never goes
     * back.
     * Threads: any, at any time within the lifetime above. */
    uint64_t (*now_ns)(const ctxhost_host_v1 *host);

    /* Tells the host something that is not an answer: `notify` of
     * envelope/v1, JSON of at most 64 KiB. What the host cannot read it
     * drops.
     * Threads: any, at any time within the lifetime above. */
    void (*notify)(const ctxhost_host_v1 *host, ctxhost_bytes json);

    /* An extension of the host by its id (`ctxhost.x/1`), or NULL.
     * Threads: any, at any time within the lifetime above. The extension
     * lives as long as this table. */
    const void *(*get_extension)(const ctxhost_host_v1 *host, ctxhost_bytes id);

    /* All zero. */
    size_t reserved[4];
};

/* An instance of a provider: defined by the provider, opaque to the host. */
typedef struct ctxhost_instance ctxhost_instance;

/* ------------------------------------------------------------------------
 * The provider, as the host sees it: constant, and valid as long as the
 * library is loaded.
 */
typedef struct ctxhost_provider_v1 {
    /* sizeof(ctxhost_provider_v1). */
    size_t struct_size;

    /* CTXHOST_ABI_MAJOR and CTXHOST_ABI_MINOR. */
    uint32_t abi_major;
    uint32_t abi_minor;

    /* CTXHOST_FLAG_..., or 0. */
    uint64_t flags;

    /* Writes the manifest: `manifest` of envelope/v1, JSON of at most 1 MiB.
     * Its id, version, spec, abi and events are those of the note.
     * Returns CTXHOST_OK, or what the sink returned.
     * No side effect, and the same text every time.
     * Threads: any, at any time, with or without instances. */
    uint32_t (*manifest)(ctxhost_sink out);

    /* Makes an instance from `create` of envelope/v1: settings, paths and
     * environment. Stores it in `*instance` and returns CTXHOST_OK; or
     * stores nothing, writes a sentence to `err` and returns
     * CTXHOST_BAD_INPUT (the settings are wrong) or CTXHOST_FAILED.
     * `host` may be kept until destroy() returns; the bytes may not.
     * Several instances may live beside each other. Be quick: a prompt
     * waits.
     * Threads: any, but never beside another call on this instance. */
    uint32_t (*create)(const ctxhost_host_v1 *host, ctxhost_bytes create,
                       ctxhost_instance **instance, ctxhost_sink err);

    /* Answers one call; see ctxhost_call_v1.
     * Threads: any. Several calls on one instance may overlap when
     * CTXHOST_FLAG_THREAD_SAFE is set; otherwise one follows the other, each
     * perhaps on another thread. */
    uint32_t (*invoke)(ctxhost_instance *instance, const ctxhost_call_v1 *call);

    /* Frees an instance, the last call on it. Ends and joins the threads
     * that the instance has started.
     * Threads: any, after every invoke() on this instance has returned. Not
     * called for an instance with a call that never came back, and not when
     * the host's process ends early. */
    void (*destroy)(ctxhost_instance *instance);

    /* An extension of the provider by its id, or NULL. The function itself
     * may be NULL.
     * Threads: any, at any time. */
    const void *(*get_extension)(ctxhost_bytes id);

    /* All zero. */
    size_t reserved[4];
} ctxhost_provider_v1;

/* ------------------------------------------------------------------------
 * Exported by every provider: returns its table. Has no side effect, calls
 * nothing, and returns the same pointer every time.
 * Threads: any, at any time.
 */
#if defined(_WIN32)
#define CTXHOST_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define CTXHOST_EXPORT __attribute__((visibility("default")))
#else
#define CTXHOST_EXPORT
#endif

CTXHOST_EXPORT const ctxhost_provider_v1 *ctxhost_entry_v1(void);

/* ------------------------------------------------------------------------
 * CTXHOST_NOTE("{...}"); at file scope, once in a library: says what the
 * library is, readable without running any of it. `note` of envelope/v1:
 *
 *   CTXHOST_NOTE("{\"id\":\"hello\",\"version\":\"1.0.0\",\"title\":\"Hello\","
 *                "\"abi\":\"1.0\",\"spec\":\"envelope/v1\",\"events\":[\"prompt\"]}");
 *
 * It lands in the section `.ctxhost` (`__DATA,__ctxhost` in Mach-O files) and
 * stays there through optimization, `-Wl,--gc-sections` and strip. A compiler
 * without the attribute `retain` (GCC before 11, clang before 13) cannot
 * promise the second of these; link without that option there.
 */
#if defined(__has_attribute)
#if __has_attribute(retain) && !defined(__APPLE__)
#define CTXHOST_NOTE_RETAIN_ , retain
#endif
#endif
#ifndef CTXHOST_NOTE_RETAIN_
#define CTXHOST_NOTE_RETAIN_
#endif
#if defined(__APPLE__)
#define CTXHOST_NOTE_SECTION_ "__DATA,__ctxhost"
#else
#define CTXHOST_NOTE_SECTION_ ".ctxhost"
#endif

#define CTXHOST_NOTE(json)                                                          \
    static const char ctxhost_note_[]                                               \
        __attribute__((used, section(CTXHOST_NOTE_SECTION_) CTXHOST_NOTE_RETAIN_)) = \
            json

#ifdef __cplusplus
}
#endif

#endif /* CTXHOST_H */
