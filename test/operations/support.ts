/** Shared by the tests of operations: running the ops command line, and SQL as an operator would paste it. */
import { type Answer, type Box, Process } from '../support/signalbox.ts'

/** The outcome of a run of the command line. */
interface Ended {
  code: number
  output: string
  json: () => Answer['body']
}

/** Runs `bun run ops` until it exits. */
export async function ops(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const process = new Process(['bin/ops.ts', ...args], environment)
  const code = await process.exited
  await process.isRead
  const output = process.lines.join('\n')
  return { code, output, json: () => JSON.parse(output) }
}

/** Runs a statement from a view, as an operator would paste it. */
export const paste = (box: Box, sql: string | null): Promise<Answer['body'][]> => box.sql.unsafe(sql ?? 'nothing to paste')

/** Adds a job that fails for good at its first attempt, because its payload is invalid. Returns its id. */
export async function failedJob(box: Box, payload = 'nonsense', flags: string[] = []): Promise<string> {
  const [{ id }] = await box.sql<[{ id: string }]>`
    select id::text
    from graphile_worker.add_job(
      'mail_verification', ${box.sql.json({ user_id: payload })}::json, max_attempts := 1,
      flags := ${['task:mail_verification', ...flags]}::text[]
    )
  `
  await box.until('the job has failed', async () => {
    const [job] = await box.sql`select from ops.failed_jobs where id = ${id}`
    return job !== undefined
  })
  return id
}
