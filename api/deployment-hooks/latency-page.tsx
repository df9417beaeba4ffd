/** How long the receiver of a hook takes to respond. */

import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { BarChart } from '../pages/components/charts.tsx'
import { Milliseconds } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import { tabCrumb } from '../projects/tabs.tsx'

const MAX_DISPATCHES = 500

interface Day {
  day: string
  requests: number
  failed: number
  median_ms: number
  p95_ms: number
}

/** The requests of the newest dispatches of a hook by day (UTC), newest first. */
const listLatencies = (db: Queryable, { id, organization_id }: ResourceKey<'hook'>) => db<Day[]>`
  select
    (attempt.started_at at time zone 'UTC')::date::text as day, count(*) as requests,
    count(*) filter (where attempt.error is not null) as failed,
    round(percentile_cont(0.5) within group (order by attempt.duration_ms)) as median_ms,
    round(percentile_cont(0.95) within group (order by attempt.duration_ms)) as p95_ms
  from (
    select id
    from dispatches
    where hook_id = ${id} and organization_id = ${organization_id}
    order by created_at desc, id desc
    limit ${MAX_DISPATCHES}
  ) as dispatch
  join dispatch_attempts as attempt on attempt.dispatch_id = dispatch.id and attempt.organization_id = ${organization_id}
  group by day
  order by day desc
`

const columns: Column<Day>[] = [
  { head: 'Day (UTC)', main: true, cell: ({ day }) => day },
  { head: 'Requests', numeric: true, cell: ({ requests }) => requests.toLocaleString('en') },
  { head: 'Failed', numeric: true, cell: ({ failed }) => failed.toLocaleString('en') },
  { head: 'Median', numeric: true, cell: ({ median_ms }) => <Milliseconds of={median_ms} /> },
  { head: '95%', numeric: true, cell: ({ p95_ms }) => <Milliseconds of={p95_ms} /> },
]

const latencyPage = page('/app/deployment-hooks/:hook_id/latency', { hook: 'member' }, async ({ hook }) => {
  const days = await listLatencies(sql, hook)
  const oldestFirst = days.toReversed()
  const path = `/app/deployment-hooks/${hook.id}`
  return {
    title: 'Latency',
    crumbs: [tabCrumb(hook.project_id, 'deployment-hooks'), { href: path, text: 'Hook' }],
    main: (
      <Section title="Duration of requests by day">
        {days.length === 0 ? (
          <Empty>Nothing was sent yet. Each request counts from its start to the end of the response.</Empty>
        ) : (
          <>
            <BarChart
              label="Median and 95th percentile of the duration of requests by day, as in the table below"
              names={oldestFirst.map(({ day }) => day)}
              series={['Median', 'up to the 95th percentile']}
              values={oldestFirst.map(({ median_ms, p95_ms }) => [median_ms, p95_ms - median_ms])}
              text={(ms) => <Milliseconds of={ms} />}
            />
            <Table label="Duration of requests by day" columns={columns} rows={days} />
            <p class="hint">Requests of the newest {MAX_DISPATCHES} dispatches.</p>
          </>
        )}
      </Section>
    ),
  }
})

export const latencyPages = pageRoutes('latency-pages', latencyPage)
