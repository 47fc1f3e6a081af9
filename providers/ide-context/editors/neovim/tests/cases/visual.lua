-- Selections made with real keys.

local check = require('check')
local editor = require('editor')

local ACUTE = 'e\204\129'

local child = editor.start()

-- Name; lines; keys; and the selection, both in Visual mode and after leaving it (false: none).
local CASES = {
  { 'the first in a buffer', { 'hello world' }, 'wve', { 1, 7, 1, 11, 'world' } },
  { 'backwards', { 'hello world' }, '$vb', { 1, 7, 1, 11, 'world' } },
  { 'the other end', { 'hello world' }, 'wveohh', { 1, 5, 1, 11, 'o world' } },
  { 'a last character of two bytes', { 'grö ß' }, 've', { 1, 1, 1, 4, 'grö' } },
  { 'a last character of three bytes', { '日本語' }, 'vl', { 1, 1, 1, 6, '日本' } },
  { 'a last character of four bytes', { 'a😀b' }, 'vl', { 1, 1, 1, 5, 'a😀' } },
  { 'a combining character', { 'caf' .. ACUTE .. '!' }, 'v3l', { 1, 1, 1, 6, 'caf' .. ACUTE } },
  { 'to the end of the line', { 'aß', 'next' }, 'v$', { 1, 1, 1, 3, 'aß' } },
  { 'several lines', { 'one', 'two', 'three' }, 'lvjj', { 1, 1, 3, 5, 'one\ntwo\nthree' } },
  { 'several lines upwards', { 'one', 'two', 'three' }, 'Gvk', { 2, 1, 3, 5, 'two\nthree' } },
  { 'a line', { '  größ', 'b' }, 'lV', { 1, 1, 1, 8, '  größ' } },
  { 'lines upwards', { 'one', 'two', 'three' }, 'GVk', { 2, 1, 3, 5, 'two\nthree' } },
  { 'an empty line last', { 'one', '', 'x' }, 'Vj', { 1, 1, 2, 1, 'one\n' } },
  { 'a block', { 'hello', 'world' }, 'l<C-v>jl', { 1, 2, 2, 3, 'hello\nworld' } },
  { 'a block upwards to the left', { 'hello', 'world' }, 'j4l<C-v>kh', { 1, 4, 2, 5, 'hello\nworld' } },
  { 'a block to the ends of lines', { 'hello', 'größe', 'x' }, 'l<C-v>j$', { 1, 2, 2, 7, 'hello\ngröße' } },
  { 'a block with a last character of two bytes', { 'hello', 'größe' }, '<C-v>jlll', { 1, 1, 2, 6, 'hello\ngröße' } },
  { 'the last shape counts', { 'hello', 'world' }, 'lv<C-v>jV', { 1, 1, 2, 5, 'hello\nworld' } },
  { 'an empty line alone is nothing', { '', 'x' }, 'v', false },
}

for _, case in ipairs(CASES) do
  local name, lines, keys, expected = unpack(case)
  check.case('visual: ' .. name, function()
    child:show(lines)
    child:press('gg0' .. keys)
    local live = child:expect_selection(expected or nil)
    child:press('<Esc>')
    local left = child:expect_selection(expected or nil)
    if expected then
      for _, selection in ipairs({ live, left }) do
        assert(math.abs(selection.selected_at - os.time()) <= 5)
      end
    end
  end)
end

check.case('visual: made by keys faster than the screen', function()
  child:show({ 'one two', 'three' })
  child:request('nvim_feedkeys', vim.api.nvim_replace_termcodes('ggwve<Esc>0', true, true, true), 'nx', false)
  child:expect_selection({ 1, 5, 1, 7, 'two' })
end)

check.case('visual: from Insert mode and back', function()
  child:show({ 'one two' })
  child:press('0i<C-o>ve')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
  child:press('<Esc><Esc>')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
end)

check.case('visual: a yank keeps the selection', function()
  child:show({ 'one two' })
  child:press('0vey')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
end)

check.case('visual: a command line on the selection keeps it', function()
  child:show({ 'one two' })
  child:press('0ve:<C-u>let g:x = 1<CR>')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
end)

check.case('visual: selection=exclusive', function()
  child:command('set selection=exclusive')
  child:show({ 'grö ß', 'next' })
  child:press('gg0vlll')
  child:expect_selection({ 1, 1, 1, 4, 'grö' })
  child:press('<Esc>')
  child:expect_selection({ 1, 1, 1, 4, 'grö' })
  child:press('0vj0') -- up to the start of the next line: the line break is taken, the next line is not
  child:expect_selection({ 1, 1, 1, 7, 'grö ß' })
  child:press('<Esc>gg0v<Esc>')
  child:expect_selection({ 1, 1, 1, 1, 'g' })
  child:command('set selection&')
end)

for name, keys in pairs({ delete = 'd', change = 'cx<Esc>', put = 'p', shift = '>', replace = 'rx' }) do
  check.case('visual: ' .. name .. ' ends the selection', function()
    child:show({ 'one two', 'one two' })
    child:press('gg0vey0vj' .. keys)
    child:expect_buffer({ modified = true, selection = vim.NIL, cursor = { line = 1 } })
    editor.settle()
    child:expect_selection(nil)
  end)
