/** Work that operators have paused (`ops.pauses`). This process starts none of it. */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { periodically } from './periodically.ts'

/** Pauses take effect within 10 seconds. While the database is unavailable, the last known ones stay in effect. */
const POLL_MS = 2_000

let paused = new Set<string>()

/** The flags of jobs that must not be taken. */
export const pausedFlags = (): string[] => [...paused]

export const pausedTenants = (): string[] => [...paused].flatMap((flag) => (flag.startsWith('org:') ? flag.slice(4) : []))

/** @param organization_id null for work of the whole service or of one user */
export const isPaused = (task: keyof Tasks, organization_id: string | null): boolean =>
  paused.has(`task:${task}`) || (organization_id !== null && paused.has(`org:${organization_id}`))

/** Reads the pauses. Must run before the first job. */
export async function readPauses(): Promise<void> {
  const pauses = await sql<{ flag: string }[]>`select flag from ops.pauses where until is null or until > now()`
  const flags = new Set(pauses.map(({ flag }) => flag))
  if (flags.symmetricDifference(paused).size > 0) log.info({ paused: [...flags] }, 'pauses changed')
  paused = flags
}

export const watchPauses = (): void => periodically(POLL_MS, 'could not read pauses', readPauses)
