/** The same three questions to Signalbox and to better-auth with its organization plugin, on the same PostgreSQL. */
import { join } from 'node:path'
import { connect } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { type Compared, compared, median, versus } from './figures.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Measured, Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import type { Stage } from './stage.ts'

const FOLDER = join(import.meta.dir, 'better-auth')
const IN_FLIGHT = 16
const MEMBERS = 20

type Request = Omit<LoadOrder, 'seconds' | 'inFlight'>

interface Question {
  name: string
  figure: string
  /** How many times the other's rate is asked for. */
  atLeast: number
  ours: Request
  theirs: Request
}

const scaleOf = (quick: boolean) => (quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 4 })

/** The other lives in a package of its own: who does not measure it does not install it. */
async function install(): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile', '--silent'], {
    cwd: FOLDER,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  return (await child.exited) === 0
}

const post = (origin: string, path: string, headers: Record<string, string>, body: object) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** A user, an organization with so many members, and the headers of who asks. */
async function theirTenant(origin: string, databaseUrl: string) {
  const account = { email: 'bench@example.com', password: 'correct horse battery staple', name: 'Bench' }
  const signedUp = await post(origin, '/api/auth/sign-up/email', { Origin: origin }, account)
  const cookie = signedUp.headers.getSetCookie().map((each) => each.split(';')[0])
  const headers = { Cookie: cookie.join('; '), Origin: origin, 'Content-Type': 'application/json' }
  const made = await post(origin, '/api/auth/organization/create', headers, { name: 'Bench', slug: 'bench' })
  if (!made.ok) throw new Failure(`better-auth answered ${made.status}: ${await made.text()}`)
  const { id } = (await made.json()) as { id: string }
  const sql = connect(databaseUrl, 'signalbox bench', 1)
  await sql`
    with people as (
      insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      select 'user-' || number, 'Member ' || number, 'member-' || number || '@example.com', true, now(), now()
      from generate_series(2, ${MEMBERS}::integer) as number
      returning id
    )
    insert into member (id, "organizationId", "userId", role, "createdAt")
    select 'member-' || id, ${id}, id, 'member', now()
    from people
  `
  await sql.end()
  return { id, headers }
}

async function ourTenant({ api, sql }: Stage) {
  const { id } = await api.post('/organizations', { name: 'Peers' })
  await sql`
    with people as (
      insert into users (email, password_hash, name, email_verified)
      select 'member-' || number || '@example.com', '-', 'Member ' || number, true
      from generate_series(2, ${MEMBERS}::integer) as number
      returning id
    )
    insert into organization_members (organization_id, user_id, role)
    select ${id}, id, 'member'
    from people
  `
  return { id, headers: { Authorization: api.authorization, 'Content-Type': 'application/json' } }
}

function questions(stage: Stage, origin: string, ours: Tenant, theirs: Tenant): Question[] {
  const [our, their] = [`${stage.url}/api/v1/organizations`, `${origin}/api/auth/organization`]
  const get = (url: string, headers: Record<string, string>, contains: string): Request => ({
    urls: [url],
    method: 'GET',
    headers,
    status: 200,
    contains,
  })
  return [
    {
      name: 'create organization',
      figure: 'create_organization',
      atLeast: 10,
      ours: { urls: [our], method: 'POST', headers: ours.headers, body: '{"name":"{fresh}"}', status: 201, contains: '"id":' },
      theirs: {
        urls: [`${their}/create`],
        method: 'POST',
        headers: theirs.headers,
        body: '{"name":"{fresh}","slug":"{fresh}"}',
        status: 200,
        contains: '"id":',
      },
    },
    {
      name: `list ${MEMBERS} members`,
      figure: 'list_members',
      atLeast: 5,
      ours: get(`${our}/${ours.id}/members`, ours.headers, 'Member 20'),
      theirs: get(`${their}/list-members?organizationId=${theirs.id}`, theirs.headers, 'Member 20'),
    },
    {
      name: "a member's role",
      figure: 'member_role',
      atLeast: 5,
      ours: get(`${our}/${ours.id}/my-role`, ours.headers, 'owner'),
      theirs: get(`${their}/get-active-member-role?organizationId=${theirs.id}`, theirs.headers, 'owner'),
    },
  ]
}

interface Tenant {
  id: string
  headers: Record<string, string>
}

const rateOf = async (order: LoadOrder): Promise<number> => {
  const { requests, seconds } = await runHelper<Load>('bin/bench/load.ts', order)
  return requests / seconds
}

async function ask({ ours, theirs }: Question, { rounds, seconds }: ReturnType<typeof scaleOf>): Promise<Compared> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    for (const [side, request] of [ours, theirs].entries()) {
      const rate = await rateOf({ ...request, inFlight: IN_FLIGHT, seconds: round === 0 ? 1 : seconds })
      if (round > 0) rates[side]?.push(rate)
    }
  }
  return { ours: median(rates[0]), baseline: median(rates[1]) }
}

export const peers: Part = {
  name: 'peers',
  conditions(quick) {
    const { rounds, seconds } = scaleOf(quick)
    return `peers     better-auth 1.7.6 with its organization plugin, 8 connections to a database of its own on the same server, session by cookie; ${IN_FLIGHT} in flight, median of ${rounds} × ${seconds} s in turns. Ours also writes audit entry and event.`
  },
  async run(stage, quick): Promise<Measured> {
    if (!(await install())) {
      console.error('better-auth could not be installed: it is not compared.')
      return { rows: [{ name: 'better-auth', ours: 'could not be installed' }], figures: {} }
    }
    const database = new URL(stage.environment.DATABASE_URL ?? '')
    await stage.sql`create database ${stage.sql(`${database.pathname.slice(1)}_peer`)}`
    database.pathname = `${database.pathname}_peer`
    await using peer = startProcess('bin/bench/better-auth/server.ts', {
      ...stage.environment,
      PEER_DATABASE_URL: database.href,
    })
    const origin = await peer.firstLine
    const asked = questions(stage, origin, await ourTenant(stage), await theirTenant(origin, database.href))
    const measured: Measured = { rows: [], figures: {} }
    for (const question of asked) {
      const figures = await ask(question, scaleOf(quick))
      measured.rows.push({ ...versus(`${question.name}, to better-auth`, figures), limit: `≥ ${question.atLeast}` })
      measured.figures[`${question.figure}_per_second`] = compared(figures)
    }
    return measured
  },
}
