/** CPU seconds that processes have used, as /proc tells; not a number where there is none. */
import { readdir, readFile } from 'node:fs/promises'
import type { Sql } from '../../sql/index.ts'

export type Cpu = number

/** Ticks a second, on every Linux that Bun runs on. */
const TICKS = 100

/** The fields of /proc/<pid>/stat behind the name, which may hold anything; the first of them is the state. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const secondsIn = (stat: string[], ...fields: number[]): Cpu =>
  fields.reduce((all, field) => all + Number(stat[field] ?? Number.NaN), 0) / TICKS

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0)
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, parent: Number((await statOf(pid))[1]) })))
  return stats.filter((each) => each.parent === parent).map(({ pid }) => pid)
}

/**
 * What processes have used so far: user and system, of all their threads.
 *
 * @param kin `with children` counts those that live, and those that ended
 */
export async function cpuOf(pids: number[], kin: 'alone' | 'with children' = 'alone'): Promise<Cpu> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const stat = await statOf(pid)
      if (kin === 'alone') return secondsIn(stat, 11, 12)
      return secondsIn(stat, 11, 12, 13, 14) + (await cpuOf(await childrenOf(pid)))
    }),
  )
  return each.reduce((all, one) => all + one, 0)
}

/** The first line of /proc/stat, of all processors: user, nice, system, idle, iowait, irq, softirq, steal. */
async function machine(): Promise<string[]> {
  const [, ...fields] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')[0]?.split(/\s+/) ?? []
  return fields
}

/** What the whole machine has used so far. */
export const busyCores = async (): Promise<Cpu> => secondsIn(await machine(), 0, 1, 2, 5, 6)

/** What a hypervisor has given to other machines so far, while this one had something to do. */
export const stolenCores = async (): Promise<Cpu> => secondsIn(await machine(), 7)

/** The process whose children serve a database on this machine. */
export async function postmasterOf(sql: Sql): Promise<number> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return Number((await statOf(pid))[1])
}
