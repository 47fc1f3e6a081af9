`include "defs.svh"
`define WIDTH 8

import shop_pkg::*;

// Counts up.
module counter #(parameter int LIMIT = 10) (input logic clk);
  localparam STEP = 1;

  typedef enum logic { IDLE, BUSY } state_t;

  // One more.
  function automatic int next_value(int value);
    return value + STEP; // endfunction
  endfunction

  always @(posedge clk) begin
    $display("module fake;");
  end
endmodule

class driver extends base;
  local int secret;
  extern function void run();
  function new(string name);
    this.name = name;
  endfunction
  virtual task drive(input int v);
  endtask
endclass
