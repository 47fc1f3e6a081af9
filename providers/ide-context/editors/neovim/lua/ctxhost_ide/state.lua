-- The state file's content, field by field as protocol v0.2 names them.

local json = require('ctxhost_ide.json')
local text = require('ctxhost_ide.text')

local M = {}

local function string_or_null(value)
  return value and json.string(value) or json.null
end

local function place(at)
  return json.object({ { 'line', json.integer(at.line) }, { 'column', json.integer(at.column) } })
end

local function selection(selected)
  if not selected then
    return json.null
  end
  return json.object({
    { 'start', place(selected.start) },
    { 'end', place(selected['end']) },
    { 'text', json.string(selected.text) },
    { 'selected_at', json.integer(selected.selected_at) },
  })
end

local function buffer(seen)
  return json.object({
    { 'file', string_or_null(seen.file) },
    { 'name', json.string(seen.name) },
    { 'language', string_or_null(seen.language) },
    { 'cursor', place(seen.cursor) },
    { 'selection', selection(seen.selection) },
    { 'modified', tostring(seen.modified) },
    { 'lines_total', json.integer(seen.lines_total) },
  })
end

--- The JSON of a state: `pid`, `cwd`, `timestamp`, `argv`, and `active_buffer` as `view.describe` gives it,
--- perhaps with a selection.
function M.encode(state)
  local argv = {}
  for at, argument in ipairs(state.argv) do
    argv[at] = json.string(text.repair(argument))
  end
  return json.object({
    { 'pid', json.integer(state.pid) },
    { 'cwd', json.string(text.repair(state.cwd)) },
    { 'timestamp', json.integer(state.timestamp) },
    { 'app', json.string('nvim') },
    { 'argv', json.list(argv) },
    { 'active_buffer', buffer(state.active_buffer) },
  })
end

return M
