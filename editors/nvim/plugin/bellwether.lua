-- The command `:Bellwether`, and `vim.g.bellwether_status` that empties itself when a server has ended.
if vim.g.loaded_bellwether then
  return
end
vim.g.loaded_bellwether = true
vim.g.bellwether_status = ''

local function names(lead)
  local commands = vim.tbl_keys(require('bellwether').commands)
  table.sort(commands)
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, commands)
end

vim.api.nvim_create_user_command('Bellwether', function(call)
  local command = require('bellwether').commands[call.args]
  if command then
    command()
  else
    vim.notify(('Bellwether: no command %q; the commands are %s'):format(call.args, table.concat(names(''), ', ')), vim.log.levels.ERROR)
  end
end, { nargs = 1, complete = names, desc = 'Bellwether: pause, resume, clear, targets, coverage, restart, stop, status, log' })

local group = vim.api.nvim_create_augroup('bellwether', {})

vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  callback = function(event)
    require('bellwether')._detached(event.data.client_id)
  end,
})

vim.api.nvim_create_autocmd({ 'BufEnter', 'LspAttach' }, {
  group = group,
  callback = function()
    require('bellwether')._entered(vim.api.nvim_get_current_buf())
  end,
})
