/**
 * The metrics judge: figures alone, by fixed rules, so that anybody can check what it found. It knows no order:
 * swapping the tracks mirrors what it finds exactly.
 */
import type { ComparisonResult, Criterion, Winner } from '../../core/dual-track.ts'

/** What is known of a track. */
export interface Figures {
  is_completed: boolean
  gates: { approved: number; total: number }
  tests: { passed: number; total: number } | null
  cost_usd: number | null
  duration_seconds: number | null
  retries: number | null
  change_size: number | null
}

/** What a judge finds, before it is known who judged and what it cost. */
export type Finding = Omit<ComparisonResult, 'judge' | 'cost_usd'>

/** Under this the tracks are alike. */
const LEAST_DIFFERENCE = 0.05
/** From this on the judge is as sure as its coverage lets it be. */
const CLEAR_DIFFERENCE = 0.25
/** With less of the weight there is too little to go by. */
const LEAST_COVERAGE = 0.5

const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
/** What sums and quotients of doubles are off by, at the most: it must not decide. */
const NOISE = 1e-12
/** For a result alone: what is rounded is not calculated with. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9
const shown = (value: number): string => String(Number(value.toFixed(4)))
/** Cut off, so that what is under a limit never reads as the limit. */
const shownBelow = (value: number): string => shown(Math.floor((value + NOISE) * 1e4) / 1e4)
const percent = (value: number): string => `${Number((value * 100).toFixed(2))} %`
const other = (track: 'a' | 'b') => (track === 'a' ? 'b' : 'a')

interface Rule {
  name: string
  /** What it counts, in hundredths, which add up exactly. */
  hundredths: number
  higherIsBetter: boolean
  figure: (track: Figures) => number | null
  words: string
  show: (value: number) => string
  source: string
}

const RULES: Rule[] = [
  {
    name: 'tests_pass_rate',
    hundredths: 40,
    higherIsBetter: true,
    figure: ({ tests }) => tests && shareOf(tests.passed, tests.total),
    words: 'tests passed',
    show: percent,
    source: 'The share of tests that passed; higher is better.',
  },
  {
    name: 'gate_approval_rate',
    hundredths: 25,
    higherIsBetter: true,
    figure: ({ gates }) => shareOf(gates.approved, gates.total),
    words: 'gates approved',
    show: percent,
    source: 'The share of gates that were approved; higher is better.',
  },
  {
    name: 'cost',
    hundredths: 15,
    higherIsBetter: false,
    figure: ({ cost_usd }) => cost_usd,
    words: 'cost',
    show: (value) => `${Number(value.toFixed(6))} USD`,
    source: 'USD of all executions; lower is better.',
  },
  {
    name: 'duration',
    hundredths: 10,
    higherIsBetter: false,
    figure: ({ duration_seconds }) => duration_seconds,
    words: 'duration',
    show: (value) => `${shown(value)} s`,
    source: 'Seconds of all executions; lower is better.',
  },
  {
    name: 'retries',
    hundredths: 5,
    higherIsBetter: false,
    figure: ({ retries }) => retries,
    words: 'retries',
    show: shown,
    source: 'Retries that are reported, and executions after the first; lower is better.',
  },
  {
    name: 'change_size',
    hundredths: 5,
    higherIsBetter: false,
    figure: ({ change_size }) => change_size,
    words: 'size of the change',
    show: (value) => `${shown(value)} lines`,
    source: 'Lines added and removed; lower is better.',
  },
]

/** Lower is better as min(a, b) / x, where 0 scores 1. */
function scoresOf({ higherIsBetter }: Rule, a: number, b: number): [number, number] {
  if (higherIsBetter) return [a, b]
  const least = Math.min(a, b)
  return [a === 0 ? 1 : least / a, b === 0 ? 1 : least / b]
}

function evidenceOf(rule: Rule, a: number | null, b: number | null): string {
  if (a !== null && b !== null) return rule.source
  if (a === null && b === null) return 'Dropped: neither track has this figure.'
  return `Dropped: track ${a === null ? 'a' : 'b'} has no such figure.`
}

