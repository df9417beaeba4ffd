import { describe, expect, test } from 'bun:test'
import { type Freeze, heldUntil, holdAt, nextStart } from '../../core/freezes/held-until.ts'
import { dayOf, parseRule } from '../../core/freezes/rules.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

const once = (from: string, until: string): Freeze => ({ name: 'Once', from, until })
const again = (rrule: string, duration_seconds: number, time_zone = 'UTC'): Freeze => ({
  name: 'Again',
  rrule,
  duration_seconds,
  time_zone,
})

const until = (freezes: Freeze[], at: string): string | null =>
  heldUntil(freezes, new Date(at))?.toISOString().replace(':00.000Z', 'Z') ?? null

test('nothing holds without freezes, before one and from its end', () => {
  const freezes = [once('2026-12-20T00:00:00.000Z', '2027-01-02T00:00:00.000Z')]
  expect(until([], '2026-12-24T00:00:00Z')).toBeNull()
  expect(until(freezes, '2026-12-19T23:59:59.999Z')).toBeNull()
  expect(until(freezes, '2026-12-20T00:00:00Z')).toBe('2027-01-02T00:00Z')
  expect(until(freezes, '2027-01-01T23:59:59.999Z')).toBe('2027-01-02T00:00Z')
  expect(until(freezes, '2027-01-02T00:00:00Z')).toBeNull()
})

test('a freeze that recurs holds from each start for its exact time', () => {
  const weekend = [again('FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', 64 * HOUR, 'Europe/Berlin')]
  expect(until(weekend, '2026-11-27T14:59:59Z')).toBeNull()
  expect(until(weekend, '2026-11-27T15:00:00Z')).toBe('2026-11-30T07:00Z')
  expect(until(weekend, '2026-11-29T12:00:00Z')).toBe('2026-11-30T07:00Z')
  expect(until(weekend, '2026-11-30T07:00:00Z')).toBeNull()
})

test('the time is exact over a clock change: a weekend of 64 hours ends an hour later or earlier by the clock', () => {
  const berlin = [again('FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', 64 * HOUR, 'Europe/Berlin')]
  // 09:00 in summer time, where other weekends end at 08:00.
  expect(until(berlin, '2026-03-28T00:00:00Z')).toBe('2026-03-30T07:00Z')
  // 07:00 in winter time.
  expect(until(berlin, '2026-10-24T00:00:00Z')).toBe('2026-10-26T06:00Z')
  const newYork = [again('FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', 64 * HOUR, 'America/New_York')]
  expect(until(newYork, '2026-03-07T12:00:00Z')).toBe('2026-03-09T13:00Z')
  expect(until(newYork, '2026-10-31T12:00:00Z')).toBe('2026-11-02T12:00Z')
})

test('days of 24 hours are adjacent but on the day of 25, and overlap on the day of 23', () => {
  const nights = [again('FREQ=DAILY;BYMONTH=10;BYMONTHDAY=24,25,26', DAY, 'Europe/Berlin')]
  // The 25th lasts until 23:00 by the clock.
  expect(until(nights, '2026-10-24T12:00:00Z')).toBe('2026-10-25T22:00Z')
  expect(until(nights, '2026-10-25T22:30:00Z')).toBeNull()
  const march = [again('FREQ=DAILY;BYMONTH=3;BYMONTHDAY=28,29,30', DAY, 'Europe/Berlin')]
  expect(until(march, '2026-03-28T12:00:00Z')).toBe('2026-03-30T22:00Z')
})

test('a start in a skipped hour has the offset from before, and one in a repeated hour is the first', () => {
  const nightly = (zone: string) => [again('FREQ=DAILY;BYHOUR=2;BYMINUTE=30', 30 * 60, zone)]
  expect(until(nightly('Europe/Berlin'), '2026-03-29T01:29:00Z')).toBeNull()
  expect(until(nightly('Europe/Berlin'), '2026-03-29T01:40:00Z')).toBe('2026-03-29T02:00Z')
  expect(until(nightly('Europe/Berlin'), '2026-03-30T00:40:00Z')).toBe('2026-03-30T01:00Z')
  expect(until(nightly('Europe/Berlin'), '2026-10-25T00:40:00Z')).toBe('2026-10-25T01:00Z')
  expect(until(nightly('Europe/Berlin'), '2026-10-25T01:40:00Z')).toBeNull()
})

