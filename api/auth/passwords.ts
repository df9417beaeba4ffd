/** Passwords: argon2id. Each hash takes 64 MiB and tens of milliseconds, so only a few run at once. */

const AT_ONCE = 4

let running = 0
const waiting: (() => void)[] = []

async function oneOfFew<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Hashes a password. */
export const hashPassword = (password: string): Promise<string> => oneOfFew(() => Bun.password.hash(password, 'argon2id'))

// Checked in place of an account that does not exist, so that both answers take as long.
const nobody = hashPassword(crypto.randomUUID())

/**
 * Checks a password; without a hash it takes as long and fails.
 *
 * @param hash of the account, or null where there is none
 */
export async function passwordFits(password: string, hash: string | null): Promise<boolean> {
  const against = hash ?? (await nobody)
  const fits = await oneOfFew(() => Bun.password.verify(password, against))
  return fits && hash !== null
}
