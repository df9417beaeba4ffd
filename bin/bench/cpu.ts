/** Processor time in seconds and memory, from /proc; and what work costs. */
import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from '../../sql/index.ts'
import type { Stage } from './stage.ts'

/** USER_HZ of every Linux that Bun supports. */
const TICKS_PER_SECOND = 100

const read = (file: string): Promise<string> => readFile(`/proc/${file}`, 'utf8').catch(() => '')

/** The fields of /proc/<pid>/stat after the name, which may contain spaces; the first is the state. */
async function statOf(pid: number): Promise<string[]> {
  const text = await read(`${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** NaN on systems without /proc. */
const secondsIn = (stat: string[], ...fields: number[]): number =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? Number.NaN), 0) / TICKS_PER_SECOND

/** User and system time of processes with their children, including those that have ended. */
export async function cpuOf(pids: number[]): Promise<number> {
  const running = (await readdir('/proc').catch(() => [])).filter((each) => Number(each) > 0)
  // Each is read once: a child may end at any time.
  const stats = await Promise.all(running.map(async (pid) => ({ pid: Number(pid), stat: await statOf(Number(pid)) })))
  return stats.reduce((sum, { pid, stat }) => {
    if (pids.includes(pid)) return sum + secondsIn(stat, 11, 12, 13, 14)
    return pids.includes(Number(stat[1])) ? sum + secondsIn(stat, 11, 12) : sum
  }, 0)
}

/** Memory of a process. NaN on systems without /proc. */
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
  return Number((await statOf(pid))[1])
}

/** What some work costs. NaN where it cannot be measured. */
export interface Cost {
  /** Milliseconds of processor time of API and PostgreSQL, and bytes of WAL, for each thing that is done. */
  api: number
  postgres: number
  wal: number
  perSecond: number
}

/** @param work does a number of things, such as dispatches */
export async function costOf({ sql, process: web }: Stage, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const postmaster = await postmasterOf(sql)
  const used = async () => ({
    api: await cpuOf([web.pid]),
    postgres: process.env.BENCH_DATABASE_URL ? Number.NaN : await cpuOf([postmaster]),
    wal: Number((await sql<[{ at: string }]>`select pg_current_wal_insert_lsn() - '0/0' as at`)[0].at),
  })
  const [before, begun] = [await used(), performance.now()]
  await work()
  const perSecond = (count * 1000) / (performance.now() - begun)
  const after = await used()
  const each = (name: keyof typeof before): number => (after[name] - before[name]) / count
  return { api: each('api') * 1000, postgres: each('postgres') * 1000, wal: each('wal'), perSecond }
}
