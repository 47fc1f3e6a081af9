" Settings of the shop.
let g:cart_limit = 10
let s:secret = 1
source plugin.vim

" Adds up.
function! cart#total(items) abort
  if len(a:items)
    return 1
  endif
  let text = 'function! Fake()'
endfunction

function s:hidden()
endfunction

command! -nargs=1 Cart call cart#total(<q-args>)
