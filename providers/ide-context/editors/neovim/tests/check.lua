-- Counts what holds and says what does not.

local M = { passes = 0, failures = 0 }

local is_list = vim.islist or vim.tbl_islist

local function show(value)
  local shown = vim.inspect(value)
  return #shown > 2000 and shown:sub(1, 2000) .. ' …' or shown
end

--- One case failed, for this reason.
function M.failed(name, reason)
  M.failures = M.failures + 1
  io.stdout:write('FAILED ' .. name .. '\n  ' .. reason:gsub('\n', '\n  ') .. '\n')
end

--- Runs a case: a function that raises an error unless what `name` says is so.
function M.case(name, body)
  local ok, problem = xpcall(body, debug.traceback)
  if ok then
    M.passes = M.passes + 1
  else
    M.failed(name, tostring(problem))
  end
end

--- Whether `actual` has everything that `expected` has; a list must be the same list. Fields that are not
--- mentioned may be anything.
function M.matches(actual, expected)
  if type(expected) ~= 'table' or type(actual) ~= 'table' then
    return actual == expected
  elseif is_list(expected) and #expected ~= #actual then
    return false
  end
  for key, value in pairs(expected) do
    if not M.matches(actual[key], value) then
      return false
    end
  end
  return true
end

--- Raises an error unless `actual` matches `expected`.
function M.same(actual, expected)
  if not M.matches(actual, expected) then
    error('expected ' .. show(expected) .. '\nbut got ' .. show(actual), 2)
  end
end

return M
