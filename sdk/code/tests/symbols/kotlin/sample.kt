package shop.core

import kotlin.math.max
import shop.price.*
import shop.Other as Alias

/** A cart — in €. */
@Serializable
data class Cart<T : Item>(val items: List<T>, private var total: Double = 0.0, size: Int) : Base(size), Store {
    private val limit = 10
    internal lateinit var name: String
    val isEmpty: Boolean
        get() = items.isEmpty()

    constructor(item: T) : this(listOf(item), 0.0, 1)

    /**
     * Adds one.
     */
    @Throws(Full::class)
    override suspend fun add(item: T, vararg prices: Double): Boolean {
        val doubled = prices[0] * 2
        for (price in prices) log(price)
        fun inner(value: Double) = value + doubled
        return items.map { one -> check(one, strict = true) }.any() && inner(doubled) > max(limit, 3)
    }

    protected open fun log(price: Double) { println("$price ${limit}") }

    companion object {
        const val OPEN = 1
        fun of(): Cart<Item> = TODO()
    }
}

// Not a doc comment.
sealed interface Item {
    val price: Double
    fun isFree(): Boolean
}

enum class State(val code: Int) {
    OPEN(1), CLOSED(2);
    fun next() = OPEN
}

object Register {
    fun open() {}
}
typealias Key = String
const val LIMIT = 10
private fun hidden() {}
fun Cart<Item>.extended(value: Int) = value
internal val handler = { event: Event -> event.run() }
