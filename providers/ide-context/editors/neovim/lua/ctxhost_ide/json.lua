-- JSON with the keys in the order they are given, so that equal states are equal bytes.
-- (`vim.json.encode` shuffles keys, and takes an empty list for an object.)

local M = {}

M.null = 'null'

local ESCAPES = {}
for byte = 0, 31 do
  ESCAPES[string.char(byte)] = string.format('\\u%04x', byte)
end
ESCAPES['"'], ESCAPES['\\'] = '\\"', '\\\\'
ESCAPES['\n'], ESCAPES['\r'], ESCAPES['\t'] = '\\n', '\\r', '\\t'

--- `text` with what may not stand in a JSON string escaped; no quotes around it.
function M.escape(text)
  return (text:gsub('[%z\1-\31"\\]', ESCAPES))
end

--- A string; `text` must be valid UTF-8.
function M.string(text)
  return '"' .. M.escape(text) .. '"'
end

--- A whole number.
function M.integer(number)
  return string.format('%.0f', number)
end

--- A list of values that are JSON already.
function M.list(values)
  return '[' .. table.concat(values, ',') .. ']'
end

--- An object from a list of `{ key, value }`, whose values are JSON already.
function M.object(fields)
  local members = {}
  for at, field in ipairs(fields) do
    members[at] = M.string(field[1]) .. ':' .. field[2]
  end
  return '{' .. table.concat(members, ',') .. '}'
end

return M
