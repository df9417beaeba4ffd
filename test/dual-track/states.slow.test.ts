import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { comparison, eventsAndAudit } from './tracks.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const get = async (id: string) => (await ada.get(`/api/v1/dual-track/${id}`)).body
const act = (id: string, action: string, body?: object) => ada.post(`/api/v1/dual-track/${id}/${action}`, body)
const decide = (id: string, winner = 'a') => act(id, 'decide', { winner })

const RESULT = {
  recommendation: 'b',
  confidence: 1,
  coverage: 1,
  rationale: 'Track b is completed, and track a is not.',
  criteria: [],
  judge: { kind: 'metrics', model: null, prompt_version: null, order_consistent: null, fallback_reason: null },
  cost_usd: 0,
}

/** How a comparison gets into each state; the worker's part is done in SQL. */
const SETUP: Record<string, (id: string) => Promise<unknown>> = {
  created: async () => {},
  comparing: (id) => act(id, 'compare'),
  compared: (id) =>
    box.sql`update dual_track_comparisons set status = 'compared', result = ${box.sql.json(RESULT)} where id = ${id}`,
  failed: (id) => box.sql`update dual_track_comparisons set status = 'failed', error = 'No answer.' where id = ${id}`,
  decided: (id) => decide(id),
  cancelled: (id) => act(id, 'cancel'),
}
const ALLOWED: Record<string, string[]> = {
  created: ['compare', 'decide', 'cancel'],
  comparing: ['cancel'],
  compared: ['compare', 'decide', 'cancel'],
  failed: ['compare', 'decide', 'cancel'],
  decided: [],
  cancelled: [],
}
const NEXT_STATUS = { compare: 'comparing', decide: 'decided', cancel: 'cancelled' } as const

async function comparisonIn(state: string): Promise<string> {
  const { id } = await comparison(ada, site.project.id)
  await SETUP[state]?.(id)
  expect((await get(id)).status).toBe(state)
  return id
}

for (const state of Object.keys(ALLOWED)) {
  for (const action of ['compare', 'decide', 'cancel'] as const) {
    if (ALLOWED[state]?.includes(action)) {
      test(`${action} is allowed in status ${state}`, async () => {
        const id = await comparisonIn(state)
        const { status, body } = await act(id, action, action === 'decide' ? { winner: 'b' } : undefined)
        expect([status, body.status]).toEqual([action === 'compare' ? 202 : 200, NEXT_STATUS[action]])
        expect(await get(id)).toEqual(body)
      })
    } else {
      test(`${action} is refused in status ${state}, without effect`, async () => {
        const id = await comparisonIn(state)
        const before = [await get(id), await eventsAndAudit(box, id)]
        const { status, body } = await act(id, action, action === 'decide' ? { winner: 'b' } : undefined)
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
        expect(body.detail).toBe(`The comparison is ${state} and cannot become ${NEXT_STATUS[action]}.`)
        expect([await get(id), await eventsAndAudit(box, id)]).toEqual(before)
      })
    }
  }

  test(`deletion is allowed in status ${state}`, async () => {
    expect((await ada.delete(`/api/v1/dual-track/${await comparisonIn(state)}`)).status).toBe(204)
  })
}

describe('Comparing again', () => {
  test('clears the previous result and error', async () => {
    for (const state of ['compared', 'failed']) {
      const id = await comparisonIn(state)
      expect((await act(id, 'compare')).body).toMatchObject({ status: 'comparing', result: null, error: null })
    }
  })

  test('adds one job with the flag of the organization', async () => {
    const id = await comparisonIn('comparing')
    await act(id, 'compare')
    const jobs = await box.sql<{ flags: object }[]>`
      select flags from graphile_worker._private_jobs where payload ->> 'comparison_id' = ${id}
    `
    expect(jobs.map(({ flags }) => flags)).toEqual([{ [`org:${site.organization.id}`]: true, 'task:compare_tracks': true }])
  })
})

describe('Deciding', () => {
  for (const winner of ['a', 'b', 'tie']) {
    test(`for ${winner} records who and when, and keeps the result of the judge`, async () => {
      const id = await comparisonIn('compared')
      const { status, body } = await decide(id, winner)
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'decided', winner, decided_by: ada.id, result: RESULT })
      expect(Date.parse(body.decided_at)).toBeGreaterThan(0)
      const [event] =
        await box.sql`select data from outbox where name = 'dual_track.decided' and data -> 'comparison' ->> 'id' = ${id}`
      expect(event?.data).toEqual({
        comparison: body,
        requirement: { id: body.work_item_id, number: expect.any(Number), title: expect.any(String) },
      })
    })
  }

  test('for another value is refused', async () => {
    const id = await comparisonIn('created')
    for (const [body, pointer] of [
      [{}, '/winner'],
      [{ winner: 'c' }, '/winner'],
      [{ winner: 'A' }, '/winner'],
      [{ winner: null }, '/winner'],
      [{ winner: 'a', reason: 'x' }, '/reason'],
    ] as const) {
      const answer = await act(id, 'decide', body)
      expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([422, pointer])
    }
    expect((await get(id)).status).toBe('created')
  })

  test('twenty times concurrently succeeds once, with one event', async () => {
    const id = await comparisonIn('compared')
    const winners = ['a', 'b', 'tie']
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => decide(id, winners[index % 3])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const accepted = answers.find(({ status }) => status === 200)?.body
    expect((await get(id)).winner).toBe(accepted.winner)
    expect((await eventsAndAudit(box, id)).events).toEqual(['dual_track.decided'])
  })

  test('and cancelling concurrently has one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await comparisonIn('created')
      const answers = await Promise.all([decide(id), act(id, 'cancel'), act(id, 'cancel')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect((await eventsAndAudit(box, id)).events).toEqual([`dual_track.${(await get(id)).status}`])
    }
  })
})
