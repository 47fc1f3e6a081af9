-- Repairing UTF-8, and cutting it.

local check = require('check')
local text = require('ctxhost_ide.text')

local BAD = '\239\191\189'

local CASES = {
  { 'plain', 'plain' },
  { 'größe 日本 😀', 'größe 日本 😀' },
  { '\240\144\128\128\244\143\191\191', '\240\144\128\128\244\143\191\191' }, -- U+10000, U+10FFFF
  { 'gr\246\223e', 'gr' .. BAD .. BAD .. 'e' }, -- latin1
  { '\195', BAD },
  { 'a\226\130', 'a' .. BAD .. BAD },
  { '\192\175', BAD .. BAD }, -- too long for what it says
  { '\224\128\175', BAD .. BAD .. BAD },
  { '\237\160\128', BAD .. BAD .. BAD }, -- a surrogate
  { '\244\144\128\128', BAD .. BAD .. BAD .. BAD }, -- beyond U+10FFFF
  { '\128ß\255', BAD .. 'ß' .. BAD },
}

check.case('text: repaired to what JSON accepts', function()
  for _, case in ipairs(CASES) do
    check.same(text.repair(case[1]), case[2])
    check.same(text.repair(text.repair(case[1])), case[2])
  end
end)

check.case('text: a NUL in a line', function()
  check.same(text.repair_line('a\nb\0'), 'a' .. BAD .. 'b' .. BAD)
end)

check.case('text: cut between characters', function()
  check.same(text.clip('aßc', 9, string.len), 'aßc')
  check.same(text.clip('aßc', 3, string.len), 'aß')
  check.same(text.clip('aßc', 2, string.len), 'a')
  check.same(text.clip('😀', 3, string.len), '')
  check.same(text.clip('abc', 0, string.len), '')
end)
