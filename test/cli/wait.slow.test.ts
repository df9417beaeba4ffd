/** Waiting for decisions: exit codes, decisions that are learned in time, and services that go away meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import { type Actor, type Answer, type Box, type Process, type Site, signalbox } from '../support/signalbox.ts'
import { within } from '../support/within.ts'
import { Gateway, Home, NOWHERE, RUNTIMES } from './support.ts'

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
