-- A day with Bellwether in a real Neovim, without a screen: `nvim --headless --clean -l story.lua`. What is checked is what a person
-- would see, by Neovim's own means. What is awaited is an event, never a span of time.
--
-- STORY_PLUGIN is the folder `editors/nvim`, STORY_SERVER the executable, STORY_PROJECT a copy of `fixtures/vault`, STORY_SETTINGS
-- the settings for it as JSON.

local PATIENCE = 60000

local function env(name)
  return (assert(vim.env['STORY_' .. name], 'STORY_' .. name .. ' is not set'))
end

local function step(text)
  io.stderr:write('- ' .. text .. '\n')
end

--- Waits for a condition, and gives what it is then.
local function await(what, condition)
  local value
  local came = vim.wait(PATIENCE, function()
    value = condition()
    return value ~= nil and value ~= false
  end, 10)
  if not came then
    error('never: ' .. what .. '\ndiagnostics: ' .. vim.inspect(vim.diagnostic.get()) .. '\nstatus: ' .. tostring(vim.g.bellwether_status), 2)
  end
  return value
end

local function equal(what, expected, found)
  if not vim.deep_equal(expected, found) then
    error(('%s: expected %s, found %s'):format(what, vim.inspect(expected), vim.inspect(found)), 2)
  end
end

vim.opt.runtimepath:prepend(env('PLUGIN'))
vim.cmd('filetype plugin on')
vim.cmd.runtime('plugin/bellwether.lua')
vim.opt.swapfile = false

local published = 0
vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function()
    published = published + 1
  end,
})

-- As a user does it: settings of one's own over ours.
vim.lsp.config('bellwether', { cmd = { env('SERVER'), 'lsp' }, settings = { bellwether = vim.json.decode(env('SETTINGS')) } })
vim.lsp.enable('bellwether')
vim.cmd.edit(vim.fs.joinpath(env('PROJECT'), 'src/Vault.sol'))
local vault = vim.api.nvim_get_current_buf()
equal('filetype', 'solidity', vim.bo.filetype)

local function client()
  return vim.lsp.get_clients({ name = 'bellwether', bufnr = vault })[1]
end

--- The line (from 0) with this text, and the column of it in bytes.
local function place(text)
  for line, content in ipairs(vim.api.nvim_buf_get_lines(vault, 0, -1, true)) do
    local column = content:find(text, 1, true)
    if column then
      return line - 1, column - 1
    end
  end
  error('nowhere: ' .. text)
end

--- Waits until the one finding is where the assertion is.
local function the_finding()
  local line, column = place('assert(address(this)')
  return await(('the finding at %d:%d'):format(line, column), function()
    local found = vim.diagnostic.get(vault)
    return #found == 1 and found[1].lnum == line and found[1].col == column and found[1]
  end)
end

--- Waits until the one finding is only what was there before the line was edited.
local function stale_finding()
  await('a stale finding', function()
    local found = vim.diagnostic.get(vault)
    return #found == 1 and found[1].severity == vim.diagnostic.severity.HINT and vim.startswith(found[1].message, 'before this was edited: ')
  end)
end

local function no_finding()
  await('no finding', function()
    return #vim.diagnostic.get(vault) == 0
  end)
end

step('found')
local finding = the_finding()
equal('source', { 'bellwether', 'assertion' }, { finding.source, finding.code })
equal('the line of the note', finding.lnum, (place('//~ ERROR')))
assert(finding.message:find('^assertion can fail: deposit') and finding.message:find('→ skim()', 1, true), finding.message)

step('paused and resumed')
-- Where nothing is left to look for it is quiet, paused or not.
local function await_status(state, words)
  await('the status ' .. state, function()
    local status = require('bellwether').status()
    return status and (status.state == state or status.state == 'quiet') and status.findings == 1
  end)
  local text = vim.g.bellwether_status
  assert(text == 'bellwether: ' .. words .. ', 1 finding' or text == 'bellwether: quiet, 1 finding', text)
end
vim.cmd.Bellwether('pause')
await_status('paused', 'paused')
vim.cmd.Bellwether('resume')
await_status('fuzzing', 'fuzzing 2 contracts')

