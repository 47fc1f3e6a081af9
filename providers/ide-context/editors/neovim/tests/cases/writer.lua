-- The file on disk.

local check = require('check')
local editor = require('editor')
local writer = require('ctxhost_ide.writer')

local uv = vim.uv or vim.loop
local me = uv.getuid()

local function rights(path)
  return string.format('%o', uv.fs_stat(path).mode % 512)
end

local function content(path)
  return table.concat(vim.fn.readfile(path), '\n')
end

local function refused(dir, reason)
  local done, problem = writer.write(dir, 7, '{}', me)
  check.same(done, nil)
  assert(problem:find(reason, 1, true), problem)
end

-- Runs `body` while `uv[name]` is `replacement`.
local function with_uv(name, replacement, body)
  local original = uv[name]
  uv[name] = replacement
  local ok, problem = pcall(body)
  uv[name] = original
  assert(ok, problem)
end

check.case('writer: where the state folder is', function()
  check.same(writer.state_dir('/run/user/1000'), '/run/user/1000/pi-ide')
  check.same(writer.state_dir('/run/user/1000/'), '/run/user/1000/pi-ide')
  check.same(writer.state_dir(nil), '/tmp/pi-ide')
  check.same(writer.state_dir(''), '/tmp/pi-ide')
end)

check.case('writer: folder and file are the owner\'s alone', function()
  local dir = editor.folder() .. '/deep/pi-ide'
  assert(writer.write(dir, 7, '{}', me))
  check.same({ rights(dir), rights(dir .. '/7.json') }, { '700', '600' })
  check.same(vim.fn.readdir(dir), { '7.json' })
end)

check.case('writer: the file is never open to others, not even as a draft', function()
  local dir = editor.folder()
  local seen
  local original = uv.fs_write
  with_uv('fs_write', function(...)
    seen = rights(dir .. '/7.json.tmp')
    return original(...)
  end, function()
    assert(writer.write(dir, 7, '{}', me))
  end)
  check.same(seen, '600')
end)

check.case('writer: an open folder of ours is closed', function()
  local dir = editor.folder()
  uv.fs_chmod(dir, tonumber('755', 8))
  assert(writer.write(dir, 7, '{}', me))
  check.same(rights(dir), '700')
end)

check.case('writer: a write replaces, it does not add', function()
  local dir = editor.folder()
  assert(writer.write(dir, 7, ('long'):rep(100000), me))
  assert(writer.write(dir, 7, 'short', me))
  check.same(content(dir .. '/7.json'), 'short')
end)

check.case('writer: a stale draft with wide rights is replaced', function()
  local dir = editor.folder()
  vim.fn.writefile({ 'old' }, dir .. '/7.json.tmp')
  uv.fs_chmod(dir .. '/7.json.tmp', tonumber('666', 8))
  assert(writer.write(dir, 7, 'new', me))
  check.same({ content(dir .. '/7.json'), rights(dir .. '/7.json') }, { 'new', '600' })
  check.same(vim.fn.readdir(dir), { '7.json' })
end)

check.case('writer: a draft that is a link is not followed', function()
  local dir, elsewhere = editor.folder(), editor.folder() .. '/victim'
  vim.fn.writefile({ 'mine' }, elsewhere)
  uv.fs_symlink(elsewhere, dir .. '/7.json.tmp')
  assert(writer.write(dir, 7, 'new', me))
  check.same({ content(elsewhere), content(dir .. '/7.json') }, { 'mine', 'new' })
end)

check.case('writer: a folder of another user is refused', function()
  local dir = editor.folder()
  if me == 0 then
    uv.fs_chown(dir, 12345, 12345)
    refused(dir, 'another user')
    writer.remove(dir, 7, me)
  else
    local done, problem = writer.write(dir, 7, '{}', me + 1)
    assert(not done and problem:find('another user', 1, true))
  end
  check.same(vim.fn.readdir(dir), {})
end)

check.case('writer: a link in place of the folder is refused', function()
  local target, link = editor.folder(), editor.folder() .. '/pi-ide'
  uv.fs_symlink(target, link)
  refused(link, 'not a directory')
  vim.fn.writefile({ 'mine' }, target .. '/7.json')
  writer.remove(link, 7, me)
  check.same(vim.fn.readdir(target), { '7.json' })
end)

check.case('writer: a full disk leaves the old file and no draft', function()
  local dir = editor.folder()
  assert(writer.write(dir, 7, 'old', me))
  with_uv('fs_write', function()
    return nil, 'ENOSPC: no space left on device', 'ENOSPC'
  end, function()
    refused(dir, 'ENOSPC')
  end)
  check.same(content(dir .. '/7.json'), 'old')
  check.same(vim.fn.readdir(dir), { '7.json' })
end)

check.case('writer: short writes are continued', function()
  local dir = editor.folder()
  local original = uv.fs_write
  with_uv('fs_write', function(file, bytes, offset)
    return original(file, bytes:sub(1, 3), offset)
  end, function()
    assert(writer.write(dir, 7, '0123456789', me))
  end)
  check.same(content(dir .. '/7.json'), '0123456789')
end)

check.case('writer: removes the file and the draft', function()
  local dir = editor.folder()
  assert(writer.write(dir, 7, '{}', me))
  vim.fn.writefile({ 'half' }, dir .. '/7.json.tmp')
  vim.fn.writefile({ 'other' }, dir .. '/8.json')
  writer.remove(dir, 7, me)
  check.same(vim.fn.readdir(dir), { '8.json' })
end)
