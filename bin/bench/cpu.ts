/** Processor time in seconds, from /proc; NaN on systems without it. */
import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from '../../sql/index.ts'

/** USER_HZ of every Linux that Bun supports. */
const TICKS_PER_SECOND = 100

/** The fields of /proc/<pid>/stat after the name, which may contain spaces; the first is the state. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const secondsIn = (stat: string[], ...fields: number[]): number =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? Number.NaN), 0) / TICKS_PER_SECOND

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

/** User and system time that processes have used so far. */
export const cpuOf = async (...pids: number[]): Promise<number> =>
  sum(await Promise.all(pids.map(async (pid) => secondsIn(await statOf(pid), 11, 12))))

/** The same for a process with its children, including those that have ended. */
export async function cpuOfTree(pid: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((each) => each > 0)
  // Each is read once: a child may end at any time.
  const stats = await Promise.all(pids.map(statOf))
  const children = stats.filter((stat) => Number(stat[1]) === pid).map((stat) => secondsIn(stat, 11, 12))
  return secondsIn(await statOf(pid), 11, 12, 13, 14) + sum(children)
}

/**
 * The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
 *
 * @returns `busy`: time in which the machine worked; `stolen`: time in which it had work and the hypervisor ran other machines
 */
export async function machineCpu(): Promise<{ busy: number; stolen: number }> {
  const [, ...fields] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')[0]?.split(/\s+/) ?? []
  return { busy: secondsIn(fields, 0, 1, 2, 5, 6), stolen: secondsIn(fields, 7) }
}

/** The parent of all server processes of a database on this machine. */
export async function postmasterOf(sql: Sql): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return Number((await statOf(pid))[1])
}
