-- What the code actions on a finding do that the server leaves to the client: the trace of its calls in a scratch buffer, and its JSON
-- form in a register.

local M = {}

local say = require('bellwether')._say

--- Asks the server about the finding that a command names, and does something with the answer.
local function ask(method, command, context, done)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  client:request(method, { id = command.arguments[1] }, function(error, answer)
    if error then
      say(error.message, vim.log.levels.WARN)
    else
      done(answer)
    end
  end)
end

--- Runs the calls of a finding again, and shows them in a scratch buffer.
function M.open_trace(command, context)
  ask('bellwether/trace', command, context, function(trace)
    vim.cmd.new()
    local buffer = vim.api.nvim_get_current_buf()
    vim.bo[buffer].buftype = 'nofile'
    vim.bo[buffer].bufhidden = 'wipe'
    vim.bo[buffer].swapfile = false
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(trace.text, '\n', { trimempty = true }))
    vim.bo[buffer].modifiable = false
    vim.b[buffer].bellwether_trace = trace.title
  end)
end

--- Copies the JSON form of a finding: into the clipboard where there is one, and the unnamed register.
function M.copy(command, context)
  ask('bellwether/finding', command, context, function(finding)
    local text = vim.json.encode(finding)
    vim.fn.setreg('"', text)
    if vim.fn.has('clipboard') == 1 then
      vim.fn.setreg('+', text)
    end
    say('the finding was copied as JSON')
  end)
end

return M
