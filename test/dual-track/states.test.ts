import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { comparison, traces } from './bench.ts'

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

/** How a comparison comes to stand where it is; the worker's part is put in by hand. */
const REACH: Record<string, (id: string) => Promise<unknown>> = {
  created: async () => {},
  comparing: (id) => act(id, 'compare'),
  compared: (id) =>
    box.sql`update dual_track_comparisons set status = 'compared', result = ${box.sql.json(RESULT)} where id = ${id}`,
  failed: (id) => box.sql`update dual_track_comparisons set status = 'failed', error = 'No answer.' where id = ${id}`,
  decided: (id) => decide(id),
  cancelled: (id) => act(id, 'cancel'),
}
const MAY: Record<string, string[]> = {
  created: ['compare', 'decide', 'cancel'],
  comparing: ['cancel'],
  compared: ['compare', 'decide', 'cancel'],
  failed: ['compare', 'decide', 'cancel'],
  decided: [],
  cancelled: [],
}
const BECOMES = { compare: 'comparing', decide: 'decided', cancel: 'cancelled' } as const

async function standing(state: string): Promise<string> {
  const { id } = await comparison(ada, site.project.id)
  await REACH[state]?.(id)
  expect((await get(id)).status).toBe(state)
  return id
}

for (const state of Object.keys(MAY)) {
  for (const action of ['compare', 'decide', 'cancel'] as const) {
    if (MAY[state]?.includes(action)) {
      test(`from ${state} one may ${action}`, async () => {
        const id = await standing(state)
        const { status, body } = await act(id, action, action === 'decide' ? { winner: 'b' } : undefined)
        expect([status, body.status]).toEqual([action === 'compare' ? 202 : 200, BECOMES[action]])
        expect(await get(id)).toEqual(body)
      })
    } else {
      test(`from ${state} one may not ${action}, and nothing comes of it`, async () => {
        const id = await standing(state)
        const before = [await get(id), await traces(box, id)]
        const { status, body } = await act(id, action, action === 'decide' ? { winner: 'b' } : undefined)
        expect([status, body.code]).toEqual([409, 'invalid_transition'])
        expect(body.detail).toBe(`The comparison is ${state} and cannot become ${BECOMES[action]}.`)
        expect([await get(id), await traces(box, id)]).toEqual(before)
      })
    }
  }

  test(`from ${state} it may be deleted`, async () => {
    expect((await ada.delete(`/api/v1/dual-track/${await standing(state)}`)).status).toBe(204)
  })
}

describe('Comparing again', () => {
  test('lets go of what was found before, and of why it failed', async () => {
    for (const state of ['compared', 'failed']) {
      const id = await standing(state)
      expect((await act(id, 'compare')).body).toMatchObject({ status: 'comparing', result: null, error: null })
    }
  })

  test('asks for one job, under the flag of the organization', async () => {
    const id = await standing('comparing')
    await act(id, 'compare')
    const jobs = await box.sql<{ flags: object }[]>`
      select flags from graphile_worker._private_jobs where payload ->> 'comparison_id' = ${id}
    `
    expect(jobs.map(({ flags }) => flags)).toEqual([{ [`org:${site.organization.id}`]: true, 'task:compare_tracks': true }])
  })
})

describe('Deciding', () => {
  for (const winner of ['a', 'b', 'tie']) {
    test(`for ${winner} says who, when, and keeps what the judge found`, async () => {
      const id = await standing('compared')
      const { status, body } = await decide(id, winner)
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'decided', winner, decided_by: ada.id, result: RESULT })
      expect(Date.parse(body.decided_at)).toBeGreaterThan(0)
      const [event] =
        await box.sql`select data from outbox where name = 'dual_track.decided' and data -> 'comparison' ->> 'id' = ${id}`
      expect(event?.data).toEqual({ comparison: body })
    })
  }

  test('for anything else is refused', async () => {
    const id = await standing('created')
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

  test('by twenty at once: one of them wins, and it is told once', async () => {
    const id = await standing('compared')
    const winners = ['a', 'b', 'tie']
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => decide(id, winners[index % 3])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const said = answers.find(({ status }) => status === 200)?.body
    expect((await get(id)).winner).toBe(said.winner)
    expect((await traces(box, id)).events).toEqual(['dual_track.decided'])
  })

  test('and cancelling at once has one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await standing('created')
      const answers = await Promise.all([decide(id), act(id, 'cancel'), act(id, 'cancel')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect((await traces(box, id)).events).toEqual([`dual_track.${(await get(id)).status}`])
    }
  })
})
