/** How the clients of agents are told about this service. */

/** The variable that has the token where the agent runs. */
export const TOKEN_VARIABLE = 'SIGNALBOX_TOKEN'

interface ClientConfig {
  client: string
  /** The file that it goes into; null for a command. */
  file: string | null
  text: (url: string) => string
}

const json = (value: object): string => JSON.stringify(value, null, 2)
const bearer = (variable: string) => ({ Authorization: `Bearer \${${variable}}` })

export const CLIENT_CONFIGS: ClientConfig[] = [
  {
    client: 'Claude Code',
    file: '.mcp.json',
    text: (url) => json({ mcpServers: { signalbox: { type: 'http', url, headers: bearer(TOKEN_VARIABLE) } } }),
  },
  {
    client: 'Codex',
    file: '~/.codex/config.toml',
    text: (url) => `[mcp_servers.signalbox]\nurl = "${url}"\nbearer_token_env_var = "${TOKEN_VARIABLE}"`,
  },
  {
    client: 'Cursor',
    file: '.cursor/mcp.json',
    text: (url) => json({ mcpServers: { signalbox: { url, headers: bearer(`env:${TOKEN_VARIABLE}`) } } }),
  },
  {
    client: 'VS Code',
    file: '.vscode/mcp.json',
    text: (url) =>
      json({
        inputs: [{ id: 'signalbox-token', type: 'promptString', description: 'Signalbox token', password: true }],
        servers: { signalbox: { type: 'http', url, headers: bearer('input:signalbox-token') } },
      }),
  },
]
