/**
 * Preloaded by the API processes of tests: hashes passwords at the lowest cost of argon2id. At the real cost, hashing would be a
 * third of the CPU time of all tests.
 */
const { hash, verify } = Bun.password

const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

Bun.password.hash = (password) => hash(password, CHEAP)

const unknown = hash('no account has this password', CHEAP)

// For an unknown address, the API verifies against a hash of the real cost.
Bun.password.verify = async (password, hashed) => verify(password, String(hashed).includes('$m=8,') ? hashed : await unknown)
