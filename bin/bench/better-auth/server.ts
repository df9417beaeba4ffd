/** better-auth with its organization plugin, as its manual sets it up, on a database of its own. */
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { organization } from 'better-auth/plugins'
import { Pool } from 'pg'

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => auth.handler(request) })

const options = {
  baseURL: server.url.origin,
  secret: 'measured on this machine and nowhere else',
  database: new Pool({ connectionString: process.env.PEER_DATABASE_URL, max: 8 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' as const },
  plugins: [organization({ organizationLimit: 1_000_000_000 })],
}
const auth = betterAuth(options)

const { runMigrations } = await getMigrations(options)
await runMigrations()
console.log(server.url.origin)
process.on('SIGTERM', () => process.exit(0))
