-- Bellwether's side of Neovim: what the servers say that they are doing, kept for statuslines, and what `:Bellwether` does. Starting
-- servers, showing findings and applying actions is Neovim's own business.

local M = {}

local NAME = 'bellwether'
local NO_SERVER = 'no server is running. `:Bellwether restart` starts one for the open Solidity files'

--- What each server said last, by the id of its client.
--- @type table<integer, bellwether.Status>
local told = {}

--- @class bellwether.Status
--- @field state 'compiling'|'fuzzing'|'quiet'|'paused'|'error'
--- @field contracts integer how many are fuzzed
--- @field notFuzzed integer how many are not, although they should be
--- @field executionsPerSecond integer transactions a second
--- @field findings integer how many are shown
--- @field targets? { reached: integer, unreachable: integer, open: integer } how what the last save changed stands
--- @field message? string what else there is to know

--- Of several servers, what is shown is the first of these.
local ORDER = { compiling = 1, fuzzing = 2, error = 3, paused = 4, quiet = 5 }

local function clients()
  return vim.lsp.get_clients({ name = NAME })
end

--- What all servers together are doing; nil where none runs.
--- @return bellwether.Status?
function M.status()
  local all
  for _, client in ipairs(clients()) do
    local status = told[client.id]
    if status and not client:is_stopped() then
      all = all or { state = status.state, contracts = 0, notFuzzed = 0, executionsPerSecond = 0, findings = 0 }
      if ORDER[status.state] < ORDER[all.state] then
        all.state = status.state
      end
      for _, key in ipairs({ 'contracts', 'notFuzzed', 'executionsPerSecond', 'findings' }) do
        all[key] = all[key] + (status[key] or 0)
      end
      if status.targets then
        all.targets = all.targets or { reached = 0, unreachable = 0, open = 0 }
        for key, number in pairs(status.targets) do
          all.targets[key] = all.targets[key] + number
        end
      end
      all.message = all.message and status.message and all.message .. '; ' .. status.message or all.message or status.message
    end
  end
  return all
end

local function counted(number, word)
  return ('%d %s%s'):format(number, word, number == 1 and '' or 's')
end

--- The same in a few words, for a statusline: `bellwether: fuzzing 3 contracts, 1 finding`. Empty where no server runs.
--- @return string
function M.statusline()
  local status = M.status()
  if not status then
    return ''
  end
  local contracts = counted(status.contracts, 'contract')
  if status.notFuzzed > 0 then
    contracts = status.contracts .. ' of ' .. counted(status.contracts + status.notFuzzed, 'contract')
  end
  local words = status.state
  if status.state == 'fuzzing' then
    words = 'fuzzing ' .. contracts
  elseif status.state == 'quiet' and status.notFuzzed > 0 then
    words = 'quiet, fuzzed ' .. contracts
  end
  if status.findings > 0 then
    words = words .. ', ' .. counted(status.findings, 'finding')
  end
  return 'bellwether: ' .. words
end

local function changed()
  vim.g.bellwether_status = M.statusline()
  vim.api.nvim_exec_autocmds('User', { pattern = 'BellwetherStatus', modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

--- A server said what it is doing (`bellwether/status`).
--- @param client_id integer
--- @param status bellwether.Status
function M._told(client_id, status)
  told[client_id] = status
  changed()
end

--- A client let go of a buffer, perhaps because its server ended.
--- @param client_id integer
function M._detached(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if told[client_id] and (not client or client:is_stopped()) then
    told[client_id] = nil
    vim.schedule(changed)
  end
end

--- Tells servers which file is looked at: its contracts are fuzzed first.
--- @param buffer integer
function M._entered(buffer)
  if vim.bo[buffer].buftype ~= '' then
    return
  end
  for _, client in ipairs(clients()) do
    client:notify('bellwether/activeEditor', { uri = vim.uri_from_bufnr(buffer) })
  end
end

--- Tells the user something.
--- @param text string
--- @param level? integer
function M._say(text, level)
  vim.notify('Bellwether: ' .. text, level or vim.log.levels.INFO)
end
local say = M._say

--- Has every server do something.
local function execute(command)
  local running = clients()
  if #running == 0 then
    say(NO_SERVER, vim.log.levels.WARN)
  end
  for _, client in ipairs(running) do
    client:request('workspace/executeCommand', { command = command }, function(error)
      if error then
        say(error.message, vim.log.levels.ERROR)
      end
    end)
  end
end

--- What `:Bellwether` takes, each with what it does.
--- @type table<string, fun()>
M.commands = {
  pause = function()
    execute('bellwether.pause')
  end,
  resume = function()
    execute('bellwether.resume')
  end,
  clear = function()
    -- What is cleared cannot be brought back.
    if vim.fn.confirm('Clear all findings and the corpus of the open projects, also on disk?', '&Clear\n&Keep', 2) == 1 then
      execute('bellwether.clear')
    end
  end,
  targets = function()
    execute('bellwether.showTargets')
  end,
  coverage = function()
    local running = clients()
    if #running == 0 then
      say(NO_SERVER, vim.log.levels.WARN)
    end
    for _, client in ipairs(running) do
      local settings = client.settings or {}
      local ours = settings[NAME] or {}
      settings[NAME] = vim.tbl_extend('force', ours, { coverage = not ours.coverage })
      client.settings = settings
      client:notify('workspace/didChangeConfiguration', { settings = settings })
    end
  end,
  stop = function()
    vim.lsp.enable(NAME, false)
    for _, client in ipairs(clients()) do
      if not client:is_stopped() then
        client:stop()
      end
    end
  end,
  restart = function()
    M.commands.stop()
    local gone = function()
      return #clients() == 0
    end
    if not vim.wait(3000, gone, 10) then
      for _, client in ipairs(clients()) do
        client:stop(true)
      end
      vim.wait(3000, gone, 10)
    end
    vim.lsp.enable(NAME)
  end,
  status = function()
    local status = M.status()
    say(status and M.statusline():gsub('^bellwether: ', '') .. (status.message and '. ' .. status.message or '') or 'no server is running')
  end,
  log = function()
    vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  end,
}

return M
