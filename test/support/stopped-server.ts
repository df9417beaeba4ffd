/** A suspended PostgreSQL server: it keeps its port and connections open and does not respond. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentOf } from '../../cli/support/process-table.js'

/** Suspends or resumes all processes of the server with this data folder. */
export async function signalServer(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [first] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  const postmaster = Number(first)
  // The parent process first, because it starts the others.
  process.kill(postmaster, signal)
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && parentOf(Number(name)) === postmaster) signalIfAlive(Number(name), signal)
  }
}

/** A backend may end between the listing and the signal. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
