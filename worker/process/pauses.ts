/** What ops have paused (`ops.pauses`), as this process knows it: it begins nothing of that. */

import type { Tasks } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { periodically } from './periodically.ts'

/** Pauses are in force within 10 seconds. While the database is away, those that were known stay. */
const LOOK_MS = 2_000

let paused = new Set<string>()

/** The flags whose jobs are not to be taken. */
export const pausedFlags = (): string[] => [...paused]

/** Tenants whose work is paused. */
export const pausedTenants = (): string[] => [...paused].flatMap((flag) => (flag.startsWith('org:') ? flag.slice(4) : []))

/**
 * Whether work is not to be begun.
 *
 * @param organization_id the one tenant that it is for; null for work on behalf of all, or of one user
 */
export const isPaused = (task: keyof Tasks, organization_id: string | null): boolean =>
  paused.has(`task:${task}`) || (organization_id !== null && paused.has(`org:${organization_id}`))

/** Looks at what is paused; before the first job, and again and again. */
export async function readPauses(): Promise<void> {
  const pauses = await sql<{ flag: string }[]>`select flag from ops.pauses where until is null or until > now()`
  const flags = new Set(pauses.map(({ flag }) => flag))
  if (flags.symmetricDifference(paused).size > 0) log.info({ paused: [...flags] }, 'what is paused has changed')
  paused = flags
}

/** Looks until the process stops. */
export const watchPauses = (): void => periodically(LOOK_MS, 'what is paused could not be looked at', readPauses)
