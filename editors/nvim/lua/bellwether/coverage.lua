-- Coverage: a sign beside each line with code, in the colour of what is known of it. Servers tell of it while `coverage` is on
-- (`:Bellwether coverage`), and take it back when that is switched off.

local M = {}

local namespace = vim.api.nvim_create_namespace('bellwether.coverage')

--- The sign of each list of lines.
local SIGNS = {
  reached = { text = '▎', highlight = 'BellwetherReached', link = 'DiagnosticOk' },
  open = { text = '▎', highlight = 'BellwetherOpen', link = 'DiagnosticWarn' },
  unreachable = { text = '┊', highlight = 'BellwetherUnreachable', link = 'Comment' },
  failing = { text = '▎', highlight = 'BellwetherFailing', link = 'DiagnosticError' },
}

for _, sign in pairs(SIGNS) do
  vim.api.nvim_set_hl(0, sign.highlight, { link = sign.link, default = true })
end

--- @class bellwether.Coverage
--- @field uri string
--- @field reached integer[] lines from 0 that were run
--- @field open integer[] lines that were not run yet
--- @field unreachable integer[] lines of which it is proved that no call runs them
--- @field failing integer[] lines that the failing call of a finding runs

--- Shows the coverage of a file that is loaded (`bellwether/coverage`).
--- @param coverage bellwether.Coverage
function M.show(coverage)
  local buffer = vim.uri_to_bufnr(coverage.uri)
  if not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  for list, sign in pairs(SIGNS) do
    for _, line in ipairs(coverage[list]) do
      if line <= last then
        -- Signs of findings go over these.
        local mark = { sign_text = sign.text, sign_hl_group = sign.highlight, priority = 1 }
        vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, mark)
      end
    end
  end
end

return M
