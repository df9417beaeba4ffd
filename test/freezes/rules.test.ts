import { describe, expect, test } from 'bun:test'
import { RRuleTemporal } from 'rrule-temporal'
import { readFreezes } from '../../api/freezes/input.ts'
import { instantIn } from '../../core/freezes/held-until.ts'
import { dateOf, dayOf, parseRule } from '../../core/freezes/rules.ts'

/** The starts of a rule in some years, by our own reading. */
function startsOf(rrule: string, zone: string, from: number, years: number): string[] {
  const rule = parseRule(rrule)
  const starts: string[] = []
  for (let day = dayOf(from, 1, 1); day < dayOf(from + years, 1, 1); day++) {
    for (const time of rule.timesOf(day)) {
      starts.push(new Date(instantIn(zone, day, time)).toISOString())
    }
  }
  return starts
}

/** The same by a library that follows the standard. Its series begins a year earlier, so that no period is cut. */
function expectedStarts(rrule: string, zone: string, from: number, years: number): string[] {
  const at = (year: number) => Temporal.ZonedDateTime.from(`${year}-01-01T00:00[${zone}]`)
  const rule = new RRuleTemporal({ rruleString: rrule, dtstart: at(from - 1), maxIterations: 1e6, maxCandidateEvaluations: 1e7 })
  return rule.between(at(from), at(from + years).subtract({ seconds: 1 }), true).map((start) => {
    return new Date(Number((start as unknown as Temporal.ZonedDateTime).epochMilliseconds)).toISOString()
  })
}

const RULES = [
  'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16',
  'FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9,17;BYMINUTE=30',
  'FREQ=WEEKLY;BYDAY=MO,TU,SA,SU;BYSETPOS=-1',
  'FREQ=WEEKLY;WKST=SU;BYDAY=MO,SU;BYSETPOS=1',
  'FREQ=WEEKLY;BYMONTH=1,12;BYDAY=SA',
  'FREQ=DAILY',
  // Not in an hour that is skipped, whose starts the library leaves out.
  'FREQ=DAILY;INTERVAL=1;BYHOUR=4;BYMINUTE=30',
  'FREQ=DAILY;BYMONTH=12;BYMONTHDAY=24,25,31',
  'FREQ=DAILY;BYHOUR=8,12,18;BYSETPOS=1,-1',
  'FREQ=HOURLY;BYMINUTE=0;BYDAY=SA;BYMONTH=3,10',
  'FREQ=HOURLY;BYHOUR=22;BYMINUTE=15,45;BYSETPOS=2;BYMONTHDAY=1',
  'FREQ=MINUTELY;BYHOUR=5;BYMINUTE=10,20;BYYEARDAY=-1,100',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYMONTHDAY=-1,-2;BYHOUR=6',
  'FREQ=MONTHLY;BYDAY=1MO,-1FR',
  'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=12',
  'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=20',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=YEARLY;BYMONTHDAY=15',
  'FREQ=YEARLY;BYYEARDAY=1,100,-1',
  'FREQ=YEARLY;BYDAY=20MO,-1SU',
  'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  'FREQ=YEARLY;BYWEEKNO=1,20,53,-1;BYDAY=MO,SA',
  'FREQ=YEARLY;BYMONTH=1,4;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2,-1',
  'FREQ=HOURLY',
]

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']

describe('The starts are those of the standard, as a library finds them:', () => {
  for (const [index, rrule] of RULES.entries()) {
    const zone = ZONES[index % ZONES.length] as string
    test(`${rrule} in ${zone}`, () => {
      const starts = startsOf(rrule, zone, 2024, 5)
      expect(starts.length).toBeGreaterThan(0)
      expect(starts).toEqual(expectedStarts(rrule, zone, 2024, 5))
    })
  }
})

describe('Clock changes', () => {
  const in2026 = (rrule: string, zone: string, ...days: string[]) =>
    startsOf(rrule, zone, 2026, 1).filter((start) => days.some((day) => start.startsWith(day)))

  test('keep the time of the clock', () => {
    const fridays = (...days: string[]) => in2026('FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', 'Europe/Berlin', ...days)
    expect(fridays('2026-03-27', '2026-04-03')).toEqual(['2026-03-27T15:00:00.000Z', '2026-04-03T14:00:00.000Z'])
    expect(fridays('2026-10-23', '2026-10-30')).toEqual(['2026-10-23T14:00:00.000Z', '2026-10-30T15:00:00.000Z'])
  })

  test('give a start in the hour that is skipped the offset from before', () => {
    const half = 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30'
    expect(in2026(half, 'Europe/Berlin', '2026-03-29')).toEqual(['2026-03-29T01:30:00.000Z'])
    expect(in2026(half, 'Europe/Berlin', '2026-03-28', '2026-03-30')).toHaveLength(2)
    expect(in2026(half, 'America/New_York', '2026-03-08')).toEqual(['2026-03-08T07:30:00.000Z'])
    expect(in2026('FREQ=DAILY;BYHOUR=3', 'Europe/Berlin', '2026-03-29')).toEqual(['2026-03-29T01:00:00.000Z'])
    // Midnight, by clocks that change then.
    expect(in2026('FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=24', 'Africa/Cairo', '2026')).toEqual(['2026-04-23T22:00:00.000Z'])
    expect(in2026('FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=29', 'Asia/Beirut', '2026')).toEqual(['2026-03-28T22:00:00.000Z'])
    // Half an hour is skipped.
    const quarter = 'FREQ=DAILY;BYHOUR=2;BYMINUTE=15'
    expect(in2026(quarter, 'Australia/Lord_Howe', '2026-10-03')).toEqual(['2026-10-03T15:45:00.000Z'])
  })

  test('take the first of an hour that is repeated', () => {
    const half = 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30'
    expect(in2026(half, 'Europe/Berlin', '2026-10-25')).toEqual(['2026-10-25T00:30:00.000Z'])
    expect(in2026('FREQ=DAILY;BYHOUR=1;BYMINUTE=30', 'America/New_York', '2026-11-01')).toEqual(['2026-11-01T05:30:00.000Z'])
  })

  test('midnight of a zone with a half-hour offset', () => {
    expect(in2026('FREQ=DAILY', 'Asia/Kolkata', '2026-06-01')).toEqual(['2026-06-01T18:30:00.000Z'])
  })
})

