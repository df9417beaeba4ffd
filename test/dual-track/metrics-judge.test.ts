import { describe, expect, test } from 'bun:test'
import { type JudgeResult, judgeByMetrics, type TrackMetrics } from '../../worker/dual-track/metrics-judge.ts'

const NOTHING: TrackMetrics = {
  is_completed: true,
  gates: { approved: 0, total: 0 },
  tests: null,
  cost_usd: null,
  duration_seconds: null,
  retries: null,
  change_size: null,
}
const track = (given: Partial<TrackMetrics> = {}): TrackMetrics => ({ ...NOTHING, ...given })
const tests = (passed: number, total: number) => ({ passed, total })
const gates = (approved: number, total: number) => ({ approved, total })
const FULL = track({
  tests: tests(9, 10),
  gates: gates(1, 2),
  cost_usd: 2,
  duration_seconds: 100,
  retries: 2,
  change_size: 300,
})
const criterionOf = ({ criteria }: JudgeResult, name: string) => criteria.find((each) => each.name === name)

/** The result for swapped tracks, with the names swapped back. */
function mirrored(finding: JudgeResult): JudgeResult {
  const swapped = { a: 'b', b: 'a', tie: 'tie' } as const
  const renamed = (text: string) =>
    text.replaceAll(/\btrack ([ab])\b/gi, (words, name: 'a' | 'b') => words.slice(0, -1) + swapped[name])
  return {
    ...finding,
    recommendation: swapped[finding.recommendation],
    rationale: renamed(finding.rationale),
    criteria: finding.criteria.map((each) => ({
      ...each,
      a: each.b,
      b: each.a,
      score_a: each.score_b,
      score_b: each.score_a,
      evidence: renamed(each.evidence),
    })),
  }
}

describe('Evidence decides before figures:', () => {
  const worse = { tests: tests(1, 10), cost_usd: 100, duration_seconds: 9e5 }
  const cases: [string, TrackMetrics, TrackMetrics, string][] = [
    [
      'completed before not completed',
      track({ ...worse, gates: gates(0, 2) }),
      track({ ...FULL, is_completed: false, tests: tests(10, 10), gates: gates(2, 2) }),
      'Track a is completed, and track b is not.',
    ],
    [
      'then all gates approved before not all',
      track({ ...worse, gates: gates(1, 1) }),
      track({ ...FULL, tests: tests(10, 10), gates: gates(3, 4) }),
      'All gates of track a are approved, and those of track b are not: 1 of 1 against 3 of 4.',
    ],
    [
      'then all tests passing before not all',
      track({ tests: tests(1, 1), cost_usd: 50 }),
      track({ ...FULL, gates: gates(0, 0), tests: tests(99, 100) }),
      'All tests of track a pass, and those of track b do not: 1 of 1 against 99 of 100.',
    ],
  ]
  for (const [what, a, b, rationale] of cases) {
    test(what, () => {
      expect(judgeByMetrics(a, b)).toMatchObject({ recommendation: 'a', confidence: 1, rationale })
      expect(judgeByMetrics(b, a).recommendation).toBe('b')
    })
  }

  test('gates and tests count only if both tracks have some', () => {
    expect(judgeByMetrics(track({ gates: gates(1, 1) }), track({ gates: gates(0, 0) }))).toMatchObject({
      recommendation: 'tie',
      coverage: 0,
    })
    expect(judgeByMetrics(track({ tests: tests(1, 1) }), track({ tests: tests(0, 0) })).recommendation).toBe('tie')
    expect(judgeByMetrics(track({ tests: tests(0, 1) }), track({ tests: null })).recommendation).toBe('tie')
  })

  test('two unfinished tracks, or two with all tests passing, are compared by weights', () => {
    const cheap = { ...FULL, is_completed: false, cost_usd: 0.1, duration_seconds: 1 }
    const found = judgeByMetrics(cheap, { ...FULL, is_completed: false })
    expect(found.recommendation).toBe('a')
    expect(found.confidence).toBeLessThan(1)
  })
})

