import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { SlackWorkbench } from '../slack/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, PASSWORD } from '../support/signalbox.ts'
import { SlackServer } from '../support/slack.ts'

type Body = Answer['body']

const webhook = { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }

let slack: SlackServer
let bench: SlackWorkbench
let visitor: PageClient
let grace: Actor
let other: PageClient

beforeAll(async () => {
  slack = new SlackServer()
  const environment = { SLACK_CLIENT_ID: 'client', SLACK_CLIENT_SECRET: 'client-secret', SLACK_API_URL: slack.url }
  bench = await SlackWorkbench.open({ environment })
  bench.with(slack)
  grace = await bench.box.user('Grace')
  await bench.box.join(grace, bench.site, 'member', 'member')
  visitor = await PageClient.signedIn(bench.box, bench.admin)
  other = await PageClient.signedIn(bench.box, grace)
})
afterAll(() => bench.close())

/** What browsers send that load a page before anyone opens it, or for something else than a page. */
const AHEAD: [header: string, value: string][] = [
  ['Sec-Purpose', 'prefetch'],
  ['Purpose', 'prefetch'],
  ['X-Moz', 'prefetch'],
  ['Sec-Fetch-Dest', 'image'],
]

const pageOf = ({ id }: Body) => `/app/notification-channels/${id}`

/** The link "Add to Slack" on the page of a channel; null if it has none. */
async function linkOn(channel: Body, who = visitor): Promise<string | null> {
  const { document } = await who.open(pageOf(channel))
  return (
    [...document.querySelectorAll('main a')].find((each) => each.textContent === 'Add to Slack')?.getAttribute('href') ?? null
  )
}

/** Where Slack sends the browser of a person who has authorized the app. */
async function callbackFor(channel: Body, code = crypto.randomUUID()): Promise<string> {
  slack.codes.add(code)
  const state = new URL((await linkOn(channel)) ?? '').searchParams.get('state') ?? ''
  return `/slack/oauth?${new URLSearchParams({ code, state })}`
}

const tokens = { count: 0 }

/** A link as Slack shows it to an unknown person. */
async function linkFor(external_id: string): Promise<string> {
  tokens.count += 1
  const token = `token-${tokens.count}`
  await bench.box.sql`
    insert into slack_link_tokens (hash, team_id, external_id, expires_at)
    values (
      ${createHash('sha256').update(token).digest()}, 'T0ACME', ${external_id}, now() + interval '10 minutes'
    )
  `
  return `/link/slack?token=${token}`
}

const identitiesOf = async (actor: Actor): Promise<Body[]> => (await actor.get('/api/v1/users/me/identities')).body

