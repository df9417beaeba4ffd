import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Receiver } from '../support/receiver.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

const document = join(import.meta.dir, '../../docs/operating.md')

let box: Box
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox({ own: true })
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

/** The documented statements that remove what is waiting. */
async function documented(): Promise<string> {
  const snippet = /```sql\n(-- Removes what is waiting[\s\S]*?)```/.exec(await Bun.file(document).text())
  return snippet?.[1] ?? ''
}

test('a worker sends nothing of a copy from which everything that waits was removed', async () => {
  const ada = await box.user('Ada')
  // In two organizations: on a cluster, their rows are on several nodes.
  const projects = await Promise.all(['First', 'Second'].map(async (name) => (await box.site(ada, name)).project))
  for (const { id } of projects) {
    await ada.make(`/api/v1/projects/${id}/deployment-hooks`, {
      name: 'Deploy',
      url: receiver.url,
      trigger_on: 'gate_approved',
      paused: true,
    })
  }
  const approveAll = () => Promise.all(projects.map(async ({ id }) => box.approval(ada, (await box.running(ada, id)).id)))
  const dispatches = () => box.sql<{ status: string }[]>`select status from dispatches order by id`
  await approveAll()
  await box.until('the dispatches wait', async () => (await dispatches()).length === 2)
  const [worker] = box.workers
  if (worker) await box.end(worker, 'SIGTERM')
  await approveAll()
  expect((await box.sql`select from waiting_events`).length).toBeGreaterThan(0)
  // One that was running when the copy was made.
  await box.sql`select graphile_worker.add_job('mail_notification', '{}', job_key := 'interrupted')`
  await box.sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'original' where key = 'interrupted'`

  await box.sql.unsafe(await documented()).simple()

  expect((await dispatches()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  expect(await box.sql`select task_identifier from graphile_worker.jobs`).toHaveLength(0)
  await box.sql`update deployment_hooks set paused = false`
  await box.startWorker()
  // What comes later is handled, and goes to no hook.
  await approveAll()
  await box.settled()
  expect(await dispatches()).toHaveLength(2)
  expect(receiver.requests).toEqual([])
})
