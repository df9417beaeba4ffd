/** Finds out why a receiver rejects the requests of a hook. */
import { sql } from '../../core/platform/database.ts'
import { Shape, Text } from '../../core/values/schema.ts'
import { Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { pairsIn } from '../pages/components/pairs.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { Notice, State } from '../pages/components/text.tsx'
import { parseForm } from '../pages/forms.ts'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { contextOf } from '../plugins/request-context.ts'
import { bodyInput } from '../plugins/validation.ts'
import { getHook } from './hooks.ts'
import { verifyRequest } from './secrets.ts'
import { CHECKS, type Verdict, Verification } from './verification-schema.ts'

/** What the form takes: the largest forms are a quarter of a MiB. */
const Received = Shape({ headers: Text(65_536), body: Text(131_072) })

const columns: Column<Verdict['checks'][number]>[] = [
  { head: 'Check', main: true, cell: ({ name }) => CHECKS[name].replaceAll('`', '') },
  { head: 'Outcome', cell: ({ ok }) => <State of={ok ? 'succeeded' : 'failed'} text={ok ? 'holds' : 'fails'} /> },
  { head: 'What was found', cell: ({ detail }) => detail },
]

const pathOf = ({ id }: { id: string }): string => `/app/deployment-hooks/${id}/verify`

const verifyPage = page('/app/deployment-hooks/:hook_id/verify', { hook: 'member' }, async ({ hook }) => {
  const { id, name } = await getHook(sql, hook)
  return {
    title: 'Diagnose a rejected request',
    crumbs: [{ href: `/app/deployment-hooks/${id}`, text: name }],
    main: (
      <div class="card wide">
        <Form action={pathOf(hook)}>
          <TextArea
            class="code"
            name="headers"
            label="Headers"
            rows={6}
            required
            hint="All headers as the receiver got them, one per line, such as X-Signalbox-Delivery: 019a…"
          />
          <TextArea
            class="code"
            name="body"
            label="Body"
            rows={8}
            required
            hint="The raw body as it was received, before it is parsed."
          />
          <Submit>Find out</Submit>
          <p class="hint">Nothing is stored or sent, and no secret is shown.</p>
        </Form>
      </div>
    ),
  }
})

const diagnose = action(
  '/app/deployment-hooks/:hook_id/verify',
  { hook: 'member' },
  { on: verifyPage, body: Received },
  async ({ request, hook, change }, { headers }) => {
    // As it was typed: normalized text would hide that the body was altered.
    const body = parseForm(contextOf(request).bytes).get('body')?.replaceAll('\r\n', '\n')
    const given = bodyInput(Verification)['~standard'].validate({ headers: pairsIn('/headers', headers), body }).value
    const { valid, checks } = await change((tx) => verifyRequest(tx, hook, given))
    return {
      title: 'Diagnosis of the request',
      crumbs: [{ href: pathOf(hook), text: 'Diagnose a rejected request' }],
      main: (
        <>
          <Notice tone={valid ? 'good' : 'bad'}>
            {valid
              ? 'The request is as it was sent: a receiver with the right secret accepts it.'
              : 'The request does not verify.'}
          </Notice>
          <Table label="Checks" columns={columns} rows={checks} />
        </>
      ),
    }
  },
)

export const verifyPages = pageRoutes('verify-pages', verifyPage, diagnose)
