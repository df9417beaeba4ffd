import { describe, expect, test } from 'bun:test'
import { failedCondition, filterErrors, isFiltered } from '../../core/dispatches/filters.ts'

const ENVELOPE = {
  environment: 'production',
  sequence: null,
  data: { count: 5, text: '5', flag: true, nothing: null, list: [1], object: {}, gate: { name: 'Release 1.4' } },
}

const matches = (condition: unknown, pointer: string) => failedCondition({ [pointer]: condition }, ENVELOPE) === null

describe.each<[condition: unknown, holds: string[], fails: string[]]>([
  ['production', ['/environment'], ['/data/text', '/absent']],
  [5, ['/data/count'], ['/data/text', '/data/list', '/absent']],
  ['5', ['/data/text'], ['/data/count']],
  [true, ['/data/flag'], ['/data/count', '/absent']],
  [
    null,
    ['/data/nothing', '/absent', '/sequence', '/constructor', '/data/__proto__', '/data/list/1'],
    ['/data/flag', '/data/object'],
  ],
  [{ in: ['production', 5] }, ['/environment', '/data/count'], ['/data/text', '/absent']],
  [{ in: [null] }, ['/data/nothing', '/absent'], ['/environment']],
  [{ in: [] }, [], ['/environment', '/absent']],
  [{ not: 'production' }, ['/data/text', '/absent', '/data/object'], ['/environment']],
  [{ not: ['production', 5] }, ['/data/text', '/absent'], ['/environment', '/data/count']],
  [{ not: null }, ['/environment', '/absent'], ['/data/nothing']],
  [{ not: [] }, ['/environment', '/absent'], []],
  [{ gte: 5 }, ['/data/count'], ['/data/text', '/data/flag', '/data/nothing', '/absent', '/data/list']],
  [{ gte: 5.1 }, [], ['/data/count']],
  [{ lte: 5 }, ['/data/count'], ['/data/text', '/data/nothing', '/absent']],
  [{ lte: 4.9 }, [], ['/data/count']],
  [{ starts_with: 'Release' }, ['/data/gate/name'], ['/environment', '/data/count', '/data/list', '/absent']],
  [{ starts_with: '' }, ['/environment'], ['/data/count', '/absent']],
  [{ exists: true }, ['/environment', '/data/nothing', '/data/object'], ['/absent', '/constructor', '/data/list/length']],
  [{ exists: false }, ['/absent'], ['/environment', '/data/nothing']],
])('%j', (condition, holds, fails) => {
  test('holds for these and fails for those', () => {
    expect(holds.filter((pointer) => !matches(condition, pointer))).toEqual([])
    expect(fails.filter((pointer) => matches(condition, pointer))).toEqual([])
  })

  test('is valid', () => expect(filterErrors({ '/a': condition })).toEqual([]))
})

test('all conditions must hold, and the first that does not is named', () => {
  expect(failedCondition({}, ENVELOPE)).toBeNull()
  const filter = { '/environment': 'production', '/data/count': { gte: 6 }, '/data/text': 'x' }
  expect(failedCondition(filter, ENVELOPE)).toEqual({ pointer: '/data/count', condition: { gte: 6 }, value: 5 })
  expect(failedCondition({ '/absent': 1 }, ENVELOPE)).toEqual({ pointer: '/absent', condition: 1, value: null })
})

test.each<[condition: unknown, path: string[], code: string]>([
  [{}, ['/a'], 'malformed'],
  [{ gte: 1, lte: 2 }, ['/a'], 'malformed'],
  [[1], ['/a'], 'wrong_type'],
  [{ equals: 1 }, ['/a', 'equals'], 'not_allowed'],
  [JSON.parse('{"__proto__": 1}'), ['/a', '__proto__'], 'not_allowed'],
  [{ constructor: 1 }, ['/a', 'constructor'], 'not_allowed'],
  [{ in: 'x' }, ['/a', 'in'], 'wrong_type'],
  [{ in: [{}] }, ['/a', 'in'], 'wrong_type'],
  [{ in: null }, ['/a', 'in'], 'wrong_type'],
  [{ not: {} }, ['/a', 'not'], 'wrong_type'],
  [{ not: [[]] }, ['/a', 'not'], 'wrong_type'],
  [{ gte: '1' }, ['/a', 'gte'], 'wrong_type'],
  [{ lte: null }, ['/a', 'lte'], 'wrong_type'],
  [{ gte: Number.POSITIVE_INFINITY }, ['/a', 'gte'], 'wrong_type'],
  [{ starts_with: 1 }, ['/a', 'starts_with'], 'wrong_type'],
  [{ exists: 1 }, ['/a', 'exists'], 'wrong_type'],
])('%j is refused', (condition, path, code) => {
  expect(filterErrors({ '/a': condition })).toMatchObject([{ path, code }])
})

test.each(['', 'a', '/~', '/~3', '$.a'])('%j is no pointer', (pointer) => {
  expect(filterErrors({ [pointer]: 1 })).toMatchObject([{ path: [pointer], code: 'malformed' }])
})

test('only what hooks are triggered by is filtered', () => {
  const names = ['workflow.completed', 'gate.approved', 'test.ping', 'manual.trigger', 'deployment.rollback']
  expect(names.filter(isFiltered)).toEqual(['workflow.completed', 'gate.approved'])
})

test.each([
  ['/sequence', 5],
  ['/sequence', { gte: 1 }],
  ['/sequence', { not: null }],
  ['/sequence/0', 5],
  ['/environment/name', 'production'],
  ['/created_at/year', { exists: true }],
  ['/project', 'Shop'],
  ['/data', { starts_with: '{' }],
])('a condition on %s that no event can fulfil is refused: %j', (pointer, condition) => {
  expect(filterErrors({ [pointer]: condition })).toMatchObject([{ path: [pointer], code: 'never_matches' }])
})

test.each([
  ['/sequence', null],
  ['/sequence', { exists: true }],
  ['/environment/name', { exists: false }],
  ['/project', { not: null }],
  ['/data/sequence', 5],
])('a condition on %s that an event can fulfil is valid: %j', (pointer, condition) => {
  expect(filterErrors({ [pointer]: condition })).toEqual([])
})
