/** A varied project, built through the API, from which the golden documents are generated. */
import { SHOP } from '../api-descriptions/shop.ts'
import { Receiver } from '../support/receiver.ts'
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'

interface Work {
  title: string
  kind?: string
  description?: string
  acceptance_criteria?: string[]
  /** Its executions, in order. */
  runs?: { agent: string; outcome: 'completed' | 'failed'; cost_usd?: number; error?: string; gate?: 'approved' | 'pending' }[]
  status?: string
}

const WORKS: Work[] = [
  {
    title: 'Pay by invoice',
    description: 'Companies pay later, by an invoice that is mailed to them.\n\n- within 14 days\n- from 50 EUR on',
    acceptance_criteria: ['The invoice names the order.', 'A company that owes three invoices pays at once.'],
    runs: [
      { agent: 'claude-code', outcome: 'failed', cost_usd: 0.5, error: 'The tests of the tax module fail.' },
      { agent: 'claude-code', outcome: 'completed', cost_usd: 1.25, gate: 'approved' },
    ],
    status: 'done',
  },
  {
    title: 'Show prices with tax',
    kind: 'change',
    description: 'The setting `TAX_RATE` says how much; `<b>` and `a|b` are what they were, and ``so`` is this.',
    runs: [{ agent: 'codex', outcome: 'completed', cost_usd: 0.75 }],
    status: 'done',
  },
  { title: 'Round totals to the cent', kind: 'fix', runs: [{ agent: 'codex', outcome: 'completed' }], status: 'done' },
  { title: 'Escape names in receipts', kind: 'security', status: 'done' },
  {
    title: 'The old basket',
    kind: 'deprecation',
    description: 'Use the new basket: it keeps what was put in. The old one works until version 2.0.',
    status: 'done',
  },
  { title: 'Payment by cheque', kind: 'removal', status: 'done' },
  { title: 'Explain refunds', kind: 'docs', status: 'done' },
  { title: 'Update the build', kind: 'chore', status: 'done' },
  {
    title: 'Pay in instalments',
    runs: [{ agent: 'claude-code', outcome: 'failed', error: 'No credit check is at hand.' }],
    status: 'in_progress',
  },
  { title: 'A total is wrong with two coupons', kind: 'fix' },
  {
    title: 'Names like *these* <script>alert(1)</script> | [x](javascript:alert(1)) ```',
    description: '# Not a heading\n\n</p><img src=x onerror=alert(1)>\n\n[click](javascript:alert(1))\n\n1. first\n2. second',
    acceptance_criteria: ['- not a list', '| not | a table |'],
    status: 'done',
  },
  { title: 'Given up', status: 'cancelled' },
]

/** Builds the project. Requirements are completed in the order of the list. */
export async function richProject(box: Box, actor: Actor): Promise<Site> {
  const site = await box.site(actor)
  const project = `/api/v1/projects/${site.project.id}`
  await actor.put(project, {
    description: 'The shop takes money here.',
    repository_url: 'https://git.example.com/shop/checkout',
    support: 'help@example.com',
    version_scheme: 'semver',
  })
  await actor.put(`${project}/api-description`, SHOP)
  for (const { status, runs = [], ...input } of WORKS) {
    const requirement = await actor.make(`${project}/requirements`, input)
    for (const run of runs) await runThrough(actor, requirement, run)
    if (status) await actor.put(`/api/v1/requirements/${requirement.id}`, { status })
  }
  for (const [name, environment, trigger_on] of [
    ['Roll out', 'production', 'gate_approved'],
    ['Try out', 'staging', 'workflow_done'],
  ]) {
    const hook = {
      name,
      environment,
      trigger_on,
      url: 'https://ci.example.com/hooks/a-token-of-theirs',
      secret: 'not to be seen',
    }
    await actor.make(`${project}/deployment-hooks`, { ...hook, enabled: false })
  }
  await openInProject(actor, project)
  await dispatchSome(actor, project)
  return site
}

/** Gates without an execution: two that wait, and one that was rejected. */
async function openInProject(actor: Actor, project: string): Promise<void> {
  const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) }, version: 'v1.5.0' }
  await actor.make(`${project}/gates`, { name: 'Open a *region*', environment: 'production', subject })
  await actor.make(`${project}/gates`, { name: 'Rotate keys', fields: [{ name: 'ticket', label: 'Ticket', type: 'text' }] })
  const gate = await actor.make(`${project}/gates`, { name: 'Drop the old tables' })
  await actor.make(`/api/v1/gates/${gate.id}/reject`, { comment: 'Reports still read them.' })
}

/** One dispatch that succeeds and is rolled out, and one that the receiver refuses until it fails. */
async function dispatchSome(actor: Actor, project: string): Promise<void> {
  const receiver = new Receiver()
  const { id } = await actor.make(`${project}/deployment-hooks`, {
    name: 'Tell *us* | all',
    environment: 'production',
    trigger_on: 'gate_approved',
    url: `${receiver.url}/a-token-of-theirs`,
    secret: null,
    report_within_seconds: 3600,
  })
  for (const status of [200, 503]) {
    receiver.answer = () => new Response(null, { status })
    const dispatch = await actor.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
    const report = { state: 'succeeded', version: 'v1.4.2', url: 'https://ci.example.com/runs/4711' }
    if (status === 200) await actor.make(`/api/v1/dispatches/${dispatch.id}/report`, report)
  }
  await receiver.stop()
}

async function runThrough(actor: Actor, requirement: Answer['body'], run: NonNullable<Work['runs']>[number]): Promise<void> {
  const { id } = await actor.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: run.agent })
  const act = (action: string, body?: object) => actor.make(`/api/v1/executions/${id}/${action}`, body)
  await act('start')
  if (run.gate) {
    const gate = await act('gates', { name: 'Release review' })
    if (run.gate === 'approved') await actor.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Tested by hand.' })
  }
  const cost = run.cost_usd === undefined ? {} : { cost_usd: run.cost_usd }
  if (run.outcome === 'completed') await act('complete', cost)
  else await act('fail', { ...cost, error: run.error })
}

/** The document with ids, times and ports replaced by placeholders. */
export function normalize(content: string): string {
  const ids = new Map<string, string>()
  return content
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`)
      return ids.get(id) as string
    })
    .replaceAll(/"binding":"[0-9a-f]{64}"/g, '"binding":"…"')
    .replaceAll(/(localhost|127\.0\.0\.1):\d+/g, '$1')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'YYYY-MM-DDThh:mm:ssZ')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'YYYY-MM-DD')
    .replaceAll(/\d{2}:\d{2} UTC/g, 'hh:mm UTC')
    .replaceAll(/(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/g, 'Month YYYY')
    .replaceAll(/\d+ s\b/g, '0 s')
}
