/** The pages for people: the reference, the problems, the events. They need no network beyond this server. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { EVENTS, HOOK_EVENTS } from '../../core/events.ts'
import { PROBLEMS } from '../../core/problems.ts'
import { SECURITY_HEADERS } from '../plugins/answers.ts'

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

const page = (body: string | Blob, type: string, caching: string): Response =>
  new Response(body, {
    headers: { ...SECURITY_HEADERS, 'Content-Security-Policy': POLICY, 'Content-Type': type, 'Cache-Control': caching },
  })

const html = (title: string, body: string): Response =>
  page(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<style>
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2733; }
  header { display: flex; gap: 1.5rem; align-items: baseline; padding: 1rem 1.5rem; background: #14202b; color: #fff; }
  header a { color: #9fd3ff; } header strong { font-size: 1.1rem; }
  main { max-width: 60rem; margin: 1.5rem auto; padding: 0 1.5rem; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #d8dee4; }
  code { font: .9em ui-monospace, monospace; background: #eef2f6; padding: .1em .3em; border-radius: 3px; }
  pre { background: #eef2f6; padding: .6rem .8rem; overflow-x: auto; } pre code { padding: 0; }
</style>
</head>
<body>
<header><strong>Signalbox</strong> <a href="/docs">API</a> <a href="/docs/events">Events</a> <a href="/docs/problems">Problems</a> <a href="/docs/receivers">Receivers</a> <a href="/docs/json">OpenAPI</a></header>
${body}
</body>
</html>`,
    'text/html; charset=utf-8',
    'no-cache',
  )

/** The reference. */
export const referencePage = (): Response =>
  html(
    'Signalbox API',
    '<div id="reference"></div><script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/open.js"></script>',
  )

const OPEN = `SwaggerUIBundle({ url: '/docs/json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', persistAuthorization: true, validatorUrl: null })`

/** A file that the reference is made of; null where there is no such file. */
export function asset(name: string): Response | null {
  if (name === 'open.js') return page(OPEN, 'text/javascript; charset=utf-8', 'no-cache')
  const type = ASSETS[name]
  return type ? page(Bun.file(`${assetFolder}/${name}`), type, 'public, max-age=86400') : null
}

/** Every problem: what its code means. */
export function problemsPage(): Response {
  const rows = Object.entries(PROBLEMS).map(
    ([code, [status, title]]) => `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}.</td></tr>`,
  )
  return html(
    'Signalbox problems',
    `<main><h1>Problems</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes. <code>detail</code> says what to change; <code>request_id</code> finds it in our log.</p><table><thead><tr><th>code</th><th>status</th><th>meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></main>`,
  )
}

/** Every event: when it is raised, and what its data holds. */
export function eventsPage(): Response {
  const rows = Object.entries({ ...EVENTS, ...HOOK_EVENTS }).map(
    ([name, { when, data }]) =>
      `<tr id="${name}"><td><code>${name}</code></td><td>${when}</td><td>${data.map((key) => `<code>${key}</code>`).join(' ')}</td></tr>`,
  )
  return html(
    'Signalbox events',
    `<main><h1>Events</h1><p>An event is written in the transaction of the change that it tells of. The envelope is <code>{ id, event, created_at, organization, workspace, project, data }</code>; hooks add <code>hook</code>, <code>environment</code> and <code>sequence</code>. <code>data</code> holds, under the names below, what the event is about as the API shows it.</p><table><thead><tr><th>event</th><th>when</th><th>data</th></tr></thead><tbody>${rows.join('')}</tbody></table></main>`,
  )
}

const RECEIVERS = `${import.meta.dir}/../../docs/receivers`

/** How a receiver checks and answers what it gets. */
export async function receiversPage(): Promise<Response> {
  const markdown = await Bun.file(`${RECEIVERS}/README.md`).text()
  // Beside the file its links lead to its neighbours; the page has no slash at its end.
  const text = Bun.markdown.html(markdown).replaceAll(/href="(?=[\w-]+\.\w+")/g, 'href="/docs/receivers/')
  return html('Signalbox receivers', `<main>${text}</main>`)
}

/** A file that the page links to, as text; null where there is no such file. */
export async function receiverFile(name: string): Promise<Response | null> {
  if (!/^[\w-]+\.(mjs|py|go|sh)$/.test(name)) return null
  const file = Bun.file(`${RECEIVERS}/${name}`)
  return (await file.exists()) ? page(await file.text(), 'text/plain; charset=utf-8', 'no-cache') : null
}
