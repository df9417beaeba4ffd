/** Tables of environments: what runs where, and how deployments go. */
import { Mismatch, RolloutOutcome } from '../dispatches/outcome.tsx'
import { Field, Submit } from '../pages/components/forms.tsx'
import { durationText, percentText } from '../pages/components/measures.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { NONE, Time } from '../pages/components/text.tsx'
import { environmentPath, policyPath, type ShownEnvironment } from './environments.ts'
import type { EnvironmentRollout } from './schema.ts'

/** The version of a rollout, with a link to its dispatch while there is one. */
function Version({ of: { dispatch_id, version } }: { of: EnvironmentRollout }) {
  const text = version === null ? 'no version reported' : <bdi>{version}</bdi>
  return dispatch_id === null ? <span>{text}</span> : <a href={`/app/dispatches/${dispatch_id}`}>{text}</a>
}

function Ran({ of }: { of: EnvironmentRollout | null }) {
  if (of === null) return NONE
  return (
    <>
      <Version of={of} /> <Mismatch of={of} />
      <p class="hint">
        <Time at={of.at} />
      </p>
    </>
  )
}

/** The last rollout in the history, which may be one without a report. */
function Newest({ of }: { of: EnvironmentRollout | null }) {
  if (of === null) return NONE
  return (
    <>
      <RolloutOutcome state={of.state} />
      <p class="hint">
        <Version of={of} />, <Time at={of.at} />
      </p>
    </>
  )
}

const nameColumn = (project_id: string): Column<ShownEnvironment> => ({
  head: 'Environment',
  main: true,
  cell: ({ environment }) => (
    <a href={environmentPath(project_id, environment)}>
      <bdi>{environment}</bdi>
    </a>
  ),
})

/** Who may approve there, and what is required. */
const policyColumn = (project_id: string): Column<ShownEnvironment> => ({
  head: 'Approval',
  cell: ({ environment }) => (
    <a href={policyPath(project_id, environment)}>
      Policy<span class="unseen"> of {environment}</span>
    </a>
  ),
})

const columns: Column<ShownEnvironment>[] = [
  { head: 'Runs', cell: ({ current }) => <Ran of={current} /> },
  { head: 'Before', cell: ({ previous }) => <Ran of={previous} /> },
  { head: 'Last rollout', cell: ({ newest }) => <Newest of={newest} /> },
]

const figure = (value: number | null, textOf: (value: number) => string) =>
  value === null ? NONE : <span class="number">{textOf(value)}</span>

const perDay = (value: number): string => `${value.toLocaleString('en', { maximumFractionDigits: 2 })} a day`

const figureNameColumn: Column<ShownEnvironment> = {
  head: 'Environment',
  main: true,
  cell: ({ environment }) => <bdi>{environment}</bdi>,
}

const figureColumns: Column<ShownEnvironment>[] = [
  { head: 'Deployment frequency', numeric: true, cell: ({ frequency_30d }) => figure(frequency_30d, perDay) },
  {
    head: 'Change failure rate',
    numeric: true,
    cell: ({ change_failure_rate_30d }) => figure(change_failure_rate_30d, percentText),
  },
  {
    head: 'Lead time',
    numeric: true,
    cell: ({ lead_time_median_seconds_30d }) => figure(lead_time_median_seconds_30d, durationText),
  },
  {
    head: 'Time to restore',
    numeric: true,
    cell: ({ restore_time_median_seconds_30d }) => figure(restore_time_median_seconds_30d, durationText),
  },
]

/** What runs in environments. @param project_id to link their histories; null on the page of one */
export const Running = ({ rows, project_id }: { rows: ShownEnvironment[]; project_id: string | null }) => (
  <Table
    label="Environments"
    columns={project_id === null ? columns : [nameColumn(project_id), ...columns, policyColumn(project_id)]}
    rows={rows}
  />
)

const FIGURES = 'Deployments of the last 30 days'

/** The four figures of environments. @param named whether the environments are named */
export const Figures = ({ rows, named }: { rows: ShownEnvironment[]; named: boolean }) => (
  <Section title={FIGURES}>
    <Table label={FIGURES} columns={named ? [figureNameColumn, ...figureColumns] : figureColumns} rows={rows} />
    <p class="hint">
      Successful rollouts a day, failed ones of those that ended, and two medians: from the event to its success, and from the
      first failure after a success to the next success.
    </p>
  </Section>
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
