/** Replacing the keys of a hook from its page, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { PullWorkbench } from '../pull-hooks/workbench.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

const EVIL = '<u>Deploy</u>'

let bench: PullWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await PullWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const pageOf = ({ id }: Body) => `/app/deployment-hooks/${id}`
const shownIn = ({ document }: Visit): string => document.querySelector('main code.whole')?.textContent ?? ''
const WAIT = { Prefer: 'wait=20' }

async function press({ hook }: { hook: Body }, button: string, fields: Record<string, string> = {}): Promise<Visit> {
  const done = await visitor.press(await visitor.open(pageOf(hook)), button, fields)
  expect([done.status, done.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(done.document.querySelector('main u')).toBeNull()
  expect(done.document.querySelector(`main a[href="${pageOf(hook)}"]`)?.textContent).toBe('Back to the hook')
  return done
}

describe('The keys on the page of a hook', () => {
  test('are a secret, shown once; the old one also signs as long as was chosen', async () => {
    const { hook, receiver } = await bench.hooked({ name: EVIL, secret: 'the-old-secret' })
    const before = Date.now()
    const done = await press({ hook }, 'Rotate the secret', { overlap_seconds: '3600' })
    const secret = shownIn(done)
    expect(secret).toStartWith('whsec_')
    expect(done.text).toContain('It is shown only this once')
    const until = done.document.querySelector('main time')?.getAttribute('datetime') ?? ''
    expect(Date.parse(until) - 3_600_000).toBeWithin(before - 1, Date.now() + 2)
    expect((await visitor.open(pageOf(hook))).html).not.toContain(secret)
    expect(await bench.lastEntry(hook.id)).toMatchObject({
      action: 'deployment_hook.secret_rotated',
      actor_id: bench.admin.id,
    })
    await bench.ask(hook, 'test', undefined, WAIT)
    const [request] = receiver.requests
    const signed = (key: string | Buffer) =>
      `sha256=${createHmac('sha256', key)
        .update(request?.body ?? '')
        .digest('hex')}`
    expect(request?.headers['x-signalbox-signature']).toBe(signed(Buffer.from(secret.slice('whsec_'.length), 'base64')))
    expect(request?.headers['x-signalbox-signature-previous']).toBe(signed('the-old-secret'))

    const last = await press({ hook }, 'Rotate the secret', { overlap_seconds: '0' })
    expect([shownIn(last) === secret, last.text.includes('No other secret signs.')]).toEqual([false, true])
  })

  test('are made for a hook without a secret', async () => {
    const { hook } = await bench.hooked({ secret: null })
    expect((await visitor.open(pageOf(hook))).text).toContain('Requests of this hook are not signed.')
    const done = await press({ hook }, 'Make a secret')
    expect([shownIn(done).slice(0, 6), done.text.includes('No other secret signs.')]).toEqual(['whsec_', true])
    expect((await visitor.open(pageOf(hook))).text).not.toContain('are not signed')
  })

  test('are a key pair, of which the public key is shown', async () => {
    const { hook } = await bench.hooked({ signature: 'ed25519' })
    const done = await press({ hook }, 'Rotate the key pair')
    const { public_key } = (await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body
    expect([shownIn(done), public_key === hook.public_key]).toEqual([public_key, false])
    expect([done.html.includes('whsk_'), done.text.includes('It is shown only this once')]).toEqual([false, false])
  })

  test('include the token of a pull hook, which replaces the one before', async () => {
    const pulled = await bench.pulled({ name: EVIL })
    const done = await press(pulled, 'New pull token')
    const token = shownIn(done)
    expect(token).toMatch(/^sbx_pull_[\w-]{43}$/)
    expect((await visitor.open(pageOf(pulled.hook))).html).not.toContain(token)
    expect((await bench.claimWith(pulled.token, pulled.hook)).status).toBe(401)
    expect((await bench.claimWith(token, pulled.hook)).status).toBe(200)
    expect(await bench.lastEntry(pulled.hook.id)).toMatchObject({ action: 'deployment_hook.pull_token_created' })
    // A claimed dispatch is signed, too.
    expect(shownIn(await press(pulled, 'Rotate the secret'))).toStartWith('whsec_')
  })

  test('refuse what the API refuses, on the page of the hook', async () => {
    const { hook } = await bench.hooked()
    const page = await visitor.open(pageOf(hook))
    expect(page.text).not.toContain('Pull token')
    const wrong = await visitor.press(page, 'Rotate the secret', { overlap_seconds: '604801' })
    expect([wrong.status, wrong.document.querySelector('#overlap_seconds-error') !== null]).toEqual([422, true])
    const push = await visitor.post(`${pageOf(hook)}/pull-token`)
    expect([push.status, push.text.includes('Only a hook with the mode pull')]).toEqual([409, true])
    const now = (await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body
    expect(now.updated_at).toBe(hook.updated_at)
  })
})
