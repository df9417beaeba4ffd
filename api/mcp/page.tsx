/** The page from which a person connects an agent to a project. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Facts, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { findActivity } from './activity.ts'

const TOKEN_VARIABLE = 'SIGNALBOX_TOKEN'

const EXECUTION_VARIABLE = 'EXECUTION_ID'

interface ClientConfig {
  client: string
  /** The file that it goes into; null for a command. */
  file: string | null
  text: (url: string) => string
}

const json = (value: object): string => JSON.stringify(value, null, 2)
const bearer = (variable: string) => ({ Authorization: `Bearer \${${variable}}` })

const CLIENT_CONFIGS: ClientConfig[] = [
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

const TELEMETRY_CONFIGS: ClientConfig[] = [
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

const URL_OF_TOOLS = `${config.PUBLIC_URL}/mcp`
const URL_OF_TELEMETRY = `${config.PUBLIC_URL}/otlp`

/** A text to copy; with the script of the page, by a button. */
function Copied({ label, text }: { label: string; text: string }) {
  const id = label.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  return (
    <>
      <div id={id} class="copied">
        <Verbatim label={label} excerpt={excerptOf(text, 4_096)} whole={URL_OF_TOOLS} />
      </div>
      <div class="buttons">
        <button type="button" class="quiet" data-copies={id} aria-label={`Copy: ${label}`} hidden>
          Copy
        </button>
        <span role="status" class="hint" />
      </div>
    </>
  )
}

const Configs = ({ of, what, url }: { of: ClientConfig[]; what: string; url: string }) =>
  of.map(({ client, file, text }) => (
    <div>
      <h3>{client}</h3>
      <p class="hint">
        {file === null ? (
          'Where it is started:'
        ) : (
          <>
            In <code>{file}</code>:
          </>
        )}
      </p>
      <Copied label={`${what} of ${client}`} text={text(url)} />
    </div>
  ))

const Light = ({ of, what }: { of: { first_at: string; last_at: string } | undefined; what: string }) =>
  of === undefined ? (
    <State of={`waiting for the first ${what}`} tone="wait" />
  ) : (
    <>
      <State of="connected" tone="good" /> <span class="hint">first</span> <Time at={of.first_at} />,{' '}
      <span class="hint">last</span> <Time at={of.last_at} />
    </>
  )

const instructionsFor = (project_id: string): string =>
  `Work comes from Signalbox, project ${project_id}. Before you change anything, start the execution $${EXECUTION_VARIABLE} if that\nvariable is set, else a new one of the requirement.\nOpen a gate before you deploy, and wait for it. When you complete the execution, report its cost, unless its cost_from is telemetry.`

const connectPage = page('/app/projects/:project_id/connect', { project: 'member' }, async ({ project, url }) => {
  const activity = await findActivity(sql, project)
  const [calls, telemetry] = [activity.get('call'), activity.get('telemetry')]
  return {
    title: 'Connect an agent',
    main: (
      <>
        <Section title="Connection" live="connection" aside={activity.size < 2 && <a href={url.pathname}>Look again</a>}>
          <Facts
            of={[
              ['Tools', <Light of={calls} what="call" />],
              ['Address of the tools', <code>{URL_OF_TOOLS}</code>],
              ['Telemetry', <Light of={telemetry} what="use of a model" />],
              ['Address of telemetry', <code>{URL_OF_TELEMETRY}</code>],
            ]}
          />
        </Section>
        <Section title="1. Make a token">
          <p>
            An agent that works by itself has a{' '}
            <a href={`/app/organizations/${project.organization_id}/service-accounts`}>service account</a> and its key, which
            admins make. For an agent that acts as you, make a <a href="/app/account/tokens">personal token</a> for “Reading and
            writing” and this organization alone. Set it as <code>{TOKEN_VARIABLE}</code> where the agent runs. Never let a token
            of an agent decide gates.
          </p>
          <p>
            Claude Code, Codex and VS Code can also sign you in with the address of the tools alone:{' '}
            <a href="/docs/agents#as-yourself">Agents</a> shows how.
          </p>
        </Section>
        <Section title="2. Add the server">
          <Configs of={CLIENT_CONFIGS} what="Settings" url={URL_OF_TOOLS} />
        </Section>
        <Section title="3. Tell the agent where its work is">
          <p class="hint">
            In <code>CLAUDE.md</code> or <code>AGENTS.md</code>:
          </p>
          <Copied label="Instructions of the agent" text={instructionsFor(project.id)} />
          <p>
            <a href="/docs/agents">What the tools do</a>
          </p>
        </Section>
        <Section title="4. Send what it uses">
          <p>
            The agent sends counts of tokens and costs as telemetry, without prompts and answers. Telemetry is counted for one
            execution: queue one on the page of its requirement, with its cost from telemetry, and set{' '}
            <code>{EXECUTION_VARIABLE}</code> to its id, which its page shows, before you start the agent. The agent starts the
            execution by its tool, and what it uses from then on is counted.
          </p>
          <Configs of={TELEMETRY_CONFIGS} what="Telemetry" url={URL_OF_TELEMETRY} />
          <p class="more">
            <a href="/docs/usage">Usage and costs</a>
          </p>
        </Section>
      </>
    ),
  }
})

export const agentPages = pageRoutes('agent-pages', connectPage)
