/** A host of client metadata documents, https://secure.test, as the makers of clients have one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NameServer, nameServer } from '../deployment-hooks/name-server.ts'
import { beforeEnd } from '../support/server.ts'

const CERTIFICATES = join(import.meta.dir, '../deployment-hooks/certificates')

/** Nothing listens at the first: documents are fetched at the one that can be reached. */
const ADDRESSES = ['127.0.0.2', '127.0.0.1']

let names: Promise<NameServer> | undefined

async function startNames(): Promise<NameServer> {
  const started = await nameServer((name) => (name === 'private.test' ? ['10.0.0.1'] : ADDRESSES))
  beforeEnd.push(started.stop)
  return started
}

export class ClientHost {
  /** How often each document was asked for. */
  readonly asked: Record<string, number> = {}
  readonly #answers = new Map<string, () => Response | Promise<Response>>()
  readonly #server: Bun.Server<undefined>

  private constructor(private readonly names: NameServer) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { cert: Bun.file(join(CERTIFICATES, 'good.pem')), key: Bun.file(join(CERTIFICATES, 'server.key')) },
      fetch: (request) => {
        const { pathname } = new URL(request.url)
        this.asked[pathname] = (this.asked[pathname] ?? 0) + 1
        return this.#answers.get(pathname)?.() ?? new Response('', { status: 404 })
      },
    })
  }

  /** All hosts of this test process share the name server, so that their boxes have the same settings and can be shared. */
  static async open(): Promise<ClientHost> {
    names ??= startNames()
    return new ClientHost(await names)
  }

  /** The settings of a service that reads the documents. */
  get environment(): Record<string, string> {
    return { DNS_SERVERS: this.names.address, OUTBOUND_CA: readFileSync(join(CERTIFICATES, 'ca.pem'), 'utf8') }
  }

  get host(): string {
    return `secure.test:${this.#server.port}`
  }

  /** A client with any answer instead of its document. @returns its client_id */
  answering(answer: (client_id: string) => Response | Promise<Response>): string {
    const path = `/clients/${crypto.randomUUID()}.json`
    const client_id = `https://${this.host}${path}`
    this.#answers.set(path, () => answer(client_id))
    return client_id
  }

  /** A client with a document. @param more than what is required, or instead of it */
  client(more: object = {}): string {
    return this.answering((client_id) =>
      Response.json({
        client_id,
        client_name: 'Example Agent',
        redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example.com/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...more,
      }),
    )
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }
}
