/** How the deployments of a project go, as cards: each figure with its change, and its last 30 days. */
import { usdText } from '../../core/values/money.ts'
import { durationText, percentText } from '../pages/components/measures.tsx'
import { Section } from '../pages/components/structure.tsx'
import { NONE, type Tone } from '../pages/components/text.tsx'
import { FIGURE_DAYS, type FigureDay, type getFigures, type ProjectFigures } from './figures.ts'
import { projectPath } from './tabs.tsx'

type Span = Pick<ProjectFigures, keyof FigureDay>

interface Figure {
  name: string
  of: (span: Span) => number | null
  text: (value: number) => string
  /** A change, without its sign. */
  change: (value: number) => string
  isBetter: 'more' | 'less'
  /** The color of its bars. */
  tone: Tone
  ofDay: (day: FigureDay) => number | null
}

const finished = ({ deployments_succeeded, deployments_failed }: Span): number => deployments_succeeded + deployments_failed

const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const hundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const short = (value: number): string => (value < 1 ? hundredths : tenths).format(value)

const FIGURES: Figure[] = [
  {
    name: 'Deployments',
    of: (span) => (finished(span) === 0 ? null : span.deployments_succeeded / FIGURE_DAYS),
    text: (value) => `${short(value)} a day`,
    change: short,
    isBetter: 'more',
    tone: 'good',
    ofDay: ({ deployments_succeeded }) => deployments_succeeded,
  },
  {
    name: 'Change failure rate',
    of: (span) => (finished(span) === 0 ? null : span.deployments_failed / finished(span)),
    text: percentText,
    change: (value) => `${short(value * 100)} points`,
    isBetter: 'less',
    tone: 'bad',
    ofDay: ({ deployments_failed }) => deployments_failed,
  },
  {
    name: 'Lead time',
    of: ({ lead_seconds }) => lead_seconds,
    text: durationText,
    change: durationText,
    isBetter: 'less',
    tone: 'off',
    ofDay: ({ lead_seconds }) => lead_seconds,
  },
  {
    name: 'Time to restore',
    of: ({ restore_seconds }) => restore_seconds,
    text: durationText,
    change: durationText,
    isBetter: 'less',
    tone: 'off',
    ofDay: ({ restore_seconds }) => restore_seconds,
  },
]

const HEIGHT = 30

/** A bar for each day, in one path; the table of the page of charts says the same. */
function Bars({ of, tone }: { of: (number | null)[]; tone: Tone }) {
  const top = Math.max(...of.map((value) => value ?? 0))
  const path = of
    .map((value, day) => {
      const height = top > 0 && value ? Math.max(2, Math.round((value / top) * HEIGHT)) : 0
      return height > 0 ? `M${day * 4} ${HEIGHT}v-${height}h3v${height}z` : ''
    })
    .join('')
  return (
    <svg class={`bars ${tone}`} viewBox={`0 0 ${of.length * 4 - 1} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

function Change({ of: { of, change, isBetter }, now, before }: { of: Figure; now: Span; before: Span }) {
  const [value, old] = [of(now), of(before)]
  if (value === null || old === null) return null
  const difference = value - old
  const text = change(Math.abs(difference))
  if (text === change(0)) return <span class="hint">unchanged</span>
  const isGood = difference > 0 === (isBetter === 'more')
  return (
    <span class={isGood ? 'pill good' : 'pill bad'}>
      <span aria-hidden="true">{difference > 0 ? '▲' : '▼'}</span>
      <span class="unseen">{difference > 0 ? 'up by' : 'down by'}</span> {text}
      <span class="unseen">
        , {isGood ? 'better' : 'worse'} than in the {FIGURE_DAYS} days before
      </span>
    </span>
  )
}

const plural = (count: number, one: string, many: string): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** What the figures are of, and what else was done. */
function Done({ of }: { of: ProjectFigures }) {
  const parts = [
    of.requirements_completed > 0 && `${plural(of.requirements_completed, 'requirement', 'requirements')} completed`,
    of.executions_completed > 0 &&
      `${plural(of.executions_completed, 'execution', 'executions')} completed for ${usdText(of.executions_cost_usd)}`,
    of.gates_median_seconds !== null &&
      `${plural(of.gates_decided, 'gate', 'gates')} decided, half of them within ${durationText(of.gates_median_seconds)}`,
  ].filter((part) => part !== false)
  return <p class="hint">{[`Last ${FIGURE_DAYS} days, and the change to those before`, ...parts].join(' · ')}</p>
}

/** @param of as read with `getFigures` */
export function FigureCards({ of, project_id }: { of: Awaited<ReturnType<typeof getFigures>>; project_id: string }) {
  const { environment, now, before, days } = of
  if (environment === null) return null
  return (
    <Section title={`Deployments to ${environment}`} aside={<a href={`${projectPath(project_id)}/charts`}>Charts</a>}>
      <dl class="figures">
        {FIGURES.map((figure) => {
          const value = figure.of(now)
          return (
            <div class="card">
              <dt>{figure.name}</dt>
              <dd>
                <span class="figure">{value === null ? NONE : figure.text(value)}</span>{' '}
                <Change of={figure} now={now} before={before} />
                <Bars of={days.map(figure.ofDay)} tone={figure.tone} />
              </dd>
            </div>
          )
        })}
      </dl>
      <Done of={now} />
    </Section>
  )
}
