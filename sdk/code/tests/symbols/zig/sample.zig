const std = @import("std");
const Item = @import("item.zig").Item;

/// What people buy.
pub const Cart = struct {
    items: []Item,
    name: []const u8 = "",

    pub const Error = error{Empty};

    /// Adds up.
    pub fn total(self: *const Cart, rate: f64) Error!f64 {
        var sum: f64 = 0;
        for (self.items) |item| {
            sum += item.price * rate;
        }
        return sum;
    }

    fn hidden() void {}
};

const Shape = enum { circle, square };
const Value = union(enum) { int: i32, none };
pub var counter: u32 = 0;

export fn run() void {
    helper();
}

test "adds up" {
    try std.testing.expect(true);
}
