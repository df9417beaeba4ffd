import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient, type Visit } from '../support/page-client.ts'
import { buttonsOf, noticeOf, stateOf } from '../support/page-parts.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

type Body = Answer['body']

let box: Box
let admin: Actor
let site: Site
let visitor: PageClient
let reader: PageClient
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox()
  admin = await box.user('Admin')
  const member = await box.user('Member')
  site = await box.site(admin)
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, admin)
  reader = await PageClient.signedIn(box, member)
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

const makeHook = (input: object = {}): Promise<Body> =>
  admin.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
    ...input,
  })
const send = (hook: Body, wait = true): Promise<Body> =>
  admin.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, wait ? { Prefer: 'wait=10' } : {})
const pageOf = ({ id }: Body) => `/app/dispatches/${id}`
const now = async ({ id }: Body): Promise<Body> => (await admin.get(`/api/v1/dispatches/${id}`)).body
const region = ({ document }: Visit, label: string) =>
  document.querySelector(`section[aria-label^="${label}"]`)?.textContent ?? ''
const answer = (status: number, body = '', headers: Record<string, string> = {}) => {
  receiver.answer = () => new Response(body, { status, headers })
}

test('a failed dispatch says why first, then shows each attempt with its timing and response', async () => {
  answer(503, 'Deploying is frozen', { 'X-Reason': 'freeze' })
  const hook = await makeHook()
  const dispatch = await send(hook)
  const page = await visitor.open(pageOf(dispatch))
  expect([page.status, stateOf(page), page.document.querySelector('h1')?.textContent]).toEqual([
    200,
    'failed',
    'Dispatch #1 to production',
  ])
  expect(noticeOf(page, 'bad')).toContain('The receiver answered 503. All 3 attempts failed.')
  const attempts = [...page.document.querySelectorAll('table[aria-label=Attempts] tbody tr')]
  expect(attempts.map((row) => row.querySelector('td')?.textContent)).toEqual(['3', '2', '1'])
  for (const [index, attempt] of (await now(dispatch)).attempts.toReversed().entries()) {
    const bar = attempts[index]?.querySelector('svg[role=img]')
    const { dns_ms, first_byte_ms, duration_ms } = attempt
    expect(bar?.getAttribute('aria-label')).toBe(`DNS ${dns_ms} ms, first byte ${first_byte_ms} ms, total ${duration_ms} ms`)
    const texts = [...(attempts[index]?.querySelectorAll('td.numeric') ?? [])].map((cell) => cell.textContent)
    expect(texts).toEqual([String(attempt.number), '503', `${dns_ms} ms`, `${first_byte_ms} ms`, `${duration_ms} ms`])
  }
  expect(region(page, 'Headers of the response to attempt 3')).toContain('x-reason: freeze')
  expect(region(page, 'Body of the response to attempt 3')).toBe('Deploying is frozen')
  expect([...page.document.querySelectorAll('details[open] summary')].map((each) => each.textContent)).toEqual([
    'Response to attempt 3',
  ])
  const crumbs = [...page.document.querySelectorAll('.crumbs a')].map((link) => link.textContent)
  expect(crumbs).toEqual(['Platform', 'Checkout', 'Hooks', 'Deploy'])
})

test('a receiver that cannot be reached is explained, with a bar that has no response', async () => {
  const dispatch = await send(await makeHook({ url: 'http://127.0.0.1:9/' }))
  const page = await visitor.open(pageOf(dispatch))
  expect(noticeOf(page, 'bad')).toContain('No server is listening at this address and port')
  expect(page.document.querySelectorAll('table rect.off').length).toBeGreaterThan(0)
  expect(page.text).not.toContain('Response to attempt')
})

test('the payload is indented, and secrets are masked in headers and bodies', async () => {
  const hook = await makeHook({ headers: { 'X-Api-Key': 'k-123456-secret' } })
  receiver.answer = ({ headers }) => new Response(`your key is ${headers['x-api-key']}`)
  const dispatch = await send(hook)
  const page = await visitor.open(pageOf(dispatch))
  expect(stateOf(page)).toBe('succeeded')
  expect(noticeOf(page, 'good')).toContain('The receiver accepted it with 200, at attempt 1 of 3.')
  expect(region(page, 'Payload')).toBe(JSON.stringify(JSON.parse((await now(dispatch)).payload), null, 2))
  const headers = region(page, 'Headers of the request')
  for (const line of ['X-Api-Key: ********', 'X-Signalbox-Signature: ********', 'webhook-signature: ********'])
    expect(headers).toContain(line)
  expect(region(page, 'Body of the response')).toBe('your key is ********')
  for (const secret of ['k-123456-secret', hook.secret]) expect(page.html).not.toContain(secret)
})

