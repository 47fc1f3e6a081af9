/*
 * A complete provider in C: counts the words of a prompt.
 *
 *   cc -std=c99 -Wall -Wextra -Werror -shared -fPIC -I sdk/abi -o libc-words.so provider.c
 *
 * It finds what it needs in the JSON by looking for a piece of text, which is
 * enough to show the boundary; a real provider uses a JSON library.
 */
#include <ctxhost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                              \
    "\"id\":\"c-words\",\"version\":\"1.0.0\",\"title\":\"Words, in C\"," \
    "\"abi\":\"1.0\",\"spec\":\"envelope/v1\",\"events\":[\"prompt\"]"

CTXHOST_NOTE("{" HEAD "}");

struct ctxhost_instance {
    const ctxhost_host_v1 *host;
};

static ctxhost_bytes bytes(const char *text) {
    ctxhost_bytes lent = {(const uint8_t *)text, strlen(text)};
    return lent;
}

static uint32_t say(ctxhost_sink sink, const char *text) {
    return sink.write(sink.user, bytes(text));
}

static uint32_t fail(ctxhost_sink err, uint32_t status, const char *why) {
    say(err, why);
    return status;
}

/* Where `what` ends in borrowed bytes, which no NUL terminates; or NULL. */
static const uint8_t *after(ctxhost_bytes in, const char *what) {
    size_t length = strlen(what);
    for (size_t at = 0; at + length <= in.len; at++)
        if (memcmp(in.ptr + at, what, length) == 0) return in.ptr + at + length;
    return NULL;
}

static int is_object(ctxhost_bytes json) {
    return json.len >= 2 && json.ptr[0] == '{' && json.ptr[json.len - 1] == '}';
}

static uint32_t manifest(ctxhost_sink out) {
    return say(out, "{" HEAD ",\"summary\":\"says how many words a prompt has\"}");
}

static uint32_t create(const ctxhost_host_v1 *host, ctxhost_bytes settings,
                       ctxhost_instance **instance, ctxhost_sink err) {
    if (!is_object(settings)) return fail(err, CTXHOST_BAD_INPUT, "the settings are not an object");
    ctxhost_instance *made = malloc(sizeof *made);
    if (!made) return fail(err, CTXHOST_FAILED, "out of memory");
    made->host = host;
    host->log(host, CTXHOST_LEVEL_INFO, bytes("the C provider is there"));
    *instance = made;
    return CTXHOST_OK;
}

static uint32_t invoke(ctxhost_instance *instance, const ctxhost_call_v1 *call) {
    const ctxhost_host_v1 *host = instance->host;
    if (call->op.len != 5 || memcmp(call->op.ptr, "event", 5) != 0) return CTXHOST_UNKNOWN_OP;
    const uint8_t *at = after(call->input, "\"text\":\"");
    if (!is_object(call->input) || !after(call->input, "\"event\":\"prompt\"") || !at)
        return fail(call->err, CTXHOST_BAD_INPUT, "not a prompt");
    unsigned words = 0;
    const uint8_t *end = call->input.ptr + call->input.len;
    for (int inside = 0; at < end && *at != '"'; at++) {
        int blank = *at == ' ' || *at == '\\';
        if (*at == '\\') at++;
        if (!blank && !inside && host->cancelled(host, call->call)) return CTXHOST_CANCELLED;
        words += !blank && !inside;
        inside = !blank;
    }
    char reply[300];
    snprintf(reply, sizeof reply,
             "{\"v\":1,\"spec\":\"envelope/v1\",\"sections\":[{\"key\":\"words\",\"placement\":\"prompt\","
             "\"trust\":\"tool\",\"variants\":[{\"body\":\"The prompt has %u words.\\n\"}]}]}",
             words);
    return say(call->out, reply);
}

static void destroy(ctxhost_instance *instance) {
    free(instance);
}

const ctxhost_provider_v1 *ctxhost_entry_v1(void) {
    static const ctxhost_provider_v1 table = {
        .struct_size = sizeof table,
        .abi_major = CTXHOST_ABI_MAJOR,
        .abi_minor = CTXHOST_ABI_MINOR,
        .flags = CTXHOST_FLAG_THREAD_SAFE,
        .manifest = manifest,
        .create = create,
        .invoke = invoke,
        .destroy = destroy,
    };
    return &table;
}
