-- Which window and buffer is told of, and as what.

local check = require('check')
local editor = require('editor')

local folder = vim.fn.resolve(editor.folder())
vim.fn.mkdir(folder .. '/sub')
for _, name in ipairs({ 'a.lua', 'b.py', 'größe.txt' }) do
  vim.fn.writefile({ 'first', 'second', 'third' }, folder .. '/' .. name)
end

local child = editor.start({}, { cwd = folder })

local function fresh(file)
  child:command('silent! tabonly! | silent! only! | enew!')
  if file then
    child:command('edit ' .. file)
    child:expect_buffer({ file = folder .. '/' .. file })
  end
end

check.case('view: an unnamed buffer has no file', function()
  fresh()
  child:expect_buffer({
    file = vim.NIL,
    name = '[No Name]',
    language = vim.NIL,
    cursor = { line = 1, column = 1 },
    lines_total = 1,
  })
end)

check.case('view: a file', function()
  fresh('b.py')
  child:press('jllx')
  child:expect_buffer({
    name = 'b.py',
    language = 'python',
    modified = true,
    cursor = { line = 2, column = 3 },
    lines_total = 3,
  })
  child:command('write')
  child:expect_buffer({ modified = false })
end)

check.case('view: a name that is not ASCII; columns are bytes', function()
  fresh('größe.txt')
  child:press('ggOgrößer<Esc>')
  child:expect_buffer({ file = folder .. '/größe.txt', name = 'größe.txt', cursor = { line = 1, column = 8 } })
  child:command('undo')
end)

check.case('view: a file that is not written yet keeps its path', function()
  fresh('new.rs')
  child:expect_buffer({ name = 'new.rs', language = 'rust' })
  fresh('not/there/yet.lua')
end)

check.case('view: another name for the buffer', function()
  fresh('a.lua')
  child:command('file c.txt')
  child:expect_buffer({ file = folder .. '/c.txt', name = 'c.txt' })
end)

check.case('view: a path that JSON cannot hold is no path', function()
  fresh()
  child:lua('vim.api.nvim_buf_set_name(0, ...)', folder .. '/gr\246\223e')
  child:press('i')
  child:expect_buffer({ file = vim.NIL, name = 'gr\239\191\189\239\191\189e' })
  child:press('<Esc>')
end)

check.case('view: a folder is not a file', function()
  fresh()
  child:command('edit sub')
  child:expect_buffer({ file = vim.NIL, name = 'sub/' })
end)

check.case('view: launched on a folder', function()
  local other = editor.start({ 'sub/' }, { cwd = folder })
  other:expect({ argv = { 'sub/' }, active_buffer = { file = vim.NIL, name = 'sub/' } })
  other:quit()
  other = editor.start({ '--noplugin', '-c', 'runtime plugin/ctxhost_ide.lua', 'sub' }, { cwd = folder })
  other:expect({ argv = { 'sub' }, active_buffer = { file = vim.NIL, name = 'sub/', lines_total = 1 } })
  other:quit()
end)

check.case('view: a terminal', function()
  fresh()
  child:command('terminal cat')
  child:expect_buffer({ file = vim.NIL, name = '[Terminal]', selection = vim.NIL })
  child:command('bwipeout!')
end)

check.case('view: pseudo-files', function()
  for name, shown in pairs({
    ['oil:///home/user/project/'] = 'project/',
    ['oil-ssh://host/project/'] = 'project/',
    ['term://~//12:/bin/sh'] = 'sh',
    ['fugitive:///home/user/.git//0/main.rs'] = 'main.rs',
    ['jdt://contents/Object.class'] = 'Object.class',
  }) do
    fresh()
    child:lua('vim.api.nvim_buf_set_name(0, ...)', name)
    child:press('i<Esc>')
    child:expect_buffer({ file = vim.NIL, name = shown })
  end
end)

check.case('view: buffers of every special type', function()
  for _, kind in ipairs({ 'nofile', 'nowrite', 'acwrite', 'help', 'prompt', 'quickfix' }) do
    fresh()
    child:lua('vim.api.nvim_buf_set_name(0, ...); vim.bo.modified = false', folder .. '/special-' .. kind)
    child:command('setlocal buftype=' .. kind)
    child:press('v<Esc>')
    child:expect_buffer({ file = vim.NIL, name = 'special-' .. kind, selection = vim.NIL })
  end
end)

check.case('view: names of special buffers without a name', function()
  fresh()
  child:command('setlocal buftype=nofile')
  child:press('i<Esc>')
  child:expect_buffer({ name = '[Scratch]' })
  fresh()
  child:command('copen | only')
  child:expect_buffer({ file = vim.NIL, name = '[Quickfix List]' })
end)