end

check.case('visual: text that was changed is no longer selected, and undo does not bring it back', function()
  child:show({ 'one two', 'three' })
  child:press('gg0ve<Esc>')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
  child:press('0rX')
  child:expect_selection(nil)
  child:press('u')
  child:expect_buffer({ cursor = { line = 1, column = 1 }, selection = vim.NIL })
  editor.settle()
  child:expect_selection(nil)
end)

check.case('visual: a change elsewhere leaves the selection and its time', function()
  child:show({ 'one two', 'three' })
  child:press('gg0ve<Esc>')
  child:await_mode('n')
  local before = child:expect_selection({ 1, 1, 1, 3, 'one' })
  vim.wait(1100)
  child:press('Gonew<Esc>')
  child:expect_buffer({ lines_total = 3 })
  check.same(child:expect_selection({ 1, 1, 1, 3, 'one' }).selected_at, before.selected_at)
end)

check.case('visual: each buffer has its own selection and time', function()
  child:command('set hidden')
  local folder = editor.folder()
  child:show({ 'alpha one' }, folder .. '/a')
  child:press('0ve<Esc>')
  child:await_mode('n')
  local in_a = child:expect_selection({ 1, 1, 1, 5, 'alpha' })
  vim.wait(2100)
  child:show({ 'beta two' }, folder .. '/b')
  child:expect_buffer({ name = 'b', selection = vim.NIL })
  child:press('0ve<Esc>')
  child:await_mode('n')
  local in_b = child:expect_selection({ 1, 1, 1, 4, 'beta' })
  assert(in_b.selected_at > in_a.selected_at)
  child:command('buffer ' .. folder .. '/a')
  child:expect_buffer({ name = 'a' })
  check.same(child:expect_selection({ 1, 1, 1, 5, 'alpha' }).selected_at, in_a.selected_at)
  child:command('buffer ' .. folder .. '/b')
  check.same(child:expect_selection({ 1, 1, 1, 4, 'beta' }).selected_at, in_b.selected_at)
end)

check.case('visual: going to another window ends it in the buffer where it was', function()
  child:show({ 'one two' })
  child:command('new')
  child:command('wincmd p')
  child:press('0ve<C-w>w')
  child:expect_buffer({ selection = vim.NIL, lines_total = 1, modified = false })
  child:press('<C-w>p')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
  child:command('only!')
end)

check.case('visual: marks that nobody was seen to make are no selection', function()
  child:show({ 'one two' })
  child:lua([[
    vim.api.nvim_buf_set_mark(0, '<', 1, 0, {})
    vim.api.nvim_buf_set_mark(0, '>', 1, 2, {})
  ]])
  child:press('l')
  child:expect_buffer({ cursor = { column = 2 }, selection = vim.NIL })
end)

check.case('visual: a snippet\'s placeholder is no selection', function()
  child:show({ 'one two' })
  child:press('0ve<C-g>')
  child:expect_selection(nil)
  child:press('<Esc>l')
  editor.settle()
  child:expect_selection(nil)
end)

check.case('visual: with selectmode set, Select mode is how the user selects', function()
  child:command('set selectmode=mouse,key')
  child:show({ 'one two' })
  child:press('0gh<Right><Right>')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
  child:press('<Esc>')
  child:expect_selection({ 1, 1, 1, 3, 'one' })
  child:command('set selectmode&')
end)

check.case('visual: bytes that are no UTF-8', function()
  local file = editor.folder() .. '/latin1'
  local handle = io.open(file, 'wb')
  handle:write('gr\246\223e x\n')
  handle:close()
  child:command('edit! ++enc=utf-8 ++bad=keep ' .. file)
  child:press('0ve')
  child:expect_selection({ 1, 1, 1, 5, 'gr\239\191\189\239\191\189e' })
  child:press('<Esc>V<Esc>')
  child:expect_selection({ 1, 1, 1, 7, 'gr\239\191\189\239\191\189e x' })
end)

check.case('visual: a NUL in the buffer', function()
  child:show({ 'a\0b' })
  child:press('V<Esc>')
  child:expect_selection({ 1, 1, 1, 3, 'a\239\191\189b' })
end)

check.case('visual: everything in a huge buffer', function()
  local lines = {}
  for at = 1, 60000 do
    lines[at] = 'line "' .. at .. '"\t\\'
  end
  child:show(lines)
  child:press('ggVG')
  local live = child:expect_buffer({ selection = { ['end'] = { line = 60000 } } }).selection
  assert(live.start.line == 1 and vim.startswith(live.text, lines[1] .. '\n'))
  assert(vim.endswith(live.text, '\\'), 'cut within a line')
  assert(#live.text > 140 * 1024 and #child:bytes() < 256 * 1024)
  child:press('<Esc>')
  child:expect_buffer({ selection = { text = live.text } })
end)

child:quit()
