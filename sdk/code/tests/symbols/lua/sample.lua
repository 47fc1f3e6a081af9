local json = require("json")
local M = {}

-- How many fit — in €.
M.LIMIT = 10
counter = 0

--- Adds one,
-- at the end.
function M.add(item, ...)
  local doubled = item.price * 2
  for index, other in ipairs({...}) do
    M.log(other, doubled)
  end
  local function inner(value) return value + doubled end
  return inner(counter)
end

function M:log(text) print(text .. " log", self.name) end

local function hidden(value)
  return json.encode(value)
end

M.handler = function(event) return hidden(event) end

-- Too far above.

shared = function() end
local point = { x = 1, move = function(self) self.x = 2 end }

return M
