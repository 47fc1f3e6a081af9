package shop.core;

import java.util.List;
import static java.util.Map.*;

/** A cart — in €. */
@Entity(name = "cart")
public class Cart<T extends Item> extends Base implements Store {
    public static final int LIMIT = 10, MINIMUM = 1;
    private final List<T> items;
    protected String name;
    int open;

    /** Makes one. */
    public Cart(List<T> items) { this.items = items; }

    /**
     * Adds one.
     */
    @Override
    public boolean add(T item, int... prices) throws FullException {
        final int doubled = prices[0] * 2;
        for (int price : prices) { log(price); }
        try (Reader reader = open(doubled)) { return items.add(item); }
        catch (IOException problem) { throw new FullException(problem); }
    }

    void log(int price) { Runnable task = () -> System.out.println(price); task.run(); }

    // Not a doc comment.
    private static class Node { Node next; }

    enum State { OPEN, CLOSED { boolean over() { return true; } }; State other() { return OPEN; } }
}

interface Item {
    double RATE = 1.5;
    double price(double rate);
    default boolean isFree() { return price(RATE) == 0; }
}

/** Two at once. */
record Pair<A, B>(A first, B second) {
    Pair { check(first); }
    static <T> Pair<T, T> of(T value) { return new Pair<>(value, value); }
}

@interface Entity { String name() default ""; }
