/** Sends requests as fast as they are answered for some seconds, and prints how many were answered. Runs as a process. */
import { medians } from './figures.ts'
import { startProcess } from './processes.ts'

export interface Workload {
  method: 'GET' | 'POST'
  /** Where requests go in turn, each with its headers. */
  targets: { url: string; headers: Record<string, string> }[]
  body?: string
  /** Every answer must have this status and contain this text. */
  status: number
  contains: string
}

interface Load {
  requests: number
  seconds: number
}

/** Concurrent requests, each on a connection that is kept open. */
export const IN_FLIGHT = 16

export async function runLoad(workload: Workload, seconds: number): Promise<Load> {
  const order = JSON.stringify({ ...workload, seconds })
  await using child = startProcess('bin/bench/load.ts', { ...process.env, BENCH_LOAD: order })
  return JSON.parse(await child.firstLine)
}

/** Sends two workloads in turns. @returns the median of the requests per second of each, and how many were answered in all */
export async function compareLoads(quick: boolean, { value, baseline }: Record<'value' | 'baseline', Workload>) {
  const [rounds, seconds] = quick ? [1, 1] : [3, 4]
  let answered = 0
  const measure = (workload: Workload) => async (isWarmUp: boolean) => {
    const load = await runLoad(workload, isWarmUp ? seconds / 2 : seconds)
    answered += load.requests
    return load.requests / load.seconds
  }
  return { ...(await medians(rounds, { value: measure(value), baseline: measure(baseline) })), answered }
}

async function send({ method, targets, body, status, contains, seconds }: Workload & { seconds: number }): Promise<Load> {
  let requests = 0
  const begun = performance.now()
  const work = async (first: number) => {
    for (let turn = first; performance.now() < begun + seconds * 1000; turn += IN_FLIGHT) {
      const { url, headers } = targets[turn % targets.length] ?? { url: '', headers: {} }
      const response = await fetch(url, { method, headers, body })
      const text = await response.text()
      if (response.status !== status || !text.includes(contains)) {
        throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
      }
      requests++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => work(index)))
  return { requests, seconds: (performance.now() - begun) / 1000 }
}

if (import.meta.main) console.log(JSON.stringify(await send(JSON.parse(process.env.BENCH_LOAD ?? ''))))
