import { describe, expect, test } from 'bun:test'
import { BodyBudget } from '../../worker/delivery/body-budget.ts'

const MIB = 1_048_576

describe('The budget for bodies in memory', () => {
  test('gives a tenant half, and what is guaranteed alongside others', () => {
    const budget = new BodyBudget(8 * MIB)
    budget.hold('one', 4 * MIB)
    expect(budget.room('one')).toBe(0)
    expect(budget.room('two')).toBe(MIB)
    budget.hold('two', 4 * MIB)
    expect([budget.room('two'), budget.room('three')]).toEqual([0, MIB / 4])
    budget.hold('three', MIB / 4)
    expect(budget.room('three')).toBe(0)
  })

  test('says when something is released', async () => {
    const budget = new BodyBudget(8 * MIB)
    budget.hold('one', 5 * MIB)
    const freed = budget.freed()
    budget.release('one', 5 * MIB)
    await freed
    expect(budget.room('one')).toBe(MIB)
  })
})
