-- Which of Neovim's launch arguments name files. Knows nothing but the list it is given.

local M = {}

-- Flags whose value is the next argument. `-s` and `-S` have rules of their own below.
local LONG_WITH_VALUE = {
  ['--cmd'] = true,
  ['--listen'] = true,
  ['--server'] = true,
  ['--startuptime'] = true,
}
local SHORT_WITH_VALUE = { i = true, u = true, U = true, W = true }
-- Flags whose value may also be glued on: `-c cmd` and `-ccmd`.
local SHORT_WITH_VALUE_OR_GLUED = { c = true, q = true, t = true }

-- A shell can expand `*` to thousands of names; this is enough for a fingerprint, and keeps the file small.
local MOST_ENTRIES = 100
local MOST_BYTES = 32 * 1024

-- Whether the short flags `letters` take `following` as their value, and whether Ex mode is on after them.
local function read_short_flags(letters, following, ex_mode)
  local at = 1
  while at <= #letters do
    local letter = letters:sub(at, at)
    local rest = letters:sub(at + 1)
    if SHORT_WITH_VALUE[letter] then
      return true, ex_mode
    elseif SHORT_WITH_VALUE_OR_GLUED[letter] then
      return rest == '', ex_mode
    elseif letter == 'S' then
      return following ~= nil and following:sub(1, 1) ~= '-', ex_mode
    elseif letter == 's' and not ex_mode then
      return true, ex_mode -- a script to type; after `-e` it means "silent" and stands alone
    elseif letter == 'w' and not rest:find('^%d') then
      return true, ex_mode
    elseif letter == 'V' then
      return false, ex_mode -- whatever is glued on is a level and a log file
    end
    ex_mode = ex_mode or letter == 'e' or letter == 'E'
    at = at + 1
  end
  return false, ex_mode
end

--- The file arguments in `argv`, whose first entry is the program.
function M.files(argv)
  local files = {}
  local bytes = 0
  local only_files, ex_mode = false, false
  local at = 2

  local function take(name)
    bytes = bytes + #name
    -- An empty name would resolve to the working directory and pass for evidence of a project.
    if name ~= '' and #files < MOST_ENTRIES and bytes <= MOST_BYTES then
      files[#files + 1] = name
    end
  end

  while at <= #argv do
    local word = argv[at]
    local has_value = false
    if only_files then
      take(word)
    elseif word == '--' then
      only_files = true
    elseif word:sub(1, 2) == '--' then
      has_value = LONG_WITH_VALUE[word] or false
    elseif word:sub(1, 1) == '-' then
      has_value, ex_mode = read_short_flags(word:sub(2), argv[at + 1], ex_mode)
    elseif word:sub(1, 1) ~= '+' then
      take(word)
    end
    at = at + (has_value and 2 or 1)
  end
  return files
end

return M
