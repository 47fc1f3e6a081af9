-- The state file on disk: where it is, who may read it, and that a reader never sees half of it.
-- Nothing here raises an error or speaks to the user; what goes wrong is returned as `nil, reason`.

local M = {}

local uv = vim.uv or vim.loop

local OWNER_ONLY_DIRECTORY = tonumber('700', 8)
local OWNER_ONLY_FILE = tonumber('600', 8)

--- The folder of all state files, given the value of XDG_RUNTIME_DIR. Empty counts as not set:
--- nobody means `/pi-ide`.
function M.state_dir(runtime_dir)
  if runtime_dir == nil or runtime_dir == '' then
    runtime_dir = '/tmp'
  end
  return (runtime_dir:gsub('/+$', '')) .. '/pi-ide'
end

--- The file of the editor `pid`.
function M.path(dir, pid)
  return string.format('%s/%d.json', dir, pid)
end

-- Whether this went well, and whose folder it is, is looked at afterwards.
local function create_directory(dir)
  local _, _, code = uv.fs_mkdir(dir, OWNER_ONLY_DIRECTORY)
  if code == 'ENOENT' then
    pcall(vim.fn.mkdir, dir, 'p', OWNER_ONLY_DIRECTORY)
  end
end

-- Makes sure that the folder is there, is ours, and is closed to others. In /tmp anybody can have put
-- something in its place.
local function secure_directory(dir, uid)
  local found, problem = uv.fs_lstat(dir)
  if not found then
    create_directory(dir)
    found, problem = uv.fs_lstat(dir)
  end
  if not found then
    return nil, problem
  elseif found.type ~= 'directory' then
    return nil, dir .. ' is not a directory but a ' .. found.type
  elseif found.uid ~= uid then
    return nil, dir .. ' belongs to another user'
  elseif found.mode % 64 ~= 0 then -- some right for group or others
    return uv.fs_chmod(dir, OWNER_ONLY_DIRECTORY)
  end
  return true
end

local function write_all(file, bytes)
  local done = 0
  while done < #bytes do
    local written, problem = uv.fs_write(file, bytes:sub(done + 1), done)
    if not written then
      return nil, problem
    end
    done = done + written
  end
  return true
end

-- The draft must be new ("x"), so that nothing that lies in its place is written through or keeps its rights.
local function write_draft(draft, bytes)
  local file, open_problem = uv.fs_open(draft, 'wx', OWNER_ONLY_FILE)
  if not file then
    return nil, open_problem
  end
  local written, write_problem = write_all(file, bytes)
  local closed, close_problem = uv.fs_close(file)
  return written and closed, write_problem or close_problem
end

--- Replaces the file of the editor `pid` in `dir` at one stroke; `uid` is the user whom the folder must
--- belong to.
function M.write(dir, pid, bytes, uid)
  local secure, dir_problem = secure_directory(dir, uid)
  if not secure then
    return nil, dir_problem
  end
  local path = M.path(dir, pid)
  local draft = path .. '.tmp'
  uv.fs_unlink(draft) -- an earlier process with this pid may have died over it
  local done, problem = write_draft(draft, bytes)
  if done then
    done, problem = uv.fs_rename(draft, path)
  end
  if not done then
    uv.fs_unlink(draft)
    return nil, problem
  end
  return true
end

--- Removes what `write` may have left, unless the folder is not ours.
function M.remove(dir, pid, uid)
  local found = uv.fs_lstat(dir)
  if found and found.type == 'directory' and found.uid == uid then
    uv.fs_unlink(M.path(dir, pid))
    uv.fs_unlink(M.path(dir, pid) .. '.tmp')
  end
end

return M
