-- Two places and a shape become a selection. The lines are given; what Vim makes of keys is in visual.lua.

local check = require('check')
local selection = require('ctxhost_ide.selection')

local BLOCK = '\22'
local ACUTE = 'e\204\129' -- e and a combining acute

local function reader(lines)
  return function(first, last)
    return vim.list_slice(lines, first, math.min(last, #lines))
  end
end

local function describe(lines, shape, from, to, exclusive)
  local region = {
    shape = shape,
    from = { line = from[1], column = from[2] },
    to = { line = to[1], column = to[2] },
    exclusive = exclusive or false,
  }
  return selection.describe(region, reader(lines))
end

-- Name; lines; shape; two places; and what is expected: first line and column, last line and column, text.
local CASES = {
  { 'within a line', { 'hello world' }, 'v', { 1, 3 }, { 1, 5 }, { 1, 3, 1, 5, 'llo' } },
  { 'backwards', { 'hello world' }, 'v', { 1, 5 }, { 1, 3 }, { 1, 3, 1, 5, 'llo' } },
  { 'to a character of two bytes', { 'größe' }, 'v', { 1, 1 }, { 1, 3 }, { 1, 1, 1, 4, 'grö' } },
  { 'to a character of four bytes', { 'a😀b' }, 'v', { 1, 1 }, { 1, 2 }, { 1, 1, 1, 5, 'a😀' } },
  { 'to a combining character', { 'caf' .. ACUTE .. '!' }, 'v', { 1, 1 }, { 1, 4 }, { 1, 1, 1, 6, 'caf' .. ACUTE } },
  { 'with the line break', { 'abc', 'd' }, 'v', { 1, 2 }, { 1, 4 }, { 1, 2, 1, 3, 'bc' } },
  { 'to a column without end', { 'aß' }, 'v', { 1, 1 }, { 1, 2147483647 }, { 1, 1, 1, 3, 'aß' } },
  { 'several lines are whole', { 'one', 'two', 'größ' }, 'v', { 1, 2 }, { 3, 1 }, { 1, 1, 3, 6, 'one\ntwo\ngröß' } },
  { 'linewise', { 'one', 'two' }, 'V', { 2, 1 }, { 2, 2147483647 }, { 2, 1, 2, 3, 'two' } },
  { 'linewise upwards to an empty line', { '', 'two' }, 'V', { 2, 2 }, { 1, 0 }, { 1, 1, 2, 3, '\ntwo' } },
  { 'linewise down to an empty line', { 'one', '' }, 'V', { 1, 2 }, { 2, 1 }, { 1, 1, 2, 1, 'one\n' } },
  { 'a block has its corners', { 'hello', 'x', 'größe' }, BLOCK, { 1, 4 }, { 3, 3 }, { 1, 4, 3, 4, 'hello\nx\ngröße' } },
  { 'a block to the ends of lines', { 'hello', 'x' }, BLOCK, { 1, 4 }, { 2, 2147483647 }, { 1, 4, 2, 1, 'hello\nx' } },
  { 'a block upwards', { 'hello', 'world' }, BLOCK, { 2, 5 }, { 1, 2 }, { 1, 2, 2, 5, 'hello\nworld' } },
  { 'a block within a line', { 'hello' }, BLOCK, { 1, 4 }, { 1, 2 }, { 1, 2, 1, 4, 'hello' } },
  { 'a block from an empty line', { '', 'world' }, BLOCK, { 1, 1 }, { 2, 2 }, { 1, 1, 2, 2, '\nworld' } },
  { 'exclusive', { 'größe' }, 'v', { 1, 1 }, { 1, 5 }, { 1, 1, 1, 4, 'grö' }, true },
  { 'exclusive, nothing moved', { 'größe' }, 'v', { 1, 3 }, { 1, 3 }, { 1, 3, 1, 4, 'ö' }, true },
  { 'exclusive to the next line', { 'abc', 'def' }, 'v', { 1, 2 }, { 2, 1 }, { 1, 2, 1, 3, 'bc' }, true },
  { 'exclusive is for characters only', { 'abc' }, 'V', { 1, 2 }, { 1, 1 }, { 1, 1, 1, 3, 'abc' }, true },
  { 'an empty line is nothing', { '' }, 'v', { 1, 1 }, { 1, 1 } },
  { 'a line break is nothing', { 'abc' }, 'v', { 1, 4 }, { 1, 4 } },
  { 'lines that are no more', { 'abc' }, 'V', { 7, 1 }, { 9, 1 } },
  { 'bytes that are no character', { 'gr\246\223e' }, 'v', { 1, 1 }, { 1, 3 }, { 1, 1, 1, 3, 'gr\239\191\189' } },
}

for _, case in ipairs(CASES) do
  local name, lines, shape, from, to, expected, exclusive = unpack(case, 1, 7)
  check.case('selection: ' .. name, function()
    local found = describe(lines, shape, from, to, exclusive)
    if not expected then
      return check.same(found, nil)
    end
    check.same(found, {
      start = { line = expected[1], column = expected[2] },
      ['end'] = { line = expected[3], column = expected[4] },
      text = expected[5],
    })
    check.same(selection.text_of(found, reader(lines)), found.text)
  end)
end

local function many(count, line)
  local lines = {}
  for at = 1, count do
    lines[at] = line
  end
  return lines
end

check.case('selection: a huge one ends at the end of a line', function()
  local line = ('x'):rep(99)
  local found = describe(many(10000, line), 'V', { 1, 1 }, { 10000, 1 })
  local size = #found.text / selection.MOST_BYTES
  assert(size > 0.98 and size <= 1) -- a little less than all: a line break costs two bytes in JSON
  assert(vim.endswith(found.text, '\n' .. line))
  check.same(found['end'], { line = 10000, column = 99 })
end)

check.case('selection: a huge line ends between characters', function()
  for _, shape in ipairs({ 'v', 'V' }) do
    local line = 'x' .. ('ß'):rep(200 * 1024)
    local found = describe({ line, 'next' }, shape, { 1, 1 }, { 1, #line - 1 })
    assert(#found.text == selection.MOST_BYTES - 1 and vim.endswith(found.text, 'ß'))
  end
end)

check.case('selection: the limit is of bytes in the file', function()
  local found = describe(many(10000, ('\1'):rep(50)), 'V', { 1, 1 }, { 10000, 1 })
  assert(#vim.json.encode({ found.text }) < selection.MOST_BYTES + 10)
end)