test('an absent day of the year is no day: the 29th of February is in leap years alone', () => {
  const starts = startsOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', 'UTC', 2095, 10)
  expect(starts).toEqual(['2096-02-29T00:00:00.000Z', '2104-02-29T00:00:00.000Z'])
  expect(dateOf(dayOf(2100, 2, 29))).toEqual({ year: 2100, month: 3, day: 1 })
})

describe('A rule is refused', () => {
  const cases: [string, string][] = [
    ['', 'must consist of parts'],
    ['every Friday', 'must consist of parts'],
    ['BYDAY=FR', 'needs FREQ, one of'],
    ['FREQ=FORTNIGHTLY;BYDAY=FR', 'needs FREQ, one of'],
    ['FREQ=DAILY;COUNT=3', 'must not have COUNT'],
    ['FREQ=DAILY;UNTIL=20270101T000000Z', 'must not have UNTIL'],
    ['DTSTART:20260101T000000Z', 'must not have DTSTART'],
    ['FREQ=DAILY;DTSTART=20260101T000000Z', 'must not have DTSTART'],
    ['FREQ=DAILY;INTERVAL=2', 'must not have an INTERVAL above 1'],
    ['FREQ=DAILY;INTERVAL=0', 'must not have an INTERVAL above 1'],
    ['FREQ=DAILY;FREQ=DAILY', 'has FREQ twice'],
    ['FREQ=DAILY;BYEASTER=1', 'has BYEASTER, which RFC 5545 does not define'],
    ['FREQ=DAILY;constructor=1', 'has CONSTRUCTOR, which'],
    ['FREQ=DAILY;BYHOUR=24', 'has BYHOUR=24: it takes 0 to 23'],
    ['FREQ=DAILY;BYHOUR=-1', 'has BYHOUR=-1'],
    ['FREQ=DAILY;BYHOUR=', 'must consist of parts'],
    ['FREQ=DAILY;BYHOUR=1,,2', 'has BYHOUR='],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'it takes 1 to 31, and -31 to -1'],
    ['FREQ=WEEKLY;BYDAY=XX', 'has BYDAY=XX'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'must number weekdays'],
    ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', 'must number weekdays'],
    ['FREQ=MONTHLY;BYDAY=0MO', 'has BYDAY=0MO'],
    ['FREQ=WEEKLY;BYDAY=MO;WKST=X', 'has WKST=X'],
    ['FREQ=WEEKLY', 'must name weekdays with BYDAY'],
    ['FREQ=MONTHLY', 'must name days with BYMONTHDAY or BYDAY'],
    ['FREQ=YEARLY;BYMONTH=12', 'must name days with'],
    ['FREQ=YEARLY;BYWEEKNO=3', 'must name days with'],
    ['FREQ=WEEKLY;BYDAY=MO;BYMONTHDAY=1', 'must not have BYMONTHDAY with FREQ=WEEKLY'],
    ['FREQ=DAILY;BYYEARDAY=1', 'must not have BYYEARDAY with FREQ=DAILY'],
    ['FREQ=MONTHLY;BYDAY=MO;BYWEEKNO=3', 'must not have BYWEEKNO with FREQ=MONTHLY'],
    ['FREQ=DAILY;BYSETPOS=1', 'must have another BY part'],
    ['FREQ=SECONDLY', 'starts 86,400 times a day, and at most 24 are allowed'],
    ['FREQ=MINUTELY', 'starts 1,440 times a day'],
    ['FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,30', 'starts 26 times a day'],
  ]
  for (const [rrule, message] of cases)
    test(`${rrule || 'if it is empty'}`, () => expect(() => parseRule(rrule)).toThrow(message))
})

test('the rules of a policy are read in turns, so that other requests are answered in between', async () => {
  let [turns, isReading] = [0, true]
  const count = () => {
    turns += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const leapDay = { name: 'Leap day', rrule: 'FREQ=YEARLY;BYYEARDAY=366', duration_seconds: 60, time_zone: 'Europe/Berlin' }
  const freezes = await readFreezes(Array(20).fill(leapDay), new Date('2026-11-26T12:00:00Z'))
  isReading = false
  expect(freezes).toHaveLength(20)
  expect(turns).toBeGreaterThanOrEqual(freezes.length - 1)
})
