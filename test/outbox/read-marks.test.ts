import { expect, test } from 'bun:test'
import { ReadMarks } from '../../worker/process/read-marks.ts'

const AT = '2026-11-26T12:00:00.000Z'
const SINCE = '2026-11-26T11:59:50.000Z'

test('a queue is read from its beginning at first, and then from a margin before the mark', () => {
  const marks = new ReadMarks(10_000, 60_000)
  expect(marks.since('one')).toBeNull()
  marks.note('one', null, AT)
  expect(marks.since('one')).toBe(SINCE)
  expect(marks.since('other')).toBeNull()
  expect(marks.sinceAll(['one'])).toBe(SINCE)
  expect(marks.sinceAll(['one', 'other'])).toBeNull()
  marks.forget('one')
  expect(marks.since('one')).toBeNull()
  // A read that began before.
  marks.note('one', SINCE, AT)
  expect(marks.since('one')).toBeNull()
})

test('what waits is never before the mark, however often a queue is read from it', () => {
  const marks = new ReadMarks(10_000, 60_000)
  marks.note('one', null, AT)
  marks.note('one', marks.since('one'), SINCE)
  expect(marks.since('one')).toBe('2026-11-26T11:59:40.000Z')
})

test('a queue is read from its beginning again after some time, counted from the last time', () => {
  const marks = new ReadMarks(10_000, 0)
  marks.note('one', null, AT)
  expect(marks.since('one')).toBeNull()
  marks.note('one', SINCE, AT)
  expect(marks.since('one')).toBeNull()
})
