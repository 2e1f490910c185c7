-- What `vim.lsp.enable('bellwether')` starts. Your own values go over these: `vim.lsp.config('bellwether', { … })`.
return {
  -- Neovim calls whatever a server logs an error, so that only what is worth it is logged.
  cmd = { 'bellwether', 'lsp', '--log', 'warn' },
  filetypes = { 'solidity' },
  root_markers = {
    'bellwether.toml',
    'foundry.toml',
    'hardhat.config.ts',
    'hardhat.config.js',
    'hardhat.config.cjs',
    'hardhat.config.mjs',
    '.git',
  },
  init_options = { findingCommands = true },
  commands = {
    ['bellwether.openTrace'] = function(command, context)
      require('bellwether.findings').open_trace(command, context)
    end,
    ['bellwether.copyFinding'] = function(command, context)
      require('bellwether.findings').copy(command, context)
    end,
  },
  handlers = {
    ['bellwether/status'] = function(_, status, context)
      require('bellwether')._told(context.client_id, status)
    end,
    ['bellwether/coverage'] = function(_, coverage)
      require('bellwether.coverage').show(coverage)
    end,
  },
}
