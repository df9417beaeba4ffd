/** Sends requests as fast as they are answered for some seconds, and prints how many were answered. Runs as a process. */
import { startProcess } from './processes.ts'

export interface LoadOrder {
  method: 'GET' | 'POST'
  /** Where requests go in turn, each with its headers. */
  targets: { url: string; headers: Record<string, string> }[]
  body?: string
  /** Every answer must have this status and contain this text. */
  status: number
  contains: string
  seconds: number
}

interface Load {
  requests: number
  seconds: number
}

/** Concurrent requests, each on a connection that is kept open. */
export const IN_FLIGHT = 16

export async function runLoad(order: LoadOrder): Promise<Load> {
  await using child = startProcess('bin/bench/load.ts', { ...process.env, BENCH_LOAD: JSON.stringify(order) })
  return JSON.parse(await child.firstLine)
}

async function send({ method, targets, body, status, contains, seconds }: LoadOrder): Promise<Load> {
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
