/*
 * Parsing within a number of bytes, and a time, that no text can get around.
 *
 * tree-sitter has no limits of its own, and the end of a file can make it ask for gigabytes between two reports. So what
 * it asks for comes from here. Blocks of a parse belong to its session, which counts them and keeps them in a ring;
 * what would exceed the limit is never allocated: the parse is left by a jump, and the session frees the ring.
 *
 * The jump crosses frames of the runtime alone, and none of them is used again: parser and stacks are in the ring. The
 * runtime allocates nothing while it is in `read`, `report` or a grammar's code, so those are never left half done. What
 * a grammar's scanner holds is its own memory; the session remembers the scanner and has it destroyed.
 *
 * Blocks that are allocated outside of a parse (queries, cursors) belong to no session, and any thread may free them.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tree_sitter/api.h>

/* What a parse may take; `Limits` in bounded.rs. */
typedef struct {
    size_t bytes;   /* the most that it may hold at once */
    size_t reports; /* how often the parser may report */
    size_t reads;   /* how often it may ask for text */
    size_t piece;   /* how much it gets each time */
    size_t millis;  /* how long it may work, by the clock of its thread */
} Limits;

/* What the struct of a grammar begins with in ABI 13 to 15, and the words behind it. */
typedef struct {
    uint32_t numbers[9]; /* the first is the ABI version */
    uint16_t longest_alias;
    const void *tables[15];
    uint16_t keyword;
    const void *states, *symbols;
    void *(*create)(void);
    void (*destroy)(void *scanner);
    const void *scan, *serialize, *deserialize;
    const void *words[8];
} Struct;

/* A grammar as it is parsed with: a copy that tells the session of its scanner, and what the grammar itself calls. */
typedef struct {
    Struct copy;
    void *(*create)(void);
    void (*destroy)(void *scanner);
} Grammar;

typedef struct Session Session;

/* What stands in front of each block; a multiple of the largest alignment. */
typedef struct Block {
    struct Block *before, *after;
    Session *session;
    size_t size; /* this header included */
} Block;

_Static_assert(sizeof(Block) % _Alignof(max_align_t) == 0, "a block's content is aligned like the block");

struct Session {
    Block ring;
    size_t held, most;
    Limits left;
    const Grammar *grammar;
    void *scanner;
    size_t begun, looks;
    bool late, over_limit;
    const char *text;
    uint32_t length;
    TSTree *tree;
    jmp_buf over;
};

/* The session of the parse that this thread is in. */
static _Thread_local Session *current;

/* Leaves the parse; outside of one there is no memory left, and tree-sitter knows no way to go on either. */
static _Noreturn void give_up(void) {
    if (current) longjmp(current->over, 1);
    fputs("tree-sitter: no memory\n", stderr);
    abort();
}

/* How long this thread has worked; waiting for others does not count. */
static size_t worked_millis(void) {
    struct timespec worked = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    return (size_t)worked.tv_sec * 1000 + (size_t)worked.tv_nsec / 1000000;
}

/* Looks at the clock each 256th time, which costs a parse two thousandths of its time. */
static bool is_late(Session *session) {
    if (++session->looks % 256 == 0) session->late = worked_millis() - session->begun > session->left.millis;
    return session->late;
}

/* Counts a block that grows; leaves the parse where it may not, and where it is late. */
static void count(Session *session, size_t old, size_t new) {
    if (is_late(session)) give_up();
    size_t held = session->held - old;
    if (new > session->left.bytes || held > session->left.bytes - new) give_up();
    session->held = held + new;
    if (session->held > session->most) session->most = session->held;
}

static void link_in(Block *block) {
    Block *ring = &block->session->ring;
    block->before = ring;
    block->after = ring->after;
    ring->after->before = block;
    ring->after = block;
}

static void link_out(Block *block) {
    block->before->after = block->after;
    block->after->before = block->before;
}

static size_t with_header(size_t size) {
    if (size > SIZE_MAX - sizeof(Block)) give_up();
    return size + sizeof(Block);
}

static void *begin(Block *block, size_t size) {
    if (!block) give_up();
    block->session = current;
    block->size = size;
    if (current) link_in(block);
    return block + 1;
}

static void *take(size_t size) {
    size = with_header(size);
    if (current) count(current, 0, size);
    return begin(malloc(size), size);
}

static void *take_zeroed(size_t items, size_t size) {
    if (size && items > SIZE_MAX / size) give_up();
    size = with_header(items * size);
    if (current) count(current, 0, size);
    return begin(calloc(1, size), size);
}

