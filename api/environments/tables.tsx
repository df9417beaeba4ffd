/** Lists of environments: what runs where, and how deployments go. */
import type { ComponentChildren } from 'preact'
import { GITHUB_DEPLOYMENT } from '../../core/rollouts/rollouts.ts'
import { Mismatch, RolloutOutcome } from '../dispatches/outcome.tsx'
import { Field, Submit } from '../pages/components/forms.tsx'
import { durationText, percentText } from '../pages/components/measures.tsx'
import { type Column, Facts, type RowParts, Rows, Section, Table } from '../pages/components/structure.tsx'
import { NONE, State, Time } from '../pages/components/text.tsx'
import { environmentPath, policyPath, type ShownEnvironment } from './environments.ts'
import type { EnvironmentRollout } from './schema.ts'

/** The version of a rollout, with a link to its dispatch while there is one, or to its job at GitHub. */
export function Version({ of: { dispatch_id, version, url, event } }: { of: EnvironmentRollout }) {
  const text = version === null ? 'no version reported' : <bdi>{version}</bdi>
  const href = dispatch_id === null ? (event === GITHUB_DEPLOYMENT ? url : null) : `/app/dispatches/${dispatch_id}`
  return href === null ? <span>{text}</span> : <a href={href}>{text}</a>
}

/** Whether two rollouts are the same one. */
export const isSame = (one: EnvironmentRollout, other: EnvironmentRollout | null): boolean =>
  other !== null && one.dispatch_id === other.dispatch_id && one.at === other.at && one.state === other.state

/** What runs there, the outcome of a newer rollout, and where its policy is. */
const rowOf =
  (project_id: string) =>
  ({ environment, current, previous, newest }: ShownEnvironment): RowParts => ({
    state: newest ? <RolloutOutcome state={newest.state} /> : <State of="empty" text="nothing yet" />,
    href: environmentPath(project_id, environment),
    what: <bdi>{environment}</bdi>,
    beside: current && (
      <>
        runs <Version of={current} /> <Mismatch of={current} />
      </>
    ),
    below: (
      <>
        {previous && (
          <>
            before: <Version of={previous} />{' '}
          </>
        )}
        {newest && !isSame(newest, current) && (
          <>
            last rollout: <Version of={newest} />, <Time at={newest.at} />
          </>
        )}
      </>
    ),
    end: (
      <>
        {current && (
          <>
            <Time at={current.at} /> ·{' '}
          </>
        )}
        <a href={policyPath(project_id, environment)}>
          Policy<span class="unseen"> of {environment}</span>
        </a>
      </>
    ),
  })

const figure = (value: number | null, textOf: (value: number) => string) =>
  value === null ? NONE : <span class="number">{textOf(value)}</span>

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const perDay = (value: number): string => `${decimals.format(value)} a day`

/** The four figures of deployments. */
const FIGURES: [name: string, textOf: (of: ShownEnvironment) => ComponentChildren][] = [
  ['Deployment frequency', ({ frequency_30d }) => figure(frequency_30d, perDay)],
  ['Change failure rate', ({ change_failure_rate_30d }) => figure(change_failure_rate_30d, percentText)],
  ['Lead time', ({ lead_time_median_seconds_30d }) => figure(lead_time_median_seconds_30d, durationText)],
  ['Time to restore', ({ restore_time_median_seconds_30d }) => figure(restore_time_median_seconds_30d, durationText)],
]

const figureColumns: Column<ShownEnvironment>[] = [
  { head: 'Environment', main: true, cell: ({ environment }) => <bdi>{environment}</bdi> },
  ...FIGURES.map(([head, cell]) => ({ head, numeric: true, cell })),
]

export const Running = ({ rows, project_id }: { rows: ShownEnvironment[]; project_id: string }) => (
  <Rows label="Environments" of={rows} row={rowOf(project_id)} />
)

const TITLE = 'Deployments of the last 30 days'

const FigureSection = ({ children }: { children: ComponentChildren }) => (
  <Section title={TITLE}>
    {children}
    <p class="hint">
      The change failure rate is the share of rollouts that failed. Lead time is the median from the event to the success of its
      rollout; time to restore is the median from a failure to the next success.
    </p>
  </Section>
)

export const FiguresOf = ({ of }: { of: ShownEnvironment }) => (
  <FigureSection>
    <Facts of={FIGURES.map(([name, textOf]) => [name, textOf(of)])} />
  </FigureSection>
)

/** The figures of several environments, to be compared. */
export const Figures = ({ rows }: { rows: ShownEnvironment[] }) => (
  <FigureSection>
    <Table label={TITLE} columns={figureColumns} rows={rows} />
  </FigureSection>
)

/** Leads to the policy of an environment, which may be none of those that are shown. */
export const PolicyFinder = ({ project_id }: { project_id: string }) => (
  <form method="get" action={policyPath(project_id)} class="filters">
    <Field name="name" label="Environment" maxLength={64} required hint="Such as production. It needs no hook yet." />
    <div class="buttons">
      <Submit kind="quiet">Open its policy</Submit>
    </div>
  </form>
)
