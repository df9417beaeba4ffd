/** People for the benchmark: signed in, told of things, and reading. */
import { createHmac } from 'node:crypto'
import type { Sql } from '../../sql/index.ts'
import type { Load, LoadOrder } from './load.ts'
import { runHelper } from './processes.ts'

/** Requests that are under way at once. */
export const IN_FLIGHT = 16

/** Somebody who is signed in. */
export interface Person {
  user_id: string
  session_id: string
}

/** Users who are signed in, without the cost of their passwords. */
export async function makePeople(sql: Sql, count: number): Promise<Person[]> {
  return await sql<Person[]>`
    with person as (
      insert into users (email, email_verified, name, password_hash)
      select gen_random_uuid() || '@example.com', true, 'Bench ' || number, ''
      from generate_series(1, ${count}::integer) as number
      returning id
    )
    insert into sessions (user_id, device, ip_address)
    select id, 'bench', '127.0.0.1'
    from person
    returning user_id, id as session_id
  `
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An access token as the API issues one. */
export function tokenFor({ user_id, session_id }: Person, secret: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: user_id, sid: session_id, iat: now, exp: now + 3_600, iss: 'signalbox', aud: 'signalbox' }
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Tells each of these people so many things, as the worker does. */
export async function tell(sql: Sql, organization_id: string, people: Person[], count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      with inbox as (
        insert into notification_inboxes as inbox (user_id, sequence, told_at)
        select person, ${count}, clock_timestamp()
        from unnest(${people.map(({ user_id }) => user_id)}::uuid[]) as person
        on conflict (user_id) do update
          set sequence = inbox.sequence + excluded.sequence,
              told_at = greatest(clock_timestamp(), inbox.told_at + interval '1 millisecond')
        returning user_id, sequence, told_at
      )
      insert into notifications (
        user_id, sequence, organization_id, source_id, type, title, body, resource_type, resource_id, created_at
      )
      select
        inbox.user_id, inbox.sequence - ${count} + number, ${organization_id}, gen_random_uuid(), 'gate_pending',
        'The gate Release review awaits your review', 'Checkout · Platform · Acme Robotics', 'gate', gen_random_uuid(),
        inbox.told_at
      from inbox
      cross join generate_series(1, ${count}::integer) as number
    `
  })
}

/** Reads one thing again and again for some seconds. */
export const read = (url: string, token: string, seconds: number, contains: string): Promise<Load> =>
  runHelper('bin/bench/load.ts', {
    urls: [url],
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
    inFlight: IN_FLIGHT,
    seconds,
    status: 200,
    contains,
  } satisfies LoadOrder)

/** Requests a second. */
export const rateOf = ({ requests, seconds }: Load): number => requests / seconds
