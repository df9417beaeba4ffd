/** An issuer that does whatever a test wants: also what no OpenID provider does. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface Key {
  kid: string
  alg: string
  secret: CryptoKey
  jwk: JWK
}

export async function makeKey(alg: string, kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export const now = (): number => Math.floor(Date.now() / 1000)

export class Issuer {
  /** How often each document was asked for. */
  readonly asked: Record<string, number> = {}
  /** Answers instead of the documents. */
  answer: ((path: string) => Response | Promise<Response> | undefined) | null = null
  keys: Key[] = []
  readonly #server: Bun.Server<undefined>

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 60,
      fetch: async (request) => {
        const { pathname } = new URL(request.url)
        this.asked[pathname] = (this.asked[pathname] ?? 0) + 1
        const answer = await this.answer?.(pathname)
        if (answer) return answer
        if (pathname.endsWith('/.well-known/openid-configuration')) {
          const issuer = this.url + pathname.slice(0, pathname.indexOf('/.well-known'))
          return Response.json({ issuer, jwks_uri: `${this.url}/jwks` })
        }
        return pathname === '/jwks' ? Response.json({ keys: this.keys.map(({ jwk }) => jwk) }) : new Response('', { status: 404 })
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** How often the keys were fetched. */
  get fetches(): number {
    return this.asked['/jwks'] ?? 0
  }

  /** @param header in addition to `alg` and `kid` of the key; undefined removes one */
  sign(claims: object, key = this.keys[0] as Key, header: object = {}): Promise<string> {
    const all = { iss: this.url, iat: now(), exp: now() + 300, jti: crypto.randomUUID(), ...claims }
    return new SignJWT(all as never).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.secret)
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}
