import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { type NameServer, nameServer } from './name-server.ts'
import { type RawServer, rawServer } from './raw-server.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OK = 'HTTP/1.1 200 OK\r\n'

let box: Box
let mail: MailCatcher
let names: NameServer
let admin: Actor
let site: Site
const stops: (() => Promise<unknown>)[] = []

/** Begun first and looked at last: they take all of their 15 seconds. */
let silent: Promise<Answer['body']>
let dripping: Promise<Answer['body']>

beforeAll(async () => {
  mail = await startMailCatcher({ smtpPort: await freePort('127.0.0.1'), webPort: await freePort('127.0.0.1') })
  names = await nameServer((name, question) => {
    if (name === 'open.test') return ['127.0.0.1']
    if (name === 'private.test') return ['10.0.0.1']
    if (name === 'metadata.test') return ['169.254.169.254']
    if (name === 'mixed.test') return ['127.0.0.1', '10.0.0.1']
    if (name === 'rebinding.test') return question % 2 ? ['127.0.0.1'] : ['10.0.0.1']
    return []
  })
  box = await signalbox({ environment: { SMTP_URL: mail.smtpUrl, DNS_SERVERS: names.address, OUTBOUND_ALLOW: '127.0.0.0/8' } })
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
  silent = pinged((await raw(() => {})).url)
  dripping = pinged(
    (
      await raw((socket) => {
        socket.write(`${OK}Content-Length: 100\r\n\r\n`)
        const timer = setInterval(() => socket.write('.'), 500)
        socket.on('close', () => clearInterval(timer))
      })
    ).url,
  )
})

afterAll(async () => {
  await box.close()
  await Promise.all([mail.stop(), names.stop(), ...stops.map((stop) => stop())])
})

async function raw(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(answer)
  stops.push(server.stop)
  return server
}

function listening(): Receiver {
  const receiver = new Receiver()
  stops.push(() => receiver.stop())
  return receiver
}

async function hookTo(url: string, input: object = {}): Promise<{ project: Answer['body']; hook: Answer['body'] }> {
  const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Checkout' })
  const hook = await admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url,
    trigger_on: 'gate_approved',
    ...input,
  })
  return { project, hook }
}

/** The only attempt of a test.ping, with the dispatch around it. */
async function pinged(url: string): Promise<Answer['body']> {
  const { hook } = await hookTo(url)
  const { status, body } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=25' })
  expect(status).toBe(200)
  return (await admin.get(`/api/v1/dispatches/${body.id}`)).body
}

const approve = async (project: Answer['body']) => box.approval(admin, (await box.running(admin, project.id)).id)

