library ieee;
use ieee.std_logic_1164.all;

-- Counts up.
entity counter is
  port (clk : in std_logic);
end entity counter;

architecture rtl of counter is
  constant LIMIT : integer := 10;
  signal count : integer;
  type state_t is (idle, busy);

  -- One more.
  function step(value : integer) return integer is
  begin
    return value + 1;
  end function;
begin
  ticking : process (clk)
  begin
    if rising_edge(clk) then
      count <= step(count);
    end if;
  end process;
end architecture;
