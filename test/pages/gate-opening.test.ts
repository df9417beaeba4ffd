/** Opening and withdrawing gates by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const DIGEST = 'a'.repeat(64)

let box: Box
let owner: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  site = await box.site(owner)
  visitor = await PageClient.signedIn(box, owner)
})
afterAll(() => box.close())

const path = () => `/app/projects/${site.project.id}/gates/new`
const errorsIn = ({ document }: Visit) => [...document.querySelectorAll('.wrong')].map((each) => each.textContent)
const gateOf = async ({ path }: Visit) => (await owner.get(`/api/v1${path.replace('/app', '')}`)).body

describe('A gate of a project', () => {
  test('takes what the API takes', async () => {
    const opened = await visitor.press(await visitor.open(path()), 'Open the gate', {
      name: 'Release v2',
      environment: 'production',
      required_approvals: '2',
      prevent_self_approval: 'true',
      expires_in_seconds: '3600',
      subject_uri: 'pkg:oci/checkout',
      subject_digest: `sha256:${DIGEST}`,
      subject_version: 'v2',
      summary: 'Adds a due date.',
      'checks/0.name': 'Unit tests',
      'checks/0.state': 'failed',
      'checks/0.detail': '2 of 418 failed',
      'links/1.label': 'Pull request',
      'links/1.url': 'https://git.example.com/12',
      'metrics/0.name': 'tests_passed',
      'metrics/0.value': '416',
      'artifacts/0.name': 'Image',
      'fields/0.label': 'Change ticket',
      'fields/0.name': 'change_ticket',
      'fields/1.label': 'Risk',
      'fields/1.name': 'risk',
      'fields/1.type': 'choice',
      'fields/1.choices': 'low, high',
      'fields/1.required': 'false',
    })
    expect(opened.path).toStartWith('/app/gates/')
    expect(await gateOf(opened)).toMatchObject({
      name: 'Release v2',
      execution_id: null,
      environment: 'production',
      required_approvals: 2,
      prevent_self_approval: true,
      subject: { uri: 'pkg:oci/checkout', digest: { sha256: DIGEST }, version: 'v2' },
      evidence: {
        summary: 'Adds a due date.',
        metrics: { tests_passed: 416 },
        checks: [{ name: 'Unit tests', state: 'failed', url: null, detail: '2 of 418 failed' }],
        links: [{ label: 'Pull request', url: 'https://git.example.com/12' }],
        artifacts: [{ name: 'Image' }],
      },
      fields: [
        { name: 'change_ticket', label: 'Change ticket', type: 'text', required: true },
        { name: 'risk', label: 'Risk', type: 'choice', choices: ['low', 'high'], required: false },
      ],
    })
  })

  test('needs only a name', async () => {
    const opened = await visitor.press(await visitor.open(path()), 'Open the gate', { name: 'Go?' })
    expect(await gateOf(opened)).toMatchObject({ name: 'Go?', subject: null, evidence: null, fields: [], environment: null })
  })

  test('shows what is wrong at the field, by the row in which it was typed', async () => {
    const refused = await visitor.press(await visitor.open(path()), 'Open the gate', {
      name: 'Wrong',
      subject_uri: 'ftp://example.com',
      'checks/1.url': 'https://ci.example.com/1',
      'links/1.label': 'Docs',
      'links/1.url': 'nonsense',
      'metrics/0.name': 'tests_passed',
      'metrics/0.value': 'many',
      'fields/0.label': 'Ticket',
      'fields/0.name': 'Ticket No',
    })
    expect(refused.status).toBe(422)
    expect(errorsIn(refused)).toEqual([
      expect.stringContaining('Address must be an https:'),
      'Digest is required.',
      'Name is required.',
      expect.stringContaining('Address must be an http or https URL'),
      expect.stringContaining('Number must be number'),
      expect.stringContaining('Name must be 1 to 32 lower-case letters'),
    ])
    expect(refused.document.querySelector('[name="checks/1.name"]')?.getAttribute('aria-invalid')).toBe('true')
    expect(refused.document.querySelector('[name="links/1.url"]')?.getAttribute('value')).toBe('nonsense')
  })

  test('that lacks what the policy of the environment requires says why it is required', async () => {
    await owner.put(`/api/v1/projects/${site.project.id}/environments/strict/policy`, { require_subject: true })
    const refused = await visitor.press(await visitor.open(path()), 'Open the gate', { name: 'Bare', environment: 'strict' })
    expect(errorsIn(refused)).toEqual(['Address is required, as the policy of the environment says.'])
  })

  test('that is weaker than the policy is refused at the field', async () => {
    const strict = { required_approvals: 3 }
    await owner.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: strict })
    const refused = await visitor.press(await visitor.open(path()), 'Open the gate', { name: 'Weak', required_approvals: '1' })
    expect([refused.status, errorsIn(refused)]).toEqual([422, [expect.stringContaining('Approvals required')]])
    await owner.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { required_approvals: 1 } })
  })

  test('gets more rows without a script, and keeps what was typed', async () => {
    let page = await visitor.open(path())
    page = await visitor.press(page, 'More rows: Checks', { name: 'Many', 'checks/1.name': 'Second' })
    expect([page.status, page.document.querySelectorAll('.wrong').length]).toEqual([200, 0])
    expect(page.document.querySelector('#name')?.getAttribute('value')).toBe('Many')
    expect(page.document.querySelectorAll('[name^="checks/"][name$=".name"]')).toHaveLength(4)
    expect(page.document.querySelector('[autofocus]')?.getAttribute('name')).toBe('checks/2.name')
  })
})

test('an execution waits for the gate that is opened on its page, until that is withdrawn', async () => {
  const running = await box.running(owner, site.project.id)
  const execution = await visitor.open(`/app/executions/${running.id}`)
  const link = [...execution.document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Open a gate')
  const gate = await visitor.press(await visitor.open(link?.getAttribute('href') ?? ''), 'Open the gate', { name: 'Look' })
  expect(await gateOf(gate)).toMatchObject({ execution_id: running.id, status: 'pending' })
  expect((await owner.get(`/api/v1/executions/${running.id}`)).body.status).toBe('awaiting_gate')
  const withdrawn = await visitor.press(await visitor.open(`${gate.path}/cancel`), 'Withdraw')
  expect(withdrawn.text).toContain('The gate was withdrawn')
  expect(await gateOf(gate)).toMatchObject({ status: 'cancelled' })
  expect((await owner.get(`/api/v1/executions/${running.id}`)).body.status).toBe('running')
  await visitor.post(`/app/executions/${running.id}/cancel`)
  expect((await visitor.open(`/app/executions/${running.id}/gates/new`)).text).toContain('The execution is cancelled')
})