describe('Add to Slack', () => {
  test('is offered on the page of a Slack channel, to admins, and stores the bot token', async () => {
    const channel = await bench.channel('slack', webhook)
    expect(await linkOn(channel, other)).toBeNull()
    expect(await linkOn(await bench.channel('webhook', { url: 'https://example.com/' }))).toBeNull()
    const done = await visitor.open(await callbackFor(channel))
    expect([done.status, done.path, done.text.includes('Slack was added.')]).toEqual([200, pageOf(channel), true])
    const { body } = await bench.admin.get(`${bench.path}/${channel.id}`)
    expect(body.config).toMatchObject({ bot_token: '********' })
    expect(done.html).not.toContain('xoxb-')
  })

  test('works once: anything else is a page with 400', async () => {
    const channel = await bench.channel('slack', webhook)
    const callback = await callbackFor(channel)
    const attempts: [PageClient, string][] = [
      [visitor, '/slack/oauth'],
      [visitor, '/slack/oauth?code=x&state=nonsense'],
      [visitor, '/slack/oauth?error=access_denied&state=x'],
      [other, callback],
    ]
    for (const [who, path] of attempts) {
      const page = await who.open(path)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 400, 'text/html; charset=utf-8'])
      expect(page.document.querySelector('h1')?.textContent).toBe('Slack was not added')
    }
    await visitor.send('HEAD', callback)
    for (const [name, value] of AHEAD) {
      expect((await visitor.send('GET', callback, undefined, { [name]: value })).status).toBe(400)
    }
    expect((await visitor.open(callback)).status).toBe(200)
    expect((await visitor.open(callback)).text).toContain('was used before')
  })

  test('asks who is not signed in to sign in first, and keeps the link', async () => {
    const callback = await callbackFor(await bench.channel('slack', webhook))
    const sent = await new PageClient(bench.box).send('GET', callback)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(callback)}`])
  })
})

describe('The link for a Slack account', () => {
  /** Where the page of a link leads, to sign in with Slack. */
  const signInOn = async (path: string, who = visitor): Promise<string> => {
    const { document } = await who.open(path)
    return (
      [...document.querySelectorAll('main a')].find((each) => each.textContent === 'Continue with Slack')?.getAttribute('href') ??
      ''
    )
  }

  test('is proven by signing in to Slack as who clicked', async () => {
    const path = await linkFor('U0ADA')
    const page = await visitor.open(path)
    expect(page.status).toBe(200)
    for (const text of ['U0ADA', 'T0ACME', bench.admin.name, bench.admin.email]) expect(page.text).toContain(text)
    expect(page.html).not.toContain(path.split('=')[1])
    expect(page.document.querySelector('main form')).toBeNull()
    const href = await signInOn(path)
    expect(href).toStartWith(`${new URL(slack.url).origin}/openid/connect/authorize?`)
    const callback = slack.authorize(href, 'U0ADA')
    await visitor.send('HEAD', callback)
    expect((await visitor.send('GET', callback, undefined, { 'Sec-Purpose': 'prefetch;prerender' })).status).toBe(400)
    expect(await identitiesOf(bench.admin)).toEqual([])
    const done = await visitor.open(callback)
    expect([done.status, done.path, done.text.includes('Your Slack account is linked.')]).toEqual([200, '/app/account', true])
    expect(await identitiesOf(bench.admin)).toMatchObject([{ team_id: 'T0ACME', external_id: 'U0ADA' }])
    expect((await visitor.open(callback)).status).toBe(410)
    expect((await visitor.open(path)).status).toBe(410)
  })

  test('is not confirmed by a password', async () => {
    const path = await linkFor('U0WORD')
    const page = await visitor.post(path, { current_password: PASSWORD })
    expect([page.status, page.text.includes('Continue with Slack')]).toEqual([409, true])
    expect((await visitor.open(path)).status).toBe(200)
  })

  test('that someone else asked for and sent on links nothing: its reader is someone else in Slack', async () => {
    const path = await linkFor('U0EVE')
    for (const [user, team] of [
      ['U0ADA', 'T0ACME'],
      ['U0EVE', 'T0OTHER'],
    ] as const) {
      const page = await visitor.open(slack.authorize(await signInOn(path), user, team))
      expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([
        409,
        'The Slack account is not proven to be yours',
      ])
    }
    expect(await identitiesOf(bench.admin)).toMatchObject([{ external_id: 'U0ADA' }])
  })

  test('that the sender began to sign in for works in no other session', async () => {
    const path = await linkFor('U0MALLORY')
    const callback = slack.authorize(await signInOn(path, other), 'U0MALLORY')
    const page = await visitor.open(callback)
    expect([page.status, page.text.includes('another session')]).toEqual([400, true])
    expect((await other.open(callback)).status).toBe(200)
    expect(await identitiesOf(grace)).toMatchObject([{ external_id: 'U0MALLORY' }])
    await bench.box.sql`delete from user_identities where external_id = 'U0MALLORY'`
  })

  test.each([
    ['another nonce', { nonce: 'x' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another-app' }],
    ['an expired token', { exp: 1 }],
  ])('is not proven by %s', async (_, claims) => {
    const path = await linkFor('U0CLAIMS')
    const callback = slack.authorize(await signInOn(path), 'U0CLAIMS')
    slack.claims = claims
    const page = await visitor.open(callback)
    slack.claims = {}
    expect([page.status, page.text.includes('another sign-in')]).toEqual([400, true])
    expect((await visitor.open(path)).status).toBe(200)
  })

  test.each([
    ['nothing', '/slack/oauth/link'],
    ['a forged state', '/slack/oauth/link?code=x&state=nonsense'],
    ['a cancelled sign-in', '/slack/oauth/link?error=access_denied&state=x'],
  ])('is not proven by %s', async (_, path) => {
    expect((await visitor.open(path)).status).toBe(400)
  })

  test('is mailed to nobody and links nothing if Slack fails', async () => {
    const path = await linkFor('U0DOWN')
    const callback = slack.authorize(await signInOn(path), 'U0DOWN')
    slack.fault = (method) => (method === 'openid.connect.token' ? new Response('{"ok":true}', { status: 500 }) : null)
    expect((await visitor.open(callback)).status).toBe(400)
    slack.fault = () => null
    expect((await visitor.open(callback)).status).toBe(200)
    await bench.box.sql`delete from user_identities where external_id = 'U0DOWN'`
  })

  test('can be undone: linked accounts are listed, and unlinked by their user alone', async () => {
    await bench.link(grace, 'U0GRACE')
    const [mine] = await identitiesOf(grace)
    const stranger = await PageClient.signedIn(bench.box, await bench.box.user('Stranger'))
    expect((await stranger.open('/app/account')).text).toContain('No account is linked.')
    expect((await stranger.post(`/app/account/identities/${mine.id}/unlink`)).status).toBe(404)
    const page = await other.open('/app/account')
    expect(page.text).toContain('U0GRACE')
    const done = await other.press(page, 'Unlink')
    expect([done.status, done.text.includes('was unlinked'), await identitiesOf(grace)]).toEqual([200, true, []])
  })
})
