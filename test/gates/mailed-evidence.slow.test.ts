/** The mail about a gate with a subject, and the page behind its link. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Committee } from './committee.ts'
import { LinkMails } from './link-mails.ts'

const subject = { uri: 'pkg:oci/checkout', digest: { gitCommit: 'b'.repeat(40) }, version: 'v1.5.0' }
const checks = [
  { name: 'Unit tests', state: 'passed' },
  { name: 'Load test', state: 'failed' },
]
const input = { environment: 'production', subject, evidence: { checks } }

let mails: LinkMails
let committee: Committee
let visitor: PageClient

beforeAll(async () => {
  mails = await LinkMails.open()
  committee = mails.committee
  visitor = new PageClient(committee.box)
})
afterAll(() => committee.close())

test('the mail says what is approved and which checks failed, and its link approves what was shown', async () => {
  const { gate, link } = await mails.openedWithLink(input)
  const [mail] = mails.about(gate, committee.grace)
  const parts = [
    'Warning: 1 of 2 checks failed: “Load test”.',
    'It is about v1.5.0 (bbbbbbbbbbbb) for production.',
    'Its approval sends nothing',
    'Checks: failed: Load test; 1 passed.',
  ].map((part) => mail?.text.indexOf(part) ?? -1)
  expect(parts).not.toContain(-1)
  expect(parts).toEqual(parts.toSorted((one, other) => one - other))
  const page = await visitor.open(link)
  for (const text of ['v1.5.0', 'bbbbbbbbbbbb', 'production', 'Load test', '1 check passed']) expect(page.text).toContain(text)
  const stale = await visitor.press(page, 'Approve', { binding: 'f'.repeat(64) })
  expect(stale.status).toBe(409)
  expect(stale.text).toContain('Nothing was decided')
  expect((await visitor.press(page, 'Approve')).status).toBe(200)
  expect(await committee.gateOf(gate)).toMatchObject({ status: 'approved', decided_via: 'mail' })
})

test('the mail and the page behind its link say what an approval does', async () => {
  const { ada, site } = committee
  const nothing =
    'Nothing was reported to run in production. Its approval sends nothing: no enabled hook of the project would be triggered.'
  const first = await mails.openedWithLink(input)
  expect(mails.about(first.gate, committee.grace)[0]?.text).toContain(nothing)
  const hook = { name: 'Deploy', url: 'http://127.0.0.1:1/', trigger_on: 'gate_approved', environment: 'production' }
  await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, hook)
  const { gate, link } = await mails.openedWithLink({ ...input, subject: { ...subject, version: 'v1.5.1' } })
  const sent = 'Its approval sends v1.5.1 to Deploy for production.'
  expect(mails.about(gate, committee.grace)[0]?.text).toContain(sent)
  expect((await visitor.open(link)).text).toContain(sent)
})

test('the mail says what runs in the environment, and until when a freeze holds', async () => {
  const { ada } = committee
  const { project } = await committee.withPolicy({})
  const hook = { name: 'Deploy', mode: 'pull', trigger_on: 'gate_approved', report_within_seconds: 3600 }
  const { id } = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, hook)
  const first = await ada.make(`/api/v1/projects/${project.id}/gates`, { name: 'First', environment: 'production' })
  await ada.make(`/api/v1/gates/${first.id}/approve`, {})
  const { body } = await ada.post(`/api/v1/deployment-hooks/${id}/claim`, { wait: 10 })
  await ada.make(`/api/v1/dispatches/${body[0].dispatch.id}/report`, { state: 'succeeded', version: 'v1.4.2' })
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]
  await ada.put(`/api/v1/projects/${project.id}/environments/production/policy`, { freezes })
  const gate = await committee.opened(input, project)
  await mails.linkOf(gate, committee.grace)
  const text = mails.about(gate, committee.grace)[0]?.text ?? ''
  expect(text).toContain('Its approval sends v1.5.0 to Deploy for production. A freeze holds it back until 2999-01-01 00:00 UTC.')
  expect(text).toMatch(/v1\.4\.2 has run in production since \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
})

test('the mail names the address of a subject that cannot be linked', async () => {
  const { gate } = await mails.openedWithLink({ subject: { ...subject, uri: 'pkg:oci/checkout' } })
  const mail = mails.about(gate, committee.grace)[0]
  expect(mail?.text).toContain('Address: pkg:oci/checkout')
  expect(mail?.html).toContain('pkg:oci/checkout')
})

test('the mail compares the metrics with the execution before, and links the subject', async () => {
  const { ada, grace, site } = committee
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
  const started = async () => {
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await ada.make(`/api/v1/executions/${execution.id}/start`)
    return execution
  }
  const before = await started()
  await ada.make(`/api/v1/executions/${before.id}/complete`, { metrics: { coverage: 81.5, tests_passed: 406 } })
  const now = await started()
  const uri = 'git+https://git.example.com/acme/checkout?a=1&b=<script>'
  const metrics = { coverage: 81.2, tests_passed: 418, tests_failed: 0 }
  const gate = await ada.make(`/api/v1/executions/${now.id}/gates`, {
    name: 'Release review',
    environment: 'production',
    subject: { ...subject, uri },
    evidence: { checks, metrics, summary: 'Customers pay by invoice.' },
  })
  await mails.linkOf(gate, grace)
  const [mail] = mails.about(gate, grace)
  const shown = 'coverage 81.2 (−0.3 since the execution before); tests passed 418 (+12); tests failed 0'
  const url = 'https://git.example.com/acme/checkout?a=1&b=%3Cscript%3E'
  for (const text of [`Metrics: ${shown}.`, `Subject: ${url}`, 'Customers pay by invoice.']) expect(mail?.text).toContain(text)
  for (const text of [
    `<bdi>${shown}</bdi>`,
    `<a href="${url.replace('&', '&amp;')}" style="color:#0b5cad">v1.5.0 (bbbbbbbbbbbb)</a>`,
    '(git.example.com)',
  ])
    expect(mail?.html).toContain(text)
  expect(mail?.html).not.toContain('<script')
})

test('a gate that requires an answer is decided on its page: the mail leads there, and names the question', async () => {
  const fields = [{ name: 'ticket', label: 'Change ticket', type: 'text' }]
  const gate = await committee.opened({ ...input, fields })
  await committee.box.until('the mail arrived', async () => mails.about(gate, committee.grace).length > 0)
  const [mail] = mails.about(gate, committee.grace)
  expect(mail?.text).toContain(`/app/gates/${gate.id}`)
  expect(mail?.text).not.toContain('/decide?token=')
  expect(mail?.text).toContain('To approve it, answer on its page: Change ticket.')
  const optional = await committee.opened({ fields: [{ ...fields[0], required: false }] })
  const page = await visitor.open(await mails.linkOf(optional, committee.grace))
  await visitor.press(page, 'Approve', { 'answers/ticket': 'OPS-1' })
  expect(await committee.gateOf(optional)).toMatchObject({ status: 'approved', answers: { ticket: 'OPS-1' } })
})

test('a gate without an execution is mailed and decided by its link', async () => {
  const { ada, site, grace } = committee
  const gate = await ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'New region', ...input })
  const page = await visitor.open(await mails.linkOf(gate, grace))
  expect((await visitor.press(page, 'Reject')).text).toContain('You rejected this gate.')
  expect((await committee.gateOf(gate)).status).toBe('rejected')
})
