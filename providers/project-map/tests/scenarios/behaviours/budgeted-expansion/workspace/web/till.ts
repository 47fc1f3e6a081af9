// Shows the till.
export function showTill() {}
