/** Authenticator apps in tests. */
import { generateSync } from 'otplib'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Answer } from './actor.ts'
import { type Actor, type Box, PASSWORD } from './signalbox.ts'

/** The code that an app shows now, or some steps of 30 seconds later. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })

/** Lets the current code be used again, as if 30 seconds had passed. */
export async function forgetCodes(box: Box, { id }: Actor): Promise<void> {
  await box.sql`update totp_apps set last_step = 0 where user_id = ${id}`
}

/** An app that a user has set up. Its code has not been used. */
export async function addTotp(box: Box, user: Actor): Promise<{ secret: string; recovery_codes: string[] }> {
  const { secret } = await user.make('/api/v1/auth/totp')
  const { recovery_codes } = await user.make('/api/v1/auth/totp/confirm', { code: codeOf(secret) })
  await forgetCodes(box, user)
  return { secret, recovery_codes }
}

export const login = (box: Box, { email }: { email: string }, password = PASSWORD): Promise<Answer> =>
  box.request('POST', '/api/v1/auth/login', { email, password })

/** The ticket of a sign-in that waits for a second factor. */
export async function ticketOf(box: Box, user: { email: string }, password?: string): Promise<string> {
  const { status, body } = await login(box, user, password)
  if (body.code !== 'second_factor_required') throw new Error(`Signing in answered ${status}: ${JSON.stringify(body)}`)
  return body.ticket
}

/** A ticket without a request, of which an address gets only a few a minute. */
export async function storedTicket(box: Box, { id }: Actor): Promise<string> {
  const ticket = crypto.randomUUID()
  await box.sql`
    insert into sign_in_tickets (hash, user_id, expires_at) values (${tokenHash(ticket)}, ${id}, now() + interval '5 minutes')
  `
  return ticket
}

/** The second step of a sign-in. */
export const complete = (box: Box, ticket: string, proof: object): Promise<Answer> =>
  box.request('POST', '/api/v1/auth/login/second-factor', { ticket, ...proof })

/** Makes the sign-in of a user older. */
export async function letSignInAge(box: Box, { id }: Actor, minutes = 11): Promise<void> {
  await box.sql`update sessions set created_at = created_at - ${minutes} * interval '1 minute' where user_id = ${id}`
}
