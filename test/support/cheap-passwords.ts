/**
 * Loaded by API processes of tests before their own code: passwords are hashed at the lowest cost of argon2id. At the real
 * one, hashing would be a third of what all tests compute.
 */
const { hash, verify } = Bun.password

const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

Bun.password.hash = (password) => hash(password, CHEAP)

const unknown = hash('no account has this password', CHEAP)

// The API verifies against a hash of the real cost where there is no account.
Bun.password.verify = async (password, hashed) => verify(password, String(hashed).includes('$m=8,') ? hashed : await unknown)
