-- How it ends, and what happens when it cannot write.

local check = require('check')
local editor = require('editor')

local uv = vim.uv or vim.loop

local function left_in(dir)
  return vim.fn.isdirectory(dir) == 1 and vim.fn.readdir(dir) or {}
end

local function started(options)
  options = vim.tbl_extend('force', { env = { XDG_RUNTIME_DIR = editor.folder() } }, options or {})
  local child = editor.start({}, options)
  child:expect({ pid = child.pid })
  return child
end

for _, command in ipairs({ 'qall!', 'cquit', 'quit!', 'exit' }) do
  check.case('lifecycle: nothing is left after :' .. command, function()
    local child = started()
    vim.fn.writefile({ 'half' }, child.path .. '.tmp')
    assert(child:quit(command))
    check.same(left_in(child.dir), {})
  end)
end

check.case('lifecycle: what happens while leaving does not bring the file back', function()
  local child = started()
  child:command('autocmd VimLeave * enew | startinsert | cd / | sleep 300m')
  child:press('vv')
  assert(child:quit())
  check.same(left_in(child.dir), {})
end)

for _, signal in ipairs({ 'sigterm', 'sighup' }) do
  check.case('lifecycle: nothing is left after ' .. signal, function()
    local child = started()
    uv.kill(child.pid, signal)
    assert(child:gone())
    check.same(left_in(child.dir), {})
  end)
end

check.case('lifecycle: a killed editor leaves a whole file, which its reader knows how to judge', function()
  local child = started()
  uv.kill(child.pid, 'sigkill')
  assert(child:gone())
  check.same(child:state(), { pid = child.pid })
end)

check.case('lifecycle: stop ends it, start resumes it', function()
  local child = started()
  child:lua('require("ctxhost_ide").stop()')
  child:press('i<Esc>')
  editor.settle()
  check.same(left_in(child.dir), {})
  child:lua('require("ctxhost_ide").start()')
  child:expect({ pid = child.pid })
  child:quit()
end)

check.case('lifecycle: two editors have two files', function()
  local env = { XDG_RUNTIME_DIR = editor.folder() }
  local one, other = started({ env = env }), started({ env = env })
  one:quit()
  check.same(left_in(other.dir), { other.pid .. '.json' })
  other:quit()
end)

-- Starts an editor that cannot write, uses it, and returns what it was told.
local function warnings(runtime_dir)
  local folder = editor.folder()
  vim.fn.writefile({
    'warnings = {}',
    'vim.notify = function(message, level) table.insert(warnings, { message, level }) end',
  }, folder .. '/init.lua')
  local child = editor.start({}, { env = { XDG_RUNTIME_DIR = runtime_dir }, init = folder .. '/init.lua' })
  for _ = 1, 3 do
    child:press('ix<Esc>')
    editor.settle()
  end
  local told = child:lua('return warnings')
  check.same(child:request('nvim_buf_get_lines', 0, 0, -1, true), { 'xxx' })
  check.same(child:request('nvim_get_vvar', 'errmsg'), '')
  assert(child:quit())
  return told
end

local function warns_once(runtime_dir, reason)
  local told = warnings(runtime_dir)
  check.same(#told, 1)
  check.same(told[1][2], vim.log.levels.WARN)
  assert(told[1][1]:find(reason, 1, true), told[1][1])
end

check.case('lifecycle: without a place to write there is one warning, and editing goes on', function()
  local file = editor.folder() .. '/file'
  vim.fn.writefile({}, file)
  warns_once(file, 'ENOTDIR')
end)

check.case('lifecycle: a link in place of the folder is warned of once and not written to', function()
  local runtime, target = editor.folder(), editor.folder()
  uv.fs_symlink(target, runtime .. '/pi-ide')
  warns_once(runtime, 'not a directory')
  check.same(left_in(target), {})
end)

check.case('lifecycle: a folder of another user is warned of once and not written to', function()
  if uv.getuid() ~= 0 then
    return -- only root can give a folder away; writer.lua has the case for everybody
  end
  local runtime = editor.folder()
  vim.fn.mkdir(runtime .. '/pi-ide')
  uv.fs_chown(runtime .. '/pi-ide', 12345, 12345)
  warns_once(runtime, 'another user')
  check.same(left_in(runtime .. '/pi-ide'), {})
end)

check.case('lifecycle: an error of our own is a warning, not the user\'s trouble', function()
  local child = started()
  child:lua([[
    warnings = {}
    vim.notify = function(message) table.insert(warnings, message) end
    vim.fn.getcwd = function() error('broken') end
  ]])
  for _ = 1, 3 do
    child:press('ix<Esc>')
    editor.settle()
  end
  check.same(#child:lua('return warnings'), 1)
  check.same(child:request('nvim_buf_get_lines', 0, 0, -1, true), { 'xxx' })
  child:quit()
end)
