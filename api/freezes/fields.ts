import { InstantInput, Maybe, Name, Shape, type Static, Text, Type } from '../../core/values/schema.ts'

const isZone = (text: string): boolean => {
  try {
    // Offsets such as +01:00 are no names.
    return /^[A-Za-z]/.test(text) && new Temporal.ZonedDateTime(0n, text).timeZoneId === text
  } catch {
    return false
  }
}

const TimeZone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'The name of a time zone in the IANA database, as it is spelled there.',
    examples: ['Europe/Berlin'],
  }),
  isZone,
  () => 'must be the name of a time zone in the IANA database, such as Europe/Berlin',
)

const name = Name(120, { examples: ['Weekend'] })

const rrule = Text(1000, {
  description:
    'When it starts: an `RRULE` of RFC 5545 without `DTSTART`. `BY…` parts count by the clock of the zone; `BYHOUR`, `BYMINUTE` and `BYSECOND` are 0 where they are absent and `FREQ` does not count them. `COUNT`, `UNTIL`, an `INTERVAL` above 1 and more than 24 starts a day are refused. A start in an hour that a clock change skips is left out; in an hour that is repeated, the first counts.',
  examples: ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=16'],
})

const duration_seconds = Type.Integer({
  minimum: 60,
  maximum: 31_536_000,
  description: 'How long it holds from each start. Exact time: clock changes do not alter it.',
  examples: [230_400],
})

const FORMS = 'Once, with `from` and `until`; or again and again, with `rrule`, `duration_seconds` and `time_zone`.'

export const FreezeInput = Shape(
  {
    name,
    from: Maybe(InstantInput),
    until: Maybe(InstantInput),
    rrule: Maybe(rrule),
    duration_seconds: Maybe(duration_seconds),
    time_zone: Maybe(TimeZone),
  },
  {
    title: 'FreezeInput',
    description: FORMS,
    examples: [
      { name: 'Weekend', rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', duration_seconds: 230_400, time_zone: 'Europe/Berlin' },
    ],
  },
)
export type FreezeInput = Static<typeof FreezeInput>

export const Freeze = Shape(
  {
    name: Type.String({ examples: ['Weekend'] }),
    from: Maybe(Type.String({ format: 'date-time' })),
    until: Maybe(Type.String({ format: 'date-time' })),
    rrule: Maybe(Type.String({ examples: ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=16'] })),
    duration_seconds: Maybe(Type.Integer({ examples: [230_400] })),
    time_zone: Maybe(Type.String({ examples: ['Europe/Berlin'] })),
  },
  { title: 'Freeze', description: FORMS },
)
