/** What tests of operations work with: the command line of ops, and SQL that is run as it was pasted. */
import { type Answer, type Box, Process } from '../support/signalbox.ts'

/** How the command line ended. */
interface Ended {
  code: number
  said: string
  json: () => Answer['body']
}

/** Runs `bun run ops` to its end. */
export async function ops(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const process = new Process(['bin/ops.ts', ...args], environment)
  const code = await process.exited
  // What was said last is read a moment after the end.
  await Bun.sleep(50)
  const said = process.lines.join('\n')
  return { code, said, json: () => JSON.parse(said) }
}

/** Runs SQL as somebody would who pasted it. */
export const paste = (box: Box, sql: string | null): Promise<Answer['body'][]> => box.sql.unsafe(sql ?? 'nothing to paste')

/** A job that fails for good with its first attempt: what it works on cannot be. */
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
