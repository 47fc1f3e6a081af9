package shop.core

import scala.collection.mutable.{Map => MutableMap, Set}
import shop.price._

/** A cart — in €. */
@deprecated
final case class Cart[T <: Item](items: List[T], private val total: Double = 0.0) extends Base with Store {
  private val limit = 10
  protected var name: String = _
  private[core] def hidden(): Unit = ()
  type Money = Double

  /** Adds one.
    */
  override def add(item: T, prices: Double*)(implicit rate: Rate): Boolean = {
    val doubled = prices.head * 2
    for (price <- prices) log(price)
    def inner(value: Double) = value + doubled
    items.map(one => check(one)).nonEmpty && inner(doubled) > limit
  }

  def log(price: Double): Unit = println(s"$price $limit")
}

object Cart { val Limit = 10; def apply(): Cart[Item] = new Cart(Nil) }

// Not a doc comment.
trait Item { def price: Double
  def isFree: Boolean = price == 0 }

sealed abstract class State
case object Open extends State
enum Color { case Red, Green }
given ordering: Ordering[Item] = ???
def top(value: Int): Int = value match { case found => found }