-- Opens a special window beside or above a file, and what is told of then.
local BESIDE = {
  terminal = 'split | terminal cat',
  ['terminal in a tab page'] = 'tabnew | terminal cat',
  help = 'help help',
  quickfix = 'copen',
  tree = 'leftabove vsplit | enew | setlocal buftype=nofile filetype=tree',
  folder = 'vsplit sub',
  ['command-line window'] = 'call feedkeys("q:", "n")',
  ['picker prompt'] = 'lua local b = vim.api.nvim_create_buf(false, true); vim.bo[b].buftype = "prompt";'
    .. ' vim.api.nvim_open_win(b, true, { relative = "editor", row = 1, col = 1, width = 9, height = 1 })',
  ['floating question'] = 'lua vim.api.nvim_open_win(vim.api.nvim_create_buf(false, false), true,'
    .. ' { relative = "editor", row = 1, col = 1, width = 9, height = 1 })',
}

for name, command in pairs(BESIDE) do
  check.case('view: a special window does not hide the file beside it: ' .. name, function()
    fresh('a.lua')
    child:press('ggjVj<Esc>')
    child:await_mode('n')
    local selected = child:expect_selection({ 2, 1, 3, 5, 'second\nthird' })
    child:command(command)
    editor.settle()
    local seen = child:expect_buffer({ file = folder .. '/a.lua', cursor = { line = 3, column = 1 } })
    check.same(seen.selection, selected)
    child:lua('if #vim.api.nvim_list_wins() > 1 then vim.cmd("quit!") end')
  end)
end

check.case('view: nor does a special window in which that file was, too', function()
  fresh('a.lua')
  child:command('split')
  child:press('G')
  child:expect_buffer({ cursor = { line = 3 } })
  child:command('terminal cat')
  editor.settle()
  child:expect_buffer({ file = folder .. '/a.lua' })
  child:command('bwipeout!')
end)

check.case('view: the ordinary window that the user was in last counts', function()
  fresh('a.lua')
  child:command('vsplit b.py')
  child:expect_buffer({ name = 'b.py' })
  child:command('botright split | terminal cat')
  editor.settle()
  child:expect_buffer({ name = 'b.py' })
  child:command('bwipeout! ' .. folder .. '/b.py')
  child:expect_buffer({ name = 'a.lua' })
end)

check.case('view: without the file beside it the special window counts', function()
  fresh('a.lua')
  child:command('split | terminal cat')
  child:expect_buffer({ name = 'a.lua' })
  child:command('only')
  child:expect_buffer({ file = vim.NIL, name = '[Terminal]' })
  child:command('bwipeout!')
end)

check.case('view: a special buffer in place of the file counts', function()
  fresh('a.lua')
  child:command('edit oil:///home/user/')
  child:expect_buffer({ file = vim.NIL, name = 'user/' })
end)

check.case('view: a file in a floating window is a file', function()
  fresh('a.lua')
  child:lua([[
    local buffer = vim.fn.bufadd(...)
    vim.fn.bufload(buffer)
    vim.api.nvim_open_win(buffer, true, { relative = 'editor', row = 1, col = 1, width = 20, height = 3 })
  ]], folder .. '/b.py')
  child:expect_buffer({ file = folder .. '/b.py' })
  child:command('close')
  child:expect_buffer({ file = folder .. '/a.lua' })
end)

check.case('view: windows and buffers are followed', function()
  fresh('a.lua')
  child:command('vsplit b.py')
  child:expect_buffer({ name = 'b.py' })
  child:press('<C-w>p')
  child:expect_buffer({ name = 'a.lua' })
  child:command('tabnew größe.txt')
  child:expect_buffer({ name = 'größe.txt' })
  child:command('tabprevious')
  child:expect_buffer({ name = 'a.lua' })
end)

check.case('view: cd, lcd and tcd', function()
  fresh('a.lua')
  child:command('cd sub')
  child:expect({ cwd = folder .. '/sub', active_buffer = { file = folder .. '/a.lua' } })
  child:command('cd ..')
  child:expect({ cwd = folder })
  child:command('vsplit b.py')
  child:command('lcd sub')
  child:expect({ cwd = folder .. '/sub' })
  child:press('<C-w>p')
  child:expect({ cwd = folder })
  child:command('tabnew')
  child:command('tcd /')
  child:expect({ cwd = '/' })
  child:command('tabprevious')
  child:expect({ cwd = folder })
end)

check.case('view: a directory that was deleted is still where the user is', function()
  fresh('a.lua')
  vim.fn.mkdir(folder .. '/gone')
  child:command('cd gone')
  child:expect({ cwd = folder .. '/gone' })
  vim.fn.delete(folder .. '/gone', 'd')
  child:press('gg2j')
  child:expect({ cwd = folder .. '/gone', active_buffer = { cursor = { line = 3 } } })
end)

child:quit()
