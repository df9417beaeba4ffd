/** Creates many users at once, without hashing a password for each. */
import { Actor, type Box } from './signalbox.ts'

/** Creates signed-in users with verified addresses and without a password. */
export async function createUsers(box: Box, size: number): Promise<Actor[]> {
  const tokens = Array.from({ length: size }, () => `sbx_rt_${crypto.randomUUID()}`)
  await box.sql`
    with person as (
      insert into users (email, email_verified, name, password_hash)
      select 'crowd.' || gen_random_uuid() || '@example.com', true, 'One of the Crowd', ''
      from generate_series(1, ${size})
      returning id
    ),
    session as (
      insert into sessions (user_id, device, ip_address) select id, 'crowd', '127.0.0.1' from person returning id
    )
    insert into refresh_tokens (hash, session_id, expires_at)
    select sha256(convert_to(token, 'UTF8')), session.id, now() + interval '1 hour'
    from (select id, row_number() over () as number from session) as session
    join unnest(${tokens}::text[]) with ordinality as given (token, number) on given.number = session.number
  `
  return Promise.all(
    tokens.map(async (refresh_token) => {
      const { body } = await box.request('POST', '/api/v1/auth/refresh', { refresh_token })
      return new Actor(box, body.user.name, body.user.email, body.user.id, body.access_token, body.refresh_token)
    }),
  )
}
