/** Codes of authenticator apps and recovery codes, as people type and paste them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { codeOf, complete, ticketOf } from '../support/second-factors.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

const TOTP = '/api/v1/auth/totp'

let box: Box
let user: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  user = await box.user('Ada')
})
afterAll(() => box.close())

test('codes count as people type and paste them', async () => {
  const arabic = (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  const { secret } = await user.make(TOTP)
  const confirming = codeOf(secret)
  for (const code of ['', '12345', '123456a', '½½½½½½']) {
    const { status, body } = await user.post(`${TOTP}/confirm`, { code })
    expect([code, status, body.errors[0]]).toEqual([
      code,
      422,
      { pointer: '/code', code: 'malformed', detail: 'must be a code of 6 digits' },
    ])
  }
  const confirmed = await user.post(`${TOTP}/confirm`, { code: `${confirming.slice(0, 3)}-${arabic(confirming.slice(3))}` })
  expect(confirmed.status).toBe(200)
  const ways: [string, (code: string) => string][] = [
    ['code', (code) => `${code.slice(0, 3)}\u00a0${code.slice(3)} `],
    ['code', arabic],
    ['recovery_code', (code) => code.toUpperCase().replaceAll('-', '\u00a0–\u200b')],
    ['recovery_code', (code) => code.replaceAll(/[!-~]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0))],
  ]
  for (const [index, [name, typed]] of ways.entries()) {
    await box.sql`update totp_apps set last_step = 0 where user_id = ${user.id}`
    const code = typed(name === 'code' ? codeOf(secret) : confirmed.body.recovery_codes[index])
    expect([code, (await complete(box, await ticketOf(box, user), { [name]: code })).status]).toEqual([code, 200])
  }
  await box.sql`update totp_apps set last_step = 0 where user_id = ${user.id}`
  for (const code of [arabic(codeOf(secret)), confirmed.body.recovery_codes[9].replaceAll('-', '‑')]) {
    const page = await new PageClient(box).post('/sign-in', { email: user.email, password: PASSWORD })
    const visitor = new PageClient(box)
    const ticket = page.document.querySelector('input[name=ticket]')?.getAttribute('value') ?? ''
    expect((await visitor.post('/sign-in/second-factor', { ticket, code })).path).toBe('/app')
  }
})
