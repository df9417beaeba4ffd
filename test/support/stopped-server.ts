/** A PostgreSQL server that is stopped in its tracks: it holds its port and its connections, and answers nothing. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentOf } from '../../bin/support/process-table.ts'

/** Stops every process of the server on this folder, or lets them go on. */
export async function signalServer(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [first] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  const postmaster = Number(first)
  // First the one that makes the others.
  process.kill(postmaster, signal)
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await parentOf(Number(name))) === postmaster) process.kill(Number(name), signal)
  }
}
