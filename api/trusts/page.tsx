/** The trusts of a service account: whose tokens it takes, the workflow to copy, and why sign-ins were refused. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { version } from '../../sql/version.ts'
import { packageOf } from '../packages/packages.ts'
import { Button, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { notFound } from '../problems.ts'
import { refusalRow } from '../service-accounts/keys-section.tsx'
import { getServiceAccount, listRefusals } from '../service-accounts/service-accounts.ts'
import { claimLines, claimsIn } from './claim-lines.ts'
import { createTrust, deleteTrust, listTrusts, MAX_TRUSTS, type Trust, TrustInput, updateTrust } from './trusts.ts'

/** More than the lines to copy take. */
const SNIPPET_BYTES = 4_096

const ALL = { limit: MAX_TRUSTS, after: null }

const rowFor =
  (path: string) =>
  ({ id, issuer, claims, audience, max_ttl_seconds }: Trust): RowParts => ({
    href: `${path}/${id}`,
    what: issuer,
    below: (
      <>
        {Object.entries(claims).map(([name, values]) => (
          <>
            {name}: {values.join(' or ')} ·{' '}
          </>
        ))}
        audience {audience} · access for {max_ttl_seconds} s
      </>
    ),
    actions: (
      <Button
        action={`${path}/${id}/delete`}
        kind="danger"
        confirm={`Delete the trust in ${issuer}? Jobs that signed in with it lose access at once.`}
      >
        Delete<span class="unseen">: {issuer}</span>
      </Button>
    ),
  })

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

/** How a job keeps the command line of this version. @param sha512 of the package */
function keepLines(sha512: string): string {
  const file = `cli-${version}.tgz`
  return `curl --silent --fail --remote-name ${config.PUBLIC_URL}/${file}
echo "${sha512}  ${file}" | sha512sum --check
npx --yes ./${file} whoami
`
}

const trustsPage = page(
  '/app/service-accounts/:service_account_id/trusts',
  { service_account: 'admin' },
  async ({ service_account }) => {
    const [account, trusts, refusals, { sha512 }] = await Promise.all([
      getServiceAccount(sql, service_account),
      listTrusts(sql, service_account, ALL),
      listRefusals(sql, service_account, 20),
      packageOf('cli'),
    ])
    const path = `/app/service-accounts/${service_account.id}/trusts`
    return {
      title: `Trusts of ${account.name}`,
      crumbs: [{ href: `/app/service-accounts/${account.id}`, text: account.name }],
      main: (
        <>
          <Section title="Trusts" count={trusts.length}>
            <Rows label="Trusts" of={trusts} row={rowFor(path)}>
              No trusts yet. With one, the jobs of a CI system sign in without a stored secret.
            </Rows>
          </Section>
          <Section title="New trust">
            <Form card action={path}>
              <TrustFields of={null} />
              <Submit>Trust the issuer</Submit>
            </Form>
          </Section>
          <Section title="Workflow">
            <p>
              Add this to the job; then <code>npx --yes "$SIGNALBOX_URL/cli.tgz"</code> signs in by itself.{' '}
              <a href="/docs/machines">Machines</a> has whole workflows, also without it.
            </p>
            <h3>GitHub Actions</h3>
            <Verbatim
              label="Lines for GitHub Actions"
              excerpt={excerptOf(githubSteps(account.id), SNIPPET_BYTES)}
              whole="/docs/machines"
            />
            <h3>GitLab</h3>
            <Verbatim label="Lines for GitLab" excerpt={excerptOf(gitlabJob(account.id), SNIPPET_BYTES)} whole="/docs/machines" />
            <h3>Keep this version</h3>
            <p class="hint">A job that must not follow an upgrade of Signalbox keeps the file of a version:</p>
            <Verbatim
              label="Lines that keep the command line"
              excerpt={excerptOf(keepLines(sha512), SNIPPET_BYTES)}
              whole="/docs/machines"
            />
          </Section>
          <Section title="Refused sign-ins">
            <Rows label="Refused sign-ins" of={refusals} row={refusalRow}>
              None. A refused job does not learn why; the reason appears here.
            </Rows>
          </Section>
        </>
      ),
    }
  },
)

