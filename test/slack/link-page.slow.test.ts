/** The page that links a Slack account, where the operator's Slack app cannot tell who opened it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import type { Member } from '../support/slack.ts'
import { linkPathIn, SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench
let mail: Mailbox

beforeAll(async () => {
  mail = await Mailbox.open()
  const { SMTP_URL = '', MAIL_FROM = '' } = mail.environment
  bench = await SlackWorkbench.open({ environment: { SMTP_URL, MAIL_FROM } })
})
afterAll(() => bench.close())

const USED = 'This link was used or has expired.'

/** Clicks as someone who is not linked. @returns the path of the link that Slack shows them */
async function linkFor(external_id: string, members: Member[] | null = null): Promise<string> {
  const room = await bench.room('gate.pending')
  room.slack.members = members
  const { message } = await bench.gateIn(room)
  await room.slack.click(bench.box, message, 'Approve', external_id)
  await bench.shows('the link', () => linkPathIn(room.slack, external_id) !== null)
  return linkPathIn(room.slack, external_id) ?? ''
}

async function person(name: string): Promise<[Actor, PageClient]> {
  const actor = await bench.box.user(name)
  return [actor, await PageClient.signedIn(bench.box, actor)]
}

const linked = async (actor: Actor) => (await actor.get('/api/v1/users/me/identities')).body

const confirm = (visitor: PageClient, path: string, current_password: string) => visitor.post(path, { current_password })

test('names the person and the Slack workspace, says what the link allows, and asks for the password', async () => {
  const [ada, visitor] = await person('Ada Lovelace')
  const path = await linkFor('U0ADA', [{ id: 'U0ADA', name: 'Ada in Slack', email: ada.email.toUpperCase() }])
  const page = await visitor.open(path)
  expect(page.status).toBe(200)
  for (const text of [
    'Ada in Slack',
    'U0ADA',
    'acme.slack.com',
    'T0ACME',
    ada.name,
    ada.email,
    'approves and rejects gates in your name',
  ])
    expect(page.text).toContain(text)
  expect(page.html).not.toContain(path.split('=')[1])
  await visitor.send('HEAD', path)
  for (const current_password of ['', 'not my password']) {
    const refused = await confirm(visitor, path, current_password)
    expect([refused.status, refused.document.querySelector('[aria-describedby]')?.getAttribute('name')]).toEqual([
      422,
      'current_password',
    ])
  }
  expect(await linked(ada)).toEqual([])
  const done = await visitor.press({ ...page, path }, 'Link this account', { current_password: PASSWORD })
  expect([done.status, done.text.includes('Your Slack account is linked.')]).toEqual([200, true])
  expect(await linked(ada)).toMatchObject([{ team_id: 'T0ACME', external_id: 'U0ADA' }])
  for (const again of [await visitor.open(path), await confirm(visitor, path, PASSWORD)]) {
    expect([again.status, again.text.includes(USED)]).toEqual([410, true])
  }
})

test('a new link is mailed to the account', async () => {
  const [joan, visitor] = await person('Joan')
  expect((await confirm(visitor, await linkFor('U0JOAN'), PASSWORD)).status).toBe(200)
  const { text } = await mail.newest(bench.box, joan.email, 'Your account was changed')
  // Without what keeps mail programs from linking it.
  expect(text.replaceAll('\u200b', '')).toContain(
    'The Slack account “u0joan” (U0JOAN) of the Slack workspace “acme.slack.com” (T0ACME) was linked',
  )
})

describe('a link that someone else asked for', () => {
  test('is refused where Slack says that the address is another one', async () => {
    const [grace, visitor] = await person('Grace Hopper')
    const path = await linkFor('U0EVE', [{ id: 'U0EVE', name: 'Grace Hopper', email: 'eve@evil.example' }])
    for (const page of [await visitor.open(path), await confirm(visitor, path, PASSWORD)]) {
      expect([page.status, page.text.includes('eve@evil.example')]).toEqual([409, true])
    }
    expect(await linked(grace)).toEqual([])
  })

  test('shows what Slack says of the sender, and not what others say', async () => {
    const [, visitor] = await person('Grace Hopper')
    // Someone of that id in another Slack workspace.
    const path = await linkFor('U0MALLORY', [{ id: 'U0MALLORY', name: 'Grace Hopper', email: 'x@example.com', team: 'T0OTHER' }])
    const page = await visitor.open(path)
    expect([page.status, page.text.includes('u0mallory'), page.text.includes('x@example.com')]).toEqual([200, true, false])
  })
})

test('an account of another user stays theirs, and the link still works for them', async () => {
  const [[, visitor], [grace, owner]] = [await person('Eve'), await person('Grace Hopper')]
  const path = await linkFor('U0GRACE')
  await bench.link(grace, 'U0GRACE')
  const page = await confirm(visitor, path, PASSWORD)
  expect([page.status, page.text.includes('is linked to another Signalbox account')]).toEqual([409, true])
  expect((await confirm(owner, path, PASSWORD)).status).toBe(200)
})

test('a link that has expired or is unknown is a page with 410', async () => {
  const [, visitor] = await person('Late')
  const late = await linkFor('U0LATE')
  await bench.box.sql`update slack_link_tokens set expires_at = now() - interval '1 second' where external_id = 'U0LATE'`
  for (const path of [late, '/link/slack?token=unknown', '/link/slack']) {
    for (const page of [await visitor.open(path), await visitor.post(path)]) {
      expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([410, 'The link is used or has expired'])
    }
  }
})

test('a link needs a session, also to confirm, and leads back to itself', async () => {
  const path = await linkFor('U0NOBODY')
  for (const method of ['GET', 'POST']) {
    const sent = await new PageClient(bench.box).send(method, path)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`])
  }
  const [, visitor] = await person('Ken')
  expect((await visitor.send('POST', path, '', { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await visitor.open(path)).status).toBe(200)
})
