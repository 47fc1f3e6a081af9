-- Starts the client when Neovim has started; the README tells what it does.
-- Nothing is required before that moment, so a start-up pays for this one file.

if vim.g.loaded_ctxhost_ide then
  return
end
vim.g.loaded_ctxhost_ide = true

if vim.v.vim_did_enter == 1 then
  require('ctxhost_ide').start()
else
  vim.api.nvim_create_autocmd('VimEnter', {
    group = vim.api.nvim_create_augroup('ctxhost_ide', { clear = true }),
    once = true,
    callback = function()
      require('ctxhost_ide').start()
    end,
  })
end
