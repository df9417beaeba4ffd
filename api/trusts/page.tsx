/** The trusts of a service account: whose tokens it takes, the workflow to copy, and why sign-ins were refused. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Button, Form, Submit } from '../pages/components/forms.tsx'
import { Actions } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { listRefusals, type Refusal } from '../service-accounts/refusals.ts'
import { getServiceAccount } from '../service-accounts/service-accounts.ts'
import { claimsIn, TrustFields } from './fields.tsx'
import { type Trust, TrustInput } from './schema.ts'
import { createTrust, deleteTrust, listTrusts, MAX_TRUSTS } from './trusts.ts'

/** More than the lines to copy take. */
const SNIPPET_BYTES = 4_096

const ALL = { limit: MAX_TRUSTS, after: null }

const columnsFor = (path: string): Column<Trust>[] => [
  { head: 'Issuer', main: true, cell: ({ issuer }) => <strong>{issuer}</strong> },
  {
    head: 'Claims',
    cell: ({ claims }) =>
      Object.entries(claims).map(([name, values]) => (
        <p>
          {name}: {values.join(' or ')}
        </p>
      )),
  },
  { head: 'Audience', cell: ({ audience }) => audience },
  { head: 'Access for', cell: ({ max_ttl_seconds }) => `${max_ttl_seconds} s` },
  {
    head: 'Actions',
    cell: ({ id, issuer }) => (
      <Actions>
        <a href={`${path}/${id}`}>
          Edit<span class="unseen">: {issuer}</span>
        </a>
        <Button
          action={`${path}/${id}/delete`}
          kind="danger"
          confirm={`Delete the trust in ${issuer}? Jobs that signed in with it lose access at once.`}
        >
          Delete<span class="unseen">: {issuer}</span>
        </Button>
      </Actions>
    ),
  },
]

const refusalColumns: Column<Refusal>[] = [
  { head: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Why', main: true, cell: ({ detail }) => detail },
  { head: 'Address', cell: ({ ip_address }) => <span class="number">{ip_address}</span> },
]

/** What a job of GitHub needs, with the ids filled in. */
const githubSteps = (account_id: string): string => `permissions:
  contents: read
  id-token: write
env:
  SIGNALBOX_URL: ${config.PUBLIC_URL}
  SIGNALBOX_SERVICE_ACCOUNT: ${account_id}
`

/** The same for GitLab. */
const gitlabJob = (account_id: string): string => `id_tokens:
  SIGNALBOX_ID_TOKEN:
    aud: ${config.PUBLIC_URL}
variables:
  SIGNALBOX_URL: ${config.PUBLIC_URL}
  SIGNALBOX_SERVICE_ACCOUNT: ${account_id}
`

const trustsPage = page(
  '/app/service-accounts/:service_account_id/trusts',
  { service_account: 'admin' },
  async ({ service_account }) => {
    const [account, trusts, refusals] = await Promise.all([
      getServiceAccount(sql, service_account),
      listTrusts(sql, service_account, ALL),
      listRefusals(sql, service_account, 20),
    ])
    const path = `/app/service-accounts/${service_account.id}/trusts`
    return {
      title: `Trusts of ${account.name}`,
      crumbs: [{ href: `/app/service-accounts/${account.id}`, text: account.name }],
      main: (
        <>
          <Section title="Trusts" count={trusts.length}>
            {trusts.length === 0 ? (
              <Empty>No trusts yet. With one, the jobs of a CI system sign in without a stored secret.</Empty>
            ) : (
              <Table label="Trusts" columns={columnsFor(path)} rows={trusts} />
            )}
          </Section>
          <Section title="New trust">
            <div class="card">
              <Form action={path}>
                <TrustFields of={null} />
                <Submit>Trust the issuer</Submit>
              </Form>
            </div>
          </Section>
          <Section title="Workflow">
            <p>
              Add this to the job; then <code>npx signalbox</code> signs in by itself. <a href="/docs/machines">Machines</a> has
              whole workflows, also without it.
            </p>
            <h3>GitHub Actions</h3>
            <Verbatim
              label="Lines for GitHub Actions"
              excerpt={excerptOf(githubSteps(account.id), SNIPPET_BYTES)}
              whole="/docs/machines"
            />
            <h3>GitLab</h3>
            <Verbatim label="Lines for GitLab" excerpt={excerptOf(gitlabJob(account.id), SNIPPET_BYTES)} whole="/docs/machines" />
          </Section>
          <Section title="Refused sign-ins">
            {refusals.length === 0 ? (
              <Empty>None. A refused job does not learn why; the reason appears here.</Empty>
            ) : (
              <Table label="Refused sign-ins" columns={refusalColumns} rows={refusals} />
            )}
          </Section>
        </>
      ),
    }
  },
)

const create = action(
  '/app/service-accounts/:service_account_id/trusts',
  { service_account: 'admin' },
  { on: trustsPage, body: Shape({ ...TrustInput.properties, claims: Text(20_000) }) },
  async ({ caller, service_account, change }, { claims, ...input }) => {
    const { issuer } = await change((tx) => createTrust(tx, caller, service_account, { ...input, claims: claimsIn(claims) }))
    return { notice: `Jobs with these claims sign in with tokens of ${issuer} now.` }
  },
)

const remove = action(
  '/app/service-accounts/:service_account_id/trusts/:trust_id/delete',
  { service_account: 'admin' },
  { on: trustsPage, body: Nothing },
  async ({ request, caller, service_account, params, change }) => {
    await change((tx) => deleteTrust(tx, caller, service_account, params.trust_id ?? '', request))
    return { notice: 'The trust was deleted.' }
  },
)

export const trustPages = pageRoutes('trust-pages', trustsPage, create, remove)
