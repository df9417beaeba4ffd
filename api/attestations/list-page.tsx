/** The attestations of a project, and a form that says whether something may be deployed. */

import { verifyDeployment } from '../../core/clearance/verification.ts'
import { statementIn } from '../../core/gates/attestations.ts'
import { sql } from '../../core/platform/database.ts'
import { listEnvironmentNames } from '../environments/environments.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { Facts, Pager, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { tabCrumb } from '../projects/tabs.tsx'
import { AttestationQuery, type ListedAttestation, listAttestations, type Verdict, VerifyInput } from './attestations.ts'

/** Digits of a digest that are shown. */
const SHORT = 12

interface Row extends ListedAttestation {
  version: string | undefined
  digests: string[]
}

function rowOf(listed: ListedAttestation): Row {
  const { subject } = statementIn(listed.envelope)
  return {
    ...listed,
    version: subject[0]?.annotations?.version,
    digests: subject.flatMap(({ digest }) => Object.entries(digest).map(([name, hex]) => `${name}:${hex}`)),
  }
}

const rowParts = ({ gate_id, version, digests, environment, created_at }: Row): RowParts => ({
  href: `/app/gates/${gate_id}/attestation`,
  what: version ?? digests[0]?.slice(0, SHORT + 10) ?? 'Attestation',
  beside: environment === null ? 'any environment' : <bdi>{environment}</bdi>,
  below: digests.map((digest) => (
    <>
      <code title={digest}>{digest.slice(0, digest.indexOf(':') + 1 + SHORT)}…</code>{' '}
    </>
  )),
  end: <Time at={created_at} />,
  actions: (
    <a class="button quiet" href={`/app/gates/${gate_id}`}>
      Gate
    </a>
  ),
})

const Answer = ({ of: { allowed, reasons, gate_id } }: { of: Verdict }) => (
  <>
    <Notice tone={allowed ? 'good' : 'bad'}>{allowed ? 'It may be deployed now.' : 'It may not be deployed.'}</Notice>
    {reasons.length > 0 && (
      <ul>
        {reasons.map((reason) => (
          <li>{reason}</li>
        ))}
      </ul>
    )}
    <Facts of={[['Gate', gate_id && <a href={`/app/gates/${gate_id}`}>The gate that decides</a>]]} />
  </>
)

const pathOf = ({ id }: { id: string }): string => `/app/projects/${id}/attestations`

const VerifyForm = ({ path, environments }: { path: string; environments: string[] }) => (
  <Form card action={`${path}/verify`}>
    <Field name="environment" label="Environment" required maxLength={64} list="environments" />
    <datalist id="environments">
      {environments.map((each) => (
        <option value={each} />
      ))}
    </datalist>
    <Field
      name="digest"
      label="Digest"
      required
      maxLength={200}
      hint="Of what is to be deployed: gitCommit: or sha256: and its hexadecimal digits."
    />
    <Submit>Verify</Submit>
    <p class="hint">
      Builds ask the same with <code>signalbox verify</code>. <a href="/docs/verify">Verify before you deploy</a>
    </p>
  </Form>
)

const attestationsPage = page(
  '/app/projects/:project_id/attestations',
  { project: 'member' },
  async ({ project, url, query }) => {
    const [{ items, ...paged }, environments] = await Promise.all([
      listAttestations(sql, project, { ...query, after: null }),
      listEnvironmentNames(sql, project),
    ])
    return {
      title: 'Attestations',
      crumbs: [tabCrumb(project.id, 'gates')],
      main: (
        <>
          <p>Signed statements that a gate was approved. What they are about may be deployed where the gate says.</p>
          <Section title="May it be deployed?">
            <VerifyForm path={pathOf(project)} environments={environments} />
          </Section>
          <Section title="Attestations" count={paged.total}>
            <Filters url={url} fields={[{ name: 'digest', label: 'Digest', hint: 'All of it, such as gitCommit:7d3f…' }]} />
            <Rows label="Attestations" of={items.map(rowOf)} row={rowParts}>
              None. A gate with a subject gets one within seconds of its approval.
            </Rows>
            <Pager url={url} {...paged} />
          </Section>
        </>
      ),
    }
  },
  AttestationQuery,
)

const verify = actionOn(attestationsPage, '/verify', { project: 'member' }, VerifyInput, async ({ project }, input) => {
  const verdict = await verifyDeployment(sql, project, input)
  return {
    title: `Deploy to ${input.environment}`,
    crumbs: [tabCrumb(project.id, 'gates'), { href: pathOf(project), text: 'Attestations' }],
    main: (
      <>
        <Answer of={verdict} />
        <p class="hint">
          Asked about <code>{input.digest}</code>
        </p>
      </>
    ),
  }
})

export const attestationListPages = pageRoutes('attestation-list-pages', attestationsPage, verify)
