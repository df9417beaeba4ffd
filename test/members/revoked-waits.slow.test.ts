/** Requests and pages that wait while their caller loses access. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { byTokenOf } from '../gates/committee.ts'
import { type Pulled, PullWorkbench } from '../pull-hooks/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { waitingLocks } from '../support/waiting-locks.ts'
import { beforeWaitEnds } from '../support/within.ts'

let bench: PullWorkbench
/** An admin of the organization who is about to lose access. */
let leaver: Actor

beforeAll(async () => {
  bench = await PullWorkbench.open({ workers: 0 })
})
afterAll(() => bench.close())

beforeEach(async () => {
  leaver = await bench.box.user('Leaver')
  await bench.box.join(leaver, bench.site, 'admin')
})

const outcomeOf = ({ status, body }: Answer) => [status, body?.code]

async function removed(): Promise<void> {
  const path = `/api/v1/organizations/${bench.site.organization.id}/members/${leaver.id}`
  expect((await bench.admin.delete(path)).status).toBe(204)
}

async function signedOut(): Promise<void> {
  expect((await leaver.post('/api/v1/auth/logout')).status).toBe(204)
}

async function tokensRevoked(): Promise<void> {
  for (const { id } of (await leaver.get('/api/v1/auth/tokens')).body) await leaver.delete(`/api/v1/auth/tokens/${id}`)
}

const WAYS: [string, () => Promise<void>, [number, string]][] = [
  ['is removed', removed, [404, 'not_found']],
  ['signs out', signedOut, [401, 'unauthenticated']],
  ['revokes the token', tokensRevoked, [401, 'unauthenticated']],
]

/** How the caller signs in: with a token, if it is the token that is revoked. */
const callerFor = (lose: () => Promise<void>): Promise<Actor> | Actor => (lose === tokensRevoked ? byTokenOf(leaver) : leaver)

/** Sends a claim that waits. Answers when its wait has begun. */
async function begun(claim: () => Promise<Answer>): Promise<{ answer: Promise<Answer> }> {
  const before = bench.box.api.lines.length
  const answer = claim()
  // A request that came later and is answered shows that the claim has begun.
  while (bench.box.api.lines.length === before) await leaver.get('/api/v1/auth/sessions')
  return { answer }
}

const waiting = ({ hook }: Pulled, by: Actor, headers = {}) =>
  begun(() => by.post(`/api/v1/deployment-hooks/${hook.id}/claim`, { wait: 25 }, headers))

describe('A claim that waits while its caller', () => {
  for (const [what, lose, refusal] of WAYS) {
    for (const headers of [{}, { 'Idempotency-Key': 'k-1' }]) {
      test(`${what} gets nothing ${JSON.stringify(headers)}`, async () => {
        const pulled = await bench.pulled()
        const { answer } = await waiting(pulled, await callerFor(lose), headers)
        await lose()
        const { id } = await bench.trigger(pulled)
        expect(outcomeOf(await answer)).toEqual(refusal)
        expect((await bench.claimOne(pulled)).dispatch.id).toBe(id)
      })
    }
  }
})

describe('Waiting claims end at once with 404 when', () => {
  const deletions: Record<string, (pulled: Pulled) => string> = {
    'their hook is deleted': ({ hook }) => `/api/v1/deployment-hooks/${hook.id}`,
    'the project of their hook is deleted': ({ project }) => `/api/v1/projects/${project.id}`,
  }
  for (const [what, pathOf] of Object.entries(deletions)) {
    test(what, async () => {
      const pulled = await bench.pulled()
      const withToken = () => begun(() => bench.claimWith(pulled.token, pulled.hook, { wait: 25 }))
      const begins = [await withToken(), await withToken()]
      begins.push(await waiting(pulled, leaver, { 'Idempotency-Key': crypto.randomUUID() }), await waiting(pulled, leaver))
      const answers = begins.map(({ answer }) => answer)
      expect((await bench.admin.delete(pathOf(pulled))).status).toBe(204)
      const refused = await beforeWaitEnds('the answers', Promise.all(answers))
      expect(refused.map(outcomeOf)).toEqual(Array(4).fill([404, 'not_found']))
    })
  }
})

