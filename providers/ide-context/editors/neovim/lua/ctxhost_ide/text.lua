-- Bytes from a buffer or a path, made into UTF-8 that every JSON reader accepts.

local M = {}

local REPLACEMENT = '\239\191\189' -- U+FFFD

-- The length of the valid UTF-8 character of more than one byte that starts at `at`; nil if there is none.
-- Vim's own check is no help: it lets surrogates and characters beyond U+10FFFF pass.
local function length_at(bytes, at)
  local lead, second = bytes:byte(at, at + 1)
  local length = lead >= 0xF0 and 4 or lead >= 0xE0 and 3 or 2
  local lowest = lead == 0xE0 and 0xA0 or lead == 0xF0 and 0x90 or 0x80
  local highest = lead == 0xED and 0x9F or lead == 0xF4 and 0x8F or 0xBF
  if lead < 0xC2 or lead > 0xF4 or not second or second < lowest or second > highest then
    return nil
  end
  for place = at + 2, at + length - 1 do
    local byte = bytes:byte(place)
    if not byte or byte < 0x80 or byte > 0xBF then
      return nil
    end
  end
  return length
end

local function repair_run(run)
  local parts = {}
  local at = 1
  while at <= #run do
    local length = length_at(run, at)
    parts[#parts + 1] = length and run:sub(at, at + length - 1) or REPLACEMENT
    at = at + (length or 1)
  end
  return table.concat(parts)
end

--- `bytes` as valid UTF-8: each byte that belongs to no character becomes U+FFFD.
function M.repair(bytes)
  return (bytes:gsub('[\128-\255]+', repair_run))
end

--- A line of a buffer as valid UTF-8. A NUL, which Vim also knows as a line feed, is none that a reader can
--- do anything with.
function M.repair_line(line)
  return (M.repair(line):gsub('[%z\n]', REPLACEMENT))
end

--- The longest start of `text` (valid UTF-8) that costs no more than `budget`, where `cost` tells what some
--- bytes cost. In steps that get smaller: the text can be long, and a caller waits.
function M.clip(text, budget, cost)
  local kept = 0
  for _, step in ipairs({ 4096, 64, 1 }) do
    while kept < #text do
      local price = cost(text:sub(kept + 1, kept + step))
      if price > budget then
        break
      end
      budget = budget - price
      kept = math.min(kept + step, #text)
    end
  end
  while kept > 0 and text:find('^[\128-\191]', kept + 1) do
    kept = kept - 1 -- in the middle of a character
  end
  return text:sub(1, kept)
end

return M
