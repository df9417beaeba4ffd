/** The verdict of a comparison: one sentence that names the agents and says what the better track costs. */
import type { Criterion } from '../../core/records/comparisons.ts'
import { usdText } from '../../core/values/money.ts'
import { line } from '../../core/values/plain-text.ts'
import { decisiveRule, type JudgeResult, leadOf, NOISE, other, type Side, type TrackMetrics } from './metrics-judge.ts'

export type Agents = { track_a_agent: string; track_b_agent: string }

/** What one side of the sentence names at most. */
const MAX_POINTS = 2

/** The name of a track: its agent, with the track if both agents have the same name. */
function nameOf(agents: Agents, side: Side): string {
  const [own, others] = [line(agents[`track_${side}_agent`], 120), line(agents[`track_${other(side)}_agent`], 120)]
  return own === '' || own === others ? `${own || 'the agent'} (track ${side})` : own
}

const shown = (value: number): string => Number(value.toFixed(2)).toLocaleString('en')
const percent = (share: number): string => `${Number((share * 100).toFixed(1))}%`
const counted = (count: number, noun: string): string => `${shown(count)} ${noun}${count === 1 ? '' : 's'}`

/** `by 40%`; a difference that rounds to nothing or to everything is shown by its values. */
function saving(less: number, more: number): string | null {
  const part = Math.round((1 - less / more) * 100)
  return less > 0 && part > 0 && part < 100 ? `by ${part}%` : null
}

/** The excess of what is more, if it is at most tenfold. */
function excess(more: number, less: number): string | null {
  const part = less > 0 ? Math.round((more / less - 1) * 100) : 0
  return part > 0 && part <= 900 ? `${part}%` : null
}

const PHRASES: Record<string, (own: number, others: number) => string> = {
  tests_pass_rate: (own, others) => `passes ${percent(own)} of its tests against ${percent(others)}`,
  gate_approval_rate: (own, others) => `has ${percent(own)} of its gates approved against ${percent(others)}`,
  cost: (own, others) => {
    const by = own < others ? saving(own, others) : excess(own, others)
    if (by === null) return `costs ${usdText(own)} against ${usdText(others)}`
    return own < others ? `is cheaper ${by}` : `costs ${by} more`
  },
  duration: (own, others) => {
    const by = own < others ? saving(own, others) : excess(own, others)
    if (by === null) return `takes ${counted(own, 'second')} against ${shown(others)}`
    return own < others ? `is faster ${by}` : `takes ${by} longer`
  },
  retries: (own, others) => `needs ${own === 1 ? '1 retry' : `${shown(own)} retries`} against ${shown(others)}`,
  change_size: (own, others) => `changes ${counted(own, 'line')} against ${shown(others)}`,
}

const graded = ({ name, score_a, score_b }: Criterion, side: Side): string => {
  const [own, others] = side === 'a' ? [score_a, score_b] : [score_b, score_a]
  return `scores ${shown((own ?? 0) * 10)} against ${shown((others ?? 0) * 10)} in ${name.replaceAll('_', ' ')}`
}

type Point = { name: string; text: string; lead: number }

/** What speaks for and against a side, the most important first. */
function pointsOf(side: Side, criteria: Criterion[]): { pros: Point[]; cons: Point[] } {
  const points = criteria.map((criterion): Point => {
    const { name } = criterion
    const [own, others] = [criterion[side], criterion[other(side)]]
    const phrase = PHRASES[name]
    const text = phrase && own !== null && others !== null ? phrase(own, others) : graded(criterion, side)
    return { name, text, lead: leadOf(criterion, side) }
  })
  return {
    pros: points.filter(({ lead }) => lead > NOISE).sort((one, two) => two.lead - one.lead),
    cons: points.filter(({ lead }) => lead < -NOISE).sort((one, two) => one.lead - two.lead),
  }
}

const joined = (points: string[]): string => points.slice(0, MAX_POINTS).join(' and ')

function tradeOff(name: string, pros: string[], cons: string[]): string {
  if (pros.length === 0) return `${name} ${joined(cons)}`
  return `${name} ${joined(pros)}${cons.length > 0 ? `, but ${joined(cons)}` : ''}`
}

const texts = (points: Point[]): string[] => points.map(({ text }) => text)

/** A tie names the track with the greatest lead first; of equal leads, track a. */
function tieVerdict(agents: Agents, { criteria, coverage }: JudgeResult): string {
  const { pros, cons } = pointsOf('a', criteria)
  const names = `${nameOf(agents, 'a')} and ${nameOf(agents, 'b')}`
  const difference = (cons[0] ? -cons[0].lead : 0) - (pros[0]?.lead ?? 0)
  const side = difference > NOISE ? 'b' : 'a'
  const points = side === 'a' ? { pros, cons } : pointsOf('b', criteria)
  const why = coverage < 0.5 ? `too little is known to compare ${names}` : `${names} are about equally good`
  if (points.pros.length + points.cons.length === 0) return `A tie: ${why}.`
  return `A tie: ${why}; ${tradeOff(nameOf(agents, side), texts(points.pros), texts(points.cons))}.`
}

export function metricsVerdict(agents: Agents, a: TrackMetrics, b: TrackMetrics, result: JudgeResult): string {
  const { recommendation, criteria } = result
  if (recommendation === 'tie') return tieVerdict(agents, result)
  const { pros, cons } = pointsOf(recommendation, criteria)
  const rule = decisiveRule(a, b)?.name
  const name = nameOf(agents, recommendation)
  if (rule === 'completed') {
    const but = cons.length > 0 ? `, but ${name} ${joined(texts(cons))}` : ''
    return `${name} is completed and ${nameOf(agents, other(recommendation))} is not${but}.`
  }
  const first = texts(pros.filter((point) => point.name === rule))
  const rest = texts(pros.filter((point) => point.name !== rule))
  return `${tradeOff(name, [...first, ...rest].slice(0, first.length || MAX_POINTS), texts(cons))}.`
}

export function modelVerdict(agents: Agents, result: JudgeResult & { order_consistent: boolean }): string {
  const { recommendation, order_consistent, criteria } = result
  const names = `${nameOf(agents, 'a')} and ${nameOf(agents, 'b')}`
  if (!order_consistent) return `A tie: asked twice about ${names}, the model recommended different tracks.`
  if (recommendation === 'tie') return tieVerdict(agents, result)
  const { pros, cons } = pointsOf(recommendation, criteria)
  const name = nameOf(agents, recommendation)
  if (pros.length + cons.length === 0) return `The model recommends ${name}.`
  return `${tradeOff(name, texts(pros), texts(cons))}.`
}
