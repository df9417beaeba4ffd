/** Messages of gates with a subject: buttons carry what was shown, and questions are answered on the page. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { buttonValue, readButtonValue } from '../../core/notification-channels/slack/buttons.ts'
import { buttonsOf, labelsOf, textOf } from '../support/slack.ts'
import { SlackWorkbench } from './workbench.ts'

const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) }, version: 'v1.5.0' }
const checks = [
  { name: 'Unit tests', state: 'passed' },
  { name: 'Load test', state: 'failed' },
]

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  await bench.link(bench.admin, 'U0ADA')
})
afterAll(() => bench.close())

test('a click approves what the message showed', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { environment: 'production', subject, evidence: { checks } })
  for (const text of [
    'v1.5.0 (sha256:aaaaaaaaaaaa)',
    '*Address*\\npkg:oci/checkout',
    'production',
    'failed: Load test; 1 passed',
  ])
    expect(textOf(message)).toContain(text)
  const [approve] = buttonsOf(message)
  expect(readButtonValue(approve.value)?.binding).toBe(gate.binding)
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_via: 'slack' })
})

test('a pending gate says what an approval does', async () => {
  const room = await bench.room('gate.pending')
  const hook = { name: 'Deploy <!here>', url: 'http://127.0.0.1:1/', trigger_on: 'gate_approved', environment: 'production' }
  await bench.admin.make(`/api/v1/projects/${room.project.id}/deployment-hooks`, hook)
  const { gate, message } = await bench.gateIn(room, { environment: 'production', subject })
  const sent = 'Nothing was reported to run in production. Its approval sends v1.5.0 to Deploy &lt;!here&gt; for production.'
  expect(JSON.stringify(message.blocks)).toContain(sent)
  await bench.admin.make(`/api/v1/gates/${gate.id}/reject`)
  await bench.shows('the decision', () => labelsOf(message).length === 0)
  expect(textOf(message)).not.toContain('Its approval sends')
})

test('a message compares the metrics with the execution before, and links the subject', async () => {
  const room = await bench.room('gate.pending')
  const requirement = await bench.admin.make(`/api/v1/projects/${room.project.id}/requirements`, { title: 'Pay by invoice' })
  const started = async () => {
    const execution = await bench.admin.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await bench.admin.make(`/api/v1/executions/${execution.id}/start`)
    return execution
  }
  const before = await started()
  await bench.admin.make(`/api/v1/executions/${before.id}/complete`, { metrics: { coverage: 81.5, tests_passed: 406 } })
  const now = await started()
  await bench.admin.make(`/api/v1/executions/${now.id}/gates`, {
    name: 'Release',
    subject: { ...subject, uri: 'https://git.example.com/acme/checkout?a=1&b=|<!here>' },
    evidence: { metrics: { coverage: 81.2, tests_passed: 418 } },
  })
  const shown = () => room.slack.messages.map(textOf).join()
  await bench.shows('the gate', () => shown().includes('Metrics'))
  expect(shown()).toContain('coverage 81.2 (−0.3 since the execution before); tests passed 418 (+12)')
  const url = 'https://git.example.com/acme/checkout?a=1&amp;b=%7C%3C!here%3E'
  expect(shown()).toContain(`*Subject*\\n<${url}|v1.5.0 (sha256:aaaaaaaaaaaa)> (git.example.com)`)
})

test('a message says what runs in the environment, until when a freeze holds, and leads to the page to request changes', async () => {
  const room = await bench.room('gate.pending')
  const { id } = room.project
  const input = { name: 'Deploy', mode: 'pull', trigger_on: 'gate_approved', report_within_seconds: 3600 }
  const hook = await bench.admin.make(`/api/v1/projects/${id}/deployment-hooks`, input)
  const first = await bench.admin.make(`/api/v1/projects/${id}/gates`, { name: 'First', environment: 'production' })
  await bench.admin.make(`/api/v1/gates/${first.id}/approve`, {})
  const { body } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/claim`, { wait: 10 })
  await bench.admin.make(`/api/v1/dispatches/${body[0].dispatch.id}/report`, { state: 'succeeded', version: 'v1.4.2' })
  const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]
  await bench.admin.put(`/api/v1/projects/${id}/environments/production/policy`, { freezes })
  const { gate, message } = await bench.gateIn(room, { environment: 'production', subject })
  expect(textOf(message)).toContain('to Deploy for production. A freeze holds it back until 2999-01-01 00:00 UTC.')
  expect(textOf(message)).toContain('v1.4.2 has run in production since')
  const [, changes] = buttonsOf(message)
  expect(changes).toMatchObject({ text: { text: 'Request changes' }, url: expect.stringContaining(`/app/gates/${gate.id}`) })
})

test('a button about something else decides nothing', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { subject })
  const [approve] = buttonsOf(message)
  const shown = readButtonValue(approve.value)
  if (!shown) throw new Error('The value of the button is not valid')
  approve.value = buttonValue({ ...shown, binding: 'f'.repeat(64) })
  await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
  await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('Nothing was decided')))
  await bench.expectPending(gate)
})

test('a gate with questions is approved on its page, and can be rejected in Slack', async () => {
  const room = await bench.room('gate.pending')
  const fields = [{ name: 'ticket', label: 'Change ticket', type: 'text' }]
  const { gate, message } = await bench.gateIn(room, { subject, fields })
  expect(labelsOf(message)).toEqual(['Answer and approve', 'Request changes', 'Reject', 'Open in Signalbox'])
  expect(buttonsOf(message)[0]).toMatchObject({ url: expect.stringContaining(`/app/gates/${gate.id}`) })
  expect(buttonsOf(message)[0]).not.toHaveProperty('value')
  await room.slack.click(bench.box, message, 'Reject', 'U0ADA')
  expect((await bench.gate(gate)).status).toBe('rejected')
})

test('the message of a gate that was replaced says so, without buttons', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room, { subject })
  const newer = { name: gate.name, subject: { ...subject, version: 'v1.5.1' } }
  await bench.admin.make(`/api/v1/executions/${gate.execution_id}/gates`, newer)
  await bench.shows('that it was replaced', () => textOf(message).includes('a newer one with another subject has replaced it'))
  expect(labelsOf(message)).toEqual([])
})
