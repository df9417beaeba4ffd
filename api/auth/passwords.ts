/** Password hashing with argon2id. A hash takes 64 MiB and tens of milliseconds, so only a few run concurrently, and networks take turns. */
import type { Visitor } from '../../core/actors.ts'
import { networksOf } from '../plugins/client-address.ts'
import { ConcurrencyLimit } from '../plugins/concurrency-limit.ts'
import { Problem } from '../problems.ts'

// The timeout is below that of proxies, commonly 30 seconds.
const hashing = new ConcurrencyLimit(
  4,
  128,
  20_000,
  () =>
    new Problem('too_busy', 'Too many passwords are being checked. Try again in a few seconds.', undefined, {
      'Retry-After': '5',
    }),
)

type Client = Pick<Visitor, 'ip_address'>

/**
 * Hashes a password.
 *
 * @throws Problem `too_busy`
 */
export const hashPassword = (password: string, { ip_address }: Client): Promise<string> =>
  hashing.run(networksOf(ip_address), () => Bun.password.hash(password, 'argon2id'))

// Verified if the account does not exist, so that both cases take as long: the hash of a random password, with the same
// parameters as all others.
const DUMMY_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$G9Qz06vN/QzX65BD0m2ssZ+YXhsL3QWmIoz32rvj4es$VJfQ9bhFPhU6MLyDDQMhyltwyc5cxPhwtUvPFLslg1A'

/**
 * Checks a password. Without a hash it takes as long and fails.
 *
 * @param hash of the account; null if there is no account
 * @throws Problem `too_busy`
 */
export async function passwordFits(password: string, hash: string | null, { ip_address }: Client): Promise<boolean> {
  const fits = await hashing.run(networksOf(ip_address), () => Bun.password.verify(password, hash ?? DUMMY_HASH))
  return fits && hash !== null
}
