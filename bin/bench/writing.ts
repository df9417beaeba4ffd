/** A whole write, with its key, its audit entry and its event, against the same statements in pgbench. */
import { Failure } from '../support/failure.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { median, perSecond, type Row, rounded } from './figures.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { pgbench, runPgbench, script } from './pgbench.ts'
import { runHelper, startProcess } from './processes.ts'
import { recordStatements, type Statement } from './recording-proxy.ts'
import { idle, type Stage, until } from './stage.ts'

const IN_FLIGHT = 16
const KEY = 'the-key-of-this-write'
const LIMIT = 0.5
const BODY = JSON.stringify({ name: 'Runner', hostname: 'runner.example.com', agents: ['builder'] })

const pathOf = ({ tenant }: Stage) => `/api/v1/organizations/${tenant.organization.id}/runtimes`
const headersOf = ({ api }: Stage) => ({ Authorization: api.authorization, 'Content-Type': 'application/json' })

async function write(stage: Stage, origin: string, key: string): Promise<void> {
  const headers = { ...headersOf(stage), 'Idempotency-Key': key }
  const answer = await fetch(origin + pathOf(stage), { method: 'POST', headers, body: BODY })
  if (answer.status !== 201) throw new Failure(`The write was answered ${answer.status}: ${await answer.text()}`)
}

/** What one request says to PostgreSQL, from finding its caller to its commit. */
async function statementsOf(stage: Stage): Promise<Statement[]> {
  await using recording = await recordStatements(stage.environment.DATABASE_URL ?? '')
  const port = await freePort('127.0.0.1')
  const settings = { PORT: String(port), DATABASE_URL: recording.url, DATABASE_POOL: '1' }
  await using _api = startProcess('api/server.ts', { ...stage.environment, ...settings })
  const origin = `http://127.0.0.1:${port}`
  await until('The recorded API gets ready', () => isReady(origin))
  // The first request of a process prepares what the others only run.
  await write(stage, origin, `${KEY}-warm-up`)
  await until('The first request is over', async () => recording.statements.some(({ text }) => text.includes('pg_notify')))
  const before = recording.statements.length
  await write(stage, origin, KEY)
  const sent = recording.statements.slice(before)
  const end = sent.findIndex(({ text }) => /^commit\b/i.test(text.trim()))
  if (end < 0) throw new Failure('The recorded write committed nothing.')
  return sent.slice(0, end + 1)
}

/** A process that has just begun compiles what it does most, and is slower meanwhile. */
const scaleOf = (quick: boolean) => (quick ? { rounds: 1, seconds: 2, warmUp: 1 } : { rounds: 3, seconds: 4, warmUp: 5 })

export const writing: Part = {
  name: 'writing',
  conditions(quick) {
    const { rounds, seconds } = scaleOf(quick)
    return `whole     POST /organizations/{id}/runtimes with an Idempotency-Key: caller found, row, event, audit entry, kept answer; ${IN_FLIGHT} in flight. Baseline: the very statements of one such request, recorded on the wire, in pgbench -M prepared -c 8; median of ${rounds} × ${seconds} s in turns.`
  },
  async run(stage, quick) {
    const name = 'whole write, to pgbench'
    const program = pgbench()
    if (!program) {
      console.error("pgbench is not on this machine (it comes with Debian's postgresql): the whole write is not compared.")
      return { rows: [{ name, ours: 'pgbench is missing', limit: `≥ ${LIMIT}` }], figures: {} }
    }
    const { rounds, seconds, warmUp } = scaleOf(quick)
    const statements = await statementsOf(stage)
    const text = script(statements, KEY)
    const order: LoadOrder = {
      urls: [stage.url + pathOf(stage)],
      method: 'POST',
      headers: { ...headersOf(stage), 'Idempotency-Key': '{fresh}' },
      body: BODY,
      inFlight: IN_FLIGHT,
      seconds,
      status: 201,
      contains: '"id":',
    }
    const ours: number[] = []
    const baseline: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const load = await runHelper<Load>('bin/bench/load.ts', { ...order, seconds: round === 0 ? warmUp : seconds })
      const rate = await runPgbench(program, stage.environment.DATABASE_URL ?? '', text, round === 0 ? 1 : seconds)
      // They would all fall silent, and the worker would tell of each while something else is measured.
      await stage.sql`delete from runtimes where organization_id = ${stage.tenant.organization.id}`
      await idle(stage.sql)
      if (round === 0) continue
      ours.push(load.requests / load.seconds)
      baseline.push(rate)
    }
    const ratio = median(ours) / median(baseline)
    const row: Row = { name, ours: perSecond(median(ours)), baseline: perSecond(median(baseline)), ratio, limit: `≥ ${LIMIT}` }
    return {
      rows: [row],
      figures: {
        whole_write_per_second: {
          ours: rounded(median(ours)),
          pgbench: rounded(median(baseline)),
          ratio: rounded(ratio),
          statements: statements.length,
        },
      },
    }
  },
}
