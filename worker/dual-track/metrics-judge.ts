/**
 * The metrics judge: compares tracks by metrics and fixed rules, so that users can verify the result. It is symmetric: swapping
 * the tracks mirrors the result exactly.
 */
import type { ComparisonResult, Criterion, Winner } from '../../core/records/comparisons.ts'
import { usdText } from '../../core/values/money.ts'

export interface TrackMetrics {
  is_completed: boolean
  gates: { approved: number; total: number }
  tests: { passed: number; total: number } | null
  cost_usd: number | null
  duration_seconds: number | null
  retries: number | null
  change_size: number | null
}

export type JudgeResult = Omit<ComparisonResult, 'judge' | 'cost_usd'>

/** A smaller difference of scores is a tie. */
const MIN_DIFFERENCE = 0.05
/** From this difference on, the confidence is the coverage. */
const CLEAR_DIFFERENCE = 0.25
/** With less coverage, the result is a tie. */
const MIN_COVERAGE = 0.5

const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
/** More than the rounding error of sums and quotients here, which must not decide. */
export const NOISE = 1e-12
/** For results only; intermediate values are not rounded. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9
const shown = (value: number): string => String(Number(value.toFixed(4)))
/** Rounded down, so that a value below a limit is never shown as the limit. */
const shownBelow = (value: number): string => shown(Math.floor((value + NOISE) * 1e4) / 1e4)
const percent = (value: number): string => `${Number((value * 100).toFixed(2))}%`
export type Side = 'a' | 'b'

export const other = (side: Side): Side => (side === 'a' ? 'b' : 'a')

/** How much a criterion speaks for a side; negative if it speaks for the other one. */
export const leadOf = ({ weight, score_a, score_b }: Criterion, side: Side): number =>
  ((score_a ?? 0) - (score_b ?? 0)) * weight * (side === 'a' ? 1 : -1)

interface Rule {
  name: string
  /** The weight in hundredths: integers, whose sums are exact. */
  hundredths: number
  higherIsBetter: boolean
  value: (track: TrackMetrics) => number | null
  label: string
  show: (value: number) => string
  source: string
}

const RULES: Rule[] = [
  {
    name: 'tests_pass_rate',
    hundredths: 40,
    higherIsBetter: true,
    value: ({ tests }) => tests && shareOf(tests.passed, tests.total),
    label: 'tests passed',
    show: percent,
    source: 'The share of tests that passed; higher is better.',
  },
  {
    name: 'gate_approval_rate',
    hundredths: 25,
    higherIsBetter: true,
    value: ({ gates }) => shareOf(gates.approved, gates.total),
    label: 'gates approved',
    show: percent,
    source: 'The share of gates that were approved; higher is better.',
  },
  {
    name: 'cost',
    hundredths: 15,
    higherIsBetter: false,
    value: ({ cost_usd }) => cost_usd,
    label: 'cost',
    show: usdText,
    source: 'USD of all executions; lower is better.',
  },
  {
    name: 'duration',
    hundredths: 10,
    higherIsBetter: false,
    value: ({ duration_seconds }) => duration_seconds,
    label: 'duration',
    show: (value) => `${shown(value)} s`,
    source: 'Seconds of all executions; lower is better.',
  },
  {
    name: 'retries',
    hundredths: 5,
    higherIsBetter: false,
    value: ({ retries }) => retries,
    label: 'retries',
    show: shown,
    source: 'Reported retries, and executions after the first; lower is better.',
  },
  {
    name: 'change_size',
    hundredths: 5,
    higherIsBetter: false,
    value: ({ change_size }) => change_size,
    label: 'size of the change',
    show: (value) => `${shown(value)} lines`,
    source: 'Lines added and removed; lower is better.',
  },
]

/** If lower is better, the score is min(a, b) / x, and 1 for 0. */
function scoresOf({ higherIsBetter }: Rule, a: number, b: number): [number, number] {
  if (higherIsBetter) return [a, b]
  const least = Math.min(a, b)
  return [a === 0 ? 1 : least / a, b === 0 ? 1 : least / b]
}

function evidenceOf(rule: Rule, a: number | null, b: number | null): string {
  if (a !== null && b !== null) return rule.source
  if (a === null && b === null) return 'Dropped: neither track has a value.'
  return `Dropped: track ${a === null ? 'a' : 'b'} has no value.`
}

/** The criteria with their values, and the total weight of those that both tracks have, in hundredths. */
function weigh(a: TrackMetrics, b: TrackMetrics): { criteria: Criterion[]; kept: number } {
  const measured = RULES.map((rule) => ({ rule, of_a: rule.value(a), of_b: rule.value(b) }))
  const counts = ({ of_a, of_b }: (typeof measured)[number]) => of_a !== null && of_b !== null
  const kept = measured.filter(counts).reduce((sum, { rule }) => sum + rule.hundredths, 0)
  const criteria = measured.map(({ rule, of_a, of_b }) => {
    const common = { name: rule.name, a: of_a, b: of_b, evidence: evidenceOf(rule, of_a, of_b) }
    if (of_a === null || of_b === null) return { ...common, weight: 0, score_a: null, score_b: null }
    const [score_a, score_b] = scoresOf(rule, of_a, of_b)
    return { ...common, weight: rule.hundredths / kept, score_a, score_b }
  })
  return { criteria, kept }
}

