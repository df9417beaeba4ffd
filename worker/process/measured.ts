/** What is counted, logged and traced of every job, whatever its task. */
import type { JobHelpers, Task, TaskList } from 'graphile-worker'
import { monotonicMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { jobRuns, jobWaits } from '../../core/platform/metrics.ts'
import { beginSpan, type Span, traceIds } from '../../core/platform/traces.ts'

/** The tenant that a job works for, by its flag. */
function organizationOf({ flags }: JobHelpers['job']): string | undefined {
  const flag = Object.keys(flags ?? {}).find((each) => each.startsWith('org:'))
  return flag?.slice(4)
}

function conclude({ job }: JobHelpers, span: Span | null, begun: number, outcome: string): void {
  const ms = Math.round((monotonicMs() - begun) * 10) / 10
  jobRuns.observe([job.task_identifier, outcome], ms / 1000)
  span?.end({ error: outcome === 'succeeded' ? null : outcome })
  const level = outcome === 'succeeded' ? 'debug' : 'warn'
  if (!log.isLevelEnabled(level)) return
  const { id, task_identifier: task, attempts: attempt } = job
  log[level]({ ...traceIds(span), job: id, task, organization: organizationOf(job), attempt, ms, outcome }, 'job')
}

const measuredTask =
  (task: Task): Task =>
  async (payload, helpers) => {
    const { job } = helpers
    const span = beginSpan(`job ${job.task_identifier}`, 'consumer', null, {
      'messaging.system': 'graphile_worker',
      'messaging.destination.name': job.task_identifier,
      'messaging.message.id': job.id,
      'signalbox.organization_id': organizationOf(job),
    })
    const begun = monotonicMs()
    // Both clocks have their say in it; where they differ, nothing waited less than no time.
    jobWaits.observe([job.task_identifier], Math.max(0, (Date.now() - new Date(job.run_at).getTime()) / 1000))
    try {
      const result = await task(payload, helpers)
      conclude(helpers, span, begun, 'succeeded')
      return result
    } catch (error) {
      conclude(helpers, span, begun, job.attempts >= job.max_attempts ? 'failed' : 'retry')
      throw error
    }
  }

/** The same tasks, each with its runs measured. */
export const measured = (tasks: Record<string, Task>): TaskList =>
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, measuredTask(task)]))
