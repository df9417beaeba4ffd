/** Comparisons in a list, and the result of a judge: the criteria as bars, and the verdict in words. */
import type { ComponentChildren } from 'preact'
import type { ComparisonResult, Criterion, Winner } from '../../core/records/comparisons.ts'
import { usdText } from '../../core/values/money.ts'
import { Bar, durationText, percentText } from '../pages/components/measures.tsx'
import { Facts, Rows } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { RequirementLink, type RequirementName } from '../requirements/list.tsx'
import type { Comparison, ComparisonStatus } from './comparisons.ts'

export interface ComparisonSummary {
  id: string
  track_a_agent: string
  track_b_agent: string
  status: ComparisonStatus
  winner: Winner | null
  recommendation: Winner | null
  created_at: string
  requirement: RequirementName
}

/** What a person decided, or else what the judge recommends. */
function betterText({ winner, recommendation, track_a_agent, track_b_agent }: ComparisonRow): string | null {
  const better = winner ?? recommendation
  if (better === null) return null
  const text = better === 'tie' ? 'a tie' : `${better === 'a' ? track_a_agent : track_b_agent} is better`
  return winner === null ? `${text}, says the judge` : text
}

type ComparisonRow = Omit<ComparisonSummary, 'requirement'> & { requirement?: RequirementName }

/** @param of without a requirement where the page is about one @param children as of `Rows` */
export const ComparisonList = ({ of, children }: { of: ComparisonRow[]; children: ComponentChildren }) => (
  <Rows
    label="Comparisons"
    of={of}
    row={(comparison) => ({
      state: <State of={comparison.status} />,
      href: `/app/dual-track/${comparison.id}`,
      what: `${comparison.track_a_agent} and ${comparison.track_b_agent}`,
      beside: betterText(comparison),
      below: comparison.requirement && <RequirementLink of={comparison.requirement} />,
      end: <Time at={comparison.created_at} exact="date" />,
    })}
  >
    {children}
  </Rows>
)

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const number = (value: number): string => decimals.format(value)

/** How the values of a criterion read; those of others are plain numbers. */
const FORMATS: Record<string, (value: number) => string> = {
  tests_pass_rate: percentText,
  gate_approval_rate: percentText,
  cost: usdText,
  duration: durationText,
}

/** The name of a track: its agent, and which of the two it is. */
export const trackName = (comparison: Comparison, track: 'a' | 'b'): string => `${comparison[`track_${track}_agent`]} (${track})`

interface SideProps {
  name: string
  track: 'a' | 'b'
  value: number | null
  score: number | null
  format: (value: number) => string
}

const Side = ({ name, track, value, score, format }: SideProps) => (
  <div class="versus">
    <span class="who">{name}</span>
    {score === null ? <span class="hint">not compared</span> : <Bar part={score} tone={track === 'a' ? 'one' : 'other'} />}
    <span class="number">{value === null ? '–' : format(value)}</span>
  </div>
)

/** Each criterion with the values of both tracks, and their scores as bars. */
export const Criteria = ({ comparison, criteria }: { comparison: Comparison; criteria: Criterion[] }) => (
  <ul class="criteria list card">
    {criteria.map(({ name, weight, a, b, score_a, score_b, evidence }) => {
      const format = FORMATS[name] ?? number
      return (
        <li>
          <div class="line">
            <strong>{name.replaceAll('_', ' ')}</strong>
            <span class="hint">{weight === 0 ? 'left out' : `weight ${percentText(weight)}`}</span>
          </div>
          <Side name={trackName(comparison, 'a')} track="a" value={a} score={score_a} format={format} />
          <Side name={trackName(comparison, 'b')} track="b" value={b} score={score_b} format={format} />
          <p class="hint">{evidence}</p>
        </li>
      )
    })}
  </ul>
)

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
          ['Confidence', <span class="number">{percentText(confidence)}</span>],
          ['Coverage', `${percentText(coverage)} of the weight has values on both sides`],
          ['Judge', judge.kind === 'metrics' ? 'metrics, by fixed weights' : `the model ${judge.model}`],
          ['Both orders', judge.order_consistent === null ? null : judge.order_consistent ? 'same answer' : 'different answers'],
          ['Without model', judge.fallback_reason],
          ['Cost', cost_usd > 0 ? <Money usd={cost_usd} /> : null],
        ]}
      />
    </div>
  )
}
