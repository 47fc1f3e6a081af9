// @ts-check
import React, { useState as state } from 'react';
import * as shop from "./shop";
const { join } = require('node:path');
export { total, Cart as default };
export * from './more.js';

/** How many at most. */
export const LIMIT = 10, MINIMUM = 1;
let counter = 0;

/**
 * Adds up: « prix ».
 * @param {Cart} cart
 */
function total(cart, { rate = 1, tax: vat }, ...rest) {
  const sum = cart.items.reduce((first, item) => first + item.price, 0);
  const format = (value) => value.toFixed(2);
  function inner() { return sum * rate * vat; }
  for (const entry of rest) log(entry, `text ${join(entry)} log`);
  return format(inner());
}

export async function* stream() { yield total; }

const only = x => x;
export const handler = async (event) => {
  try { await event.wait(); } catch (error) { report(error); }
};

// What somebody wants.
@observed
class Cart extends shop.Base {
  static #count = 0;
  name = 'cart';
  onChange = (event) => { this.#save(event); };
  constructor(items) { super(); this.items = items; }
  get size() { return this.items.length; }
  #save() {}
  static of(...items) { return new Cart(items); }
}

export class Shop {}

const api = {
  get(id) { return fetch(id); },
  post: async (body) => send(body),
  limit: LIMIT,
};

Registry.prototype.add = function (item) { this.items.push(item); };
exports.create = () => new Registry();
module.exports = function build(options) { return options; };
module.exports.late = counter;

export const View = ({ title, children }) => <Panel title={title} onClick={() => state(1)}>{children}</Panel>;
(function () { var hidden = 1; function closed() { return hidden; } })();
