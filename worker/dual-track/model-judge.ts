/** The model judge: two answers, one for each order of the tracks, made into one finding. */
import type { Criterion, Winner } from '../../core/dual-track.ts'
import type { Finding } from './metrics-judge.ts'
import { type Judgement, type Order, RUBRIC, RUBRIC_NAMES, type RubricName } from './prompt.ts'

const EVIDENCE_CHARACTERS = 600
const RATIONALE_CHARACTERS = 3_000

const kept = (text: string, characters: number): string => text.slice(0, characters).toWellFormed().trim()

const VERDICTS: Record<Order, Record<Judgement['recommendation'], Winner>> = {
  ab: { first: 'a', second: 'b', tie: 'tie' },
  ba: { first: 'b', second: 'a', tie: 'tie' },
}

/** Says which track was called what, where a text of the model speaks of first and second. */
const inOrder = (order: Order, text: string): string => `With track ${order[0]} as first: ${text}`

function criterionOf(name: RubricName, { ab, ba }: Record<Order, Judgement>): Criterion {
  const [one, two] = [ab.criteria[name], ba.criteria[name]]
  return {
    name,
    weight: RUBRIC[name].hundredths / 100,
    a: null,
    b: null,
    score_a: (one.first + two.second) / 20,
    score_b: (one.second + two.first) / 20,
    evidence: [
      inOrder('ab', kept(one.evidence, EVIDENCE_CHARACTERS)),
      inOrder('ba', kept(two.evidence, EVIDENCE_CHARACTERS)),
    ].join('\n'),
  }
}

/** Makes one finding of the two answers: where they disagree about the winner, it is a tie. */
export function findingOf(answers: Record<Order, Judgement>): Finding & { order_consistent: boolean } {
  const { ab, ba } = answers
  const [one, two] = [VERDICTS.ab[ab.recommendation], VERDICTS.ba[ba.recommendation]]
  const order_consistent = one === two
  const recommendation = order_consistent ? one : 'tie'
  const sentence = !order_consistent
    ? 'A tie: the model recommended another track when it saw them in the other order.'
    : recommendation === 'tie'
      ? 'The model called it a tie in both orders.'
      : `The model recommended track ${recommendation} in both orders.`
  return {
    recommendation,
    confidence: order_consistent ? Math.round(((ab.confidence + ba.confidence) / 2) * 1e6) / 1e6 : 0,
    // Every criterion has grades for both tracks, or the answer would not have counted.
    coverage: 1,
    rationale: [
      sentence,
      inOrder('ab', kept(ab.rationale, RATIONALE_CHARACTERS)),
      inOrder('ba', kept(ba.rationale, RATIONALE_CHARACTERS)),
    ].join('\n'),
    criteria: RUBRIC_NAMES.map((name) => criterionOf(name, answers)),
    order_consistent,
  }
}
