/** The model judge: combines two answers of the model, one for each order of the tracks. */
import type { Criterion, Winner } from '../../core/records/comparisons.ts'
import type { JudgeResult } from './metrics-judge.ts'
import { type Judgment, type Order, RUBRIC, RUBRIC_NAMES, type RubricName } from './prompt.ts'

const EVIDENCE_CHARACTERS = 600
const RATIONALE_CHARACTERS = 3_000

const WINNERS: Record<Order, Record<Judgment['recommendation'], Winner>> = {
  ab: { first: 'a', second: 'b', tie: 'tie' },
  ba: { first: 'b', second: 'a', tie: 'tie' },
}

/** Says which track was the first one, to which the model's text refers. */
const inOrder = (order: Order, text: string, characters: number): string =>
  `With track ${order[0]} as first: ${text.slice(0, characters).toWellFormed().trim()}`

function criterionOf(name: RubricName, { ab, ba }: Record<Order, Judgment>): Criterion {
  const [one, two] = [ab.criteria[name], ba.criteria[name]]
  return {
    name,
    weight: RUBRIC[name].hundredths / 100,
    a: null,
    b: null,
    score_a: (one.first + two.second) / 20,
    score_b: (one.second + two.first) / 20,
    evidence: [inOrder('ab', one.evidence, EVIDENCE_CHARACTERS), inOrder('ba', two.evidence, EVIDENCE_CHARACTERS)].join('\n'),
  }
}

/** Combines the two answers. If they disagree about the winner, it is a tie. */
export function combineAnswers(answers: Record<Order, Judgment>): JudgeResult & { order_consistent: boolean } {
  const { ab, ba } = answers
  const [one, two] = [WINNERS.ab[ab.recommendation], WINNERS.ba[ba.recommendation]]
  const order_consistent = one === two
  const recommendation = order_consistent ? one : 'tie'
  const sentence = !order_consistent
    ? 'A tie: the model recommended different tracks in the two orders.'
    : recommendation === 'tie'
      ? 'The model recommended a tie in both orders.'
      : `The model recommended track ${recommendation} in both orders.`
  return {
    recommendation,
    confidence: order_consistent ? Math.round(((ab.confidence + ba.confidence) / 2) * 1e6) / 1e6 : 0,
    // Every criterion has grades for both tracks; otherwise the answer would not be valid.
    coverage: 1,
    rationale: [
      sentence,
      inOrder('ab', ab.rationale, RATIONALE_CHARACTERS),
      inOrder('ba', ba.rationale, RATIONALE_CHARACTERS),
    ].join('\n'),
    criteria: RUBRIC_NAMES.map((name) => criterionOf(name, answers)),
    order_consistent,
  }
}
