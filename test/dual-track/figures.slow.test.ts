import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { compare, comparison, eventsAndAudit, type Run, type Tracks, tracks } from './tracks.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const judge = async (given: Tracks): Promise<Answer['body']> =>
  (await compare(ada, (await comparison(ada, site.project.id, given)).id)).result
const valuesOf = (result: Answer['body'], name: string) => {
  const { a, b } = result.criteria.find((each: { name: string }) => each.name === name)
  return [a, b]
}

test('without a model the metrics judge decides at no cost, and says so', async () => {
  const made = await comparison(ada, site.project.id, { a: [{ ends: 'fail' }], b: [{ ends: 'complete' }] })
  const body = await compare(ada, made.id)
  expect(body).toMatchObject({
    status: 'compared',
    winner: null,
    error: null,
    result: {
      recommendation: 'b',
      confidence: 1,
      rationale: expect.stringMatching(/^.+ is completed and .+\nTrack b is completed, and track a is not\.$/),
      judge: { kind: 'metrics', model: null, prompt_version: null, order_consistent: null, fallback_reason: null },
      cost_usd: 0,
    },
  })
  expect(Object.keys(body.result).sort()).toEqual([
    'confidence',
    'cost_usd',
    'coverage',
    'criteria',
    'judge',
    'rationale',
    'recommendation',
  ])
  expect((await ada.get(`/api/v1/dual-track/${made.id}`)).body).toEqual(body)
})

test('the response waits for the outcome, which raises one event and one audit entry', async () => {
  const made = await comparison(ada, site.project.id)
  const { status, headers, body } = await ada.post(`/api/v1/dual-track/${made.id}/compare`, undefined, { Prefer: 'wait=25' })
  expect([status, headers.get('preference-applied'), body.status]).toEqual([200, 'wait=25', 'compared'])
  expect(await eventsAndAudit(box, made.id)).toEqual({
    events: ['dual_track.compared'],
    audit: ['dual_track.created', 'dual_track.started', 'dual_track.compared'],
  })
  const [event] =
    await box.sql`select * from outbox where name = 'dual_track.compared' and data -> 'comparison' ->> 'id' = ${made.id}`
  expect(event).toMatchObject({ organization_id: site.organization.id, project_id: site.project.id, data: { comparison: body } })
  const [entry] = await box.sql`select * from audit_log_entries where resource_id = ${made.id} and action = 'dual_track.compared'`
  expect(entry).toMatchObject({ actor_type: 'system', actor_id: null, actor_name: 'Signalbox', resource_type: 'dual_track' })
})

test('without waiting, the response is the pending comparison', async () => {
  const made = await comparison(ada, site.project.id)
  const { status, headers, body } = await ada.post(`/api/v1/dual-track/${made.id}/compare`)
  expect([status, headers.get('location'), body.status]).toEqual([202, `/api/v1/dual-track/${made.id}`, 'comparing'])
  await box.until('it is compared', async () => (await ada.get(`/api/v1/dual-track/${made.id}`)).body.status === 'compared')
})

test('cost and duration of all executions are summed, and metrics are those of the last one', async () => {
  const result = await judge({
    a: [
      {
        ends: 'fail',
        report: { cost_usd: 0.1, metrics: { duration_seconds: 30, tests_passed: 1, tests_failed: 9, lines_added: 900 } },
      },
      {
        report: {
          cost_usd: 0.2,
          metrics: { duration_seconds: 12.5, tests_passed: 7, tests_failed: 1, lines_added: 10, lines_removed: 5, retries: 2 },
        },
      },
      { ends: 'cancel' },
    ],
    b: [
      {
        report: {
          cost_usd: 1,
          metrics: { duration_seconds: 10, tests_passed: 3, tests_failed: 1, lines_added: 1, lines_removed: 0, retries: 0 },
        },
      },
    ],
  })
  expect(valuesOf(result, 'cost')).toEqual([0.3, 1])
  expect(valuesOf(result, 'duration')).toEqual([42.5, 10])
  expect(valuesOf(result, 'tests_pass_rate')).toEqual([0.875, 0.75])
  expect(valuesOf(result, 'change_size')).toEqual([15, 1])
  // Two reported, and two executions after the first.
  expect(valuesOf(result, 'retries')).toEqual([4, 0])
  expect(result.coverage).toBe(0.75)
})

test('an unreported duration is measured, and added to the reported ones', async () => {
  const made = await comparison(ada, site.project.id, {
    a: [{}, { report: { metrics: { duration_seconds: 100 } } }],
    b: [{ ends: 'running' }],
  })
  await box.sql`
    update executions
    set started_at = seconds_after(finished_at, -90.5)
    where graph_id = ${made.track_a_graph_id} and metrics = '{}'
  `
  const { result } = await compare(ada, made.id)
  expect(valuesOf(result, 'duration')).toEqual([190.5, null])
  // A single execution without reported retries says nothing; two executions mean one retry.
  expect(valuesOf(result, 'retries')).toEqual([1, null])
})

test('passed tests without failed ones are all tests', async () => {
  const result = await judge({
    a: [{ report: { metrics: { tests_passed: 5 } } }],
    b: [{ report: { metrics: { tests_passed: 4, tests_failed: 1 } } }],
  })
  expect(valuesOf(result, 'tests_pass_rate')).toEqual([1, 0.8])
  expect(result).toMatchObject({ recommendation: 'a', rationale: expect.stringContaining('5 of 5 against 4 of 5') })
})

