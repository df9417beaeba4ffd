/** The pages generated from the catalogues of problems and events; and all docs as Markdown, for programs that read them. */
import { ALL_EVENTS, hooksThatReceive } from '../../core/events/catalogue.ts'
import { FOCUSABLE } from '../../core/markdown/markdown.tsx'
import { config } from '../../core/platform/config.ts'
import { PROBLEMS } from '../problems.ts'
import { articleTexts } from './articles.tsx'
import { docsResponse, layout, Markdown } from './layout.tsx'
import type { OpenApi } from './openapi.ts'
import type { Webhooks } from './webhooks.ts'

export function problemsPage(): string {
  return layout(
    '/docs/problems',
    'Problems',
    <>
      <h1>Problems</h1>
      <p>
        Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes. <code>detail</code> explains what
        to change; <code>request_id</code> identifies the request in the logs.
      </p>
      <div class="wide" {...FOCUSABLE}>
        <table>
          <thead>
            <tr>
              <th>code</th>
              <th>status</th>
              <th>meaning</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(PROBLEMS).map(([code, [status, title, ...others]]) => (
              <tr id={code}>
                <td>
                  <code>{code}</code>
                </td>
                <td>{[status, ...others].join(', ')}</td>
                <td>{title}.</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>,
  )
}

const ABOUT = `An event is written in the transaction of the change that it describes. Deployment hooks receive the events marked **hooks**;
notification channels receive all events that they subscribe to, except \`manual.trigger\` (and \`test.ping\`, which goes to the channel
that is tested).

The payload is \`{ id, event, created_at, url, organization, workspace, project, data }\`; to hooks it also has \`hook\`, \`environment\` and
\`sequence\`. \`data\` contains the resources that the event is about, as the API returns them. \`url\` is
the page of what the event is about, for links; it is null if there is none. How to verify and answer a request: [receivers](/docs/receivers).`

/** Every event with its time, receivers and an example payload. @param webhooks of the OpenAPI document */
export function eventsPage(webhooks: Webhooks): string {
  const events = Object.entries(ALL_EVENTS).map(([name, { when }]) => {
    const hooks = hooksThatReceive(name)
    const example = webhooks[name]?.post.requestBody.content['application/json'].example
    return (
      <section id={name}>
        <h2>
          <code>{name}</code>
          {hooks && (
            <>
              {' '}
              <span class="mark">hooks</span>
            </>
          )}
        </h2>
        <p>{when}</p>
        {hooks && (
          <div class="hint">
            <Markdown text={hooks} />
          </div>
        )}
        <details>
          <summary>
            Payload<span class="skip"> of {name}</span>
          </summary>
          <pre>
            <code>{JSON.stringify(example, null, 2)}</code>
          </pre>
        </details>
      </section>
    )
  })
  return layout(
    '/docs/events',
    'Events',
    <>
      <h1>Events</h1>
      <Markdown text={ABOUT} />
      {events}
    </>,
  )
}

const absolute = (path: string): string => config.PUBLIC_URL + path

function problems(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, [status, title, ...others]]) => `| \`${code}\` | ${[status, ...others].join(', ')} | ${title}. |`,
  )
  return [
    '# Problems',
    '',
    'Every error is `application/problem+json` (RFC 9457) with one of these codes. `detail` explains what to change.',
    '',
    '| code | status | meaning |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n')
}

function events({ webhooks }: OpenApi): string {
  const sections = Object.entries(ALL_EVENTS).map(([name, { when }]) => {
    const example = webhooks[name]?.post.requestBody.content['application/json'].example
    const hooks = hooksThatReceive(name)
    return [`## ${name}`, when, hooks, `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``]
      .filter((part) => part !== null)
      .join('\n\n')
  })
  return ['# Events', ...sections].join('\n\n')
}

interface ListedOperation {
  summary?: string
  tags?: string[]
}

function reference({ paths }: OpenApi): string {
  const rows = Object.entries(paths as Record<string, Record<string, ListedOperation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`),
  )
  return [
    '# API',
    '',
    `The OpenAPI document has their parameters, bodies and responses: ${absolute('/docs/json')}`,
    '',
    ...rows,
  ].join('\n')
}

/** The pages that are generated, by the path that each is served at. */
const GENERATED: Record<string, { title: string; about: string; text: (document: OpenApi) => string }> = {
  '/docs': { title: 'API', about: 'All operations.', text: reference },
  '/docs/problems': { title: 'Problems', about: 'The codes of errors.', text: problems },
  '/docs/events': { title: 'Events', about: 'What hooks and channels receive.', text: events },
}

const asMarkdown = (text: string): Response => docsResponse(`${text.trimEnd()}\n`, 'text/markdown; charset=utf-8')

/** A page as Markdown; null if there is none. @param path with `.md` */
export async function markdownPage(path: string, document: () => Promise<OpenApi>): Promise<Response | null> {
  const page = path.replace(/\.md$/, '')
  const generated = GENERATED[page]
  if (generated) return asMarkdown(generated.text(await document()))
  const article = articleTexts.get(page)
  return article ? asMarkdown(await article()) : null
}

function summaryOf(text: string): string {
  const [paragraph = ''] = text.split(/\n{2,}/).filter((part) => !part.startsWith('#'))
  return paragraph.replaceAll('\n', ' ')
}

/** The list of all pages (https://llmstxt.org). */
export async function llmsText(): Promise<Response> {
  const pages = [...articleTexts].map(async ([path, article]) => {
    const text = await article()
    const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
    return `- [${title}](${absolute(`${path}.md`)}): ${summaryOf(text)}`
  })
  const generated = Object.entries(GENERATED).map(
    ([path, { title, about }]) => `- [${title}](${absolute(`${path}.md`)}): ${about}`,
  )
  return docsResponse(
    [
      '# Signalbox',
      '',
      '> AI agents carry out software work, people approve it at gates, and signed deployment hooks notify CI/CD.',
      '',
      `Agents use the tools at ${absolute('/mcp')} (Model Context Protocol); programs use the API, described at ${absolute('/docs/json')}.`,
      '',
      '## Docs',
      '',
      ...(await Promise.all(pages)),
      ...generated,
      '',
    ].join('\n'),
    'text/plain; charset=utf-8',
  )
}