describe('A day whose midnight is skipped', () => {
  const cairo = (rrule: string, seconds = DAY) => [again(rrule, seconds, 'Africa/Cairo')]
  const on = 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=24'

  test('is frozen from the first minute of its clock', () => {
    expect(until(cairo(on), '2026-04-23T21:59:59Z')).toBeNull()
    expect(until(cairo(on), '2026-04-23T22:00:00Z')).toBe('2026-04-24T22:00Z')
    expect(until(cairo(on), '2026-04-24T12:00:00Z')).toBe('2026-04-24T22:00Z')
    expect(until(cairo('FREQ=DAILY', 10 * 60), '2026-04-23T22:05:00Z')).toBe('2026-04-23T22:10Z')
    expect(nextStart(cairo(on), new Date('2026-04-23T12:00:00Z')).toISOString()).toBe('2026-04-23T22:00:00.000Z')
  })

  test('joins the day before', () => {
    expect(until(cairo('FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=23,24'), '2026-04-23T12:00:00Z')).toBe('2026-04-24T22:00Z')
  })
})

test('a start that a gap moves behind the next one of the clock is found, and so is the earlier one', () => {
  // 02:30 is 03:30, which is after 03:00.
  const both = [again('FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;BYSETPOS=2,3', 20 * 60, 'Europe/Berlin')]
  expect(nextStart(both, new Date('2026-03-29T00:59:00Z')).toISOString()).toBe('2026-03-29T01:00:00.000Z')
  expect(until(both, '2026-03-29T01:10:00Z')).toBe('2026-03-29T01:20Z')
  expect(until(both, '2026-03-29T01:25:00Z')).toBeNull()
  expect(nextStart(both, new Date('2026-03-29T01:25:00Z')).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(until(both, '2026-03-29T01:40:00Z')).toBe('2026-03-29T01:50Z')
  const overlapping = [again('FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;BYSETPOS=2,3', 45 * 60, 'Europe/Berlin')]
  expect(until(overlapping, '2026-03-29T01:40:00Z')).toBe('2026-03-29T02:15Z')
})

test('midnight is that of the zone, also with a half-hour offset', () => {
  const december = [again('FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20', 12 * DAY, 'Asia/Kolkata')]
  expect(until(december, '2026-12-19T18:29:59Z')).toBeNull()
  expect(until(december, '2026-12-19T18:30:00Z')).toBe('2026-12-31T18:30Z')
})

test('the leap day has its freeze in leap years', () => {
  const leap = [again('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', DAY)]
  expect(until(leap, '2028-02-29T12:00:00Z')).toBe('2028-03-01T00:00Z')
  expect(until(leap, '2027-03-01T12:00:00Z')).toBeNull()
  // 365 days from each new year leave one free day, the last of a leap year.
  const years = [again('FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1', 365 * DAY)]
  expect(until(years, '2025-06-01T00:00:00Z')).toBe('2028-12-31T00:00Z')
  expect(until(years, '2028-12-31T12:00:00Z')).toBeNull()
})

describe('Freezes that meet hold as one:', () => {
  test('overlapping, adjacent and enclosed ones', () => {
    const freezes = [
      once('2026-12-01T00:00:00.000Z', '2026-12-03T00:00:00.000Z'),
      once('2026-12-02T00:00:00.000Z', '2026-12-05T00:00:00.000Z'),
      once('2026-12-05T00:00:00.000Z', '2026-12-06T00:00:00.000Z'),
      once('2026-12-02T12:00:00.000Z', '2026-12-02T13:00:00.000Z'),
      once('2026-12-06T00:00:01.000Z', '2026-12-07T00:00:00.000Z'),
    ]
    for (const order of [freezes, freezes.toReversed()]) {
      expect(until(order, '2026-12-01T00:00:00Z')).toBe('2026-12-06T00:00Z')
      expect(until(order, '2026-12-02T12:30:00Z')).toBe('2026-12-06T00:00Z')
    }
  })

  test('one that recurs with one that does not', () => {
    const freezes = [
      again('FREQ=WEEKLY;BYDAY=SA,SU', DAY),
      once('2026-12-14T00:00:00.000Z', '2026-12-19T00:00:00.000Z'),
      again('FREQ=DAILY;BYHOUR=22', 2 * HOUR),
    ]
    // Friday night, the weekend, the week, its weekend.
    expect(until(freezes, '2026-12-11T23:00:00Z')).toBe('2026-12-21T00:00Z')
    expect(until(freezes, '2026-12-21T01:00:00Z')).toBeNull()
  })

  test('the last of overlapping starts of one rule', () => {
    const freezes = [again('FREQ=HOURLY;BYDAY=MO', 3 * HOUR)]
    expect(until(freezes, '2026-11-30T00:30:00Z')).toBe('2026-12-01T02:00Z')
  })

  test('a freeze of eleven months in days', () => {
    const freezes = [again('FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11', DAY)]
    expect(until(freezes, '2027-01-01T00:00:00Z')).toBe('2027-12-01T00:00Z')
  })
})

describe('Freezes that never end', () => {
  const endless: [string, Freeze[]][] = [
    ['every day', [again('FREQ=DAILY', DAY)]],
    ['every hour', [again('FREQ=HOURLY', HOUR)]],
    ['both halves of the week', [again('FREQ=WEEKLY;BYDAY=MO', 4 * DAY), again('FREQ=WEEKLY;BYDAY=FR', 3 * DAY)]],
    ['every year, for more than a year', [again('FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1', 365 * DAY)]],
  ]
  for (const [name, freezes] of endless) {
    test(`say that no end is known, and hold at least for some days: ${name}`, () => {
      const at = new Date('2026-11-25T12:00:00Z')
      const hold = holdAt(freezes, at)
      expect(hold?.ends).toBe(false)
      expect(Number(hold?.until) - Number(at)).toBeGreaterThan(3 * DAY * 1000)
      // A caller who asks again then learns that they still hold.
      expect(Number(heldUntil(freezes, hold?.until as Date))).toBeGreaterThan(Number(hold?.until))
    })
  }

  test('cost no more than a bounded number of steps, however they are cut up', () => {
    const hours = (parity: number) => [...Array(12).keys()].map((hour) => hour * 2 + parity)
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
    const worst = Array.from({ length: 20 }, (_, index) =>
      again(`FREQ=HOURLY;BYHOUR=${hours(index % 2)};BYMINUTE=${index}`, HOUR + index, zones[index % zones.length]),
    )
    const sparse = Array.from({ length: 20 }, () =>
      again('FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=23;BYSETPOS=366', 365 * DAY),
    )
    const { toZonedDateTime } = Temporal.PlainDateTime.prototype
    let conversions = 0
    Temporal.PlainDateTime.prototype.toZonedDateTime = function (...parameters) {
      conversions += 1
      return toZonedDateTime.apply(this, parameters)
    }
    try {
      expect(holdAt(worst, new Date('2026-11-25T12:00:00Z'))?.ends).toBe(false)
      expect(conversions).toBeLessThan(1_500)
      conversions = 0
      expect(until(sparse, '2026-11-25T12:00:00Z')).toBeNull()
      expect(conversions).toBeLessThan(100)
    } finally {
      Temporal.PlainDateTime.prototype.toZonedDateTime = toZonedDateTime
    }
  })
})

test('an end beyond the year 9999 is cut, so that PostgreSQL can read it', () => {
  const freezes = [once('2026-12-20T00:00:00.000Z', '9999-12-31T23:30:00.000Z'), again('FREQ=DAILY;BYHOUR=23', 2 * HOUR)]
  expect(heldUntil(freezes, new Date('2026-12-24T00:00:00Z'))?.toISOString()).toBe('9999-12-31T23:59:59.999Z')
})

test('a rule is read once, and answers the same in any order of days', () => {
  const rrule = 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17;BYSETPOS=3,-2'
  expect(parseRule(rrule)).toBe(parseRule(rrule))
  const days = [dayOf(2026, 1, 2), dayOf(2027, 12, 31), dayOf(2026, 1, 2)]
  expect(days.map((day) => parseRule(rrule).timesOf(day).length)).toEqual([1, 1, 1])
})
