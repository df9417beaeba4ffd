/** What runs in the environments of a project, and how its deployments go: a part of the project's page. */
import { Maybe, Name } from '../../core/values/schema.ts'
import { durationText } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import type { Environment, EnvironmentRollout } from './schema.ts'

/** Environments that the page shows at a time. */
const PART = 10

/** The parameter of the page: the last environment of the part before. */
export const environmentsQuery = { environments_after: Maybe(Name(64)) }

/** The environments to read; one more than is shown tells whether there are others. */
export const environmentsPart = ({ environments_after: after }: { environments_after?: string }) => ({ limit: PART + 1, after })

const Nothing = () => <span class="hint">–</span>

/** The version of a rollout, with a link to its dispatch while there is one. */
function Version({ of: { dispatch_id, version } }: { of: EnvironmentRollout }) {
  const text = version === null ? 'no version reported' : <bdi>{version}</bdi>
  return dispatch_id === null ? <span>{text}</span> : <a href={`/app/dispatches/${dispatch_id}`}>{text}</a>
}

function Running({ of, since }: { of: EnvironmentRollout | null; since?: boolean }) {
  if (of === null) return <Nothing />
  return (
    <>
      <Version of={of} />
      <p class="hint">
        {since && 'since '}
        <Time at={of.at} />
      </p>
    </>
  )
}

function Latest({ of }: { of: EnvironmentRollout | null }) {
  if (of === null) return <Nothing />
  return (
    <>
      <State of={of.state} />
      <p class="hint">
        <Version of={of} />, <Time at={of.at} />
      </p>
    </>
  )
}

const columns: Column<Environment>[] = [
  {
    head: 'Environment',
    main: true,
    cell: ({ environment }) => (
      <strong>
        <bdi>{environment}</bdi>
      </strong>
    ),
  },
  { head: 'Runs', cell: ({ current }) => <Running of={current} since /> },
  { head: 'Before', cell: ({ previous }) => <Running of={previous} /> },
  { head: 'Last rollout', cell: ({ latest }) => <Latest of={latest} /> },
]

const figure = (value: number | null, textOf: (value: number) => string) =>
  value === null ? <Nothing /> : <span class="number">{textOf(value)}</span>

const perDay = (value: number): string => `${value.toLocaleString('en', { maximumFractionDigits: 2 })} a day`
const share = (value: number): string => value.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })

const figureColumns: Column<Environment>[] = [
  { head: 'Environment', main: true, cell: ({ environment }) => <bdi>{environment}</bdi> },
  { head: 'Deployment frequency', numeric: true, cell: ({ frequency_30d }) => figure(frequency_30d, perDay) },
  { head: 'Change failure rate', numeric: true, cell: ({ change_failure_rate_30d }) => figure(change_failure_rate_30d, share) },
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

/**
 * The environments of a project.
 *
 * @param path of the page
 * @param rows as read with `environmentsPart`
 * @param after the last environment of the part before
 */
export function Environments({ path, rows, after }: { path: string; rows: Environment[]; after: string | undefined }) {
  const shown = rows.slice(0, PART)
  const hasMore = rows.length > PART
  const keyOf = ({ environment }: Environment) => environment
  return (
    <Section title="Environments">
      {shown.length === 0 ? (
        <Empty>
          {after === undefined ? (
            <>
              It is not known what runs where. Set <code>report_within_seconds</code> of a hook, and its receiver reports the
              outcome of each deployment.
            </>
          ) : (
            'No further environments.'
          )}
        </Empty>
      ) : (
        <>
          <Table label="Environments" columns={columns} rows={shown} keyOf={keyOf} />
          <h3>Deployments of the last 30 days</h3>
          <Table label="Deployments of the last 30 days" columns={figureColumns} rows={shown} keyOf={keyOf} />
          <p class="hint">
            Successful rollouts a day, failed ones of those that ended, and two medians: from the event to its success, and from
            the first failure after a success to the next success.
          </p>
        </>
      )}
      {(hasMore || after !== undefined) && (
        <nav class="pager" aria-label="Parts of environments">
          {after !== undefined && <a href={path}>First environments</a>}
          {hasMore && (
            <a href={`${path}?${new URLSearchParams({ environments_after: shown.at(-1)?.environment ?? '' })}`} rel="next">
              More environments
            </a>
          )}
        </nav>
      )}
    </Section>
  )
}
