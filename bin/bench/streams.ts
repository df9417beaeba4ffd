/** Open streams of notifications: what they cost the API that holds them, and how soon all of them are told. */
import { Failure } from '../support/failure.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { median, milliseconds, perSecond, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { IN_FLIGHT, makePeople, type Person, read, tell, tokenFor } from './people.ts'
import { startProcess } from './processes.ts'
import { type Stage, until } from './stage.ts'

const TELLINGS = 5

/** An API process of its own. */
async function startApi({ environment }: Stage) {
  const port = await freePort('127.0.0.1')
  const process = startProcess('api/server.ts', { ...environment, PORT: String(port) })
  await until('Another API gets ready', () => isReady(`http://127.0.0.1:${port}`))
  return {
    port,
    memory: async () => (await process.memory()) ?? Number.NaN,
    processor: async () => (await process.processorSeconds()) ?? Number.NaN,
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}
type Api = Awaited<ReturnType<typeof startApi>>

/** What one API managed in one round. */
interface Managed {
  rate: number
  /** Processor time of the API for each request. */
  cost: number
}

/** Sends requests for a round. */
async function load(api: Api, token: string, seconds: number): Promise<Managed> {
  const before = await api.processor()
  const { requests, seconds: taken } = await read(`http://127.0.0.1:${api.port}/api/v1/users/me`, token, seconds, '"email":')
  return { rate: requests / taken, cost: ((await api.processor()) - before) / requests }
}

interface Scale {
  streams: number
  rounds: number
  seconds: number
}

/**
 * Requests beside streams against requests without any, in pairs of short rounds: what else the machine does meets both
 * of a pair, and neither is always the first.
 */
async function compareLoads(crowded: Api, quiet: Api, token: string, { rounds, seconds }: Scale) {
  const pairs: { beside: Managed; without: Managed }[] = []
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await load(quiet, token, seconds) : null
    const beside = await load(crowded, token, seconds)
    pairs.push({ beside, without: early ?? (await load(quiet, token, seconds)) })
  }
  return {
    beside: median(pairs.map(({ beside }) => beside.rate)),
    without: median(pairs.map(({ without }) => without.rate)),
    ratio: median(pairs.map(({ beside, without }) => beside.rate / without.rate)),
    cost: median(pairs.map(({ beside, without }) => beside.cost / without.cost)),
  }
}

/** Milliseconds until every stream has been told one thing. */
async function timeTellings({ sql, tenant }: Stage, people: Person[], told: () => Promise<number>): Promise<number> {
  const waits: number[] = []
  for (let round = 1; round <= TELLINGS; round++) {
    await tell(sql, tenant.organization.id, people, 1)
    const begun = performance.now()
    for (let from = 0; from < people.length; from += 200) {
      const some = people.slice(from, from + 200)
      await sql`select pg_notify('signalbox_inbox', ${some.map(({ user_id }) => user_id).join(' ')})`
    }
    await until('All streams are told', async () => (await told()) >= round * people.length, 20_000, 2)
    waits.push(performance.now() - begun)
  }
  return median(waits)
}

/** What many streams do to an API: its memory, its other requests against those of one without, and how soon all are told. */
async function measureStreams(stage: Stage, scale: Scale) {
  const { sql, environment } = stage
  const { streams } = scale
  await using crowded = await startApi(stage)
  await using quiet = await startApi(stage)
  const people = await makePeople(sql, streams)
  const tokens = people.map((person) => tokenFor(person, environment.JWT_SECRET ?? ''))
  const [token = ''] = tokens
  for (const api of [quiet, crowded]) await load(api, token, 2 * scale.seconds)
  const before = await crowded.memory()

  await using clients = startProcess('bin/bench/stream-clients.ts', environment)
  const clientsUrl = await clients.firstLine
  await fetch(clientsUrl, { method: 'POST', body: JSON.stringify({ port: crowded.port, tokens }) })
  const fares = async () => (await (await fetch(clientsUrl)).json()) as { open: number; told: number }
  await until('All streams are open', async () => (await fares()).open === streams)
  const opened = await crowded.memory()

  const loads = await compareLoads(crowded, quiet, token, scale)
  const told_ms = await timeTellings(stage, people, async () => (await fares()).told)
  const { open, told } = await fares()
  if (open !== streams || told !== TELLINGS * streams) {
    throw new Failure(`${open} of ${streams} streams are open, and ${told} of ${TELLINGS * streams} notifications came.`)
  }
  return { ...loads, memory: opened - before, after: (await crowded.memory()) - before, told_ms }
}

const scaleOf = (quick: boolean): Scale =>
  quick ? { streams: 200, rounds: 2, seconds: 0.5 } : { streams: 1_000, rounds: 20, seconds: 1 }

export const streams: Part = {
  name: 'streams',
  thorough: true,
  conditions: (quick) => {
    const scale = scaleOf(quick)
    return [
      `streams   ${scale.streams.toLocaleString('en')} open streams of as many users on an API of its own: memory that they add; GET /users/me, ${IN_FLIGHT} in flight, against`,
      `          another API without any, ${scale.rounds} pairs of ${scale.seconds} s; and the time from the commit of one notification to each until the last client has its own.`,
    ].join('\n')
  },
  async run(stage, quick) {
    const scale = scaleOf(quick)
    const measured = await measureStreams(stage, scale)
    const many = scale.streams.toLocaleString('en')
    return {
      rows: [
        {
          name: `read beside ${many} streams`,
          ours: perSecond(measured.beside),
          baseline: perSecond(measured.without),
          ratio: measured.ratio,
          limit: '≥ 0.9',
        },
        { name: 'processor time of a read beside them', ours: '', ratio: measured.cost },
        { name: `${many} streams, all told`, ours: milliseconds(measured.told_ms) },
        { name: `memory of ${many} streams`, ours: `${measured.memory} MB`, limit: '< 100 MB' },
        { name: 'the same, after telling', ours: `${measured.after} MB` },
      ],
      figures: {
        streams: {
          count: scale.streams,
          memory_mb: measured.memory,
          memory_after_telling_mb: measured.after,
          all_told_ms: rounded(measured.told_ms),
          read_ratio: rounded(measured.ratio),
          processor_ratio: rounded(measured.cost),
        },
      },
    }
  },
}