/** The hook's dispatches with their attempts, oldest first, once something is true of them. */
async function dispatches(hook: Answer['body'], hold: (found: Answer['body'][]) => boolean): Promise<Answer['body'][]> {
  let found: Answer['body'][] = []
  await box.until('its dispatches are so', async () => {
    const { body } = await admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches`)
    const items = body.items.reverse() as Answer['body'][]
    found = await Promise.all(items.map(async ({ id }) => (await admin.get(`/api/v1/dispatches/${id}`)).body))
    return hold(found)
  })
  return found
}

/** The one dispatch of a hook, once it is not pending any more. */
async function settled(hook: Answer['body']): Promise<Answer['body']> {
  const [dispatch] = await dispatches(hook, ([first]) => first !== undefined && first.status !== 'pending')
  return dispatch
}

/** The one dispatch of a hook, once its first attempt is on record. */
async function tried(hook: Answer['body']): Promise<Answer['body']> {
  const [dispatch] = await dispatches(hook, ([first]) => first?.attempt_count >= 1)
  return dispatch
}

describe('a dispatch that fails', () => {
  test('is sent again: the same bytes and id, a new number, time and signature, and each attempt is on record', async () => {
    const receiver = listening()
    receiver.answer = async (_, number) => {
      // The time of the signature has whole seconds.
      if (number === 1) await Bun.sleep(1_050)
      return number < 3
        ? new Response(`no ${number}`, { status: 500, headers: { 'X-Number': String(number) } })
        : new Response('yes')
    }
    const { project, hook } = await hookTo(receiver.url, { secret: SECRET })
    await approve(project)
    const requests = await receiver.waitFor(3)
    const dispatch = await settled(hook)

    const values = (name: string) => requests.map(({ headers }) => headers[name])
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(values('webhook-id')).toEqual([dispatch.id, dispatch.id, dispatch.id])
    expect(values('x-signalbox-delivery')).toEqual([dispatch.id, dispatch.id, dispatch.id])
    expect(values('x-signalbox-sequence')).toEqual(['1', '1', '1'])
    expect(values('x-signalbox-attempt')).toEqual(['1', '2', '3'])
    const [first = 0, second = 0] = values('webhook-timestamp').map(Number)
    expect(second).toBeGreaterThan(first)
    expect(values('webhook-signature')[0]).not.toBe(values('webhook-signature')[1])
    expect(new Set(values('x-signalbox-signature')).size).toBe(1)
    // The delay of 0.2 s counts from the answer.
    expect((requests[2]?.at ?? 0) - (requests[1]?.at ?? 0)).toBeGreaterThanOrEqual(195)

    expect(dispatch).toMatchObject({
      status: 'succeeded',
      attempt_count: 3,
      max_attempts: 3,
      next_attempt_at: null,
      response_status: 200,
      response_body: 'yes',
      error: null,
    })
    expect(dispatch.attempts).toHaveLength(3)
    for (const [index, attempt] of dispatch.attempts.entries()) {
      const failed = index < 2
      expect(attempt).toEqual({
        number: index + 1,
        started_at: expect.stringMatching(/Z$/),
        address: '127.0.0.1',
        dns_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        response_status: failed ? 500 : 200,
        response_headers: failed ? expect.objectContaining({ 'x-number': String(index + 1) }) : expect.any(Object),
        response_body: failed ? `no ${index + 1}` : 'yes',
        error: failed ? { code: 'http_error', detail: 'The receiver answered 500.' } : null,
      })
    }
    expect(dispatch.attempts[0].duration_ms).toBeGreaterThanOrEqual(1_000)
    const starts = dispatch.attempts.map(({ started_at }: Answer['body']) => Date.parse(started_at))
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
  })

  test('is given up after its last attempt', async () => {
    const receiver = listening()
    receiver.answer = () => new Response('no', { status: 503 })
    const { project, hook } = await hookTo(receiver.url)
    await approve(project)
    const dispatch = await settled(hook)
    expect(dispatch).toMatchObject({
      status: 'failed',
      attempt_count: 3,
      next_attempt_at: null,
      response_status: 503,
      error: { code: 'http_error' },
    })
    expect(dispatch.completed_at).toEndWith('Z')
    expect(dispatch.attempts).toHaveLength(3)
    expect(receiver.requests).toHaveLength(3)
  })

  test('is given up at once where the receiver says so, in any case of the word', async () => {
    const receiver = listening()
    receiver.answer = () => new Response('stop it', { status: 500, headers: { 'x-signalbox-CONTROL': 'STOP' } })
    const { project, hook } = await hookTo(receiver.url)
    await approve(project)
    expect(await settled(hook)).toMatchObject({ status: 'failed', attempt_count: 1, max_attempts: 3 })
    expect(receiver.requests).toHaveLength(1)
    expect((await admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body.enabled).toBeTrue()
  })

  test('is taken up by the hook as it is then', async () => {
    const receiver = listening()
    receiver.answer = ({ path }) => new Response('', { status: path === '/old' ? 500 : 200 })
    const { project, hook } = await hookTo(`${receiver.url}/old`)
    await approve(project)
    await receiver.waitFor(1)
    await box.sql`update deployment_hooks set url = ${`${receiver.url}/new`} where id = ${hook.id}`
    expect(await settled(hook)).toMatchObject({ status: 'succeeded' })
    const [first] = receiver.requests
    expect(receiver.requests.at(-1)).toMatchObject({ path: '/new', body: first?.body })
  })
})

describe('a receiver that asks to wait', () => {
  const until = ({ attempts, next_attempt_at }: Answer['body']) =>
    (Date.parse(next_attempt_at) - Date.parse(attempts[0].started_at) - attempts[0].duration_ms) / 1000

  test.each([429, 502, 503, 504])('with %d and seconds is heard', async (status) => {
    const receiver = listening()
    receiver.answer = () => new Response('', { status, headers: { 'Retry-After': '100' } })
    const { project, hook } = await hookTo(receiver.url)
    await approve(project)
    const dispatch = await tried(hook)
    expect(dispatch).toMatchObject({ status: 'pending', attempt_count: 1, response_status: status })
    expect(until(dispatch)).toBeWithin(99.9, 105)
  })

  test('with a date is heard, and for an hour at the most', async () => {
    const receiver = listening()
    let seconds = 200
    receiver.answer = () =>
      new Response('', { status: 503, headers: { 'Retry-After': new Date(Date.now() + seconds * 1000).toUTCString() } })
    const soon = await hookTo(receiver.url)
    await approve(soon.project)
    expect(until(await tried(soon.hook))).toBeWithin(197, 206)
    seconds = 86_400
    const late = await hookTo(receiver.url)
    await approve(late.project)
    expect(until(await tried(late.hook))).toBeWithin(3_599, 3_606)
  })

  test('for less than the schedule has, or with another status, is not', async () => {
    const receiver = listening()
    receiver.answer = ({ path }) =>
      new Response('', { status: path === '/500' ? 500 : 503, headers: { 'Retry-After': path === '/500' ? '100' : '0' } })
    for (const path of ['/500', '/503']) {
      const { project, hook } = await hookTo(receiver.url + path)
      await approve(project)
      expect(await settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3 })
    }
  })
})

test('a redirect is not followed, wherever it leads', async () => {
  const receiver = listening()
  receiver.answer = ({ path }) =>
    path.startsWith('/away')
      ? new Response('', { status: Number(path.slice(-3)), headers: { Location: `${receiver.url}/trap` } })
      : new Response('trapped')
  for (const status of [301, 302, 303, 307, 308]) {
    expect(await pinged(`${receiver.url}/away-${status}`)).toMatchObject({
      status: 'failed',
      response_status: status,
      error: { code: 'redirect' },
    })
  }
  const { project, hook } = await hookTo(`${receiver.url}/away-302`)
  await approve(project)
  expect(await settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3, error: { code: 'redirect' } })
  expect(receiver.requests.filter(({ path }) => path === '/trap')).toEqual([])
})

test('a receiver that answers 410 switches its hook off, cancels what waits, and the admins are told', async () => {
  const receiver = listening()
  const lead = await box.user('Lea Lead')
  await box.join(lead, site, 'member', 'admin')
  const member = await box.user('Mia Member')
  await box.join(member, site, 'member', 'member')
  // The first waits for long, the second is answered with 410.
  receiver.answer = (_, number) =>
    number === 1 ? new Response('', { status: 503, headers: { 'Retry-After': '600' } }) : new Response('gone', { status: 410 })
  const { project, hook } = await hookTo(receiver.url, { name: 'Deploy to the past' })
  await approve(project)
  await tried(hook)
  await approve(project)
  const [waiting, gone] = await dispatches(
    hook,
    (found) => found.length === 2 && found.every(({ status }) => status !== 'pending'),
  )

  expect(waiting).toMatchObject({
    status: 'cancelled',
    attempt_count: 1,
    next_attempt_at: null,
    error: { code: 'hook_disabled' },
  })
  expect(waiting.completed_at).toEndWith('Z')
  expect(gone).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 410, error: { code: 'gone' } })
  expect((await admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'The receiver answered 410 Gone.',
  })

  const events = await box.sql<{ name: string; data: Answer['body'] }[]>`
    select name, data from outbox where project_id = ${project.id} and (name like 'deployment.%' or name like 'hook.%') order by id
  `
  expect(events.map(({ name }) => name).sort()).toEqual(['deployment.failed', 'hook.disabled'])
  expect(events.find(({ name }) => name === 'hook.disabled')?.data).toMatchObject({
    reason: 'The receiver answered 410 Gone.',
    hook: { id: hook.id, enabled: false, has_secret: false },
  })
  const [entry] = await box.sql`
    select actor_type, actor_id, actor_name, action, ip_address, workspace_id
    from audit_log_entries
    where resource_id = ${hook.id} and action = 'hook.disabled'
  `
  expect(entry).toEqual({
    actor_type: 'system',
    actor_id: null,
    actor_name: 'Signalbox',
    action: 'hook.disabled',
    ip_address: null,
    workspace_id: site.workspace.id,
  })

  await box.until('both admins have mail', async () => mail.messages.length >= 2)
  await box.until(
    'no job is left',
    async () => (await box.sql`select id from graphile_worker.jobs where task_identifier = 'mail_hook_disabled'`).length === 0,
  )
  expect(mail.messages.flatMap(({ to }) => to).sort()).toEqual([admin.email, lead.email].sort())
  for (const { subject, text } of mail.messages) {
    expect(subject).toBe('Deployment hook "Deploy to the past" was switched off')
    expect(text).toContain('The receiver answered 410 Gone.')
  }

  // Nothing goes out any more, but a test.
  const seen = receiver.requests.length
  await approve(project)
  await box.until('it is drained', async () => (await box.sql`select id from outbox where drained_at is null`).length === 0)
  receiver.answer = () => new Response('back again')
  const { body } = await admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  expect(body).toMatchObject({ status: 'succeeded', response_body: 'back again' })
  expect(receiver.requests.slice(seen).map(({ headers }) => headers['x-signalbox-event'])).toEqual(['test.ping'])
})

describe('a connection', () => {
  test('that is refused is a failure', async () => {
    expect(await pinged(`http://127.0.0.1:${await freePort('127.0.0.1')}/`)).toMatchObject({
      status: 'failed',
      response_status: null,
      attempts: [{ error: { code: 'connection_failed' }, response_status: null, response_headers: null, address: '127.0.0.1' }],
    })
  })

  test('that is cut before the answer is a failure, and the attempt is made once', async () => {
    const server = await raw((socket) => socket.destroy())
    expect(await pinged(server.url)).toMatchObject({ status: 'failed', error: { code: 'connection_failed' } })
    expect(server.count()).toBe(1)
    const { project, hook } = await hookTo(server.url)
    await approve(project)
    expect(await settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3 })
    expect(server.count()).toBe(4)
  })

  test('that is reset is a failure', async () => {
    const server = await raw((socket) => socket.resetAndDestroy())
    expect(await pinged(server.url)).toMatchObject({ status: 'failed', error: { code: 'connection_failed' } })
  })

  test('that speaks something else is a failure', async () => {
    const server = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await pinged(server.url)).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'connection_failed' },
    })
  })

  test('that is cut after a 200 is a success, with what came and a note', async () => {
    const server = await raw((socket) => {
      socket.write(`${OK}Content-Length: 1000\r\n\r\nhalf a`)
      setTimeout(() => socket.destroy(), 50)
    })
    const dispatch = await pinged(server.url)
    expect(dispatch).toMatchObject({ status: 'succeeded', response_status: 200, response_body: 'half a', error: null })
    expect(dispatch.attempts).toMatchObject([{ response_body: 'half a', error: { code: 'connection_failed' } }])
  })

  test('that is cut after a 500 is judged by the 500', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 500 Oh no\r\nContent-Length: 1000\r\n\r\nhalf a')
      setTimeout(() => socket.destroy(), 50)
    })
    expect(await pinged(server.url)).toMatchObject({ status: 'failed', response_status: 500, error: { code: 'http_error' } })
  })
})

