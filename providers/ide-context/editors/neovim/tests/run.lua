-- Started by run.sh. Runs every file of cases/, prints the count and exits with 1 if anything failed.

local root = assert(vim.env.CTXHOST_IDE_ROOT, 'start this with run.sh')
vim.opt.runtimepath:prepend(root)
package.path = root .. '/tests/?.lua;' .. package.path

local check = require('check')

local AREAS = {
  'argv',
  'text',
  'json',
  'selection',
  'writer',
  'startup',
  'visual',
  'view',
  'activity',
  'lifecycle',
}

local function close()
  io.stdout:write(string.format('%d passed, %d failed\n', check.passes, check.failures))
  io.stdout:flush()
end

-- An editor that hangs would hang us with it. On a good day all this takes less than a minute.
local uv = vim.uv or vim.loop
uv.new_timer():start(10 * 60 * 1000, 0, function()
  check.failed('the run', 'an editor does not answer, after ten minutes')
  close()
  os.exit(1)
end)

for _, area in ipairs(AREAS) do
  local ok, problem = xpcall(require, debug.traceback, 'cases.' .. area)
  if not ok then
    check.failed(area .. ' could not be run to its end', problem)
  end
end
require('editor').kill_all()
close()
vim.cmd(check.failures == 0 and 'qall!' or 'cquit')