test('markup in headers and bodies of a response is text, and a page stays below 100 KiB', async () => {
  const evil = '</pre><script>alert("1")</script>'
  answer(500, evil + '"&<'.repeat(6_000), { 'X-Evil': evil })
  const dispatch = await send(await makeHook())
  const page = await visitor.open(pageOf(dispatch))
  expect(region(page, 'Headers of the response to attempt 3')).toContain(`x-evil: ${evil}`)
  expect(region(page, 'Body of the response to attempt 3').startsWith(evil)).toBe(true)
  expect(page.document.querySelector('main script')).toBeNull()
  expect(page.text).toContain(`GET /api/v1/dispatches/${dispatch.id} returns all of it.`)
  const assets = await Promise.all(
    [...page.document.querySelectorAll('link[rel=stylesheet], script[src]')].map(async (each) =>
      (await visitor.send('GET', each.getAttribute('href') ?? each.getAttribute('src') ?? '')).text(),
    ),
  )
  const bytes = [page.html, ...assets].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(bytes).toBeLessThan(100 * 1024)
})

test('a finished dispatch is redelivered as a new one, whose page follows', async () => {
  answer(500)
  const hook = await makeHook()
  const dispatch = await send(hook)
  answer(200)
  const page = await visitor.open(pageOf(dispatch))
  expect(buttonsOf(page)).toEqual(['Redeliver'])
  const done = await visitor.press(page, 'Redeliver')
  expect(done.path).not.toBe(pageOf(dispatch))
  expect(done.document.querySelector(`.facts a[href="${pageOf(dispatch)}"]`)?.textContent).toBe('the original')
  await box.settled()
  expect(stateOf(await visitor.open(done.path))).toBe('succeeded')
})

test('a pending dispatch is retried at once, or cancelled', async () => {
  answer(200)
  const hook = await makeHook()
  const put = (change: object) => admin.put(`/api/v1/deployment-hooks/${hook.id}`, change)
  await put({ paused: true })
  const [first, second] = [await send(hook, false), await send(hook, false)]
  expect(buttonsOf(await visitor.open(pageOf(first)))).toEqual(['Cancel'])
  const cancelled = await visitor.press(await visitor.open(pageOf(first)), 'Cancel')
  expect([cancelled.path, stateOf(cancelled)]).toEqual([pageOf(first), 'cancelled'])
  expect(noticeOf(cancelled, 'warn')).toBe('The dispatch was cancelled.')
  const refused = await visitor.post(`${pageOf(second)}/retry`)
  expect([refused.status, refused.text.includes('The hook Deploy is paused.')]).toEqual([409, true])

  // Due far in the future, so that only a retry sends it.
  await box.sql`update deliveries set due_at = now() + interval '1 hour', attempt_count = 0 where id = ${second.id}`
  await put({ paused: false })
  const page = await visitor.open(pageOf(second))
  expect(buttonsOf(page)).toEqual(['Retry now', 'Cancel'])
  const done = await visitor.press(page, 'Retry')
  expect(done.path).toBe(pageOf(second))
  await box.settled()
  expect(stateOf(await visitor.open(pageOf(second)))).toBe('succeeded')
})

test('an action that comes too late shows the dispatch as it is now', async () => {
  answer(200)
  const hook = await makeHook({ paused: true })
  const dispatch = await send(hook, false)
  const page = await visitor.open(pageOf(dispatch))
  await admin.make(`/api/v1/dispatches/${dispatch.id}/cancel`, undefined)
  await box.settled()
  const late = await visitor.press(page, 'Cancel')
  expect([late.status, stateOf(late)]).toEqual([409, 'cancelled'])
  expect(late.document.querySelector('[role=alert]')?.textContent).toContain(
    'The dispatch is cancelled and cannot become cancelled.',
  )
  expect(buttonsOf(late)).toEqual(['Redeliver'])
})

test('a dispatch of a disabled hook cannot be redelivered, and says so', async () => {
  answer(200)
  const hook = await makeHook()
  const dispatch = await send(hook)
  await admin.put(`/api/v1/deployment-hooks/${hook.id}`, { enabled: false })
  const page = await visitor.open(pageOf(dispatch))
  expect([buttonsOf(page), page.text.includes('Enable the hook to redeliver it.')]).toEqual([[], true])
  const forced = await visitor.post(`${pageOf(dispatch)}/redeliver`)
  expect([forced.status, forced.text.includes('The hook Deploy is disabled.')]).toEqual([409, true])
})

test('a member reads the page without actions, and a stranger does not find it', async () => {
  answer(200)
  const dispatch = await send(await makeHook())
  const page = await reader.open(pageOf(dispatch))
  expect([page.status, buttonsOf(page)]).toEqual([200, []])
  const stranger = await PageClient.signedIn(box, await box.user('Stranger'))
  expect((await stranger.open(pageOf(dispatch))).status).toBe(404)
  for (const name of ['redeliver', 'retry', 'cancel']) {
    expect((await reader.post(`${pageOf(dispatch)}/${name}`)).status).toBe(403)
    expect((await stranger.post(`${pageOf(dispatch)}/${name}`)).status).toBe(404)
  }
  expect((await admin.get(`/api/v1/deployment-hooks/${dispatch.hook_id}/dispatches`)).body.total).toBe(1)
})
