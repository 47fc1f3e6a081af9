-- A real Neovim with the client in it, driven over RPC, and the state file that it writes.

local check = require('check')
local text = require('ctxhost_ide.text')

local M = {}

local root, scratch = vim.env.CTXHOST_IDE_ROOT, vim.env.CTXHOST_IDE_SCRATCH
local PATIENCE_MS = 5000 -- a loaded machine is slow; a case that holds never waits this long
local running = {}

--- A new, empty folder.
local folders = 0
function M.folder()
  folders = folders + 1
  local path = scratch .. '/folder-' .. folders
  vim.fn.mkdir(path, 'p')
  return path
end

--- Waits until `condition` holds; whether it did.
function M.eventually(condition)
  return (vim.wait(PATIENCE_MS, condition, 10))
end

--- Gives what should not happen the time to happen: more than the debounce.
function M.settle()
  vim.wait(500)
end

local Editor = {}
Editor.__index = Editor

--- Starts an editor with `args`. `cwd`, `env`, `init` (a file to read as configuration) and `umask` are
--- optional.
function M.start(args, options)
  options = options or {}
  local command = { vim.v.progpath, '--embed', '--headless', '-i', 'NONE', '-n' }
  vim.list_extend(command, { '--cmd', 'set runtimepath^=' .. root, '-u', options.init or 'NORC' })
  vim.list_extend(command, args or {})
  if options.umask then
    command = vim.list_extend({ 'sh', '-c', 'umask ' .. options.umask .. '; exec "$0" "$@"' }, command)
  end
  local env = vim.tbl_extend('force', { XDG_RUNTIME_DIR = vim.env.XDG_RUNTIME_DIR }, options.env or {})
  local channel = vim.fn.jobstart(command, { rpc = true, cwd = options.cwd or M.folder(), env = env })
  local editor = setmetatable({ channel = channel, pid = vim.fn.jobpid(channel) }, Editor)
  editor.dir = env.XDG_RUNTIME_DIR .. '/pi-ide'
  editor.path = editor.dir .. '/' .. editor.pid .. '.json'
  running[#running + 1] = editor
  return editor
end

--- Ends all editors that are still there, and waits for it: they may still want their folders.
function M.kill_all()
  for _, editor in ipairs(running) do
    vim.fn.jobstop(editor.channel)
    editor:gone()
  end
end

function Editor:request(...)
  return vim.rpcrequest(self.channel, ...)
end

function Editor:lua(code, ...)
  return self:request('nvim_exec_lua', code, { ... })
end

function Editor:command(command)
  return self:request('nvim_command', command)
end

--- Presses keys, as a terminal would.
function Editor:press(keys)
  self:request('nvim_input', keys)
end

--- Waits until all keys have been taken, the editor is in `mode`, and what is written at once has been.
function Editor:await_mode(mode)
  assert(M.eventually(function()
    return self:request('nvim_get_mode').mode == mode
  end))
  vim.wait(50)
end

--- Shows `lines` in a buffer of their own, named `name` if given.
function Editor:show(lines, name)
  self:command('enew!')
  if name then
    self:lua('vim.api.nvim_buf_set_name(0, ...)', name)
  end
  self:lua('vim.api.nvim_buf_set_lines(0, 0, -1, true, ...)', lines)
end

--- The bytes of the state file; nil if there is none.
function Editor:bytes()
  local file = io.open(self.path, 'rb')
  if not file then
    return nil
  end
  local bytes = file:read('*a')
  file:close()
  return bytes
end

--- The state as the file has it now; nil if there is no file. Every file must be whole, valid UTF-8.
function Editor:state()
  local bytes = self:bytes()
  if not bytes then
    return nil
  end
  assert(text.repair(bytes) == bytes, 'the state file is not valid UTF-8')
  return vim.json.decode(bytes)
end

--- Waits until the state matches, and returns it; an error if it does not come to that.
function Editor:expect(expected)
  local state
  M.eventually(function()
    state = self:state()
    return check.matches(state, expected)
  end)
  check.same(state, expected)
  return state
end

function Editor:expect_buffer(expected)
  return self:expect({ active_buffer = expected }).active_buffer
end

--- Waits for the selection `{ first line, first column, last line, last column, text }`, or for none (nil).
function Editor:expect_selection(expected)
  if not expected then
    return self:expect_buffer({ selection = vim.NIL })
  end
  return self:expect_buffer({
    selection = {
      start = { line = expected[1], column = expected[2] },
      ['end'] = { line = expected[3], column = expected[4] },
      text = expected[5],
    },
  }).selection
end

--- Leaves the editor by `how`, and waits until its process is gone.
function Editor:quit(how)
  pcall(vim.rpcnotify, self.channel, 'nvim_command', how or 'qall!')
  return self:gone()
end

--- Waits until the process is gone.
function Editor:gone()
  return vim.fn.jobwait({ self.channel }, PATIENCE_MS)[1] ~= -1
end

return M
