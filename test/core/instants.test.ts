import { expect, test } from 'bun:test'
import { inUtc, isInstant } from '../../core/values/instants.ts'

test('a time is converted to UTC and truncated to milliseconds', () => {
  const cases = [
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.5+05:45', '2026-11-21T03:45:00.500Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000Z'],
    ['2024-02-29T23:59:59.9999-14:00', '2024-03-01T13:59:59.999Z'],
    ['0000-12-31T23:00:00-14:00', '0001-01-01T13:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999999-00:00', '9999-12-31T23:59:59.999Z'],
  ] as const
  for (const [given, utc] of cases) expect([given, isInstant(given), inUtc(given)]).toEqual([given, true, utc])
})
