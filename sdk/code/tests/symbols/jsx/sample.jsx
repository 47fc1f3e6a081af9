import Item from "./Item";

/** What people buy. */
export function Cart({ items }) {
  return <ul className="cart">{items.map((item) => <Item key={item.id} {...item} />)}</ul>;
}

const hidden = () => <Cart items={[]} />;
