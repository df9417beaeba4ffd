/** What the page of a gate begins with, what it says of the change, and what a row among what needs someone shows of both. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import { letGatesChange } from '../support/fixed-gates.ts'
import { PageClient } from '../support/page-client.ts'
import { rowsOf } from '../support/page-parts.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

const FROM = 'b'.repeat(40)
const TO = 'c'.repeat(40)
const subject = { uri: 'git+https://git.example.com/acme/checkout.git', digest: { gitCommit: TO }, version: 'v2' }
const FAILED = { name: 'Load test', state: 'failed', url: 'https://ci.example.com/1', detail: 'p99 is 900 ms' }
const PASSED = [
  { name: 'Unit tests', state: 'passed' },
  { name: 'Lint', state: 'passed' },
]

let bench: RolloutWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const opened = (project: Body, input: object = {}) =>
  bench.admin.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release', environment: 'production', subject, ...input })

const pageOf = ({ id }: Body) => visitor.open(`/app/gates/${id}`)

async function warningsOf(gate: Body): Promise<string[]> {
  const { document } = await pageOf(gate)
  const shown = [...document.querySelectorAll('#warnings > .notice, #warnings > .hint')]
  return shown.map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim() ?? '')
}

const sectionsOf = ({ document }: { document: Document }) =>
  [...document.querySelectorAll('#warnings, #story h2')].map(({ id, firstChild }) => id || firstChild?.textContent)

test('a failed check is the first thing on the page; the change, the effects, the evidence and the requirement follow', async () => {
  const { admin, box } = bench
  const { project } = await bench.reporting()
  const execution = await box.running(admin, project.id)
  const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, {
    name: 'Release',
    environment: 'production',
    subject,
    evidence: { checks: [...PASSED, FAILED] },
  })
  const page = await pageOf(gate)
  expect(sectionsOf(page)).toEqual(['warnings', 'What changes', 'What an approval does', 'Evidence', 'Requirement'])
  expect(await warningsOf(gate)).toEqual(['1 of 3 checks failed: Load test (ci.example.com)p99 is 900 ms'])
  expect(page.document.querySelector('#warnings a[href="#decision"]')).not.toBeNull()
  expect(page.document.querySelector('#warnings .notice.bad a')?.getAttribute('href')).toBe(FAILED.url)
  await admin.make(`/api/v1/gates/${gate.id}/reject`, {})
  expect(await warningsOf(gate)).toEqual(['1 of 3 checks failed: Load test (ci.example.com)p99 is 900 ms'])
})

test('where nothing speaks against a gate, one line says so', async () => {
  const { project } = await bench.reporting()
  expect(await warningsOf(await opened(project, { evidence: { checks: PASSED } }))).toEqual(['No warnings: 2 checks passed.'])
  expect(await warningsOf(await opened(project, { name: 'Other' }))).toEqual(['No warnings. No checks were reported.'])
})

test('a freeze, a failed rollout and an unreviewed override speak against it while it is open', async () => {
  const { admin } = bench
  const { project, hook } = await bench.reporting()
  await bench.rolledOut(hook, { state: 'failed', version: 'v1' })
  const overridden = await opened(project, { name: 'Hotfix' })
  await admin.make(`/api/v1/gates/${overridden.id}/override`, { reason: 'The shop is down.' })
  expect(await warningsOf(overridden)).toEqual(['It was approved by an override, which has not been reviewed.'])
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]
  await admin.put(`/api/v1/projects/${project.id}/environments/production/policy`, { freezes })
  const gate = await opened(project)
  const [frozen, failed, override, ...others] = await warningsOf(gate)
  expect(frozen).toBe('production is frozen until 1 Jan 2999, 00:00 UTC. What is approved waits until then.')
  expect(failed).toStartWith('The last rollout in production failed: v1')
  expect(override).toBe('An override for production has not been reviewed: Hotfix')
  expect(others).toEqual([])
  await admin.make(`/api/v1/gates/${gate.id}/reject`, {})
  expect(await warningsOf(gate)).toEqual([])
})

test('an approval that was revoked, and a gate that was replaced, say so first, and show no sign of success', async () => {
  const { admin } = bench
  const { project } = await bench.reporting()
  const gate = await opened(project)
  await admin.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  expect((await pageOf(gate)).document.querySelector('#approvals .dot.good')).not.toBeNull()
  await admin.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'It is vulnerable.' })
  expect(await warningsOf(gate)).toEqual(['The approval was revoked, just now. It is no longer valid.'])
  const page = await pageOf(gate)
  expect(page.document.querySelector('main .good')).toBeNull()
  expect(page.document.querySelector('#facing h2')?.textContent).toBe('Revoked')
  const first = await opened(project, { name: 'Again' })
  await opened(project, { name: 'Again', subject: { ...subject, version: 'v3' } })
  expect(await warningsOf(first)).toEqual(['A newer gate has replaced this one. It cannot be approved any more.'])
})

test('what changes is compared with what runs, and names the requirements that were completed since', async () => {
  const { admin } = bench
  const { project, hook } = await bench.reporting()
  const complete = async (title: string) => {
    const { id } = await admin.make(`/api/v1/projects/${project.id}/requirements`, { title, kind: 'fix' })
    await admin.put(`/api/v1/requirements/${id}`, { status: 'done' })
    return id
  }
  await complete('Before')
  await bench.rolledOut(hook, { state: 'succeeded', version: 'v1', digest: { gitCommit: FROM } })
  const id = await complete('Round totals once')
  const gate = await opened(project)
  const page = await pageOf(gate)
  const section = page.document.querySelector('#changes')
  expect(section?.querySelector('.card > p')?.textContent).toContain('v1→is to be replaced byv2cccccccccccc')
  const [comparison] = section?.querySelectorAll('.heading a') ?? []
  expect(comparison?.getAttribute('href')).toBe(`https://git.example.com/acme/checkout/compare/${FROM}...${TO}`)
  expect(section?.querySelector('h3')?.textContent).toBe('1 requirement completed since v1')
  expect(rowsOf(page, 'Completed requirements')).toEqual([['#2 Round totals once', 'fix', '', '', 'just now']])
  expect(section?.querySelector('.rows a')?.getAttribute('href')).toBe(`/app/requirements/${id}`)
  await admin.make(`/api/v1/gates/${gate.id}/reject`, {})
  expect((await pageOf(gate)).document.querySelector('#changes')?.textContent).not.toContain('v1')
})

test('the row of a gate shows its risk, what it is about, and who opened it', async () => {
  const { admin, box } = bench
  const { project } = await bench.reporting()
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]
  await admin.put(`/api/v1/projects/${project.id}/environments/production/policy`, { freezes })
  const risky = await opened(project, { name: 'Risky', evidence: { checks: [FAILED, ...PASSED] }, expires_in_seconds: 3600 })
  const calm = await opened(project, { name: 'Calm', environment: null, evidence: { checks: PASSED } })
  await box.sql.begin(async (tx) => {
    await letGatesChange(tx)
    await tx`update gates set created_at = created_at - interval '5 hours' where id = ${risky.id}`
  })
  const page = await visitor.open('/app')
  const rows = rowsOf(page, 'Gates to decide')
  const rowOf = (name: string) => rows.find(([what]) => what === name)
  expect(rowOf('Risky')?.[3]).toMatch(/^1 check failed frozen expires in 5\d min v2 · .+, 5 h ago$/)
  expect(rowOf('Calm')?.[3]).toBe(`v2 · 2 checks passed · ${admin.name}, just now`)
  expect(rowOf('Calm')?.[4]).toBe('0 of 1 approvals')
  const stateOf = ({ id }: Body) => page.document.querySelector(`#gates li:has(a[href="/app/gates/${id}"]) .dot`)?.className
  expect([stateOf(risky), stateOf(calm)]).toEqual(['dot bad', 'dot wait'])
})