describe('Weights', () => {
  test('are .40, .25, .15, .10, .05 and .05 when nothing is missing', () => {
    const { criteria, coverage } = judgeByMetrics(FULL, FULL)
    expect(criteria.map(({ name, weight }) => [name, weight])).toEqual([
      ['tests_pass_rate', 0.4],
      ['gate_approval_rate', 0.25],
      ['cost', 0.15],
      ['duration', 0.1],
      ['retries', 0.05],
      ['change_size', 0.05],
    ])
    expect(coverage).toBe(1)
  })

  test('are rescaled to the available criteria; what either track lacks is ignored', () => {
    const found = judgeByMetrics({ ...FULL, gates: gates(0, 0), cost_usd: null }, { ...FULL, retries: null })
    expect(found.coverage).toBe(0.55)
    expect(found.criteria.map(({ weight }) => weight)).toEqual([40 / 55, 0, 0, 10 / 55, 0, 5 / 55])
    expect(criterionOf(found, 'cost')).toEqual({
      name: 'cost',
      weight: 0,
      a: null,
      b: 2,
      score_a: null,
      score_b: null,
      evidence: 'Dropped: track a has no value.',
    })
  })

  test('apply to the figure where higher is better, and to min(a, b) / x where lower is better', () => {
    const found = judgeByMetrics(
      { ...FULL, tests: tests(3, 4), cost_usd: 1, duration_seconds: 0 },
      { ...FULL, tests: tests(1, 2), cost_usd: 4, duration_seconds: 7 },
    )
    const scores = (name: string) => [criterionOf(found, name)?.score_a, criterionOf(found, name)?.score_b]
    expect(scores('tests_pass_rate')).toEqual([0.75, 0.5])
    expect(scores('cost')).toEqual([1, 0.25])
    expect(scores('duration')).toEqual([1, 0])
    expect(judgeByMetrics({ ...FULL, retries: 0 }, { ...FULL, retries: 0 }).criteria[4]).toMatchObject({ score_a: 1, score_b: 1 })
  })

  test('the rationale names the decisive figures and the opposing ones', () => {
    const found = judgeByMetrics({ ...FULL, cost_usd: 1, duration_seconds: 10, retries: 4 }, FULL)
    expect(found).toMatchObject({
      recommendation: 'a',
      rationale:
        'Track a scores 0.81 against 0.67: duration 10 s against 100 s; cost $1.00 against $2.00. Track b is better in: retries 2 against 4.',
    })
    expect(found.confidence).toBe(0.56)
  })

  test('a difference under 0.05 is a tie, one of 0.05 is not', () => {
    const base = track({
      tests: tests(50, 100),
      gates: gates(10, 20),
      cost_usd: 1,
      duration_seconds: 1,
      retries: 1,
      change_size: 1,
    })
    const under = judgeByMetrics({ ...base, tests: tests(62, 100) }, base)
    expect(under).toMatchObject({ recommendation: 'tie', confidence: 0.192, coverage: 1 })
    expect(under.rationale).toStartWith('A tie: the scores')
    expect(judgeByMetrics({ ...base, gates: gates(14, 20) }, base)).toMatchObject({ recommendation: 'a', confidence: 0.2 })
  })

  test('scores are not rounded before they are compared', () => {
    // 3/16 of 40 in 90 hundredths is a twelfth, which has no finite decimal: a third of a clear difference, times 0.9.
    const base = { ...FULL, gates: gates(1, 2), duration_seconds: null }
    const found = judgeByMetrics({ ...base, tests: tests(11, 16) }, { ...base, tests: tests(8, 16) })
    expect(found).toMatchObject({ recommendation: 'a', coverage: 0.9, confidence: 0.3 })
  })

  test('a difference just under 0.05 is shown as less than 0.05', () => {
    const base = { ...FULL, tests: tests(50_000, 100_000) }
    const found = judgeByMetrics({ ...base, tests: tests(62_499, 100_000) }, base)
    expect(found.recommendation).toBe('tie')
    expect(found.rationale).toContain('differ by 0.0499, less than 0.05.')
  })

  test('costs below a hundredth of a cent are shown', () => {
    const found = judgeByMetrics({ ...FULL, cost_usd: 0.000002 }, { ...FULL, cost_usd: 0.00004 })
    expect(found.rationale).toContain('cost $0.000002 against $0.00004')
  })

  test('less than half of the weights is a tie for lack of evidence', () => {
    const a = track({ cost_usd: 0.01, gates: gates(1, 2), retries: 0 })
    const found = judgeByMetrics(a, track({ cost_usd: 100, gates: gates(0, 2), retries: 9 }))
    expect(found).toMatchObject({ recommendation: 'tie', coverage: 0.45 })
    expect(found.rationale).toStartWith('A tie for lack of evidence')
    const enough = judgeByMetrics(
      { ...a, change_size: 1 },
      track({ cost_usd: 100, gates: gates(0, 2), retries: 9, change_size: 1 }),
    )
    expect(enough).toMatchObject({ recommendation: 'a', coverage: 0.5, confidence: 0.5 })
  })
})

