/** The page of a gate with a subject: what a reviewer reads, and that the form carries what was shown. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { letGatesChange } from '../support/fixed-gates.ts'
import { PageClient } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'
import { anotherAccountOf, approve, Committee } from './committee.ts'

type Body = Answer['body']

const SHA = 'a'.repeat(64)
const REVIEWED = {
  environment: 'production',
  subject: { uri: 'https://git.example.com/acme/checkout', digest: { sha256: SHA }, version: 'v1.5.0' },
  evidence: {
    summary: 'Adds a due date.',
    metrics: { tests_passed: 418, lines_added: 12 },
    checks: [
      { name: 'Unit tests', state: 'passed' },
      { name: 'Lint', state: 'passed' },
      { name: 'Load test', state: 'failed', url: 'https://ci.example.com/1', detail: 'p99 is 900 ms' },
      { name: 'Fuzzing', state: 'skipped' },
    ],
    links: [{ label: 'Pull request', url: 'https://git.example.com/acme/checkout/pull/12' }],
  },
}
const FIELDS = [
  { name: 'ticket', label: 'Change ticket', type: 'text' },
  { name: 'percent', label: 'Percent of users', type: 'number', required: false },
  { name: 'rehearsed', label: 'Rehearsed?', type: 'boolean' },
  { name: 'window', label: 'Window', type: 'choice', choices: ['today', 'tonight'] },
]

let committee: Committee
let visitor: PageClient

beforeAll(async () => {
  committee = await Committee.meet({ workers: 1 })
  visitor = await PageClient.signedIn(committee.box, committee.grace)
})
afterAll(() => committee.close())

const pageOf = ({ id }: Body) => visitor.open(`/app/gates/${id}`)

test('it shows the subject, failed checks by name, how many passed, metrics, links, and what an approval does', async () => {
  const { ada, site, box } = committee
  await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'http://127.0.0.1:1/',
    trigger_on: 'gate_approved',
  })
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Due dates' })
  const start = async () => {
    const { id } = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await ada.make(`/api/v1/executions/${id}/start`)
    return id
  }
  await ada.make(`/api/v1/executions/${await start()}/fail`, { metrics: { tests_passed: 400 } })
  const gate = await ada.make(`/api/v1/executions/${await start()}/gates`, { name: 'Release', ...REVIEWED })
  const { text, document } = await pageOf(gate)
  for (const shown of [
    'v1.5.0',
    `sha256:${SHA.slice(0, 12)}`,
    'Load test',
    'p99 is 900 ms',
    '2 checks passed',
    '1 check skipped',
  ])
    expect(text).toContain(shown)
  expect(text).toContain('418 +18')
  expect(text).toContain('Adds a due date.')
  expect(text).toContain('Sends v1.5.0 to Deploy for production')
  expect(text).toContain('1 more approval.')
  expect(text).not.toContain('Unit tests')
  const addresses = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))
  expect(addresses).toContain('https://ci.example.com/1')
  expect(addresses).toContain('https://git.example.com/acme/checkout/pull/12')
  await box.settled()
})

test('it shows what runs in the environment, what the execution has cost, and until when a freeze holds', async () => {
  const { ada, box } = committee
  const { project } = await committee.withPolicy({})
  const hook = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    mode: 'pull',
    trigger_on: 'gate_approved',
    report_within_seconds: 3600,
  })
  const first = await ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'First', environment: 'production' })
  await approve(ada, first)
  const { body: claimed } = await ada.post(`/api/v1/deployment-hooks/${hook.id}/claim`, { wait: 10 })
  const digest = { sha256: 'b'.repeat(64) }
  await ada.make(`/api/v1/dispatches/${claimed[0].dispatch.id}/report`, { state: 'succeeded', version: 'v1.4.2', digest })
  const until = '2999-01-01T00:00:00.000Z'
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until }]
  await ada.put(`/api/v1/projects/${project.id}/environments/production/policy`, { freezes })
  const execution = await box.running(ada, project.id)
  await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 4.5 })
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release', ...REVIEWED })
  const { text, document } = await pageOf(gate)
  expect(text).toContain('v1.4.2 (sha256:bbbbbbbbbbbb), deployed')
  expect(text).toContain('$4.50')
  expect(document.querySelector(`#effects time[datetime="${until}"]`)).not.toBeNull()
})

test('it shows what is left of metrics that an earlier version took', async () => {
  const { box } = committee
  const gate = await committee.opened(REVIEWED)
  const metrics = box.sql.json({ 'a\nb': null, c: { d: 1 }, lines_added: 12 })
  await box.sql.begin(async (tx) => {
    await letGatesChange(tx)
    await tx`update gates set evidence = jsonb_set(evidence, '{metrics}', ${metrics}) where id = ${gate.id}`
    await tx`update executions set metrics = ${metrics} where id = ${gate.execution_id}`
  })
  for (const path of [`/app/gates/${gate.id}`, `/app/executions/${gate.execution_id}`]) {
    const { status, text } = await visitor.open(path)
    expect([status, text]).toEqual([200, expect.stringContaining('lines added')])
  }
})

test('answers to optional fields are shown only where there are any, whatever the name of the field', async () => {
  const field = { name: 'constructor', label: 'Who built it?', type: 'text', required: false }
  const gate = await committee.opened({ fields: [field], required_approvals: 2 })
  await approve(committee.ada, gate)
  expect((await pageOf(gate)).document.querySelector('#approvals')?.textContent).not.toContain('Who built it?')
})

test('its form approves what was shown, with the answers', async () => {
  const gate = await committee.opened({ ...REVIEWED, fields: FIELDS })
  const page = await pageOf(gate)
  const wrong = await visitor.press(page, 'Approve', { 'answers/percent': 'many', 'answers/ticket': 'OPS-1' })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Percent of users must be a number.')
  expect(wrong.document.querySelector('textarea[name="answers/ticket"]')?.textContent).toBe('OPS-1')
  const answers = {
    'answers/ticket': 'OPS-1',
    'answers/percent': '12.5',
    'answers/rehearsed': 'true',
    'answers/window': 'tonight',
  }
  const done = await visitor.press(page, 'Approve', answers)
  expect(done.text).toContain('You approved this gate.')
  const given = { ticket: 'OPS-1', percent: 12.5, rehearsed: true, window: 'tonight' }
  expect(await committee.gateOf(gate)).toMatchObject({ status: 'approved', answers: given, approvals: [{ answers: given }] })
  expect(done.text).toContain('Change ticketOPS-1')
})

test('a form about something else decides nothing, and says so', async () => {
  const gate = await committee.opened(REVIEWED)
  const stale = await visitor.press(await pageOf(gate), 'Approve', { binding: 'f'.repeat(64), comment: 'Fine' })
  expect(stale.status).toBe(409)
  expect(stale.text).toContain('Nothing was decided: the binding is not the one of this gate.')
  const missing = await visitor.post(`/app/gates/${gate.id}/approve`)
  expect(missing.status).toBe(422)
  expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [] })
})

test('rejecting needs no answers', async () => {
  const gate = await committee.opened({ ...REVIEWED, fields: FIELDS })
  const page = await pageOf(gate)
  const reject = [...page.document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Reject')
  expect(reject?.hasAttribute('formnovalidate')).toBe(true)
  await visitor.press(page, 'Reject', { comment: 'No' })
  expect((await committee.gateOf(gate)).status).toBe('rejected')
})

test('a gate that was replaced leads to the one that replaced it', async () => {
  const first = await committee.opened(REVIEWED)
  const newer = { name: first.name, ...REVIEWED, subject: { ...REVIEWED.subject, version: 'v1.5.1' } }
  const second = await committee.ada.make(`/api/v1/executions/${first.execution_id}/gates`, newer)
  const late = await committee.grace.post(`/api/v1/gates/${first.id}/approve`, { binding: first.binding })
  expect([late.status, late.body.code]).toEqual([409, 'invalid_transition'])
  expect(late.body.detail).toBe('Nothing was decided: a newer gate with another subject has replaced this one.')
  const page = await pageOf(first)
  expect(page.document.querySelector('#state')?.textContent).toBe('superseded')
  expect(page.text).toContain('with another subject has replaced this one')
  expect(page.document.querySelector(`main a[href="/app/gates/${second.id}"]`)).not.toBeNull()
})

test('a gate without an execution has a page, and waits on the start page of admins and on that of its project', async () => {
  const { ada, site } = committee
  const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Open the new region', ...REVIEWED })
  const page = await pageOf(gate)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('its execution fails')
  expect((await visitor.open('/app')).text).toContain('Open the new region')
  const pending = `/app/projects/${site.project.id}/gates?status=pending`
  const link = async () => (await visitor.open(pending)).document.querySelector(`.rows a[href="/app/gates/${gate.id}"]`)
  expect((await link())?.textContent).toBe('Open the new region')
  const done = await visitor.press(page, 'Reject')
  expect(await link()).toBeNull()
  expect(done.text).toContain('You rejected this gate.')
  expect(done.text).not.toContain('execution failed')
})

test('another account of who opened a gate, with their former address, sees what the operation answers', async () => {
  const { box, site } = committee
  const zoe = await box.user('Zoe')
  await box.join(zoe, site, 'admin')
  const gate = await zoe.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release', prevent_self_approval: true })
  const again = await anotherAccountOf(box, zoe)
  await box.join(again, site, 'admin')
  const client = await PageClient.signedIn(box, again)
  expect((await client.open('/app')).text).toContain('Another person has to approve it; you can reject it.')
  const page = await client.open(`/app/gates/${gate.id}`)
  expect(page.text).toContain('You opened this gate, so another person has to approve it.')
  expect([...page.document.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain('Approve')
  expect((await approve(again, gate)).body.code).toBe('self_approval')
  for (const account of [zoe, again]) await box.leave(account, site.organization.id)
})