test('incomplete figures are ignored', async () => {
  const result = await judge({
    a: [{ report: { metrics: { tests_failed: 5, lines_added: 3 } } }],
    b: [{ report: { metrics: { tests_passed: 0, tests_failed: 0, lines_removed: 3 } } }],
  })
  expect(valuesOf(result, 'tests_pass_rate')).toEqual([null, null])
  expect(valuesOf(result, 'change_size')).toEqual([null, null])
  expect(result).toMatchObject({ recommendation: 'tie', rationale: expect.stringContaining('lack of evidence') })
})

test('gates of all executions count, whatever their outcome', async () => {
  const result = await judge({
    a: [{ gates: ['approve', 'reject'] }, { gates: ['approve'] }],
    b: [{ gates: ['approve', 'approve'] }],
  })
  expect(valuesOf(result, 'gate_approval_rate')).toEqual([2 / 3, 1])
  expect(result).toMatchObject({
    recommendation: 'b',
    rationale: expect.stringContaining(
      '\nAll gates of track b are approved, and those of track a are not: 2 of 2 against 2 of 3.',
    ),
  })
})

test('an approval that was revoked is none', async () => {
  const result = await judge({ a: [{ gates: ['approve', 'revoke'] }], b: [{ gates: ['approve'] }] })
  expect(valuesOf(result, 'gate_approval_rate')).toEqual([1 / 2, 1])
  expect(result.recommendation).toBe('b')
})

test('a gate that was cancelled with its execution is ignored', async () => {
  const approved = { gates: ['approve'] } satisfies Run
  const given = { a: [{ gates: ['leave'], ends: 'cancel' } satisfies Run, approved], b: [approved] }
  for (const result of [await judge(given), await judge({ a: given.b, b: given.a })]) {
    expect(valuesOf(result, 'gate_approval_rate')).toEqual([1, 1])
    expect(result.recommendation).toBe('tie')
  }
  const alone = await judge({ a: [{ gates: ['leave'], ends: 'cancel' }, {}], b: [approved] })
  expect(valuesOf(alone, 'gate_approval_rate')).toEqual([null, 1])
})

test('a track is completed if its newest execution that was not cancelled is', async () => {
  const retried = await judge({ a: [{ ends: 'fail' }, {}, { ends: 'cancel' }], b: [{}, { ends: 'fail' }] })
  expect(retried.rationale).toEndWith('\nTrack a is completed, and track b is not.')
  const underWay = await judge({ a: [{}, { ends: 'queued' }], b: [{ ends: 'cancel' }] })
  expect(underWay).toMatchObject({ recommendation: 'tie' })
})

test('only executions of the requirement count, even if others share the graph_id', async () => {
  const made = await comparison(ada, site.project.id, { a: [{ report: { cost_usd: 1 } }], b: [{ report: { cost_usd: 1 } }] })
  const other = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Beside' })
  const beside = await ada.make(`/api/v1/requirements/${other.id}/executions`, { agent: 'x', graph_id: made.track_a_graph_id })
  await ada.make(`/api/v1/executions/${beside.id}/start`)
  await ada.make(`/api/v1/executions/${beside.id}/fail`, { cost_usd: 100 })
  const { result } = await compare(ada, made.id)
  expect(valuesOf(result, 'cost')).toEqual([1, 1])
  expect(result.recommendation).toBe('tie')
})

test('swapped tracks get mirrored results', async () => {
  const a = [{ report: { cost_usd: 0.5, metrics: { tests_passed: 8, tests_failed: 2, duration_seconds: 5 } } }]
  const b = [{ report: { cost_usd: 1.5, metrics: { tests_passed: 7, tests_failed: 3, duration_seconds: 50 } } }]
  const [there, back] = [await judge({ a, b }), await judge({ a: b, b: a })]
  expect([there.recommendation, back.recommendation]).toEqual(['a', 'b'])
  expect(back.confidence).toBe(there.confidence)
  const reasonOf = ({ rationale }: { rationale: string }) => rationale.split('\n')[1]
  expect(reasonOf(back)).toBe(reasonOf(there)?.replace('Track a', 'Track b'))
})

test('comparing again uses current data', async () => {
  const made = await comparison(ada, site.project.id, { a: [{ ends: 'running' }], b: [{}] })
  expect((await compare(ada, made.id)).result.recommendation).toBe('b')
  const { body } = await ada.get(`/api/v1/requirements/${made.work_item_id}/executions?status=running`)
  await ada.make(`/api/v1/executions/${body.items[0].id}/complete`, { cost_usd: 1 })
  expect((await compare(ada, made.id)).result.recommendation).toBe('tie')
  expect((await eventsAndAudit(box, made.id)).events).toEqual(['dual_track.compared', 'dual_track.compared'])
})

test('forty concurrent comparisons of an organization each complete once', async () => {
  const place = await box.site(ada, 'Many')
  const input = await tracks(ada, place.project.id)
  const path = `/api/v1/projects/${place.project.id}/dual-track`
  const made = await Promise.all(Array.from({ length: 40 }, () => ada.make(path, input)))
  await Promise.all(made.map(({ id }) => ada.make(`/api/v1/dual-track/${id}/compare`)))
  await box.until('all are compared', async () => {
    const { items } = (await ada.get(`${path}?page_size=100`)).body
    return items.filter(({ status }: { status: string }) => status === 'compared').length === 40
  })
  const [{ count }] = await box.sql<[{ count: number }]>`
    select count(*) as count from outbox where name = 'dual_track.compared' and project_id = ${place.project.id}
  `
  expect(count).toBe(40)
})
