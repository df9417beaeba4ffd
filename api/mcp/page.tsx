/** The page from which a person connects an agent to a project. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Facts, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { CLIENT_CONFIGS, TOKEN_VARIABLE } from './client-configs.ts'
import { findCalls } from './recent-calls.ts'

const URL_OF_TOOLS = `${config.PUBLIC_URL}/mcp`

const Copied = ({ label, text }: { label: string; text: string }) => (
  <Verbatim label={label} excerpt={excerptOf(text, 4_096)} whole={URL_OF_TOOLS} />
)

/** What tells an agent where its work is. */
const instructionsFor = (project_id: string): string =>
  `Work comes from Signalbox, project ${project_id}. Before you change anything, start an execution of the requirement.\nOpen a gate before you deploy, and wait for it. Report what the execution cost when you complete it.`

const connectPage = page('/app/projects/:project_id/connect', { project: 'member' }, async ({ project, url }) => {
  const calls = await findCalls(sql, project)
  return {
    title: 'Connect an agent',
    aside: <a href={`/app/projects/${project.id}`}>Project</a>,
    main: (
      <>
        <Section title="Connection" aside={calls === null && <a href={url.pathname}>Look again</a>}>
          <Facts
            of={[
              ['State', calls === null ? <State of="waiting for the first call" /> : <State of="connected" tone="good" />],
              ['Address', <code>{URL_OF_TOOLS}</code>],
              ['First call', calls && <Time at={calls.first_at} />],
              ['Last call', calls && <Time at={calls.last_at} />],
            ]}
          />
        </Section>
        <Section title="1. Make a token">
          <p>
            Make a <a href="/app/account/tokens">personal token</a> that allows reading and writing, and set it as{' '}
            <code>{TOKEN_VARIABLE}</code> where the agent runs. Never let a token of an agent decide gates.
          </p>
        </Section>
        <Section title="2. Add the server">
          {CLIENT_CONFIGS.map(({ client, file, text }) => (
            <div key={client}>
              <h3>{client}</h3>
              <p class="hint">
                In <code>{file}</code>:
              </p>
              <Copied label={`Settings of ${client}`} text={text(URL_OF_TOOLS)} />
            </div>
          ))}
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
      </>
    ),
  }
})

export const agentPages = pageRoutes('agent-pages', connectPage)
