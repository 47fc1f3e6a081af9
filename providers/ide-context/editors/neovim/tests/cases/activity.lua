-- When is written: at once, within the debounce, or not at all.

local check = require('check')
local editor = require('editor')

-- Counts the writes from now on.
local function count_writes(child)
  child:lua([[
    local writer = require('ctxhost_ide.writer')
    local write = writer.original or writer.write
    writer.original, writes = write, 0
    writer.write = function(...)
      writes = writes + 1
      return write(...)
    end
  ]])
end

local function writes(child)
  return child:lua('return writes')
end

-- With a debounce of an hour only what is urgent is written.
local patient = editor.start()
patient:lua('require("ctxhost_ide").setup({ debounce_ms = 3600000 })')
patient:show({ 'one two', 'three' })
patient:press('i<Esc>')
patient:expect_buffer({ lines_total = 2 })

check.case('activity: a cursor move waits for the debounce', function()
  patient:press('gg0l')
  editor.settle()
  local before = patient:state().active_buffer.cursor
  patient:press('j')
  editor.settle()
  check.same(patient:state().active_buffer.cursor, before)
end)

check.case('activity: a change of mode is written at once', function()
  patient:press('gg0vl')
  patient:expect_buffer({ selection = { start = { line = 1, column = 1 } } })
  patient:press('l<Esc>')
  patient:expect_selection({ 1, 1, 1, 3, 'one' })
end)

check.case('activity: another buffer is written at once', function()
  patient:command('enew! | file other')
  patient:expect_buffer({ name = 'other' })
end)

check.case('activity: another window is written at once', function()
  patient:command('split another')
  patient:expect_buffer({ name = 'another' })
  patient:press('<C-w>p')
  patient:expect_buffer({ name = 'other' })
end)

check.case('activity: another directory is written at once', function()
  patient:command('cd /')
  patient:expect({ cwd = '/' })
end)

patient:quit()

local child = editor.start()
child:expect({ pid = child.pid })

check.case('activity: moves and changes arrive within the debounce', function()
  child:show({ 'one', 'two', 'three' })
  child:press('ggjl')
  child:expect_buffer({ cursor = { line = 2, column = 2 } })
  child:press('ix')
  child:expect_buffer({ cursor = { line = 2, column = 3 }, modified = true })
  child:press('<CR>')
  child:expect_buffer({ lines_total = 4 })
  child:press('<Esc>')
end)

check.case('activity: a burst is few writes, and its last state is not lost', function()
  local lines = {}
  for at = 1, 100 do
    lines[at] = 'line'
  end
  child:show(lines)
  child:press('gg')
  child:expect_buffer({ lines_total = 100, cursor = { line = 1 } })
  editor.settle()
  count_writes(child)
  for _ = 1, 60 do
    child:press('j')
    vim.wait(2)
  end
  child:expect_buffer({ cursor = { line = 61 } })
  assert(writes(child) <= 10, writes(child) .. ' writes')
end)

check.case('activity: a key held down does not keep the file stale', function()
  child:press('gg')
  child:expect_buffer({ cursor = { line = 1 } })
  local lines = {}
  for _ = 1, 80 do
    child:press('j')
    vim.wait(15)
    lines[child:state().active_buffer.cursor.line] = true
  end
  assert(vim.tbl_count(lines) >= 3, 'the file changed only at the end')
end)

check.case('activity: nothing is written while nothing happens', function()
  editor.settle()
  count_writes(child)
  vim.wait(1500)
  check.same(writes(child), 0)
end)

check.case('activity: the same state in the same second is not written again', function()
  editor.settle()
  count_writes(child)
  for _ = 1, 30 do
    child:command('doautocmd <nomodeline> WinEnter')
    vim.wait(5)
  end
  assert(writes(child) <= 3, writes(child) .. ' writes')
end)

for _, event in ipairs({ 'FocusGained', 'VimResume' }) do
  check.case('activity: the time stamp tells of ' .. event, function()
    local before = child:state().timestamp
    vim.wait(1100)
    child:command('doautocmd <nomodeline> ' .. event)
    assert(editor.eventually(function()
      return child:state().timestamp > before
    end))
  end)
end

check.case('activity: many mode changes in one go are one write', function()
  child:show({ 'one', 'two', 'three' })
  editor.settle()
  count_writes(child)
  child:command('silent global/./execute "normal! viw\\<Esc>" | normal! ix')
  child:expect_buffer({ modified = true })
  editor.settle()
  assert(writes(child) <= 3, writes(child) .. ' writes')
end)

check.case('activity: while something stays selected it is selected now', function()
  local impatient = editor.start()
  impatient:expect({ pid = impatient.pid })
  -- The half minute of the client, shortened.
  impatient:lua([[
    local pace = require('ctxhost_ide.pace')
    local new = pace.new
    pace.new = function(run)
      local made = new(run)
      local within = made.within
      made.within = function(ms) within(math.min(ms, 500)) end
      return made
    end
    require('ctxhost_ide').setup({})
  ]])
  impatient:show({ 'one two' })
  impatient:press('0ve')
  local first = impatient:expect_selection({ 1, 1, 1, 3, 'one' }).selected_at
  assert(editor.eventually(function()
    return impatient:state().active_buffer.selection.selected_at >= first + 2
  end))
  impatient:press('<Esc>')
  editor.settle()
  local left = impatient:state().active_buffer.selection.selected_at
  vim.wait(1600)
  check.same(impatient:state().active_buffer.selection.selected_at, left)
  impatient:quit()
end)

check.case('activity: the file comes back when the folder was cleaned away', function()
  vim.fn.delete(child.path)
  child:press('<C-l>gg')
  vim.wait(1100)
  child:press('j')
  assert(editor.eventually(function()
    return child:state() ~= nil
  end))
end)

child:quit()