step('told on hover')
vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
local answers = vim.lsp.buf_request_sync(vault, 'textDocument/hover', vim.lsp.util.make_position_params(0, client().offset_encoding), PATIENCE)
local hover = answers[client().id].result
equal('kind', 'markdown', hover.contents.kind)
assert(hover.contents.value:find('`skim()` → panic 0x01', 1, true), hover.contents.value)
vim.lsp.buf.hover()
local window = await('a floating window', function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end)
local shown = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
for _, part in ipairs({ 'assertion can fail', 'deposit', 'skim()', 'panic 0x01', 'Found after' }) do
  assert(shown:find(part, 1, true), 'no ' .. part .. ' in ' .. shown)
end
vim.api.nvim_win_close(window, true)

step('covered')
--- The highlights of the signs of coverage, by line from 0.
local function signs()
  local found = {}
  local namespace = vim.api.nvim_get_namespaces()['bellwether.coverage']
  for _, mark in ipairs(namespace and vim.api.nvim_buf_get_extmarks(vault, namespace, 0, -1, { details = true }) or {}) do
    found[mark[2]] = mark[4].sign_hl_group
  end
  return found
end
vim.cmd.Bellwether('coverage')
await('coverage', function()
  return signs()[finding.lnum] == 'BellwetherFailing' and signs()[(place('function deposit'))] == 'BellwetherReached'
end)
equal('a line without code', nil, signs()[0])
vim.cmd.Bellwether('coverage')
await('no coverage', function()
  return vim.tbl_isempty(signs())
end)
the_finding()

step('traced')
local function apply(title)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == title
    end,
  })
end
apply('Replay and show trace')
await('the trace', function()
  return vim.b.bellwether_trace == 'assertion in Vault.sol:' .. finding.lnum + 1
end)
local trace = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
for _, part in ipairs({ 'assertion can fail', 'skim() → panic 0x01', 'decided at src/Vault.sol:' .. finding.lnum + 1 }) do
  assert(trace:find(part, 1, true), 'no ' .. part .. ' in ' .. trace)
end
equal('a scratch buffer', 'nofile', vim.bo.buftype)
vim.cmd.close()
equal('back in the file', vault, vim.api.nvim_get_current_buf())
vim.fn.setreg('"', '')
apply('Copy as JSON')
await('the finding as JSON', function()
  return vim.fn.getreg('"') ~= ''
end)
equal('its oracle', 'assertion', vim.json.decode(vim.fn.getreg('"')).oracle)

step('written as a test')
local test = vim.fs.joinpath(env('PROJECT'), 'test/Vault.bellwether.t.sol')
assert(not vim.uv.fs_stat(test))
apply('Generate regression test')
await('the test', function()
  local buffer = vim.fn.bufnr(test)
  return buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].modified and vim.api.nvim_get_current_buf() == buffer
end)
assert(vim.api.nvim_get_current_line():find('function test_regression_assertion_skim', 1, true), 'opened elsewhere')
vim.cmd.wall()
local written = table.concat(vim.fn.readfile(test), '\n')
assert(written:find('function test_regression_assertion_skim', 1, true), written)
vim.api.nvim_set_current_buf(vault)

step('moved by an edit that is not saved')
local before = published
vim.api.nvim_buf_set_lines(vault, 2, 2, true, { '// one', '// \u{1F514} two' })
equal('line', finding.lnum + 2, the_finding().lnum)
await('new diagnostics', function()
  return published > before
end)
vim.cmd.undo()
equal('line', finding.lnum, the_finding().lnum)

step('behind an emoji')
local assertion = vim.api.nvim_buf_get_lines(vault, finding.lnum, finding.lnum + 1, true)[1]
vim.api.nvim_buf_set_lines(vault, finding.lnum, finding.lnum + 1, true, { (assertion:gsub('assert', '/* \u{1F514} é */ assert')) })
stale_finding()
vim.cmd.write()
assert(the_finding().col > finding.col)

step('killed and opened again')
local function server()
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  equal('processes', 1, #children)
  return children[1]
end
local first = server()
vim.uv.kill(first, 'sigkill')
await('the end of the server', function()
  return client() == nil and #vim.api.nvim_get_proc_children(vim.fn.getpid()) == 0
end)
equal('status', '', vim.g.bellwether_status)
vim.diagnostic.reset(nil, vault)
vim.cmd.edit()
the_finding()

step('restarted')
local second = server()
assert(second ~= first)
vim.cmd.Bellwether('restart')
await('another server', function()
  return client() and client().initialized and server() ~= second
end)
the_finding()

step('fixed')
vim.cmd([[%s/balance - totalShares;/balance - totalShares - totalQueued;/]])
vim.cmd.write()
no_finding()

step('left')
vim.cmd.qall()