describe('For any two tracks', () => {
  /** Pseudo-random numbers with a fixed seed. */
  function* random(seed: number): Generator<number, never> {
    for (let state = seed; ; ) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      yield state / 2 ** 32
    }
  }
  const numbers = random(7)
  const next = () => numbers.next().value
  const below = (limit: number) => Math.floor(next() * limit)
  const maybe = <Value>(value: Value): Value | null => (next() < 0.3 ? null : value)
  const figure = () => maybe([0, 1e15, next() * 10, below(5)][below(4)] ?? 0)
  const share = () => {
    const total = below(4)
    return [below(total + 1), total] as const
  }
  const anyTrack = (): TrackMetrics => ({
    is_completed: next() < 0.8,
    gates: gates(...share()),
    tests: maybe(tests(...share())),
    cost_usd: figure(),
    duration_seconds: figure(),
    retries: figure(),
    change_size: figure(),
  })
  const pairs = Array.from({ length: 5_000 }, () => [anyTrack(), anyTrack()] as const)
  const found = pairs.map(([a, b]) => judgeByMetrics(a, b))

  test('all outcomes occur', () => {
    const outcomes = new Set(found.map(({ rationale }) => rationale.split(' ').slice(0, 4).join(' ')))
    for (const track of ['a', 'b']) {
      for (const words of [`Track ${track} is completed,`, `Track ${track} scores`, `All gates of track`, `All tests of track`]) {
        expect([...outcomes].some((outcome) => outcome.startsWith(words))).toBe(true)
      }
    }
    expect(outcomes).toContain('A tie: the scores')
    expect(outcomes).toContain('A tie for lack')
  })

  test('swapping them mirrors the result exactly', () => {
    for (const [index, [a, b]] of pairs.entries()) expect(judgeByMetrics(b, a)).toEqual(mirrored(found[index] as JudgeResult))
  })

  test('numbers stay in their range, and weights add up to one', () => {
    for (const { confidence, coverage, criteria } of found) {
      const scores = criteria.flatMap(({ score_a, score_b, weight }) => [score_a ?? 0, score_b ?? 0, weight])
      for (const number of [confidence, coverage, ...scores]) {
        expect(number).toBeGreaterThanOrEqual(0)
        expect(number).toBeLessThanOrEqual(1)
      }
      const sum = criteria.reduce((total, { weight }) => total + weight, 0)
      expect(sum).toBeCloseTo(coverage === 0 ? 0 : 1, 12)
    }
  })

  test('the confidence follows from the listed criteria', () => {
    for (const { confidence, coverage, criteria, rationale } of found) {
      if (/^(Track . is completed|All )/.test(rationale)) continue
      const difference = criteria.reduce((sum, each) => sum + each.weight * ((each.score_a ?? 0) - (each.score_b ?? 0)), 0)
      expect(confidence).toBeCloseTo(Math.min(1, Math.abs(difference) / 0.25) * coverage, 9)
    }
  })

  test('a figure that one track lacks affects nothing else', () => {
    for (const [index, [a, b]] of pairs.entries()) {
      if (b.cost_usd !== null) continue
      const { criteria, ...rest } = judgeByMetrics({ ...a, cost_usd: a.cost_usd === null ? 3 : null }, b)
      const { criteria: before, ...same } = found[index] as JudgeResult
      expect(rest).toEqual(same)
      expect(criteria.filter(({ name }) => name !== 'cost')).toEqual(before.filter(({ name }) => name !== 'cost'))
    }
  })

  test('identical tracks are a tie', () => {
    for (const [track] of pairs) expect(judgeByMetrics(track, structuredClone(track)).recommendation).toBe('tie')
  })

  test('a better figure never worsens the result of a track', () => {
    const lead = ({ criteria }: JudgeResult) =>
      criteria.reduce((sum, { weight, score_a, score_b }) => sum + weight * ((score_a ?? 0) - (score_b ?? 0)), 0)
    for (const [index, [a, b]] of pairs.entries()) {
      if (a.cost_usd === null) continue
      expect(lead(judgeByMetrics({ ...a, cost_usd: a.cost_usd / 2 }, b))).toBeGreaterThanOrEqual(
        lead(found[index] as JudgeResult) - 1e-12,
      )
    }
  })
})
