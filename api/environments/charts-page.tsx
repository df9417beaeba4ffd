/** Charts of a project: deployments a day, lead times, and how long gates wait. */

import { sql } from '../../core/platform/database.ts'
import { DAY_MS } from '../../core/values/instants.ts'
import { BarChart, Figures, LineChart } from '../pages/components/charts.tsx'
import { durationText } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { NONE } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { tabCrumb } from '../projects/tabs.tsx'
import { AGE_NAMES, countPendingGates, DAYS, type FinishedRollouts, listFinishedRollouts } from './charts.ts'

const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const shortDay = (day: string): string => days.format(new Date(day))

/** The last days, oldest first. */
const lastDays = (): string[] =>
  Array.from({ length: DAYS }, (_, index) => new Date(Date.now() - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10))

type Day = { day: string; succeeded: number; failed: number }

const count = (value: number) => <span class="number">{value.toLocaleString('en')}</span>

const dayColumns: Column<Day>[] = [
  { head: 'Day (UTC)', main: true, cell: ({ day }) => day },
  { head: 'Succeeded', numeric: true, cell: ({ succeeded }) => count(succeeded) },
  { head: 'Failed', numeric: true, cell: ({ failed }) => count(failed) },
]

function Deployments({ rows }: { rows: FinishedRollouts[] }) {
  const days = lastDays().map((day): Day => {
    const of = rows.filter((row) => row.day === day)
    const sum = (key: 'succeeded' | 'failed') => of.reduce((total, row) => total + row[key], 0)
    return { day, succeeded: sum('succeeded'), failed: sum('failed') }
  })
  const [succeeded, failed] = [days.reduce((sum, day) => sum + day.succeeded, 0), days.reduce((sum, day) => sum + day.failed, 0)]
  return (
    <Section title="Deployments a day">
      <BarChart
        label={`Deployments a day in the last ${DAYS} days: ${succeeded} succeeded and ${failed} failed, as in the table below`}
        names={days.map(({ day }) => shortDay(day))}
        series={['Succeeded', 'Failed']}
        values={days.map((day) => [day.succeeded, day.failed])}
        text={count}
        failures
      />
      <Figures>
        <Table
          label="Deployments a day"
          columns={dayColumns}
          rows={days.filter((day) => day.succeeded + day.failed > 0).toReversed()}
        />
      </Figures>
    </Section>
  )
}

function LeadTimes({ rows }: { rows: FinishedRollouts[] }) {
  const weeks = [...new Set(rows.flatMap(({ week }) => week ?? []))].sort()
  const environments = [...new Set(rows.map(({ environment }) => environment))]
  const at = (week: string, environment: string) =>
    rows.find((row) => row.week === week && row.environment === environment)?.lead_seconds ?? null
  const inWords = (seconds: number | null) => (seconds === null ? NONE : <span class="number">{durationText(seconds)}</span>)
  return (
    <Section title="Lead time by environment">
      <LineChart
        label={`Median time from an event to its successful deployment by week and environment in the last ${DAYS} days, as in the table below`}
        names={weeks.map(shortDay)}
        series={environments}
        values={weeks.map((week) => environments.map((environment) => at(week, environment)))}
        text={inWords}
      />
      <Figures>
        <Table
          label="Lead time by environment"
          columns={[
            { head: 'Week of', main: true, cell: (week: string) => week },
            ...environments.map((environment) => ({
              head: environment,
              numeric: true,
              cell: (week: string) => inWords(at(week, environment)),
            })),
          ]}
          rows={weeks.toReversed()}
        />
      </Figures>
    </Section>
  )
}

function Gates({ counts }: { counts: number[] }) {
  const total = counts.reduce((sum, each) => sum + each, 0)
  return (
    <Section title="Pending gates by age" count={total}>
      {total === 0 ? (
        <Empty>No gate waits for a decision.</Empty>
      ) : (
        <>
          <BarChart
            label={`${total} pending gates by age, as in the table below`}
            names={AGE_NAMES}
            series={['Pending gates']}
            values={counts.map((each) => [each])}
            text={count}
          />
          <Table
            label="Pending gates by age"
            columns={[
              { head: 'Age', main: true, cell: (age: number) => AGE_NAMES[age] },
              { head: 'Gates', numeric: true, cell: (age: number) => count(counts[age] ?? 0) },
            ]}
            rows={AGE_NAMES.map((_, age) => age)}
          />
        </>
      )}
    </Section>
  )
}

const chartsPage = page('/app/projects/:project_id/charts', { project: 'member' }, async ({ project }) => {
  const [rows, counts] = await Promise.all([listFinishedRollouts(sql, project), countPendingGates(sql, project)])
  return {
    title: 'Charts',
    crumbs: [tabCrumb(project.id, 'environments')],
    main: (
      <>
        {rows.length === 0 ? (
          <Section title="Deployments a day">
            <Empty>
              No deployment has ended in the last {DAYS} days. They are counted once the receiver of a hook reports their outcome.
            </Empty>
          </Section>
        ) : (
          <>
            <Deployments rows={rows} />
            <LeadTimes rows={rows} />
          </>
        )}
        <Gates counts={counts} />
      </>
    ),
  }
})

export const projectChartPages = pageRoutes('project-chart-pages', chartsPage)
