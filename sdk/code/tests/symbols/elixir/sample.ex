defmodule Shop.Cart do
  @moduledoc "What people buy."
  use GenServer
  alias Shop.{Item, Price}
  import Enum, only: [sum: 1]

  @limit 10
  defstruct [:name, items: []]
  @type t :: %__MODULE__{}

  @doc """
  Adds up.
  """
  @spec total(t, float) :: float
  def total(cart, rate \\ 1.0) when rate > 0 do
    cart.items |> Enum.map(&price/1) |> sum()
  end

  def total(nil), do: 0

  # Private.
  defp price(item), do: item.price * @limit

  defmacro twice(x) do
    quote do: unquote(x) * 2
  end

  defmodule Inner do
    def run, do: :ok
  end
end

defprotocol Priced do
  def price(thing)
end

defimpl Priced, for: Shop.Cart do
  def price(cart), do: Shop.Cart.total(cart)
end
