#include <stdio.h>
#include "shop.h"
#define SHOP_H
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A point — in mm. */
typedef struct {
	int x, y;
	char name[16];
	void (*moved)(int);
} Point;

struct item {
	struct item *next;
	const char **words;
};

typedef enum { OPEN, CLOSED = 4 } state_t;
enum color { RED, GREEN };
union value { int whole; float part; };
typedef unsigned long size;
typedef int (*compare)(const void *left, const void *right);

extern int counter;
static const char *names[] = { "one", "two" };
const int answer = 42;

/* Makes one,
 * somewhere. */
Point make(int x, int y)
{
	Point made = { .x = x, .y = y };
	return made;
}

// Adds.
static int add(int left, struct item *item)
{
	static int calls;
	int sum = left + LIMIT;
	calls++;
	printf("%d add", sum);
	return MAX(sum, item->next->count);
}

struct item *find(const char *name, compare by);
char **split(char *text) { return text ? 0 : names; }

#ifdef DEBUG
static void dump(void) { add(1, NULL); }
#endif
