/** Passwords: argon2id. Each hash takes 64 MiB and tens of milliseconds, so only a few run at once. */
import { Problem } from '../problems.ts'
import { Turns } from './concurrency-limit.ts'

// Routers on the way give up after 30 seconds.
const turns = new Turns(
  4,
  128,
  20_000,
  () =>
    new Problem('too_busy', 'Too many passwords are being checked at once. Try again in a few seconds.', undefined, {
      'Retry-After': '5',
    }),
)

/**
 * Hashes a password.
 *
 * @throws Problem `too_busy`
 */
export const hashPassword = (password: string): Promise<string> => turns.take(() => Bun.password.hash(password, 'argon2id'))

// Checked in place of an account that does not exist, so that both answers take as long.
// Of what, nobody knows: it was random. Its parameters are those of every hash that is made here.
const NOBODY =
  '$argon2id$v=19$m=65536,t=2,p=1$G9Qz06vN/QzX65BD0m2ssZ+YXhsL3QWmIoz32rvj4es$VJfQ9bhFPhU6MLyDDQMhyltwyc5cxPhwtUvPFLslg1A'

/**
 * Checks a password; without a hash it takes as long and fails.
 *
 * @param hash of the account, or null where there is none
 * @throws Problem `too_busy`
 */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  const fits = await turns.take(() => Bun.password.verify(password, hash ?? NOBODY))
  return fits && hash !== null
}
