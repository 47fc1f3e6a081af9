-- Launch arguments: what is told of them, and that Neovim itself reads them the same way.

local check = require('check')
local editor = require('editor')
local files = require('ctxhost_ide.argv').files

-- What follows the program's name, and which of it are files. Every line with `true` is asked of a real
-- Neovim, too.
local CASES = {
  { 'nothing', {}, {}, true },
  { 'a folder', { 'src/' }, { 'src/' } },
  { 'window and tab flags take no value', { '-o', 'a', 'b' }, { 'a', 'b' }, true },
  { 'with a count', { '-O3', 'a', '-p2', 'b' }, { 'a', 'b' } },
  { 'diff mode', { '-d', 'a', 'b' }, { 'a', 'b' }, true },
  { 'values of -u and -i', { '-u', 'NORC', '-i', 'NONE', 'a' }, { 'a' }, true },
  { 'commands', { '-c', 'let x = 1', '--cmd', 'let y = 1', 'a', '-clet z = 1' }, { 'a' }, true },
  { 'combined flags, the last with a value', { '-Rnc', 'let x = 1', 'a' }, { 'a' }, true },
  { 'plus commands', { '+', '+1', '+let x = 1', 'a' }, { 'a' }, true },
  { 'all is a file after --', { '-n', '--', '-x', '+1', '-', '--' }, { '-x', '+1', '-', '--' }, true },
  { 'standard input', { '-', 'a' }, { 'a' } },
  { 'script to type', { '-s', 'script', 'a' }, { 'a' } },
  { 'silent mode', { '-es', 'a', '-s', 'b' }, { 'a', 'b' } },
  { 'session', { '-S', 'Session.vim', 'a' }, { 'a' } },
  { 'session without a name', { 'a', '-S', '-R', 'b' }, { 'a', 'b' } },
  { 'session at the end', { 'a', '-S' }, { 'a' } },
  { 'log of keys, height of windows', { '-w', 'keys', 'a', '-w10', 'b', '-W', 'keys' }, { 'a', 'b' } },
  { 'log of messages', { '-V', 'a', '-V1', 'b', '-V1messages', 'c' }, { 'a', 'b', 'c' } },
  { 'tag, error file', { '-t', 'main', '-q', 'errors', '-qerrors' }, {} },
  { 'long flags with a value', { '--listen', 'socket', '--startuptime', 'log', 'a' }, { 'a' } },
  { 'long flags without one', { '--noplugin', 'a', '--embed', 'b', '--headless' }, { 'a', 'b' } },
  { 'recovery', { '-r', 'a' }, { 'a' } },
  { 'an empty name', { '', 'a' }, { 'a' } },
}

for _, case in ipairs(CASES) do
  local name, argv, expected, ask_neovim = unpack(case)
  check.case('argv: ' .. name, function()
    check.same(files(vim.list_extend({ 'nvim' }, argv)), expected)
    if ask_neovim then
      local child = editor.start(argv)
      local stated = child:expect({ pid = child.pid }).argv
      check.same(stated, child:request('nvim_call_function', 'argv', {}))
      child:quit()
    end
  end)
end

check.case('argv: a long list is cut', function()
  local argv = { 'nvim' }
  for at = 1, 5000 do
    argv[at + 1] = 'file-' .. at
  end
  assert(#files(argv) == 100)
  assert(#files({ 'nvim', 'a', ('b'):rep(40000) }) == 1)
end)
