using System;
using Json = System.Text.Json;
using static System.Math;

namespace Shop.Core
{
    /// <summary>A cart — in €.</summary>
    [Serializable]
    public sealed class Cart<T> : Base, IStore where T : Item
    {
        public const int Limit = 10;
        private readonly List<T> items = new();
        protected static string name, other;
        public event EventHandler Changed;

        /// <summary>Makes one,
        /// empty.</summary>
        public Cart(int size) : base(size) { items.Capacity = size; }

        public int Size => items.Count;
        internal string Title { get; private set; } = "Cart";

        public async Task<bool> Add(T item, params int[] prices)
        {
            var doubled = prices[0] * 2;
            foreach (var price in prices) Log(price);
            int Local(int value) => value + doubled;
            if (item is Item found && int.TryParse("1", out var parsed)) return await Save(found, amount: parsed);
            return Local(doubled) > Limit;
        }

        void Log(int price) { Action task = () => Console.WriteLine($"{price} {Limit}"); task(); }

        // Not a doc comment.
        class Node { Node next; }
        protected internal enum State { Open, Closed = 4 }
    }

    interface IStore { bool Save(Item item); int Count { get; } }
    public record Pair(int First, string Second);
    struct Point { public int X; }
    delegate void Handler(object sender);
}
