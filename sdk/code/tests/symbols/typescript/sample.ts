import type { Price } from "./price";
import fs = require("fs");
export type { Price };

/** An amount — in €. */
export type Amount = { value: number; currency?: string };
type Key<T> = keyof T;

/** What can be sold. */
export interface Item extends Base<Amount> {
  readonly name: string;
  price(rate: number): Amount;
  new (name: string): Item;
}

export const enum State { Open, Closed = "closed" }

declare function external(name: string): void;
export function parse(text: string): Item;
export function parse(text: string | null): Item | null {
  const cleaned = text?.trim() as string;
  return cleaned ? JSON.parse(cleaned) : null;
}

@Injectable({ scope: "root" })
export abstract class Cart<T extends Item> implements Store {
  private static total = 0;
  protected readonly items: T[] = [];
  #hidden?: Amount;
  onAdd = (item: T): void => this.check(item);

  constructor(private readonly store: Store, public name: string, limit = 3) {
    super(limit);
  }

  /**
   * Adds one.
   */
  public async add(item: T, ...rest: T[]): Promise<void> {
    await this.store.save<T>(item, rest.map((one) => one.name));
  }

  protected abstract check(item: T): void;
  get size(): number { return this.items.length; }
}

class Local {}
export { Local as Renamed };

export namespace Shop {
  export const LIMIT = 3;
  function hidden(): void {}
}

declare module "other" {
  export function typed(): Amount;
}

const isItem = (value: unknown): value is Item => value instanceof Object;
export default class extends Cart<Item> {}
