/** How the clients of agents are configured for this service: the server of their tools, and where their telemetry goes. */

/** The variable that has the token where the agent runs. */
export const TOKEN_VARIABLE = 'SIGNALBOX_TOKEN'

/** The variable that has the id of the execution. */
export const EXECUTION_VARIABLE = 'EXECUTION_ID'

export interface ClientConfig {
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

const resource = `export OTEL_RESOURCE_ATTRIBUTES="signalbox.execution_id=$${EXECUTION_VARIABLE}"`

/** The variables that all SDKs of OpenTelemetry read. @param url where telemetry goes */
const otlpVariables = (url: string): string[] => [
  'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
  `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$${TOKEN_VARIABLE}"`,
  resource,
]

/** How agents send what they use. */
export const TELEMETRY_CONFIGS: ClientConfig[] = [
  {
    client: 'Claude Code',
    file: null,
    text: (url) => ['export CLAUDE_CODE_ENABLE_TELEMETRY=1', 'export OTEL_LOGS_EXPORTER=otlp', ...otlpVariables(url)].join('\n'),
  },
  {
    client: 'Codex, its settings',
    file: '~/.codex/config.toml',
    text: (url) =>
      `[otel]\nlog_user_prompt = false\nexporter = { otlp-http = { endpoint = "${url}/v1/logs", protocol = "binary", headers = { Authorization = "Bearer <token>" } } }`,
  },
  { client: 'Codex, its environment', file: null, text: () => resource },
  { client: 'Everything with OpenTelemetry', file: null, text: (url) => otlpVariables(url).join('\n') },
]
