import { expect, test } from 'bun:test'
import { type ApproverRule, fills, type GroupedApproval } from '../../core/gates/approval.ts'

const rule = (group_id: string, count = 1): ApproverRule => ({ group_id, name: group_id, count })
const by = (user_id: string, ...group_ids: string[]): GroupedApproval => ({ user_id, group_ids })

const FULL = { is_filled: true, missing: [] }

test('without rules, as many approvals as required are enough, from anyone', () => {
  expect(fills([], 1, [])).toEqual({ is_filled: false, missing: ['1 more approval'] })
  expect(fills([], 3, [by('Ada')])).toEqual({ is_filled: false, missing: ['2 more approvals'] })
  expect(fills([], 2, [by('Ada'), by('Grace', 'Security')])).toEqual(FULL)
})

test('each person counts for one rule', () => {
  const rules = [rule('Security'), rule('Operations')]
  const { is_filled, missing } = fills(rules, 1, [by('Ada', 'Security', 'Operations')])
  expect(is_filled).toBe(false)
  expect(missing).toHaveLength(1)
  expect(fills(rules, 1, [by('Ada', 'Security', 'Operations'), by('Grace', 'Security')])).toEqual(FULL)
})

test('the order of approvals and rules makes no difference: a person who was counted for one rule moves to another', () => {
  const people = [by('Ada', 'A', 'B'), by('Grace', 'A', 'C'), by('Mary', 'A')]
  const rules = [rule('A'), rule('B'), rule('C')]
  for (const approvals of [people, people.toReversed()]) {
    for (const wanted of [rules, rules.toReversed()]) expect(fills(wanted, 3, approvals)).toEqual(FULL)
  }
})

test('the approvals that are required can be more than the rules name, and only members of the groups count', () => {
  const rules = [rule('Security')]
  expect(fills(rules, 2, [by('Ada', 'Security')])).toEqual({ is_filled: false, missing: ['1 more approval'] })
  expect(fills(rules, 2, [by('Ada', 'Security'), by('Max')]).is_filled).toBe(false)
  expect(fills(rules, 2, [by('Ada', 'Security'), by('Grace', 'Security')])).toEqual(FULL)
})

test('what is missing is said in words', () => {
  expect(fills([rule('Security', 2), rule('Operations')], 5, [by('Ada', 'Security')]).missing).toEqual([
    '1 more approval by members of Security',
    '1 more approval by members of Operations',
    '2 more approvals besides',
  ])
})

/** Tries every assignment. */
function someAssignmentFills(rules: ApproverRule[], required: number, approvals: GroupedApproval[]): boolean {
  const counting = approvals.filter(({ group_ids }) => rules.some(({ group_id }) => group_ids.includes(group_id)))
  const attempt = (open: number[], at: number): boolean => {
    if (open.every((count) => count === 0)) return true
    const person = counting[at]
    if (!person) return false
    const without = attempt(open, at + 1)
    return (
      without ||
      rules.some(({ group_id }, index) => {
        const left = open[index] ?? 0
        return left > 0 && person.group_ids.includes(group_id) && attempt(open.with(index, left - 1), at + 1)
      })
    )
  }
  if (rules.length === 0) return approvals.length >= required
  return (
    counting.length >= required &&
    attempt(
      rules.map(({ count }) => count),
      0,
    )
  )
}

test('the answer is that of trying every assignment, and who is missing is enough', () => {
  let seed = 7
  const below = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * limit)
  }
  const outcomes = { true: 0, false: 0 }
  for (let round = 0; round < 4_000; round++) {
    const groups = ['A', 'B', 'C', 'D'].slice(0, below(5))
    const rules = groups.map((group) => rule(group, 1 + below(2)))
    const approvals = Array.from({ length: below(7) }, (_, index) =>
      by(`person ${index}`, ...[...groups, 'E'].filter(() => below(2) === 0)),
    )
    const required = 1 + below(4)
    const { is_filled, missing } = fills(rules, required, approvals)
    expect({ round, is_filled }).toEqual({ round, is_filled: someAssignmentFills(rules, required, approvals) })
    outcomes[`${is_filled}`] += 1
    const newcomers = missing.flatMap((text, line) => {
      const [, count = '', group] = /^(\d+) more approvals?(?: by members of (.)| besides)?$/.exec(text) ?? []
      const member = group ?? groups[0]
      return Array.from({ length: Number(count) }, (_, index) => by(`new ${line} ${index}`, ...(member ? [member] : [])))
    })
    expect({ round, ...fills(rules, required, [...approvals, ...newcomers]) }).toEqual({ round, ...FULL })
  }
  expect(Math.min(outcomes.true, outcomes.false)).toBeGreaterThan(500)
})
