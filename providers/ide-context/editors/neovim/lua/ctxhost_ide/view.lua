-- What the user looks at: which window counts, and what its buffer is to somebody outside the editor.
--
-- A window is *ordinary* when it shows a file or a text that may become one, and *special* otherwise: a
-- terminal, a file tree, a help page, a quickfix list, a picker. Going to a special window does not hide the
-- file beside it: the ordinary window that the user was in last counts, as long as there is one. Only without
-- any does the special window itself count, and it has no file.

local text = require('ctxhost_ide.text')

local M = {}

local UNNAMED = '[No Name]'
local NAME_OF_KIND = {
  help = '[Help]',
  nofile = '[Scratch]',
  prompt = '[Prompt]',
  quickfix = '[Quickfix List]',
  terminal = '[Terminal]',
}

-- The longest name of a file on the systems we know; pseudo-files have names without end.
local MOST_NAME_BYTES = 255

local function is_directory(path)
  return vim.fn.isdirectory(path) == 1
end

-- `oil:///home/…`, `fugitive://…`; Neovim puts the working directory before a scheme it does not know.
local function is_pseudo_path(name)
  return name:sub(1, 1) ~= '/' or name:find('%a[%w+.-]+://') ~= nil
end

local function is_ordinary(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  if vim.bo[buffer].buftype ~= '' then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == '' then
    -- What floats above the other windows without a name is a question or a hint, and what has no name and
    -- cannot be changed is a list of some kind, such as netrw's: neither will become a file.
    return vim.bo[buffer].modifiable and vim.api.nvim_win_get_config(window).relative == ''
  end
  return not is_pseudo_path(name) and not is_directory(name)
end

-- The path, if JSON can hold it: with a replaced byte it would be the path of another file.
local function file_path(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  return path ~= '' and text.repair(path) == path and path or nil
end

-- What a special window shows, in a few words or less; the name of a file is its last part.
local function display_name(buffer)
  local kind = vim.bo[buffer].buftype
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == '' then
    path = vim.b[buffer].netrw_curdir or '' -- Neovim's own directory browser does not always name its buffer
  end
  local name = path:gsub('/+$', ''):match('[^/]*$')
  if kind == 'terminal' or name == '' then
    return NAME_OF_KIND[kind] or UNNAMED
  end
  local slash = (path:sub(-1) == '/' or is_directory(path)) and '/' or ''
  return text.clip(text.repair(name), MOST_NAME_BYTES, string.len) .. slash
end

--- What is in `window`, in the words of the protocol, without the selection. Only an `ordinary` one has a file.
function M.describe(window, ordinary)
  local buffer = vim.api.nvim_win_get_buf(window)
  local cursor = vim.api.nvim_win_get_cursor(window)
  local filetype = vim.bo[buffer].filetype
  return {
    file = ordinary and file_path(buffer) or nil,
    name = display_name(buffer),
    language = filetype ~= '' and text.repair(filetype) or nil,
    cursor = { line = cursor[1], column = cursor[2] + 1 },
    modified = vim.bo[buffer].modified,
    lines_total = vim.api.nvim_buf_line_count(buffer),
  }
end

--- Remembers which ordinary windows the user was in, the latest one last.
function M.new()
  local visited = {} -- some may be closed or have become special by now

  local function visit(window)
    visited = vim.tbl_filter(function(other)
      return other ~= window and vim.api.nvim_win_is_valid(other)
    end, visited)
    visited[#visited + 1] = window
  end

  local view = {}

  --- To be called when the user leaves a window: only then is it known for sure what the window has become.
  function view.leave()
    local window = vim.api.nvim_get_current_win()
    if is_ordinary(window) then
      visit(window)
    end
  end

  --- The window that counts now, and whether it is an ordinary one.
  function view.window()
    view.leave()
    for at = #visited, 1, -1 do
      local window = visited[at]
      if vim.api.nvim_win_is_valid(window) and is_ordinary(window) then
        return window, true
      end
    end
    return vim.api.nvim_get_current_win(), false
  end

  return view
end

return M
