import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { notFound } from '../../core/problems.ts'
import { openApi } from './openapi.ts'
import { asset, eventsPage, problemsPage, receiverFile, receiversPage, referencePage } from './pages.ts'

const PLUGIN_PAGE = '/docs/plugin'

const hidden = { detail: { hide: true } }

const ABOUT = `AI agents carry out software work: organization → workspace → project → requirement → execution. Signed deployment hooks tell your CI/CD what happened.

Every error is a [problem](/docs/problems) with a stable code. [Events](/docs/events) lists what hooks tell, [receivers](/docs/receivers) how to check and answer it. Unknown fields and query parameters are refused by name. PUT changes the fields it is given; \`null\` clears one; a PUT of what is stored already writes nothing.

\`x-signalbox-access\` names the role that each operation needs. Rate limits are token buckets per caller: see the \`RateLimit\` headers.`

/** The OpenAPI document at `/docs/json`, and the pages for people. Listed after every route that it documents. */
export const docs = new Elysia({ name: 'docs' })
  .onAfterHandle(({ path, responseValue }) => {
    if (path === '/docs/json') return openApi(responseValue as never)
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
  .get('/docs/problems', problemsPage, hidden)
  .get('/docs/events', eventsPage, hidden)
  .get('/docs/receivers', receiversPage, hidden)
  .get(
    '/docs/receivers/:name',
    async ({ params }) => {
      const file = await receiverFile(params.name)
      if (!file) throw notFound('page')
      return file
    },
    hidden,
  )
  .get(
    '/docs/assets/:name',
    ({ params }) => {
      const file = asset(params.name)
      if (!file) throw notFound('page')
      return file
    },
    hidden,
  )
