import { expect, test } from 'bun:test'
import { ReadCursors } from '../../worker/process/read-cursors.ts'

const AT = '2026-11-26T12:00:00.000Z'
const SINCE = '2026-11-26T11:59:50.000Z'

test('a queue is read from its beginning at first, and then from a margin before the cursor', () => {
  const cursors = new ReadCursors(10_000, 60_000)
  expect(cursors.since('one')).toBeNull()
  cursors.note('one', null, AT)
  expect(cursors.since('one')).toBe(SINCE)
  expect(cursors.since('other')).toBeNull()
  expect(cursors.sinceAll(['one'])).toBe(SINCE)
  expect(cursors.sinceAll(['one', 'other'])).toBeNull()
  cursors.forget('one')
  expect(cursors.since('one')).toBeNull()
  // A read that began before.
  cursors.note('one', SINCE, AT)
  expect(cursors.since('one')).toBeNull()
})

test('what waits is never before the cursor, however often a queue is read from it', () => {
  const cursors = new ReadCursors(10_000, 60_000)
  cursors.note('one', null, AT)
  cursors.note('one', cursors.since('one'), SINCE)
  expect(cursors.since('one')).toBe('2026-11-26T11:59:40.000Z')
})

test('a queue is read from its beginning again after some time, counted from the last time', () => {
  const cursors = new ReadCursors(10_000, 0)
  cursors.note('one', null, AT)
  expect(cursors.since('one')).toBeNull()
  cursors.note('one', SINCE, AT)
  expect(cursors.since('one')).toBeNull()
})
