-- Bellwether in Neovim 0.11 and newer: copy to ~/.config/nvim/lsp/bellwether.lua, then in init.lua:
--   vim.lsp.enable('bellwether')
return {
  cmd = { 'bellwether', 'lsp' },
  filetypes = { 'solidity' },
  root_markers = { 'bellwether.toml', 'foundry.toml', 'hardhat.config.js', 'hardhat.config.ts', '.git' },
  -- The keys of bellwether.toml, for example { workers = 1, oracles = { ['checked-arithmetic'] = 'warning' } }
  init_options = {},
}