const create = actionOn(
  trustsPage,
  '',
  { service_account: 'admin' },
  Shape({ ...TrustInput.properties, claims: Text(20_000) }),
  async ({ caller, service_account, change }, { claims, ...input }) => {
    const { issuer } = await change((tx) => createTrust(tx, caller, service_account, { ...input, claims: claimsIn(claims) }))
    return { notice: `Jobs with these claims sign in with tokens of ${issuer} now.` }
  },
)

const remove = actionOn(
  trustsPage,
  '/:trust_id/delete',
  { service_account: 'admin' },
  Nothing,
  async ({ request, caller, service_account, params, change }) => {
    await change((tx) => deleteTrust(tx, caller, service_account, params.trust_id ?? '', request))
    return { notice: 'The trust was deleted.' }
  },
)

export const trustPages = pageRoutes('trust-pages', trustsPage, create, remove)

/** @param of null for a new one; `claims` as they are typed */
const TrustFields = ({ of }: { of: (Pick<Trust, 'issuer' | 'audience' | 'max_ttl_seconds'> & { claims: string }) | null }) => (
  <>
    <Field
      name="issuer"
      label="Issuer"
      required
      maxLength={2048}
      value={of?.issuer ?? 'https://token.actions.githubusercontent.com'}
      hint="For GitLab https://gitlab.com, for Buildkite https://agent.buildkite.com."
    />
    <TextArea
      name="claims"
      label="Claims"
      required
      maxLength={20_000}
      value={of?.claims}
      hint="One per line, such as repository_id: 74 (gh api repos/acme/checkout --jq .id shows it) and ref: refs/heads/main. Several lines with the same name are alternatives. GitHub needs repository_id and ref, environment or job_workflow_ref; gitlab.com needs project_id and ref, ref_protected or environment; others need sub, or two other claims."
    />
    <Field
      name="audience"
      label="Audience"
      value={of?.audience}
      maxLength={2048}
      hint={`What the job asks its token for. Empty: ${config.PUBLIC_URL}`}
    />
    <Field
      name="max_ttl_seconds"
      label="Access in seconds"
      type="number"
      value={String(of?.max_ttl_seconds ?? 900)}
      hint="From 60 to 3600."
      required
    />
  </>
)

const editPage = page(
  '/app/service-accounts/:service_account_id/trusts/:trust_id',
  { service_account: 'admin' },
  async ({ service_account, params }) => {
    const trusts = await listTrusts(sql, service_account, { limit: MAX_TRUSTS, after: null })
    const trust = trusts.find(({ id }) => id === params.trust_id?.toLowerCase())
    if (!trust) throw notFound('trust')
    const path = `/app/service-accounts/${service_account.id}/trusts`
    return {
      title: 'Edit the trust',
      crumbs: [{ href: path, text: 'Trusts' }],
      main: (
        <Form card action={`${path}/${trust.id}`} updated_at={trust.updated_at}>
          <TrustFields of={{ ...trust, claims: claimLines(trust.claims) }} />
          <Submit>Save</Submit>
          <p class="hint">It counts for the next sign-in. Access that was given before works until it expires.</p>
        </Form>
      ),
    }
  },
)

const save = actionOn(
  editPage,
  '',
  { service_account: 'admin' },
  Shape({ ...TrustInput.properties, claims: Text(20_000) }),
  async ({ request, caller, service_account, params, change }, { claims, ...input }) => {
    const changed = { ...input, claims: claimsIn(claims) }
    await change((tx) => updateTrust(tx, caller, service_account, params.trust_id ?? '', changed, request))
    return { to: `/app/service-accounts/${service_account.id}/trusts`, notice: 'The trust was saved.' }
  },
)

export const trustEditPages = pageRoutes('trust-edit-pages', editPage, save)
