import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { withoutSlash } from '../plugins/request-context.ts'
import { notFound } from '../problems.ts'
import { alertRules, articles, dashboard, picture, sampleFile } from './articles.tsx'
import { docsResponse } from './layout.tsx'
import { type OpenApi, openApi } from './openapi.ts'
import { eventsPage, llmsText, markdownPage, problemsPage } from './pages.tsx'
import { reference } from './reference.tsx'

const PLUGIN_PAGE = '/docs/plugin'

const hidden = { detail: { hide: true } }

const ABOUT = `AI agents carry out software work: organization → workspace → project → requirement → execution. Signed deployment hooks notify your CI/CD. New here? Start with [the first hour](/docs/first-hour) in the browser, or with the [quickstart](/docs/quickstart) in a terminal.

Every error is a [problem](/docs/problems) with a stable code. [Events](/docs/events) lists what hooks and channels receive, [receivers](/docs/receivers) how to verify and answer them, [clients](/docs/clients) how to call the API from \`curl\` and TypeScript. Unknown fields and query parameters are rejected. PUT changes only the given fields; \`null\` clears a field; a PUT without differences writes nothing.

\`x-signalbox-access\` is the role that an operation requires, and the \`scopes\` of which a service account needs one; without \`scopes\`, service accounts are refused. \`x-signalbox-confidential\` lists the statuses of responses that are not replayed for an \`Idempotency-Key\` once the role of the caller has become too low. Rate limits apply per caller: see the \`RateLimit\` headers.`

const page = (text: string): Response => docsResponse(text, 'text/html; charset=utf-8')

const orNotFound = (found: Response | null): Response => {
  if (!found) throw notFound('page')
  return found
}

let openApiDocument: OpenApi | undefined

/** The OpenAPI document, made on the first request, when all routes are registered. */
async function documentOf(): Promise<OpenApi> {
  if (!openApiDocument) await docs.handle(new Request('http://localhost/docs/json'))
  return openApiDocument as OpenApi
}

let cachedReference: string | undefined

async function referencePage(): Promise<Response> {
  cachedReference ??= reference(await documentOf())
  return page(cachedReference)
}

const ASSETS: Record<string, string> = {
  'docs.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
}

async function asset(name: string): Promise<Response | null> {
  const type = ASSETS[name]
  return type ? docsResponse(await Bun.file(`${import.meta.dir}/browser/${name}`).text(), type) : null
}

async function sampleText(folder: 'receivers' | 'verify', name: string): Promise<Response | null> {
  const text = await sampleFile(folder, name)
  return text === null ? null : docsResponse(text, 'text/plain; charset=utf-8')
}

async function pictureFile(name: string): Promise<Response | null> {
  const file = await picture(name)
  return file && docsResponse(file, 'image/png')
}

async function articlePage(typed: string): Promise<Response | null> {
  const path = withoutSlash(typed)
  if (path.endsWith('.md')) return markdownPage(path, documentOf)
  const article = articles.get(path)
  return article ? page(await article()) : null
}

/** The OpenAPI document at `/docs/json`, and the HTML pages. Must be registered after all routes that it documents. */
export const docs = new Elysia({ name: 'docs' })
  .onAfterHandle(({ route, responseValue }) => {
    if (route === '/docs/json') {
      openApiDocument ??= openApi(responseValue as never)
      return openApiDocument
    }
    // The plugin's page loads scripts from another server; our page at /docs does not.
    if (route === PLUGIN_PAGE) throw notFound('page')
  })
  .use(
    swagger({
      path: PLUGIN_PAGE,
      specPath: '/docs/json',
      // Otherwise routes with a dot in their path are left out, as /.well-known has.
      excludeStaticFile: false,
      documentation: {
        openapi: '3.1.0',
        info: { title: 'Signalbox', version: '1', description: ABOUT },
        servers: [{ url: '/' }],
      } as object,
    }),
  )
  .get('/docs', referencePage, hidden)
  .get('/docs.md', async ({ path }) => orNotFound(await articlePage(path)), hidden)
  .get('/llms.txt', llmsText, { detail: { hide: true, 'x-access': { kind: 'open' } } as object })
  .get('/docs/problems', () => page(problemsPage()), hidden)
  .get('/docs/events', async () => page(eventsPage((await documentOf()).webhooks)), hidden)
  .get('/docs/:article', async ({ path }) => orNotFound(await articlePage(path)), hidden)
  .get('/docs/decisions/:article', async ({ path }) => orNotFound(await articlePage(path)), hidden)
  .get('/docs/monitoring/alerts.yml', async () => docsResponse(await alertRules(), 'application/yaml; charset=utf-8'), hidden)
  .get('/docs/monitoring/dashboard.json', async () => docsResponse(await dashboard(), 'application/json'), hidden)
  .get(
    '/docs/receivers/:name',
    async ({ path, params }) => orNotFound((await articlePage(path)) ?? (await sampleText('receivers', params.name))),
    hidden,
  )
  .get('/docs/verify/:name', async ({ params }) => orNotFound(await sampleText('verify', params.name)), hidden)
  .get('/docs/screenshots/:name', async ({ params }) => orNotFound(await pictureFile(params.name)), hidden)
  .get('/docs/assets/:name', async ({ params }) => orNotFound(await asset(params.name)), hidden)