describe('an answer', () => {
  test('without end is cut, and has succeeded', async () => {
    const server = await raw((socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    const dispatch = await pinged(server.url)
    expect(dispatch).toMatchObject({ status: 'succeeded', response_body: 'x'.repeat(16_384) })
    expect(dispatch.duration_ms).toBeLessThan(5_000)
  })

  test('that is a compressed bomb is kept as it came, and has succeeded', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const receiver = listening()
    receiver.answer = () => new Response(bomb, { headers: { 'Content-Encoding': 'gzip' } })
    const dispatch = await pinged(receiver.url)
    expect(dispatch.status).toBe('succeeded')
    expect(Buffer.byteLength(dispatch.response_body)).toBeLessThan(3 * 16_384 + 1)
  })

  test('of which the encoding is a lie has succeeded', async () => {
    const receiver = listening()
    receiver.answer = () => new Response('no gzip at all', { headers: { 'Content-Encoding': 'gzip' } })
    expect(await pinged(receiver.url)).toMatchObject({ status: 'succeeded', response_body: 'no gzip at all' })
  })

  test('that is no text is kept as text', async () => {
    const receiver = listening()
    receiver.answer = () => new Response(new Uint8Array([0x41, 0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x42]))
    const { status, response_body } = await pinged(receiver.url)
    expect(status).toBe('succeeded')
    expect(response_body).toMatch(/^A\uFFFD+\(\uFFFD+B$/)
  })

  test('is kept up to 16 KiB, and so are its headers', async () => {
    const receiver = listening()
    const headers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-Long-${index}`, 'h'.repeat(3_000)]))
    receiver.answer = () => new Response('é'.repeat(100_000), { status: 400, headers })
    const { response_body, attempts } = await pinged(receiver.url)
    expect(response_body).toBe('é'.repeat(8_192))
    const kept = Object.entries(attempts[0].response_headers as Record<string, string>)
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0)).toBeLessThanOrEqual(16_384)
  })

  test('of 204 without a body has succeeded', async () => {
    const receiver = listening()
    receiver.answer = () => new Response(null, { status: 204 })
    expect(await pinged(receiver.url)).toMatchObject({ status: 'succeeded', response_status: 204, response_body: '' })
  })
})

describe('a name', () => {
  test('is resolved, and keeps its place in the Host header', async () => {
    const receiver = listening()
    const port = new URL(receiver.url).port
    const dispatch = await pinged(`http://open.test:${port}/hook`)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
    expect(receiver.requests[0]?.headers.host).toBe(`open.test:${port}`)
  })

  test.each([
    ['private.test', '10.0.0.1', 'private'],
    ['metadata.test', '169.254.169.254', 'linkLocal'],
    ['mixed.test', '10.0.0.1', 'private'],
  ])('%s, which leads to %s, is refused, and the refusal names the range and the setting', async (name, address, range) => {
    const receiver = listening()
    const { status, error, attempts, response_status } = await pinged(`http://${name}:${new URL(receiver.url).port}/`)
    expect({ status, response_status, error }).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'blocked_address' },
    })
    for (const word of [name, address, `"${range}"`, 'OUTBOUND_ALLOW']) expect(error.detail).toContain(word)
    expect(attempts[0].address).toBeNull()
    expect(receiver.requests).toEqual([])
  })

  test('that nobody knows is a failure', async () => {
    expect(await pinged('http://nobody.test/')).toMatchObject({ status: 'failed', error: { code: 'dns_failure' } })
  })

  test('that answers differently the next time gains nothing: what was checked is what is connected to', async () => {
    const receiver = listening()
    const { hook } = await hookTo(`http://rebinding.test:${new URL(receiver.url).port}/`)
    const ping = () => admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    const before = names.asked.length
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    // Asked once for the whole request: a second question would have been answered with 10.0.0.1.
    expect(names.asked.slice(before).filter((question) => question === 'A rebinding.test')).toHaveLength(1)
    expect(await ping()).toMatchObject({ status: 'failed', error: { code: 'blocked_address' } })
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    expect(receiver.requests).toHaveLength(2)
  })
})

test('there are 15 seconds for all of a request: silence is a failure, and a 200 whose body drips a success with a note', async () => {
  const [never, drips] = await Promise.all([silent, dripping])
  expect(never).toMatchObject({ status: 'failed', response_status: null, error: { code: 'timeout' } })
  expect(never.duration_ms).toBeWithin(14_900, 17_000)
  expect(drips).toMatchObject({ status: 'succeeded', response_status: 200, error: null })
  expect(drips.attempts[0].error.code).toBe('timeout')
  expect(drips.attempts[0].response_body).toMatch(/^\.{10,30}$/)
  expect(drips.duration_ms).toBeWithin(14_900, 17_000)
})
