/** Waiting for decisions: exit codes, decisions that are learned in time, and services that go away meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import { type Actor, type Answer, type Box, type Process, type Site, signalbox } from '../support/signalbox.ts'
import { within } from '../support/within.ts'
import { Gateway, Home, NOWHERE, RUNTIMES, STRANGERS } from './support.ts'

type Body = Answer['body']

let box: Box
let ada: Actor
let site: Site
let home: Home
let environment: Record<string, string>

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  site = await box.site(ada)
  home = await Home.make()
  const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Command line', scope: 'read' })
  environment = { SIGNALBOX_URL: box.base, SIGNALBOX_TOKEN: token }
})

afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await box.close()
})

const open = (input: object = {}): Promise<Body> =>
  ada.make(`/api/v1/projects/${site.project.id}/gates`, { name: 'Release', ...input })

const waitFor = (
  gate: Body,
  { runtime, url = box.base, timeout = 60 }: { runtime?: string; url?: string; timeout?: number } = {},
): Process =>
  home.start(['wait', gate.id, '--timeout', String(timeout)], { runtime, environment: { ...environment, SIGNALBOX_URL: url } })

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('a decision is learned within a second', async () => {
    const gate = await open()
    const waiting = waitFor(gate, { runtime })
    await waiting.said('Waiting for “Release”')
    await ada.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Ship it.' })
    // A second, and what a busy machine takes to end a process.
    expect(await within(2_000, 'the exit', waiting.exited)).toBe(0)
    await waiting.isRead
    expect(waiting.lines.join('\n')).toContain('approved by  Ada (api): Ship it.')
  })

  test('each outcome has its exit code', async () => {
    const of = (version: string) => ({
      environment: 'eu',
      subject: { uri: 'https://example.com/shop', digest: { sha256: Bun.hash(version).toString(16).padStart(64, '0') } },
    })
    const superseded = await open(of('1'))
    const [rejected, changed, pending] = [await open(of('2')), await open(), await open()]
    const expired = await open({ expires_in_seconds: 60 })
    await moveExpiry(box.sql, expired.id)
    await ada.make(`/api/v1/gates/${rejected.id}/reject`)
    await ada.make(`/api/v1/gates/${changed.id}/request-changes`, { comment: 'Add a test.' })
    const run = async (gate: Body, timeout = '0') =>
      (await home.run(['wait', gate.id, '--timeout', timeout], { runtime, environment })).code
    expect(await run(rejected)).toBe(1)
    expect(await run(changed)).toBe(2)
    expect(await run(superseded)).toBe(1)
    expect(await run(pending)).toBe(3)
    expect(await run({ id: crypto.randomUUID() })).toBe(3)
    expect(await run({ id: 'nothing' })).toBe(3)
    expect(await run(expired, '60')).toBe(1)
    expect(await run(pending, 'soon')).toBe(3)
  })

  test('a revoked approval is no approval, also for who asks for the decision alone', async () => {
    const gate = await open()
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    await ada.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'The image is vulnerable.' })
    for (const args of [['--decided'], []]) {
      const ran = await home.run(['wait', gate.id, '--timeout', '9', ...args], { runtime, environment })
      expect([ran.code, ran.stdout]).toEqual([1, expect.stringMatching(/obstacle +Ada revoked .*: The image is vulnerable\./)])
    }
    const { stdout } = await home.run(['gate', 'show', gate.id], { runtime, environment })
    expect(stdout).toContain('approved, and no longer valid')
  })

  test('what is said of an approved gate and is not a clear yes is none', async () => {
    await using gateway = new Gateway(box.base)
    const gate = await open()
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    const answers: [object, number][] = [
      // An earlier version does not have the question, a later one may know other answers.
      [{ code: 'not_found', status: 404, detail: 'There is no such path.' }, 404],
      [{ state: 'granted', held_until: null, reasons: [] }, 200],
      [{ state: 'clear' }, 200],
    ]
    for (const [answer, status] of answers) {
      gateway.turn = (request) => (request.endsWith('/clearance') ? { instead: Response.json(answer, { status }) } : {})
      const args = ['wait', gate.id, '--timeout', '0', '--url', gateway.url, '--decided']
      expect([answer, (await home.run(args, { runtime, environment })).code]).toEqual([answer, 3])
    }
  })

  test('in a freeze it goes on waiting, and says so', async () => {
    const policy = `/api/v1/projects/${site.project.id}/environments/us/policy`
    const freezes = [{ name: 'Sale', from: '2020-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }]
    await ada.put(policy, { freezes })
    const gate = await open({ environment: 'us' })
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    const held = 'us is frozen until 2999-01-01 00:00 UTC.'
    const decided = await home.run(['wait', gate.id, '--timeout', '9', '--decided'], { runtime, environment })
    expect([decided.code, decided.stdout]).toEqual([0, expect.stringContaining(held)])
    const late = await home.run(['wait', gate.id, '--timeout', '1'], { runtime, environment })
    expect([late.code, late.stderr]).toEqual([3, expect.stringContaining(`still held back (${held})`)])
    const waiting = waitFor(gate, { runtime })
    await waiting.said(`It is approved, and still waits: ${held}`)
    await ada.put(policy, { freezes: [] })
    expect(await waiting.exited).toBe(0)
  })

  test('--json prints the gate, also one that is still pending', async () => {
    const gate = await open()
    const { code, stdout, stderr } = await home.run(['wait', gate.id, '--timeout', '1', '--json'], { runtime, environment })
    expect([code, JSON.parse(stdout).status]).toEqual([3, 'pending'])
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('timeout')
  })

  test('a service that cannot be reached is waited for until the end', async () => {
    const { code, stderr } = await home.run(['wait', crypto.randomUUID(), '--timeout', '1', '--url', NOWHERE], {
      runtime,
      environment,
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining('Signalbox cannot be reached (ECONNREFUSED)')])
  })

  test('a service that answers with errors meanwhile is asked again', async () => {
    await using gateway = new Gateway(box.base)
    const answers = [503, 502, 429]
    gateway.turn = (_request, number) => ({
      instead: answers[number - 2]
        ? new Response('busy', { status: answers[number - 2], headers: { 'Retry-After': '0' } })
        : undefined,
    })
    const gate = await open()
    const waiting = waitFor(gate, { runtime, url: gateway.url })
    await waiting.said('answered 429; trying again')
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    expect(await waiting.exited).toBe(0)
  })

  test('what something else answers meanwhile is said, and is not the gate', async () => {
    await using gateway = new Gateway(box.base)
    const answers = STRANGERS.slice(0, 4).map(([, stranger]) => stranger)
    gateway.turn = () => ({ instead: answers.shift()?.() })
    const gate = await open()
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    const waiting = waitFor(gate, { runtime, url: gateway.url })
    await waiting.said('does not answer as Signalbox does (status 302, to https://sign-in.example.com/)')
    expect(await waiting.exited).toBe(0)
    gateway.turn = () => ({ instead: STRANGERS[0]?.[1]() })
    const { code, stderr } = await home.run(['wait', gate.id, '--timeout', '2', '--url', gateway.url], { runtime, environment })
    expect([code, stderr]).toEqual([3, expect.not.stringContaining('still pending')])
  })

  test('killed and started again, it learns what was decided meanwhile', async () => {
    await using gateway = new Gateway(box.base)
    const gate = await open()
    for (const at of [1, 2]) {
      const waiting = waitFor(gate, { runtime, url: gateway.url })
      gateway.requests.length = 0
      gateway.turn = (_request, number) => (number === at ? { after: () => waiting.kill('SIGKILL') } : {})
      expect(await waiting.exited).toBe(137)
    }
    await ada.make(`/api/v1/gates/${gate.id}/reject`)
    gateway.turn = () => ({})
    expect(await waitFor(gate, { runtime, url: gateway.url }).exited).toBe(1)
  })
})

test('approvals that no longer count are marked', async () => {
  const grace = await box.user('Grace')
  await box.join(grace, site, 'admin')
  const gate = await open({ required_approvals: 2 })
  await grace.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Fine.' })
  const shown = async () => (await home.run(['gate', 'show', gate.id], { environment })).stdout
  expect(await shown()).toContain('approved by  Grace (api): Fine.\n')
  await box.setRole(grace, site.organization.id, 'member')
  expect(await shown()).toContain('approved by  Grace (api): Fine.  (does not count)\n')
})
