/** The result of a judge: the criteria as bars, and the verdict in words. */
import type { ComparisonResult, Criterion } from '../../core/dual-track.ts'
import { usdText } from '../../core/values/money.ts'
import { Bar, durationText } from '../pages/components/measures.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Money, Prose } from '../pages/components/text.tsx'
import type { Comparison } from './schema.ts'

const percent = (part: number): string => `${Math.round(part * 100)} %`

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })

/** How the values of a criterion read; those of others are plain numbers. */
const FORMATS: Record<string, (value: number) => string> = {
  tests_pass_rate: percent,
  gate_approval_rate: percent,
  cost: usdText,
  duration: durationText,
}

/** The name of a track: its agent, and which of the two it is. */
export const trackName = (comparison: Comparison, track: 'a' | 'b'): string => `${comparison[`track_${track}_agent`]} (${track})`

function Side({
  name,
  track,
  value,
  score,
  format,
}: {
  name: string
  track: 'a' | 'b'
  value: number | null
  score: number | null
  format: (value: number) => string
}) {
  return (
    <div class="side">
      <span class="who">{name}</span>
      {score === null ? <span class="hint">not compared</span> : <Bar part={score} tone={track === 'a' ? 'one' : 'other'} />}
      <span class="number">{value === null ? '–' : format(value)}</span>
    </div>
  )
}

/** Each criterion with the values of both tracks, and their scores as bars. */
export function Criteria({ comparison, criteria }: { comparison: Comparison; criteria: Criterion[] }) {
  return (
    <ul class="criteria list card">
      {criteria.map(({ name, weight, a, b, score_a, score_b, evidence }) => {
        const format = FORMATS[name] ?? number
        return (
          <li>
            <div class="line">
              <strong>{name.replaceAll('_', ' ')}</strong>
              <span class="hint">{weight === 0 ? 'left out' : `weight ${percent(weight)}`}</span>
            </div>
            <Side name={trackName(comparison, 'a')} track="a" value={a} score={score_a} format={format} />
            <Side name={trackName(comparison, 'b')} track="b" value={b} score={score_b} format={format} />
            <p class="hint">{evidence}</p>
          </li>
        )
      })}
    </ul>
  )
}

/** What the judge recommends, why, and how sure it is. */
export function Verdict({ comparison, result }: { comparison: Comparison; result: ComparisonResult }) {
  const { recommendation, confidence, coverage, rationale, judge, cost_usd } = result
  return (
    <div class="card">
      <p>
        <strong>
          {recommendation === 'tie' ? 'The judge sees a tie.' : `The judge recommends ${trackName(comparison, recommendation)}.`}
        </strong>
      </p>
      <Prose>{rationale}</Prose>
      <Facts
        of={[
          ['Confidence', <span class="number">{percent(confidence)}</span>],
          ['Coverage', `${percent(coverage)} of the weight has values on both sides`],
          ['Judge', judge.kind === 'metrics' ? 'metrics, by fixed weights' : `the model ${judge.model}`],
          ['Both orders', judge.order_consistent === null ? null : judge.order_consistent ? 'same answer' : 'different answers'],
          ['Without model', judge.fallback_reason],
          ['Cost', cost_usd > 0 ? <Money usd={cost_usd} /> : null],
        ]}
      />
    </div>
  )
}