/** The criteria with their figures, and how much of the weight is kept, in hundredths. */
function weigh(a: Figures, b: Figures): { criteria: Criterion[]; kept: number } {
  const measured = RULES.map((rule) => ({ rule, of_a: rule.figure(a), of_b: rule.figure(b) }))
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

interface Evidence {
  holds: (track: Figures) => boolean
  /** Whether a track has anything that could show it. */
  applies: (track: Figures) => boolean
  sentence: (winner: string, loser: string, better: Figures, worse: Figures) => string
}

/** What settles it at once, the strongest first. */
const EVIDENCE: Evidence[] = [
  {
    holds: ({ is_completed }) => is_completed,
    applies: () => true,
    sentence: (winner, loser) => `Track ${winner} is completed, and track ${loser} is not.`,
  },
  {
    holds: ({ gates }) => gates.approved === gates.total,
    applies: ({ gates }) => gates.total > 0,
    sentence: (winner, loser, { gates: better }, { gates: worse }) =>
      `All gates of track ${winner} are approved, and those of track ${loser} are not: ${better.approved} of ${better.total} against ${worse.approved} of ${worse.total}.`,
  },
  {
    holds: ({ tests }) => tests !== null && tests.passed === tests.total,
    applies: ({ tests }) => tests !== null && tests.total > 0,
    sentence: (winner, loser, { tests: better }, { tests: worse }) =>
      `All tests of track ${winner} pass, and those of track ${loser} do not: ${better?.passed} of ${better?.total} against ${worse?.passed} of ${worse?.total}.`,
  },
]

function decidedByEvidence(a: Figures, b: Figures): { recommendation: 'a' | 'b'; rationale: string } | null {
  for (const { holds, applies, sentence } of EVIDENCE) {
    if (!applies(a) || !applies(b) || holds(a) === holds(b)) continue
    return holds(a)
      ? { recommendation: 'a', rationale: sentence('a', 'b', a, b) }
      : { recommendation: 'b', rationale: sentence('b', 'a', b, a) }
  }
  return null
}

/** What speaks for a track, the weightiest first. */
function argumentsFor(track: 'a' | 'b', criteria: Criterion[]): string[] {
  return criteria
    .map((criterion, index) => {
      const { weight, a, b, score_a, score_b } = criterion
      const lead = ((score_a ?? 0) - (score_b ?? 0)) * weight * (track === 'a' ? 1 : -1)
      return { rule: RULES[index], lead, own: track === 'a' ? a : b, others: track === 'a' ? b : a }
    })
    .filter(({ lead }) => lead > NOISE)
    .sort((one, two) => two.lead - one.lead)
    .map(({ rule, own, others }) => `${rule?.words} ${rule?.show(own ?? 0)} against ${rule?.show(others ?? 0)}`)
}

function decidedByWeights(criteria: Criterion[], coverage: number, total_a: number, total_b: number) {
  const difference = Math.abs(total_a - total_b)
  const confidence = rounded(Math.min(1, difference / CLEAR_DIFFERENCE) * coverage)
  const tie = (rationale: string) => ({ recommendation: 'tie' as Winner, confidence, rationale })
  if (coverage < LEAST_COVERAGE)
    return tie(
      `A tie for lack of evidence: the figures that both tracks have make up ${percent(coverage)} of the weight, less than ${percent(LEAST_COVERAGE)}.`,
    )
  const [more, less] = [Math.max(total_a, total_b), Math.min(total_a, total_b)].map(shown)
  if (difference < LEAST_DIFFERENCE - NOISE)
    return tie(`A tie: the scores ${more} and ${less} differ by ${shownBelow(difference)}, less than ${shown(LEAST_DIFFERENCE)}.`)
  const winner = total_a > total_b ? 'a' : 'b'
  const against = argumentsFor(other(winner), criteria)
  const rationale = [
    `Track ${winner} scores ${more} against ${less}: ${argumentsFor(winner, criteria).join('; ')}.`,
    ...(against.length > 0 ? [`For track ${other(winner)} speaks: ${against.join('; ')}.`] : []),
  ].join(' ')
  return { recommendation: winner as Winner, confidence, rationale }
}

/** Judges two tracks by their figures. */
export function judgeByMetrics(a: Figures, b: Figures): Finding {
  const { criteria, kept } = weigh(a, b)
  const coverage = kept / 100
  const evidence = decidedByEvidence(a, b)
  if (evidence) return { ...evidence, confidence: 1, coverage, criteria }
  const totalOf = (score: 'score_a' | 'score_b') => criteria.reduce((sum, each) => sum + (each[score] ?? 0) * each.weight, 0)
  return { ...decidedByWeights(criteria, coverage, totalOf('score_a'), totalOf('score_b')), coverage, criteria }
}
