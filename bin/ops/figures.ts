/** Reads the views of `ops` in one snapshot. */
import type { Sql } from '../../sql/index.ts'

export type Status = 'ok' | 'warning' | 'critical'

export interface Check {
  check: string
  status: Status
  value: number
  detail: string
  hint: string | null
}

/** One row of a view, with the columns of that view. */
export type Row = Record<string, string | number | boolean | null>

export interface Figures {
  at: string
  /** The worst status of all checks. */
  status: Status
  health: Check[]
  queues: Row[]
  workers: Row[]
  failing_hooks: Row[]
  failing_channels: Row[]
  tenants: Row[]
  failed: Row[]
  paused: Row[]
}

/** Rows that are shown of a long list; the views have the rest. */
const MAX_ROWS = 10

export const EXIT_CODES: Record<Status, number> = { ok: 0, warning: 1, critical: 2 }

const worst = (checks: Check[]): Status =>
  (['critical', 'warning'] as const).find((status) => checks.some((check) => check.status === status)) ?? 'ok'

/** Reads all figures in one read-only transaction. */
export async function readFigures(sql: Sql): Promise<Figures> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    const [{ at }] = await tx<[{ at: string }]>`select now()::timestamptz(3) as at`
    const health = await tx<Check[]>`select "check", status, value, detail, hint from ops.health_detail`
    return {
      at,
      status: worst(health),
      health,
      queues: await tx<Row[]>`
        select task, kind, ready, running, retrying, scheduled, failed, oldest_ready_seconds, estimated, paused
        from ops.queue_stats_detail
        where ready + running + retrying + scheduled + failed > 0
          or paused
      `,
      workers: await tx<Row[]>`
        select hostname, pid, status, jobs, hooks, channels, started_at, seen_at from ops.workers_detail limit ${MAX_ROWS}
      `,
      failing_hooks: await tx<Row[]>`
        select organization, project, hook, pending, failures, failing_since, last_error, disabled_reason, hook_id
        from ops.hook_health_detail
        where failures > 0
          or disabled_reason is not null
        order by failing_since desc nulls last
        limit ${MAX_ROWS}
      `,
      failing_channels: await tx<Row[]>`
        select organization, workspace, channel, pending, failures, failing_since, last_error, disabled_reason, channel_id
        from ops.channel_health_detail
        where failures > 0
          or disabled_reason is not null
        order by failing_since desc nulls last
        limit ${MAX_ROWS}
      `,
      tenants: await tx<Row[]>`
        select
          organization, jobs_ready, jobs_running, events, dispatches_due, messages_due, failed, oldest_due_seconds, paused,
          organization_id
        from ops.tenant_load_detail
        limit ${MAX_ROWS}
      `,
      failed: await tx<Row[]>`
        select id, ops.short_id(kind, id) as short_id, kind, task, organization, destination, failed_at, attempts, error
        from ops.failed_jobs_detail
        limit ${MAX_ROWS}
      `,
      paused: await tx<Row[]>`select flag, organization, reason, paused_at, until, paused_by from ops.paused_detail`,
    } satisfies Figures
  })) as Figures
}

const NO_ROWS = { queues: [], workers: [], failing_hooks: [], failing_channels: [], tenants: [], failed: [], paused: [] }

/** The figures to show where the database cannot be used. */
export const withoutDatabase = (detail: string, hint: string): Figures => ({
  at: new Date().toISOString(),
  status: 'critical',
  health: [{ check: 'database', status: 'critical', value: 0, detail, hint }],
  ...NO_ROWS,
})
