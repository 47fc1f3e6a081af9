-- Puts the parts together: events come in, and the state goes out to the file.

local M = {}

local uv = vim.uv or vim.loop

-- The protocol's figure for writes that are not urgent.
local DEBOUNCE_MS = 200
-- What stays selected counts as selected now; the reader takes it for forgotten 60 s later.
local LIVE_SELECTION_MS = 30 * 1000

-- What the user is about to ask about changes with these.
local URGENT = { 'ModeChanged', 'BufEnter', 'WinEnter', 'TabEnter', 'TermOpen', 'DirChanged' }
local OTHER = {
  'CursorMoved',
  'CursorMovedI',
  'TextChanged',
  'TextChangedI',
  'TextChangedP',
  'BufModifiedSet',
  'BufReadPost',
  'BufWritePost',
  'BufFilePost',
  'FileType',
  'WinClosed',
  'FocusGained',
  'FocusLost',
  'VimResume',
}

local warned = false -- once in a session is enough: the editor works without us

local function warn(problem)
  if warned then
    return
  end
  warned = true
  vim.schedule(function()
    vim.notify('ctxhost_ide: no editor state for agents: ' .. problem, vim.log.levels.WARN)
  end)
end

-- Whatever goes wrong in here, the user's editing goes on.
local function harmless(action)
  return function(...)
    local ok, problem = pcall(action, ...)
    if not ok then
      warn(tostring(problem))
    end
    -- Nothing is returned: `true` would end an autocommand.
  end
end

local function state_dir(runtime_dir)
  local dir = require('ctxhost_ide.writer').state_dir(runtime_dir)
  return (vim.fn.fnamemodify(dir, ':p'):gsub('/+$', '')) -- once and for all: `:cd` must not move it
end

--- Starts; `close()` of what is returned ends it and removes the file.
function M.open(options)
  local writer = require('ctxhost_ide.writer')
  local state = require('ctxhost_ide.state')
  local view = require('ctxhost_ide.view')
  local seen = view.new()
  local visual = require('ctxhost_ide.visual').new(os.time)

  local dir = state_dir(options.runtime_dir or vim.env.XDG_RUNTIME_DIR)
  local pid, uid = uv.os_getpid(), uv.getuid()
  local argv = require('ctxhost_ide.argv').files(vim.v.argv)
  local debounce_ms = math.max(0, math.floor(options.debounce_ms or DEBOUNCE_MS))
  local last_bytes -- what the file holds, as far as we know
  local last_cwd = ''

  -- Of a directory that was deleted Neovim knows no name; it is still the one that the user is in.
  local function working_directory()
    local cwd = vim.fn.getcwd()
    last_cwd = cwd ~= '' and cwd or last_cwd
    return last_cwd
  end

  local function describe()
    visual.observe()
    local window, ordinary = seen.window()
    local buffer = view.describe(window, ordinary)
    -- What is selected in a terminal is nobody's business: where there is no file, no agent asks.
    buffer.selection = ordinary and visual.selection_in(window) or nil
    local current = {
      pid = pid,
      cwd = working_directory(),
      timestamp = os.time(),
      argv = argv,
      active_buffer = buffer,
    }
    return current, visual.live_in(window)
  end

  local pace
  pace = require('ctxhost_ide.pace').new(harmless(function()
    local current, live = describe()
    local bytes = state.encode(current)
    -- The same state in the same second needs no second write. Later the time stamp differs, and shows that
    -- the user is here.
    if bytes ~= last_bytes then
      local done, problem = writer.write(dir, pid, bytes, uid)
      last_bytes = done and bytes or nil
      if not done then
        warn(problem)
      end
    end
    if live then
      pace.within(LIVE_SELECTION_MS)
    end
  end))

  local group = vim.api.nvim_create_augroup('ctxhost_ide', { clear = true })
  local function on(events, action)
    vim.api.nvim_create_autocmd(events, { group = group, callback = harmless(action) })
  end

  local client = {}

  function client.close()
    pace.close()
    vim.api.nvim_create_augroup('ctxhost_ide', { clear = true })
    writer.remove(dir, pid, uid)
  end

  on(URGENT, function()
    visual.observe()
    pace.now()
  end)
  on(OTHER, function()
    visual.observe()
    pace.within(debounce_ms)
  end)
  on('WinLeave', seen.leave)
  on('BufWipeout', function(event)
    visual.forget(event.buf)
  end)
  on('VimLeavePre', client.close)
  pace.now()

  return client
end

return M
