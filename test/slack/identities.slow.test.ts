import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { SignedIn } from '../../api/plugins/request-context.ts'
import { findSlackLink, linkSlackAccount } from '../../api/users/identities.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Tx } from '../../sql/index.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { type SlackServer, TEAM } from '../support/slack.ts'
import { linkPathIn, SlackWorkbench } from './workbench.ts'

const IDENTITIES = '/api/v1/users/me/identities'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

/** The token of the newest link that a person was shown. */
const tokenOf = (slack: SlackServer, user: string): string => linkPathIn(slack, user)?.split('=')[1] ?? ''

const confirm = (actor: Actor, token: string) => {
  const by = { id: actor.id, name: actor.name, ip_address: '192.0.2.1', device: 'Test' } as SignedIn
  return bench.box.sql.begin((tx) => linkSlackAccount(tx as unknown as Tx, by, tokenHash(token)))
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string; status?: number }) => `${error.status} ${error.code}`,
  )

/** Clicks as someone unknown. @returns the token that they are shown */
async function linkFor(user: string): Promise<string> {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  expect((await room.slack.click(bench.box, message, 'Approve', user)).status).toBe(200)
  await bench.shows('the link', () => tokenOf(room.slack, user) !== '')
  await bench.expectPending(gate)
  return tokenOf(room.slack, user)
}

test('an unknown clicker is shown a link alone, confirms it, and clicks again', async () => {
  const room = await bench.room('gate.pending')
  const grace = await bench.box.user('Grace Hopper')
  await bench.box.join(grace, bench.site, 'admin')
  const { gate, message } = await bench.gateIn(room)
  await room.slack.click(bench.box, message, 'Approve', 'U0GRACE')
  await bench.shows('the link', () => tokenOf(room.slack, 'U0GRACE') !== '')
  await bench.expectPending(gate)
  const token = tokenOf(room.slack, 'U0GRACE')
  expect(await findSlackLink(bench.box.sql, tokenHash(token))).toEqual({
    team_id: TEAM,
    external_id: 'U0GRACE',
    user_name: 'u0grace',
    team_name: 'acme.slack.com',
    email: null,
  })
  await confirm(grace, token)
  await room.slack.click(bench.box, message, 'Approve', 'U0GRACE')
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved', decided_by: grace.id })

  const { body } = await grace.get(IDENTITIES)
  expect(body).toEqual([expect.objectContaining({ provider: 'slack', team_id: TEAM, external_id: 'U0GRACE' })])
  expect(Object.keys(body[0]).sort()).toEqual([
    'created_at',
    'external_id',
    'id',
    'issuer',
    'organization_id',
    'provider',
    'team_id',
  ])
  expect((await grace.get('/api/v1/users/me/security-log')).body.items[0]).toMatchObject({ action: 'identity.linked' })
})

test('only the hash of a link is stored', async () => {
  const token = await linkFor('U0HASH')
  const rows = await bench.box.sql<{ hash: Uint8Array }[]>`select hash from slack_link_tokens where external_id = 'U0HASH'`
  expect(rows.map(({ hash }) => Buffer.from(hash).toString('hex'))).toEqual([createHash('sha256').update(token).digest('hex')])
  const stored = await bench.box.sql`select payload::text as text from graphile_worker._private_jobs`
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('a link works once, for ten minutes, and until there is a newer one', async () => {
  const ken = await bench.box.user('Ken')
  const first = await linkFor('U0KEN')
  const second = await linkFor('U0KEN')
  expect(await codeOf(confirm(ken, first))).toBe('410 link_expired')
  expect(await codeOf(confirm(ken, second))).toBe('done')
  expect(await codeOf(confirm(ken, second))).toBe('410 link_expired')
  expect(await codeOf(findSlackLink(bench.box.sql, tokenHash(second)))).toBe('410 link_expired')
  const late = await linkFor('U0LATE')
  const [{ seconds }] = await bench.box.sql<[{ seconds: number }]>`
    select extract(epoch from expires_at - now())::float8 as seconds from slack_link_tokens where external_id = 'U0LATE'
  `
  expect(seconds).toBeGreaterThan(500)
  expect(seconds).toBeLessThanOrEqual(600)
  await bench.box.sql`update slack_link_tokens set expires_at = now() - interval '1 second' where external_id = 'U0LATE'`
  expect(await codeOf(confirm(ken, late))).toBe('410 link_expired')
  expect(await codeOf(confirm(ken, 'x'.repeat(43)))).toBe('410 link_expired')
})

test('of two people with one link, one is linked', async () => {
  const token = await linkFor('U0RACE')
  const people = await Promise.all([bench.box.user('One'), bench.box.user('Two')])
  const outcomes = await Promise.all(people.map((actor) => codeOf(confirm(actor, token))))
  expect(outcomes.sort()).toEqual(['410 link_expired', 'done'])
})

test('a Slack account belongs to one user, who may link it again', async () => {
  const [ada, eve] = await Promise.all([bench.box.user('Ada'), bench.box.user('Eve')])
  await confirm(ada, await linkFor('U0SHARED'))
  // Clicks of a linked account show no link, so one is made here.
  const link = async (token: string) =>
    bench.box.sql`
      insert into slack_link_tokens (hash, team_id, external_id, expires_at)
      values (${createHash('sha256').update(token).digest()}, ${TEAM}, 'U0SHARED', now() + interval '10 minutes')
    `
  await link('again')
  expect(await codeOf(confirm(eve, 'again'))).toBe('409 identity_taken')
  expect(await codeOf(confirm(ada, 'again'))).toBe('done')
  expect((await ada.get(IDENTITIES)).body.length).toBe(1)
  expect((await eve.get(IDENTITIES)).body).toEqual([])
  const { body } = await ada.get('/api/v1/users/me/security-log')
  expect(body.items.filter(({ action }: { action: string }) => action === 'identity.linked').length).toBe(1)
})

test('the same user id in another team is another account', async () => {
  const room = await bench.room('gate.pending')
  await bench.link(bench.admin, 'U0TEAM')
  const { gate, message } = await bench.gateIn(room)
  await room.slack.click(bench.box, message, 'Approve', 'U0TEAM', 'T0OTHER')
  await bench.shows('the link', () => tokenOf(room.slack, 'U0TEAM') !== '')
  await bench.expectPending(gate)
})

test('an unlinked account decides nothing', async () => {
  const joan = await bench.approver('Joan', 'U0JOAN')
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  const [identity] = (await joan.get(IDENTITIES)).body
  const stranger = await bench.box.user('Stranger')
  expect((await stranger.delete(`${IDENTITIES}/${identity.id}`)).status).toBe(404)
  expect((await joan.delete(`${IDENTITIES}/${identity.id}`)).status).toBe(204)
  expect((await joan.delete(`${IDENTITIES}/${identity.id}`)).status).toBe(404)
  expect((await joan.get('/api/v1/users/me/security-log')).body.items[0]).toMatchObject({ action: 'identity.unlinked' })
  await room.slack.click(bench.box, message, 'Approve', 'U0JOAN')
  await bench.shows('the link', () => tokenOf(room.slack, 'U0JOAN') !== '')
  await bench.expectPending(gate)
})

test('the identities of a deleted account are gone', async () => {
  const gone = await bench.box.user('Gone')
  await bench.link(gone, 'U0GONE')
  const answer = await gone.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })
  expect(answer.status).toBe(204)
  const rows = await bench.box.sql`select from user_identities where external_id = 'U0GONE'`
  expect(rows.length).toBe(0)
})
