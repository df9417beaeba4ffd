import { describe, expect, test } from 'bun:test'
import { judgeByMetrics, type TrackMetrics } from '../../worker/dual-track/metrics-judge.ts'
import { combineAnswers } from '../../worker/dual-track/model-judge.ts'
import { RUBRIC_NAMES } from '../../worker/dual-track/prompt.ts'
import { metricsVerdict, modelVerdict } from '../../worker/dual-track/verdict.ts'

const TRACK: TrackMetrics = {
  is_completed: true,
  gates: { approved: 1, total: 1 },
  tests: { passed: 39, total: 40 },
  cost_usd: 5,
  duration_seconds: 100,
  retries: 1,
  change_size: 300,
}
const track = (given: Partial<TrackMetrics> = {}): TrackMetrics => ({ ...TRACK, ...given })
const tests = (passed: number, total: number) => ({ passed, total })
const AGENTS = { track_a_agent: 'claude-code', track_b_agent: 'codex' }
const SWAPPED = { track_a_agent: 'codex', track_b_agent: 'claude-code' }
const verdict = (a: TrackMetrics, b: TrackMetrics, agents = AGENTS): string => metricsVerdict(agents, a, b, judgeByMetrics(a, b))

describe('The verdict of the metrics judge', () => {
  const cases: [what: string, a: TrackMetrics, b: TrackMetrics, sentence: string][] = [
    [
      'names what speaks against the better track',
      track({ tests: tests(36, 40), cost_usd: 3, duration_seconds: 50 }),
      track({ duration_seconds: 50 }),
      'A tie: claude-code and codex are about equally good; claude-code is cheaper by 40%, but passes 90% of its tests against 97.5%.',
    ],
    [
      'recommends the cheaper track if it passes nearly as many tests',
      track({ tests: tests(36, 40), cost_usd: 2, duration_seconds: null, gates: { approved: 0, total: 0 } }),
      track({ gates: { approved: 0, total: 0 } }),
      'claude-code is cheaper by 60%, but passes 90% of its tests against 97.5%.',
    ],
    [
      'begins with what decided',
      track({ cost_usd: 9 }),
      track({ gates: { approved: 0, total: 1 } }),
      'claude-code has 100% of its gates approved against 0%, but costs 80% more.',
    ],
    [
      'names both agents if only one has completed',
      track({ cost_usd: 9 }),
      track({ is_completed: false }),
      'claude-code is completed and codex is not, but claude-code costs 80% more.',
    ],
    [
      'shows amounts where a percentage says little',
      track({ cost_usd: 0.01 }),
      track({ cost_usd: 1004.5 }),
      'claude-code costs $0.01 against $1,004.50.',
    ],
    ['calls a tie without any difference a tie', track(), track(), 'A tie: claude-code and codex are about equally good.'],
    [
      'says that too little is known',
      track({ tests: null, gates: { approved: 0, total: 0 } }),
      track({ cost_usd: 4 }),
      'A tie: too little is known to compare claude-code and codex; codex is cheaper by 20%.',
    ],
  ]
  test.each(cases)('%s', (_, a, b, sentence) => {
    expect(verdict(a, b)).toBe(sentence)
    // Swapped tracks get the same verdict; only a tie names them in their order.
    const mirrored = verdict(b, a, SWAPPED).replace('codex and claude-code', 'claude-code and codex')
    expect(mirrored).toBe(sentence)
  })

  test('tells agents of the same name apart', () => {
    const agents = { track_a_agent: 'codex', track_b_agent: 'codex' }
    expect(verdict(track({ is_completed: false }), track(), agents)).toBe(
      'codex (track b) is completed and codex (track a) is not.',
    )
  })

  test('is one line, whatever the names contain', () => {
    const agents = { track_a_agent: 'a\n\u202eb', track_b_agent: '\u2066' }
    expect(verdict(track(), track({ is_completed: false }), agents)).toBe('a b is completed and the agent (track b) is not.')
  })
})

test('the verdict of the model judge names grades for and against', () => {
  const grades = (first: number, second: number) => ({ evidence: 'e', first, second })
  const answer = (first: number, second: number, recommendation: 'first' | 'second') => ({
    criteria: Object.fromEntries(
      RUBRIC_NAMES.map((name) => [name, name === 'security' ? grades(second, first) : grades(first, second)]),
    ) as never,
    rationale: 'r',
    recommendation,
    confidence: 1,
  })
  const result = combineAnswers({ ab: answer(9, 5, 'first'), ba: answer(5, 9, 'second') })
  expect(modelVerdict(AGENTS, result)).toBe(
    'claude-code scores 9 against 5 in correctness and scores 9 against 5 in completeness, but scores 5 against 9 in security.',
  )
  const torn = combineAnswers({ ab: answer(9, 5, 'first'), ba: answer(9, 5, 'first') })
  expect(modelVerdict(AGENTS, torn)).toBe(
    'A tie: asked twice about claude-code and codex, the model recommended different tracks.',
  )
})
