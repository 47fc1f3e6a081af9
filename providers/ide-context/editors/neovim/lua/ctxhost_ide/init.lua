-- What a user's configuration meets: `setup`, `start` and `stop`.

local M = {}

local options = {}
local client -- what `client.open` returned, while it runs

local function disabled()
  local wish = vim.g.ctxhost_ide_disable
  if wish and wish ~= 0 then
    return true
  end
  -- Inside VS Code that editor's own client speaks; a second editor in the same project would only make the
  -- choice unclear. The state folder and its owner are notions of Unix.
  return vim.g.vscode ~= nil or vim.fn.has('win32') == 1
end

local OPTION_TYPES = { debounce_ms = 'number', runtime_dir = 'string' }

local function check(opts)
  for name, value in pairs(opts) do
    if type(value) ~= OPTION_TYPES[name] then
      local expected = OPTION_TYPES[name] and 'must be a ' .. OPTION_TYPES[name] or 'does not exist'
      error('ctxhost_ide: option ' .. name .. ' ' .. expected, 3)
    end
  end
end

--- Takes options; see the README for what there is.
function M.setup(opts)
  opts = opts or {}
  check(opts)
  options = opts
  if vim.v.vim_did_enter == 1 then
    M.stop()
    M.start()
  end
end

--- Starts to write the state file, unless that was disabled or is going on already.
function M.start()
  if client or disabled() then
    return
  end
  client = require('ctxhost_ide.client').open(options)
end

--- Stops writing and removes the state file.
function M.stop()
  if client then
    client.close()
    client = nil
  end
end

return M
