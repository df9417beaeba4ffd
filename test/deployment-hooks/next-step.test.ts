/** What the loop of a queue does next. */
import { expect, test } from 'bun:test'
import type { Due, Fetched } from '../../worker/delivery/destination.ts'
import { type LaneState, nextStep } from '../../worker/delivery/next-step.ts'

const item = { id: 'a', attempt_count: 0, body: '{}' }

const fetched: Fetched<null, Due> = {
  target: null,
  version: 1,
  revision: 1,
  due: [item],
  hasMore: false,
  limit: 10,
  isFailing: false,
  staleAt: null,
}

type Change = Partial<Omit<LaneState<null, Due>, 'fetched'>> & { fetched?: Partial<Fetched<null, Due>> | null }

const stepAfter = ({ fetched: read = {}, ...change }: Change, now = 500) =>
  nextStep({ fetchedAt: 0, refresh: 'no', inFlight: 0, isGone: false, ...change, fetched: read && { ...fetched, ...read } }, now)

test('what was not read yet is read, and what is due is sent', () => {
  expect(stepAfter({ fetched: null, refresh: 'now' })).toBe('fetch')
  expect(stepAfter({})).toBe('send')
})

test('what was read more than a second ago, or before a freeze begins, is read again before it is sent', () => {
  expect(stepAfter({}, 1_001)).toBe('fetch')
  expect(stepAfter({ fetched: { staleAt: 400 } })).toBe('fetch')
  // There is nothing that could be sent.
  expect(stepAfter({ fetched: { due: [] } }, 1_001)).toBe('end')
})

test('no more is sent than the destination may get', () => {
  expect(stepAfter({ inFlight: 9 })).toBe('send')
  expect(stepAfter({ inFlight: 10 })).toBe('wait')
  expect(stepAfter({ fetched: { limit: 1 }, inFlight: 1 })).toBe('wait')
})

test('after a change, nothing is sent before it was read', () => {
  expect(stepAfter({ refresh: 'now', inFlight: 10 })).toBe('fetch')
  expect(stepAfter({ refresh: 'soon', inFlight: 6 })).toBe('wait')
  expect(stepAfter({ refresh: 'soon', inFlight: 5 })).toBe('fetch')
})

test('more is read when several can be sent', () => {
  const read = { due: [], hasMore: true }
  expect(stepAfter({ fetched: read, inFlight: 6 })).toBe('wait')
  expect(stepAfter({ fetched: read, inFlight: 5 })).toBe('fetch')
})

test('it ends when nothing is due or in flight, and when the destination is deleted', () => {
  expect(stepAfter({ fetched: { due: [] }, inFlight: 1 })).toBe('wait')
  expect(stepAfter({ fetched: { due: [] } })).toBe('end')
  expect(stepAfter({ fetched: null, isGone: true })).toBe('end')
})