static void *resize(void *content, size_t size) {
    if (!content) return take(size);
    Block *block = (Block *)content - 1;
    size = with_header(size);
    if (block->session) {
        count(block->session, block->size, size);
        link_out(block);
    }
    Block *moved = realloc(block, size);
    if (!moved) {
        if (block->session) link_in(block);
        give_up();
    }
    moved->size = size;
    if (moved->session) link_in(moved);
    return moved + 1;
}

static void give_back(void *content) {
    if (!content) return;
    Block *block = (Block *)content - 1;
    if (block->session) {
        block->session->held -= block->size;
        link_out(block);
    }
    free(block);
}

/* Before anything of the program: a block of another allocator must never come here. */
__attribute__((constructor)) static void set_allocator(void) {
    ts_set_allocator(take, take_zeroed, resize, give_back);
}

static void *create_scanner(void) {
    current->scanner = current->grammar->create();
    return current->scanner;
}

static void destroy_scanner(void *scanner) {
    current->scanner = NULL;
    current->grammar->destroy(scanner);
}

/* Makes the copy of a grammar, which is there for good. */
const Grammar *ctxhost_bounded_grammar(const TSLanguage *language) {
    const Struct *original = (const Struct *)language;
    uint32_t abi = original->numbers[0];
    size_t words = abi >= 15 ? 8 : abi == 14 ? 1 : 0;
    Grammar *grammar = calloc(1, sizeof(Grammar));
    if (!grammar) return NULL;
    memcpy(&grammar->copy, original, offsetof(Struct, words) + words * sizeof(void *));
    grammar->create = original->create;
    grammar->destroy = original->destroy;
    if (original->create && original->destroy) {
        grammar->copy.create = create_scanner;
        grammar->copy.destroy = destroy_scanner;
    }
    return grammar;
}

/* Gives the next piece; once too much was read the text is at its end, early, so that it is soon over. */
static const char *next_piece(void *payload, uint32_t at, TSPoint point, uint32_t *length) {
    (void)point;
    Session *session = payload;
    if (session->left.reads) session->left.reads--;
    size_t rest = session->left.reads && at < session->length ? session->length - at : 0;
    *length = (uint32_t)(rest < session->left.piece ? rest : session->left.piece);
    return rest ? session->text + at : "";
}

/* Says whether the parser shall stop. */
static bool report(TSParseState *state) {
    Session *session = state->payload;
    if (session->left.reports) session->left.reports--;
    return !session->left.reports || !session->left.reads || is_late(session);
}

static void parse(Session *session) {
    TSParser *parser = ts_parser_new();
    if (ts_parser_set_language(parser, (const TSLanguage *)&session->grammar->copy)) {
        TSInput input = {.payload = session, .read = next_piece, .encoding = TSInputEncodingUTF8};
        TSParseOptions options = {.payload = session, .progress_callback = report};
        TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
        ts_parser_delete(parser);
        /* Only now: while the parser was deleted the parse could still be left. */
        session->tree = session->left.reads ? tree : NULL;
    }
}

/* What became of a parse; `Outcome` in bounded.rs. */
enum { PARSED, STOPPED, OVER_LIMIT };

/* Parses a text. The session is the caller's to end, whatever came out; it is NULL where there was no memory for it. */
int ctxhost_bounded_parse(const Grammar *grammar, const char *text, uint32_t length, const Limits *limits,
                          Session **given) {
    Session *session = *given = calloc(1, sizeof(Session));
    if (!session) return OVER_LIMIT;
    session->ring.before = session->ring.after = &session->ring;
    session->left = *limits;
    session->begun = worked_millis();
    session->grammar = grammar;
    session->text = text;
    session->length = length;
    current = session;
    if (setjmp(session->over) == 0) {
        parse(session);
    } else {
        session->over_limit = !session->late;
    }
    current = NULL;
    if (session->scanner && grammar->destroy) grammar->destroy(session->scanner);
    session->scanner = NULL;
    if (session->over_limit) return OVER_LIMIT;
    return session->tree ? PARSED : STOPPED;
}

TSTree *ctxhost_bounded_tree(const Session *session) { return session->tree; }

/* Gives the most bytes that the session held at once. */
size_t ctxhost_bounded_most(const Session *session) { return session->most; }

/* Frees all that the parse made, the tree with it. */
void ctxhost_bounded_end(Session *session) {
    for (Block *block = session->ring.after; block != &session->ring;) {
        Block *next = block->after;
        free(block);
        block = next;
    }
    free(session);
}
