import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { SlackWorkbench } from '../slack/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
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
async function linkFor(external_id: string, minutes = 10): Promise<string> {
  tokens.count += 1
  const token = `token-${tokens.count}`
  await bench.box.sql`
    insert into slack_link_tokens (hash, team_id, external_id, expires_at)
    values (
      ${createHash('sha256').update(token).digest()}, 'T0ACME', ${external_id}, now() + ${minutes} * interval '1 minute'
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
  test('shows who is linked to what, changes nothing when opened, and links once confirmed', async () => {
    const path = await linkFor('U0ADA')
    const page = await visitor.open(path)
    expect(page.status).toBe(200)
    for (const text of ['U0ADA', 'T0ACME', bench.admin.name, bench.admin.email]) expect(page.text).toContain(text)
    expect(page.html).not.toContain(path.split('=')[1])
    await visitor.send('HEAD', path)
    expect(await identitiesOf(bench.admin)).toEqual([])
    const done = await visitor.press({ ...page, path }, 'Link this account')
    expect([done.status, done.text.includes('Your Slack account is linked.')]).toEqual([200, true])
    expect(await identitiesOf(bench.admin)).toMatchObject([{ team_id: 'T0ACME', external_id: 'U0ADA' }])
    for (const again of [await visitor.open(path), await visitor.post(path)]) {
      expect([again.status, again.text.includes('This link was used or has expired.')]).toEqual([410, true])
    }
  })

  test('is a page with 410 once it has expired, or if it is unknown', async () => {
    for (const path of [await linkFor('U0LATE', -1), '/link/slack?token=unknown', '/link/slack']) {
      for (const page of [await visitor.open(path), await visitor.post(path)]) {
        expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([410, 'The link is used or has expired'])
      }
    }
  })

  test('is a page with 409 if the account belongs to another user, and then still works for that user', async () => {
    await bench.link(grace, 'U0GRACE')
    const path = await linkFor('U0GRACE')
    const page = await visitor.post(path)
    expect([page.status, page.text.includes('is linked to another Signalbox account')]).toEqual([409, true])
    expect((await other.post(path)).status).toBe(200)
  })

  test('needs a session, also to confirm, and leads back to itself', async () => {
    const path = await linkFor('U0NOBODY')
    for (const method of ['GET', 'POST']) {
      const sent = await new PageClient(bench.box).send(method, path)
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
    }
    const foreign = await visitor.send('POST', path, '', { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect((await visitor.open(path)).status).toBe(200)
  })

  test('can be undone: linked accounts are listed, and unlinked by their user alone', async () => {
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
