/** What work costs: processor time and memory, from /proc, where NaN stands for what a system does not have; and what PostgreSQL writes. */
import { readdir, readFile } from 'node:fs/promises'
import { parentOf } from '../../cli/support/process-table.js'
import type { Sql } from '../../sql/index.ts'

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
  const times = stats.flatMap((text, index) => {
    // After the name, which may contain spaces, the state and the parent.
    const stat = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (pids.includes(running[index] ?? 0)) return secondsIn(stat, 11, 12, 13, 14)
    return pids.includes(Number(stat[1])) ? secondsIn(stat, 11, 12) : []
  })
  return times.length > 0 ? times.reduce((sum, time) => sum + time) : Number.NaN
}

/** The most memory that a process has had. */
export const peakBytes = async (pid: number): Promise<number> =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(await read(`${pid}/status`))?.[1] ?? Number.NaN) * 1024

/** The parent of all server processes of a database on this machine. */
export async function postmasterOf(sql: Sql): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return parentOf(pid)
}

/**
 * Does some work.
 *
 * @param groups processes, by name
 * @param work returns how many things it did, such as dispatches
 * @returns for each of these things, milliseconds of processor time of each group, and of `time`
 */
export async function costOf<Group extends string>(groups: Record<Group, number[]>, work: () => Promise<number>) {
  const used = () => Promise.all(Object.values<number[]>(groups).map(cpuOf))
  const [before, begun] = [await used(), performance.now()]
  const count = await work()
  const time = (performance.now() - begun) / count
  const after = await used()
  const costs = Object.keys(groups).map((group, index) => {
    return [group, (((after[index] ?? Number.NaN) - (before[index] ?? Number.NaN)) * 1000) / count]
  })
  return { time, ...Object.fromEntries(costs) } as Record<Group | 'time', number>
}

/**
 * Does some work.
 *
 * @returns also bytes of WAL without images of pages, whose number depends on when the last checkpoint was, and the number of
 *   rows and index entries in it
 */
export async function writtenBy<Result>(sql: Sql, work: () => Promise<Result>) {
  const flushed = async () => (await sql<[{ lsn: string }]>`select pg_current_wal_flush_lsn()::text as lsn`)[0].lsn
  await sql`create extension if not exists pg_walinspect`
  const before = await flushed()
  const result = await work()
  const after = await flushed()
  const [{ wal, rows }] = await sql<[{ wal: number; rows: number }]>`
    select
      (${after}::pg_lsn - ${before}::pg_lsn - sum(fpi_size))::float8 as wal,
      (sum(count) filter (where type ~ '^(Heap2?/(INSERT|UPDATE|HOT_UPDATE|DELETE|MULTI_INSERT)|Btree/(INSERT|SPLIT))'))::float8
        as rows
    from pg_get_wal_stats(${before}::pg_lsn, ${after}::pg_lsn, true)
      as stats (type, count, count_share, record_size, record_share, fpi_size, fpi_share, size, share)
  `
  return { result, wal, rows }
}
