with Ada.Text_IO; use Ada.Text_IO;

-- What people buy.
package body Shop.Cart is

   Limit : constant Integer := 10;

   type Money is new Integer range 0 .. 100;

   type Item is record
      Price : Money;
   end record;

   procedure Reset (C : in out Item);

   -- Adds up.
   function Total (C : Item) return Money is
      Sum : Money := 0;
   begin
      if C.Price > 0 then
         Put_Line ("function Fake is");
      end if;
      return C.Price;
   end Total;

   procedure Reset (C : in out Item) is
   begin
      C.Price := 0;
   end Reset;

   task body Worker is
   begin
      null;
   end Worker;
end Shop.Cart;
