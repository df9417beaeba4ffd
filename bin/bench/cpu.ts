/** Processor time in seconds and memory, from /proc, where NaN stands for what a system does not have; and what work costs. */
import { readdir, readFile } from 'node:fs/promises'
import { parentOf } from '../../cli/support/process-table.js'
import type { Sql } from '../../sql/index.ts'
import type { Stage } from './stage.ts'

/** USER_HZ of every Linux that Bun supports. */
const TICKS_PER_SECOND = 100

const read = (file: string): Promise<string> => readFile(`/proc/${file}`, 'utf8').catch(() => '')

const secondsIn = (stat: string[], ...fields: number[]): number =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? Number.NaN), 0) / TICKS_PER_SECOND

/** User and system time of processes with their children, including those that have ended. */
async function cpuOf(pids: number[]): Promise<number> {
  const running = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0)
  // Each is read once: a child may end at any time.
  const stats = await Promise.all(running.map((pid) => read(`${pid}/stat`)))
  return stats.reduce((sum, text, index) => {
    // After the name, which may contain spaces, the state and the parent.
    const stat = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (pids.includes(running[index] ?? 0)) return sum + secondsIn(stat, 11, 12, 13, 14)
    return pids.includes(Number(stat[1])) ? sum + secondsIn(stat, 11, 12) : sum
  }, 0)
}

/** Memory of a process. */
export const residentBytes = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(await read(`${pid}/status`))?.[1] ?? Number.NaN) * 1024

/**
 * The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
 *
 * @returns `busy`: time in which the machine worked; `stolen`: time in which it had work and the hypervisor ran other machines
 */
export async function machineCpu(): Promise<{ busy: number; stolen: number }> {
  const [, ...fields] = (await read('stat')).split('\n')[0]?.split(/\s+/) ?? []
  return { busy: secondsIn(fields, 0, 1, 2, 5, 6), stolen: secondsIn(fields, 7) }
}

/** The parent of all server processes of a database on this machine. */
export async function postmasterOf(sql: Sql): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return parentOf(pid)
}

/** Runs something. @returns also how long it took, and the processor time of groups of processes meanwhile */
export async function observe<Group extends string, Result>(groups: Record<Group, number[]>, run: () => Promise<Result>) {
  const used = () => Promise.all(Object.values<number[]>(groups).map(cpuOf))
  const [before, begun] = [await used(), performance.now()]
  const result = await run()
  const seconds = (performance.now() - begun) / 1000
  const after = await used()
  const cpu = Object.keys(groups).map((group, index) => [group, (after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)])
  return { result, seconds, cpu: Object.fromEntries(cpu) as Record<Group, number> }
}

/**
 * What some work costs.
 *
 * @param work does a number of things, such as dispatches
 * @returns milliseconds of processor time of API and PostgreSQL, and bytes of WAL, for each of them
 */
export async function costOf({ sql, process: web }: Stage, count: number, work: () => Promise<unknown>) {
  const written = async () => (await sql<[{ at: number }]>`select pg_current_wal_insert_lsn() - '0/0' as at`)[0].at
  const before = await written()
  const { seconds, cpu } = await observe({ api: [web.pid], postgres: [await postmasterOf(sql)] }, work)
  const wal = ((await written()) - before) / count
  // A server on another machine cannot be observed.
  const postgres = process.env.BENCH_DATABASE_URL ? Number.NaN : (cpu.postgres * 1000) / count
  return { api: (cpu.api * 1000) / count, postgres, wal, perSecond: count / seconds }
}
