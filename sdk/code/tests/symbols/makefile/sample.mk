include common.mk

LIMIT := 10
export NAME ?= shop

# Builds everything.
all: build test
	@echo done

build: $(OBJECTS) main.c
	$(CC) -o $@ $<

%.o: %.c
	$(CC) -c $<

define twice
$(1) $(1)
endef

.PHONY: all clean
clean:: ; rm -f *.o

ifdef DEBUG
FLAGS += -g
endif
