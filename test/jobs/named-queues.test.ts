import { expect, test } from 'bun:test'
import { connect } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

test('the end of a job wakes a worker for the next job of its named queue', async () => {
  const sql = connect(await freshDatabase(), 'signalbox test', 1)
  const announced: unknown[] = []
  await sql.listen('jobs:insert', (payload) => announced.push(JSON.parse(payload)))
  try {
    await sql`
      insert into graphile_worker._private_job_queues (queue_name, locked_at, locked_by)
      values ('comparisons', now(), 'pool')
    `
    expect(announced).toEqual([])
    await sql`update graphile_worker._private_job_queues set locked_at = null, locked_by = null`
    const later = Promise.withResolvers<string>()
    await sql.listen('later', later.resolve)
    await sql`select pg_notify('later', '')`
    await later.promise
    expect(announced).toEqual([{ count: 1 }])
  } finally {
    await sql.end({ timeout: 1 })
  }
})
