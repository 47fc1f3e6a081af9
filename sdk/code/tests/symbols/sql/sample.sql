-- What people buy.
CREATE TABLE shop.items (
  id SERIAL PRIMARY KEY,
  "price" NUMERIC(10, 2) NOT NULL,
  cart_id INT REFERENCES carts (id)
);

create view expensive as select id from shop.items where price > 10;

/* Adds up. */
CREATE OR REPLACE FUNCTION total(cart INT) RETURNS NUMERIC AS $$
  SELECT sum(price) FROM shop.items WHERE cart_id = cart;
$$ LANGUAGE sql;

CREATE INDEX items_by_cart ON shop.items (cart_id);
CREATE TYPE color AS ENUM ('red', 'blue');
ALTER TABLE carts ADD COLUMN name TEXT;
CREATE TRIGGER touched BEFORE UPDATE ON carts FOR EACH ROW EXECUTE FUNCTION touch();
CREATE SCHEMA audit;
CREATE SEQUENCE numbers;
CREATE MATERIALIZED VIEW sums AS SELECT 1;
