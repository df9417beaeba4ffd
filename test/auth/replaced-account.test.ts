import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

/** Replaces an account in a transaction, and sends a request before it commits. */
async function replaceDuring({ id }: Actor, ask: () => Promise<Answer>): Promise<Answer> {
  let asked: Promise<Answer> | undefined
  await box.sql.begin(async (tx) => {
    await tx`update users set email = id || '@unproven.invalid' where id = ${id}`
    await tx`update sessions set ended_at = now() where user_id = ${id}`
    await tx`delete from personal_tokens where user_id = ${id}`
    asked = ask()
    await box.until('the request waits for the account', async () => {
      const waiting = await box.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `
      return waiting.length > 0
    })
  })
  return asked as Promise<Answer>
}

test('a sign-in whose password was checked before the account was replaced creates no session', async () => {
  const user = await box.user('Hasty')
  const login = () => box.request('POST', '/api/v1/auth/login', { email: user.email, password: PASSWORD })
  const { status, body } = await replaceDuring(user, login)
  expect([status, body.code]).toEqual([401, 'invalid_credentials'])
  expect(await box.sql`select from sessions where user_id = ${user.id} and ended_at is null`).toHaveLength(0)
})

test('a token requested before the account was replaced is not created', async () => {
  const user = await box.user('Hasty')
  const { status, body } = await replaceDuring(user, () => user.post('/api/v1/auth/tokens', { name: 'Script' }))
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
  expect(await box.sql`select from personal_tokens where user_id = ${user.id}`).toHaveLength(0)
})