/** Replaces the pull token of a hook while a request waits for the row of a dispatch in the queue. @returns the answer to the request */
async function whileReplaced(pulled: Pulled, dispatch_id: string, request: () => Promise<Answer>): Promise<Answer> {
  const { sql } = bench.box
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = sql.begin(async (tx) => {
    await tx`
      select from deliveries
      where id = ${dispatch_id} and organization_id = ${bench.site.organization.id}
      for update
    `
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const answer = request()
  await bench.box.until('the request waits', async () => (await waitingLocks(sql)) > 0)
  await bench.newToken(pulled.hook)
  end.resolve()
  await holder
  return answer
}

test('an acknowledgement that waits while its pull token is replaced does not count', async () => {
  const pulled = await bench.pulled()
  await bench.trigger(pulled)
  const claimed = await bench.claimOne(pulled)
  const acknowledgement = () => bench.acknowledge(pulled, claimed, { outcome: 'succeeded' })
  expect(outcomeOf(await whileReplaced(pulled, claimed.dispatch.id, acknowledgement))).toEqual([401, 'unauthenticated'])
  expect((await bench.dispatch(claimed.dispatch.id)).status).toBe('pending')
})

test('a claim that waits while its pull token is replaced, to cancel what has expired, gets nothing', async () => {
  const pulled = await bench.pulled({ max_age_seconds: 3_600 })
  const [expired, { id }] = [await bench.trigger(pulled), await bench.trigger(pulled)]
  await bench.box.sql`
    update dispatches
    set created_at = now() - interval '2 hours'
    where id = ${expired.id} and organization_id = ${bench.site.organization.id}
  `
  const claim = () => bench.claimWith(pulled.token, pulled.hook)
  expect(outcomeOf(await whileReplaced(pulled, expired.id, claim))).toEqual([401, 'unauthenticated'])
  const again = await bench.claimOne({ ...pulled, token: await bench.newToken(pulled.hook) })
  expect(again.dispatch.id).toBe(id)
})

describe('Prefer: wait shows nothing to a caller who', () => {
  for (const [what, lose, refusal] of WAYS) {
    test(`${what} meanwhile`, async () => {
      const pulled = await bench.pulled()
      const caller = await callerFor(lose)
      const answer = caller.post(`/api/v1/deployment-hooks/${pulled.hook.id}/trigger`, {}, { Prefer: 'wait=25' })
      await bench.box.until('the dispatch is there', async () => (await bench.listed(pulled.hook)).total === 1)
      await lose()
      const [dispatch] = (await bench.listed(pulled.hook)).items
      await bench.admin.make(`/api/v1/dispatches/${dispatch.id}/cancel`)
      expect(outcomeOf(await answer)).toEqual(refusal)
    })
  }
})

describe('The live updates of a page', () => {
  /** Reads a stream to its end. */
  async function streamOf(browser: PageClient, path: string): Promise<{ text: Promise<string> }> {
    const response = await browser.send('GET', path)
    expect(response.status).toBe(200)
    return { text: response.text() }
  }

  test('of a gate end, and say why, when its viewer is removed', async () => {
    const execution = await bench.box.running(bench.admin, (await bench.project()).id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    const { text } = await streamOf(
      await PageClient.signedIn(bench.box, leaver),
      `/app/live?pages=in:${bench.site.organization.id}/${gate.workspace_id}/${gate.project_id}`,
    )
    await removed()
    expect(await text).toEndWith('event: ended\ndata: access\n\n')
  })

  for (const [what, change] of [
    ['is ended', 'ended_at = now()'],
    ['was not used for 30 days', "last_used_at = now() - interval '30 days'"],
  ] as const) {
    test(`end, and say why, when the session ${what}`, async () => {
      const { text } = await streamOf(await PageClient.signedIn(bench.box, leaver), '/app/live')
      await bench.box.sql.unsafe(`update sessions set ${change} where user_id = '${leaver.id}'`)
      expect(await text).toEndWith('event: ended\ndata: session\n\n')
    })
  }
})
