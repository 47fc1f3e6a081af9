-- What is written can be read, and is the same each time.

local check = require('check')
local json = require('ctxhost_ide.json')
local state = require('ctxhost_ide.state')

local function sample()
  return {
    pid = 12,
    cwd = '/home/\246',
    timestamp = 1700000000,
    argv = {},
    active_buffer = {
      name = 'a "b" \\ c',
      cursor = { line = 1, column = 2 },
      modified = true,
      lines_total = 3,
      selection = {
        start = { line = 1, column = 1 },
        ['end'] = { line = 2, column = 3 },
        text = 'x\ty\nz\0\1',
        selected_at = 1700000001,
      },
    },
  }
end

check.case('json: strings survive', function()
  for _, value in ipairs({ '', 'a/b', '"\\', '\n\r\t\8\12\0\31\127', 'größe' }) do
    check.same(vim.json.decode(json.list({ json.string(value) })), { value })
  end
end)

check.case('json: an empty list is a list', function()
  assert(state.encode(sample()):find('"argv":[]', 1, true))
end)

check.case('json: what is absent is null', function()
  check.same(vim.json.decode(state.encode(sample())).active_buffer, { file = vim.NIL, language = vim.NIL })
end)

check.case('json: the whole state', function()
  local decoded = vim.json.decode(state.encode(sample()))
  check.same(decoded, {
    pid = 12,
    cwd = '/home/\239\191\189',
    timestamp = 1700000000,
    app = 'nvim',
    active_buffer = sample().active_buffer,
  })
end)

check.case('json: equal states are equal bytes', function()
  check.same(state.encode(sample()), state.encode(sample()))
  assert(state.encode(sample()):find('^{"pid":12,"cwd":'))
end)
