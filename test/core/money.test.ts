import { describe, expect, test } from 'bun:test'
import { roundUsd, sumUsd } from '../../core/values/money.ts'
import { costOf } from '../../worker/model/model.ts'

describe('An amount is rounded half up to six decimals', () => {
  const cases: [number, number][] = [
    [0, 0],
    [5e-324, 0],
    [4.999e-7, 0],
    [5e-7, 0.000_001],
    [9.9e-7, 0.000_001],
    [0.000_001, 0.000_001],
    [0.000_001_5, 0.000_002],
    // The binary fractions of these are slightly below or above the decimal ones.
    [1.000_000_5, 1.000_001],
    [1.000_000_4, 1],
    [1.005_000_5, 1.005_001],
    [2.000_001_5, 2.000_002],
    [1.140_000_000_000_000_1, 1.14],
    [0.1 + 0.2, 0.3],
    [0.999_999_5, 1],
    [123_456_789.123_456_5, 123_456_789.123_457],
    [999_999_999.123_456, 999_999_999.123_456],
    [999_999_999.999_999_5, 1e9],
    [1e9, 1e9],
  ]
  for (const [given, rounded] of cases) test(`${given} is ${rounded}`, () => expect(roundUsd(given)).toBe(rounded))
})

test('a sum has no more decimals than its amounts', () => {
  expect(sumUsd([])).toBe(0)
  expect(sumUsd([0.1, 0.2])).toBe(0.3)
  expect(sumUsd([0.0001, 0.0002])).toBe(0.0003)
  expect(sumUsd(Array.from({ length: 1000 }, () => 0.000_001))).toBe(0.001)
  expect(sumUsd([1e12, 0.5])).toBe(1_000_000_000_000.5)
})

describe('The cost of tokens is exact', () => {
  const cost = (prompt_tokens: unknown, completion_tokens: unknown, input: number, output: number) =>
    costOf({ prompt_tokens, completion_tokens }, input, output)

  test('and rounded half up', () => {
    expect(cost(1000, 100, 2.5, 10)).toBe(0.0035)
    // 100.5 millionths; 1.005 × 100 in binary is less.
    expect(cost(100, 0, 1.005, 0)).toBe(0.000_101)
    expect(cost(5, 0, 0.1, 0)).toBe(0.000_001)
    expect(cost(4, 0, 0.1, 0)).toBe(0)
    expect(cost(1e8, 1e8, 999_999.999_999, 999_999.999_999)).toBe(199_999_999.9998)
  })

  test('and invalid counts are ignored', () => {
    for (const tokens of [-1, 1.5, 1e9, Number.NaN, '7', null, undefined, {}]) expect(cost(tokens, 1000, 1, 1)).toBe(0.001)
  })
})
