/** Metrics, log line and span of every job. */
import type { JobHelpers, Task, TaskList } from 'graphile-worker'
import { monotonicMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { jobRuns, jobWaits } from '../../core/platform/metrics.ts'
import { beginSpan, type Span, traceIds } from '../../core/platform/traces.ts'
import { organizationOf } from './job-runs.ts'

function report({ job }: JobHelpers, span: Span | null, start: number, outcome: string): void {
  const ms = Math.round((monotonicMs() - start) * 10) / 10
  jobRuns.observe([job.task_identifier, outcome], ms / 1000)
  span?.end({ error: outcome === 'succeeded' ? null : outcome })
  const level = outcome === 'succeeded' ? 'debug' : 'warn'
  if (!log.isLevelEnabled(level)) return
  const { id, task_identifier: task, attempts: attempt } = job
  log[level]({ ...traceIds(span), job: id, task, organization: organizationOf(job) ?? undefined, attempt, ms, outcome }, 'job')
}

const instrumentTask =
  (task: Task): Task =>
  async (payload, helpers) => {
    const { job } = helpers
    const span = beginSpan(`job ${job.task_identifier}`, 'consumer', null, {
      'messaging.system': 'graphile_worker',
      'messaging.destination.name': job.task_identifier,
      'messaging.message.id': job.id,
      'signalbox.organization_id': organizationOf(job),
    })
    const start = monotonicMs()
    // The clock of the database may be ahead of this one.
    jobWaits.observe([job.task_identifier], Math.max(0, (Date.now() - new Date(job.run_at).getTime()) / 1000))
    try {
      const result = await task(payload, helpers)
      report(helpers, span, start, 'succeeded')
      return result
    } catch (error) {
      report(helpers, span, start, job.attempts >= job.max_attempts ? 'failed' : 'retry')
      throw error
    }
  }

/** Adds metrics, log lines and spans to tasks. */
export const instrument = (tasks: Record<string, Task>): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, instrumentTask(task)]))
