-- How the client starts, or does not.

local check = require('check')
local editor = require('editor')

check.case('startup: the file is there soon, and complete', function()
  local cwd = editor.folder()
  vim.fn.writefile({ 'one', 'two' }, cwd .. '/a.txt')
  local child = editor.start({ 'a.txt' }, { cwd = cwd })
  local state = child:expect({
    pid = child.pid,
    cwd = vim.fn.resolve(cwd),
    app = 'nvim',
    argv = { 'a.txt' },
    active_buffer = {
      file = vim.fn.resolve(cwd) .. '/a.txt',
      name = 'a.txt',
      language = 'text',
      cursor = { line = 1, column = 1 },
      selection = vim.NIL,
      modified = false,
      lines_total = 2,
    },
  })
  assert(math.abs(state.timestamp - os.time()) <= 5)
  child:quit()
end)

check.case('startup: folder and file are the owner\'s alone under any umask', function()
  local uv = vim.uv or vim.loop
  for _, umask in ipairs({ '000', '077' }) do
    local child = editor.start({}, { env = { XDG_RUNTIME_DIR = editor.folder() }, umask = umask })
    child:expect({ pid = child.pid })
    check.same(uv.fs_stat(child.dir).mode % 512, tonumber('700', 8))
    check.same(uv.fs_stat(child.path).mode % 512, tonumber('600', 8))
    check.same(vim.fn.readdir(child.dir), { child.pid .. '.json' })
    child:quit()
  end
end)

check.case('startup: nothing is loaded before Neovim has started', function()
  local look = 'let g:unloaded = luaeval("package.loaded.ctxhost_ide == nil")'
  local child = editor.start({ '--cmd', 'autocmd VimEnter * ++once ' .. look })
  child:expect({ pid = child.pid })
  check.same(child:request('nvim_get_var', 'unloaded'), true)
  child:quit()
end)

check.case('startup: loaded late, it starts at once', function()
  local child = editor.start({ '--noplugin' })
  editor.settle()
  check.same(child:state(), nil)
  child:command('runtime plugin/ctxhost_ide.lua')
  child:expect({ pid = child.pid })
  child:quit()
end)

for _, variable in ipairs({ 'ctxhost_ide_disable', 'vscode' }) do
  check.case('startup: g:' .. variable .. ' keeps it off', function()
    local child = editor.start({ '--cmd', 'let g:' .. variable .. ' = 1' })
    child:lua('require("ctxhost_ide").setup({})')
    child:press('i')
    editor.settle()
    check.same(child:state(), nil)
    child:quit()
  end)
end

check.case('startup: a disable of 0 is none', function()
  local child = editor.start({ '--cmd', 'let g:ctxhost_ide_disable = 0' })
  child:expect({ pid = child.pid })
  child:quit()
end)

check.case('startup: options from the configuration are used', function()
  local folder = editor.folder()
  local init = folder .. '/init.lua'
  vim.fn.writefile({ 'require("ctxhost_ide").setup({ runtime_dir = "states", debounce_ms = 1 })' }, init)
  local child = editor.start({}, { cwd = folder, init = init })
  child.path = folder .. '/states/pi-ide/' .. child.pid .. '.json'
  child:expect({ pid = child.pid })
  child:command('cd /') -- the folder stays where it was
  child:expect({ cwd = '/' })
  child:quit()
  check.same(vim.fn.readdir(folder .. '/states/pi-ide'), {})
end)

check.case('startup: setup moves a running client', function()
  local child = editor.start()
  child:expect({ pid = child.pid })
  local old, folder = child.path, editor.folder()
  child:lua('require("ctxhost_ide").setup({ runtime_dir = ... })', folder)
  child.path = folder .. '/pi-ide/' .. child.pid .. '.json'
  child:expect({ pid = child.pid })
  check.same(vim.fn.filereadable(old), 0)
  child:quit()
end)

check.case('startup: an option that does not exist is named', function()
  local ok, problem = pcall(require('ctxhost_ide').setup, { debounce = 5 })
  assert(not ok and problem:find('debounce', 1, true))
end)
