import { describe, expect, test } from 'bun:test'
import '../support/server.ts'

const { changedFields, describeChanges, fieldChanges, secretChange, secretChanges } = await import(
  '../../api/audit-logs/changes.ts'
)

describe('Changed fields', () => {
  test('are those with another value, whatever the order of keys', () => {
    const before = { name: 'a', limit: 5, settings: { x: 1, y: [1, 2] }, cleared: null as string | null }
    expect(changedFields(before, { name: 'a', limit: 5, settings: { y: [1, 2], x: 1 }, cleared: null })).toBeNull()
    expect(changedFields(before, {})).toBeNull()
    expect(changedFields({ limit: 0 }, { limit: -0 })).toBeNull()
    expect(changedFields(before, { name: 'b', settings: { x: 1, y: [2, 1] } })).toEqual({
      name: 'b',
      settings: { x: 1, y: [2, 1] },
    })
    expect(changedFields(before, { cleared: '' })).toEqual({ cleared: '' })
  })

  test('are listed with old and new values', () => {
    const before = { name: 'a "b"\n', limit: null, on: true, list: ['x'] }
    expect(describeChanges(fieldChanges(before, { name: 'none', limit: 0, on: false, list: [] }))).toBe(
      'name from "a \\"b\\"\\n" to "none"; limit from none to 0; on from true to false; list from "x" to an empty list',
    )
    const rules = { approvers: [{ group_id: 'release', count: 2 }, 3] }
    expect(describeChanges(fieldChanges({ approvers: [] }, rules))).toBe(
      'approvers from an empty list to (group_id "release", count 2), 3',
    )
    expect(describeChanges(fieldChanges({}, { title: 'x' }))).toBe('title from none to "x"')
  })

  test('that are long are shortened around the difference', () => {
    const [from, to] = [`${'x'.repeat(300)}old${'z'.repeat(300)}`, `${'x'.repeat(300)}new${'z'.repeat(300)}`]
    const shown = describeChanges(fieldChanges({ text: from }, { text: to }))
    expect(shown).toBe(`text from "…${'x'.repeat(20)}old${'z'.repeat(57)}…" to "…${'x'.repeat(20)}new${'z'.repeat(57)}…"`)
    const emoji = describeChanges(fieldChanges({ text: '🚂'.repeat(200) }, { text: `x${'🚂'.repeat(200)}` }))
    expect(emoji.isWellFormed()).toBe(true)
    expect(emoji).not.toContain('\\ud83d')
  })

  test('that are secrets only show that they changed', () => {
    expect(describeChanges(secretChange('secret', null, 'hidden'))).toBe('secret added')
    expect(describeChanges(secretChange('secret', 'hidden', 'other'))).toBe('secret changed')
    expect(describeChanges(secretChange('secret', 'hidden', undefined))).toBe('secret removed')
    expect(secretChange('secret', 'same', 'same')).toEqual([])
    expect(secretChange('secret', undefined, null)).toEqual([])
    expect(describeChanges(secretChanges('headers', { A: '1', B: '1', C: '1' }, { A: '1', B: '2', D: '1' }))).toBe(
      'headers.B changed; headers.C removed; headers.D added',
    )
  })
})
