-- When to write: at once or within a while, however many wishes arrive meanwhile. The last is never lost.

local M = {}

local uv = vim.uv or vim.loop

local function milliseconds()
  return uv.hrtime() / 1e6
end

--- Returns something that calls `run` on the main loop: `now()` at its next turn, `within(ms)` by then at the
--- latest.
---
--- A burst does not push the moment back, so that holding a key down cannot keep the file stale.
function M.new(run)
  local timer = uv.new_timer()
  local due -- when the timer is to fire; nil while it is not set
  local called = false -- whether the main loop has been asked to come by
  local closed = false

  local function fire()
    if closed then
      return
    end
    called = false
    due = nil
    timer:stop()
    run()
  end

  local pace = {}

  function pace.now()
    if closed or called then
      return
    end
    called = true
    vim.schedule(fire)
  end

  function pace.within(ms)
    local moment = milliseconds() + ms
    if closed or called or (due and due <= moment) then
      return
    end
    due = moment
    timer:start(ms, 0, vim.schedule_wrap(fire))
  end

  function pace.close()
    if not closed then
      closed = true
      timer:stop()
      timer:close()
    end
  end

  return pace
end

return M
