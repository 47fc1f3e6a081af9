-- What the protocol calls a selection, from two places and a shape. Knows lines only through a given function.
--
-- Within one line a characterwise selection is exact. Everything else is reported as whole lines: the columns
-- are then the edges of the first and the last line, or in a block the bytes of its two corners.

local text = require('ctxhost_ide.text')
local json = require('ctxhost_ide.json')

local M = {}

--- The most bytes that a text may take up in the file: the reader refuses more than 1 MiB in all.
M.MOST_BYTES = 200 * 1024

local LINES_AT_A_TIME = 500

-- With more combining characters than anybody types; only there so that a line of megabytes is not copied.
local LONGEST_CHARACTER = 1024

local function json_cost(piece)
  return #json.escape(piece)
end

-- A line as text. What is far beyond the limit is not even looked at; four bytes more than the limit, so that
-- a character cut in two here lies beyond what is kept.
local function line_text(line)
  return text.repair_line(line:sub(1, M.MOST_BYTES + 4))
end

-- The lines `first..last`, joined, up to the last one that fits; of the first one at least what fits.
local function whole_lines(read, first, last)
  local kept = {}
  local room = M.MOST_BYTES
  for from = first, last, LINES_AT_A_TIME do
    for _, line in ipairs(read(from, math.min(from + LINES_AT_A_TIME - 1, last))) do
      local piece = line_text(line)
      room = room - json_cost(piece) - (#kept > 0 and json_cost('\n') or 0)
      if room < 0 then
        return #kept > 0 and table.concat(kept, '\n') or text.clip(piece, M.MOST_BYTES, json_cost)
      end
      kept[#kept + 1] = piece
    end
  end
  return table.concat(kept, '\n')
end

local function part_of_line(read, line, first_byte, last_byte)
  local part = line_text((read(line, line)[1] or ''):sub(first_byte, last_byte))
  return text.clip(part, M.MOST_BYTES, json_cost)
end

-- The last byte of the character at `byte`, as Vim counts: combining ones belong to the one before.
local function character_end(line, byte)
  local rest = line:sub(byte, byte + LONGEST_CHARACTER - 1):gsub('%z', '\n') -- Vim's functions take no NUL
  local length = vim.fn.byteidx(rest, 1)
  return length > 0 and byte + length - 1 or byte
end

local function within(line, byte)
  return math.max(1, math.min(byte, #line))
end

local function ordered(one, other)
  if one.line < other.line or (one.line == other.line and one.column <= other.column) then
    return one, other
  end
  return other, one
end

-- The last place of an exclusive selection up to `place`: the byte before, or the end of the line before.
local function place_before(read, place)
  if place.column > 1 then
    return { line = place.line, column = place.column - 1 }
  end
  local line = read(place.line - 1, place.line - 1)[1] or ''
  return { line = place.line - 1, column = #line }
end

local function characterwise_end(read, first, last, exclusive)
  local moved = first.line ~= last.line or first.column ~= last.column
  if exclusive and moved then -- otherwise Vim takes the character under the cursor
    return place_before(read, last)
  end
  local line = read(last.line, last.line)[1] or ''
  return { line = last.line, column = last.column > #line and #line or character_end(line, last.column) }
end

--- The text that `selection` covers now.
function M.text_of(selection, read)
  local first, last = selection.start, selection['end']
  if selection.whole_lines then
    return whole_lines(read, first.line, last.line)
  end
  return part_of_line(read, first.line, first.column, last.column)
end

--- The selection of `region`, or nil when it holds no text.
---
--- `region` has the places `from` and `to` in any order, `{ line, column }` from 1 in bytes, the column of a
--- line's end as large as Vim likes; `shape`, Vim's `v`, `V` or CTRL-V; and `exclusive`, whether the last
--- place lies behind what is selected. `read(first, last)` returns those lines as the API does.
function M.describe(region, read)
  local first, last = ordered(region.from, region.to)
  if region.shape == 'v' then
    last = characterwise_end(read, first, last, region.exclusive)
  end

  local first_line, last_line = read(first.line, first.line)[1] or '', read(last.line, last.line)[1] or ''
  local first_column, last_column
  local whole = region.shape ~= 'v' or first.line ~= last.line
  if region.shape == '\22' then
    first_column = within(first_line, first.column)
    last_column = character_end(last_line, within(last_line, last.column))
  elseif whole then
    first_column, last_column = 1, within(last_line, #last_line)
  else
    first_column, last_column = first.column, math.min(last.column, #last_line)
  end

  local selection = {
    start = { line = first.line, column = first_column },
    ['end'] = { line = last.line, column = last_column },
    whole_lines = whole,
  }
  selection.text = M.text_of(selection, read)
  return selection.text ~= '' and selection or nil
end

return M