interface DecisiveRule {
  name: string
  holds: (track: TrackMetrics) => boolean
  /** Whether the track has the data for it. */
  applies: (track: TrackMetrics) => boolean
  sentence: (winner: string, loser: string, better: TrackMetrics, worse: TrackMetrics) => string
}

const DECISIVE_RULES: DecisiveRule[] = [
  {
    name: 'completed',
    holds: ({ is_completed }) => is_completed,
    applies: () => true,
    sentence: (winner, loser) => `Track ${winner} is completed, and track ${loser} is not.`,
  },
  {
    name: 'gate_approval_rate',
    holds: ({ gates }) => gates.approved === gates.total,
    applies: ({ gates }) => gates.total > 0,
    sentence: (winner, loser, { gates: better }, { gates: worse }) =>
      `All gates of track ${winner} are approved, and those of track ${loser} are not: ${better.approved} of ${better.total} against ${worse.approved} of ${worse.total}.`,
  },
  {
    name: 'tests_pass_rate',
    holds: ({ tests }) => tests !== null && tests.passed === tests.total,
    applies: ({ tests }) => tests !== null && tests.total > 0,
    sentence: (winner, loser, { tests: better }, { tests: worse }) =>
      `All tests of track ${winner} pass, and those of track ${loser} do not: ${better?.passed} of ${better?.total} against ${worse?.passed} of ${worse?.total}.`,
  },
]

/** The rule that decides a comparison alone; undefined if none does. */
export const decisiveRule = (a: TrackMetrics, b: TrackMetrics): DecisiveRule | undefined =>
  DECISIVE_RULES.find(({ applies, holds }) => applies(a) && applies(b) && holds(a) !== holds(b))

function decideByRules(a: TrackMetrics, b: TrackMetrics): { recommendation: Side; rationale: string } | null {
  const rule = decisiveRule(a, b)
  if (!rule) return null
  return rule.holds(a)
    ? { recommendation: 'a', rationale: rule.sentence('a', 'b', a, b) }
    : { recommendation: 'b', rationale: rule.sentence('b', 'a', b, a) }
}

const argumentsFor = (side: Side, criteria: Criterion[]): string[] =>
  criteria
    .map((criterion, index) => ({ rule: RULES[index], lead: leadOf(criterion, side), criterion }))
    .filter(({ lead }) => lead > NOISE)
    .sort((one, two) => two.lead - one.lead)
    .map(({ rule, criterion }) => {
      const [own, others] = [criterion[side], criterion[other(side)]]
      return `${rule?.label} ${rule?.show(own ?? 0)} against ${rule?.show(others ?? 0)}`
    })

function decideByWeights(criteria: Criterion[], coverage: number, total_a: number, total_b: number) {
  const difference = Math.abs(total_a - total_b)
  const confidence = rounded(Math.min(1, difference / CLEAR_DIFFERENCE) * coverage)
  const tie = (rationale: string) => ({ recommendation: 'tie' as Winner, confidence, rationale })
  if (coverage < MIN_COVERAGE)
    return tie(
      `A tie for lack of evidence: the criteria for which both tracks have values make up ${percent(coverage)} of the weight, less than ${percent(MIN_COVERAGE)}.`,
    )
  const [more, less] = [Math.max(total_a, total_b), Math.min(total_a, total_b)].map(shown)
  if (difference < MIN_DIFFERENCE - NOISE)
    return tie(`A tie: the scores ${more} and ${less} differ by ${shownBelow(difference)}, less than ${shown(MIN_DIFFERENCE)}.`)
  const winner = total_a > total_b ? 'a' : 'b'
  const against = argumentsFor(other(winner), criteria)
  const rationale = [
    `Track ${winner} scores ${more} against ${less}: ${argumentsFor(winner, criteria).join('; ')}.`,
    ...(against.length > 0 ? [`Track ${other(winner)} is better in: ${against.join('; ')}.`] : []),
  ].join(' ')
  return { recommendation: winner as Winner, confidence, rationale }
}

export function judgeByMetrics(a: TrackMetrics, b: TrackMetrics): JudgeResult {
  const { criteria, kept } = weigh(a, b)
  const coverage = kept / 100
  const decision = decideByRules(a, b)
  if (decision) return { ...decision, confidence: 1, coverage, criteria }
  const totalOf = (score: 'score_a' | 'score_b') => criteria.reduce((sum, each) => sum + (each[score] ?? 0) * each.weight, 0)
  return { ...decideByWeights(criteria, coverage, totalOf('score_a'), totalOf('score_b')), coverage, criteria }
}
