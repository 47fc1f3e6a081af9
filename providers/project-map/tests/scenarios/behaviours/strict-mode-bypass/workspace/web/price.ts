// Shows the price.
export function showPrice() {}
