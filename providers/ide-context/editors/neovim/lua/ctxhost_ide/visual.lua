-- Follows the user into Visual mode and out of it; remembers for each buffer what was selected last, and when.
--
-- The remembered text is what the user saw on leaving Visual mode. Once the buffer says something else in
-- that place the selection is dropped: nobody selected what stands there now, and what was selected is gone.

local selection = require('ctxhost_ide.selection')

local M = {}

local SHAPE_OF = { v = 'v', V = 'V', ['\22'] = '\22', s = 'v', S = 'V', ['\19'] = '\22' }

-- The shape of the selection in `mode`, or nil when the user is not selecting. In Select mode they are only
-- if they chose, with 'selectmode', to select that way: otherwise a snippet shows where to type next.
local function shape_in(mode)
  local first = mode:sub(1, 1)
  local select_mode = first == 's' or first == 'S' or first == '\19'
  if select_mode and vim.o.selectmode == '' then
    return nil
  end
  return SHAPE_OF[first]
end

local function reader(buffer)
  return function(first, last)
    return vim.api.nvim_buf_get_lines(buffer, first - 1, last, false)
  end
end

local function region(shape, from, to)
  return { shape = shape, from = from, to = to, exclusive = vim.o.selection == 'exclusive' }
end

-- The region on the screen now. The marks still tell of the selection before, or of none at all.
local function live_region(shape)
  local anchor, cursor = vim.fn.getpos('v'), vim.fn.getpos('.')
  return region(shape, { line = anchor[2], column = anchor[3] }, { line = cursor[2], column = cursor[3] })
end

-- The region that the user has just left; nil without marks.
local function left_region(buffer, shape)
  local from, to = vim.api.nvim_buf_get_mark(buffer, '<'), vim.api.nvim_buf_get_mark(buffer, '>')
  if from[1] == 0 or to[1] == 0 then
    return nil
  end
  return region(shape, { line = from[1], column = from[2] + 1 }, { line = to[1], column = to[2] + 1 })
end

--- `clock` tells the time in Unix seconds.
function M.new(clock)
  local active -- the buffer, its changedtick and the shape, while the user is selecting
  -- By buffer: the selection, when it was left, and the changedtick at which it was last found unchanged.
  local remembered = {}

  local function remember(left)
    if not vim.api.nvim_buf_is_loaded(left.buffer) then
      return
    end
    remembered[left.buffer] = nil
    local tick = vim.api.nvim_buf_get_changedtick(left.buffer)
    if tick ~= left.tick then
      -- The user left with an operator that changed the text (`d`, `c`, `p`, `>` …), and the marks tell of
      -- what came after.
      return
    end
    local area = left_region(left.buffer, left.shape)
    local found = area and selection.describe(area, reader(left.buffer))
    remembered[left.buffer] = found and { selection = found, at = clock(), tick = tick }
  end

  local visual = {}

  --- To be called whenever the mode, the cursor or the window may have changed.
  function visual.observe()
    local mode = vim.api.nvim_get_mode().mode
    local buffer = vim.api.nvim_get_current_buf()
    local shape = shape_in(mode)
    local was = active
    active = shape and { buffer = buffer, shape = shape, tick = vim.api.nvim_buf_get_changedtick(buffer) }
    local still_there = active and was and active.buffer == was.buffer
    local into_select_mode = not shape and SHAPE_OF[mode:sub(1, 1)]
    if was and not still_there and not into_select_mode then
      remember(was)
    end
  end

  --- Whether the user is selecting in `window` right now.
  function visual.live_in(window)
    return active ~= nil and window == vim.api.nvim_get_current_win()
  end

  --- What is, or was last, selected in the buffer of `window`, with `selected_at`; nil if nothing is known.
  function visual.selection_in(window)
    local buffer = vim.api.nvim_win_get_buf(window)
    local read = reader(buffer)
    if visual.live_in(window) then
      local found = selection.describe(live_region(active.shape), read)
      return found and vim.tbl_extend('error', found, { selected_at = clock() })
    end
    local known = remembered[buffer]
    if not known then
      return nil
    end
    local tick = vim.api.nvim_buf_get_changedtick(buffer)
    if tick ~= known.tick and selection.text_of(known.selection, read) ~= known.selection.text then
      remembered[buffer] = nil
      return nil
    end
    known.tick = tick
    return vim.tbl_extend('error', known.selection, { selected_at = known.at })
  end

  --- Drops what is known about a buffer that is going away.
  function visual.forget(buffer)
    remembered[buffer] = nil
  end

  return visual
end

return M
