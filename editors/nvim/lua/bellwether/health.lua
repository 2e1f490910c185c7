-- `:checkhealth bellwether`: whether Neovim is new enough, the server is found and answers, and it is on.

local M = {}

local function executable()
  local config = vim.lsp.config.bellwether
  return type(config.cmd) == 'table' and config.cmd[1] or nil
end

local function check_server()
  local name = executable()
  if not name then
    vim.health.info('`cmd` is a function: the executable is not checked')
    return
  end
  local path = vim.fn.exepath(name)
  if path == '' then
    vim.health.error(('%q is not an executable on PATH'):format(name), {
      'run `cargo install --path server` in the clone, and put `~/.cargo/bin` on PATH',
      "or name it: `vim.lsp.config('bellwether', { cmd = { '/path/to/bellwether', 'lsp' } })`",
    })
    return
  end
  local ran, answer = pcall(function()
    return vim.system({ path, '--version' }, { text = true }):wait(5000)
  end)
  if ran and answer.code == 0 then
    vim.health.ok(('%s: %s'):format(path, vim.trim(answer.stdout)))
  else
    vim.health.error(('%s does not answer `--version`'):format(path), { 'build it again: `cargo install --path server`' })
  end
end

function M.check()
  vim.health.start('bellwether')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim is older than 0.11', { 'install Neovim 0.11 or newer' })
    return
  end
  vim.health.ok('Neovim is 0.11 or newer')
  check_server()
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('bellwether') then
    vim.health.warn('the server is not enabled', { "`vim.lsp.enable('bellwether')` in your init.lua" })
  end
  local clients = vim.lsp.get_clients({ name = 'bellwether' })
  if #clients == 0 then
    vim.health.info('no server is running: one starts with the first Solidity file that is opened')
  end
  for _, client in ipairs(clients) do
    vim.health.ok(('a server is running for %s'):format(client.root_dir or 'single files'))
  end
  local status = require('bellwether').status()
  if status then
    vim.health.info(require('bellwether').statusline() .. (status.message and '. ' .. status.message or ''))
  end
end

return M
