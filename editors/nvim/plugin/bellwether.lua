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
    vim.notify(('Bellwether: no command %q; there are %s'):format(call.args, table.concat(names(''), ', ')), vim.log.levels.ERROR)
  end
end, { nargs = 1, complete = names, desc = 'Bellwether: pause, resume, clear, restart, stop, status, log' })

vim.api.nvim_create_autocmd('LspDetach', {
  group = vim.api.nvim_create_augroup('bellwether', {}),
  callback = function(event)
    require('bellwether')._detached(event.data.client_id)
  end,
})
