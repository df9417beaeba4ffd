import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { notFound } from '../problems.ts'
import { alertRules, articles, dashboard, receiverFile } from './articles.ts'
import { docsAnswer } from './layout.ts'
import { type OpenApi, openApi } from './openapi.ts'
import { eventsPage, problemsPage } from './pages.ts'
import { reference } from './reference.ts'

const PLUGIN_PAGE = '/docs/plugin'

const hidden = { detail: { hide: true } }

const ABOUT = `AI agents carry out software work: organization → workspace → project → requirement → execution. Signed deployment hooks tell your CI/CD what happened. New here? Start with the [quickstart](/docs/quickstart).

Every error is a [problem](/docs/problems) with a stable code. [Events](/docs/events) lists what hooks and channels receive, [receivers](/docs/receivers) how to check and answer it, [clients](/docs/clients) how to call the API from \`curl\` and TypeScript. Unknown fields and query parameters are refused by name. PUT changes the fields it is given; \`null\` clears one; a PUT of what is stored already writes nothing.

\`x-signalbox-access\` names the role that each operation needs. Rate limits are token buckets per caller: see the \`RateLimit\` headers.`

const page = (text: string): Response => docsAnswer(text, 'text/html; charset=utf-8')

const orNotFound = (found: Response | null): Response => {
  if (!found) throw notFound('page')
  return found
}

let finished: OpenApi | undefined

/** The finished document; the routes are all there once the first request comes. */
async function documentOf(): Promise<OpenApi> {
  if (!finished) await docs.handle(new Request('http://localhost/docs/json'))
  return finished as OpenApi
}

let made: string | undefined

async function referencePage(): Promise<Response> {
  made ??= reference(await documentOf())
  return page(made)
}

const ASSETS: Record<string, string> = {
  'docs.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
}

async function asset(name: string): Promise<Response | null> {
  const type = ASSETS[name]
  return type ? docsAnswer(await Bun.file(`${import.meta.dir}/browser/${name}`).text(), type) : null
}

async function receiverText(name: string): Promise<Response | null> {
  const text = await receiverFile(name)
  return text === null ? null : docsAnswer(text, 'text/plain; charset=utf-8')
}

async function articlePage(path: string): Promise<Response | null> {
  const article = articles.get(path)
  return article ? page(await article()) : null
}

/** The OpenAPI document at `/docs/json`, and the pages for people. Listed after every route that it documents. */
export const docs = new Elysia({ name: 'docs' })
  .onAfterHandle(({ path, responseValue }) => {
    if (path === '/docs/json') {
      finished ??= openApi(responseValue as never)
      return finished
    }
    // The plugin's own page loads from another server; ours, at /docs, does not.
    if (path === PLUGIN_PAGE) throw notFound('page')
  })
  .use(
    swagger({
      path: PLUGIN_PAGE,
      specPath: '/docs/json',
      documentation: {
        openapi: '3.1.0',
        info: { title: 'Signalbox', version: '1', description: ABOUT },
        servers: [{ url: '/' }],
      } as object,
    }),
  )
  .get('/docs', referencePage, hidden)
  .get('/docs/problems', () => page(problemsPage()), hidden)
  .get('/docs/events', async () => page(eventsPage((await documentOf()).webhooks)), hidden)
  .get('/docs/:article', async ({ path }) => orNotFound(await articlePage(path)), hidden)
  .get('/docs/decisions/:article', async ({ path }) => orNotFound(await articlePage(path)), hidden)
  .get('/docs/monitoring/alerts.yml', async () => docsAnswer(await alertRules(), 'application/yaml; charset=utf-8'), hidden)
  .get('/docs/monitoring/dashboard.json', async () => docsAnswer(await dashboard(), 'application/json'), hidden)
  .get('/docs/receivers/:name', async ({ params }) => orNotFound(await receiverText(params.name)), hidden)
  .get('/docs/assets/:name', async ({ params }) => orNotFound(await asset(params.name)), hidden)
