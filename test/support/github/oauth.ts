/** Exchanging a code, or a refresh token, for a token of a user. */
import { createHash } from 'node:crypto'
import { randomText } from './registration.ts'
import type { App, Person, UserToken, World } from './world.ts'

interface Code {
  app: App
  person: Person
  redirectUri: string | null
  challenge: string | null
  expiresAt: number
}

const TOKEN_SECONDS = 28_800
const REFRESH_SECONDS = 15_897_600
const CODE_MS = 600_000
const ERRORS = {
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  bad_refresh_token: 'The refresh token passed is incorrect or expired.',
  unsupported_grant_type: 'The grant type passed is not supported.',
}

const GUIDE = 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors'

export class OAuth {
  readonly #codes = new Map<string, Code>()

  constructor(private readonly world: World) {}

  /** A code, valid for ten minutes and once. */
  issueCode(code: Omit<Code, 'expiresAt'>): string {
    const value = randomText(20)
    this.#codes.set(value, { ...code, expiresAt: this.world.clock.now() + CODE_MS })
    code.app.authorizedBy.add(code.person)
    return value
  }

  /** Answers `POST /login/oauth/access_token`. GitHub answers errors with 200, too. */
  answer(given: URLSearchParams, accept: string | null): Response {
    const result = this.#exchange(given)
    const body =
      typeof result === 'string'
        ? { error: result, error_description: ERRORS[result], error_uri: `${GUIDE}#${result.replaceAll('_', '-')}` }
        : result
    if (accept?.includes('application/json')) return Response.json(body)
    const text = new URLSearchParams(
      Object.entries(body).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString()
    return new Response(text, { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' } })
  }

  #exchange(given: URLSearchParams): keyof typeof ERRORS | Record<string, string | number> {
    const app = this.world.apps.find(({ clientId }) => clientId === given.get('client_id'))
    if (!app?.clientSecrets.includes(given.get('client_secret') ?? '')) return 'incorrect_client_credentials'
    const grant = given.get('grant_type')
    if (grant === 'refresh_token') return this.#refresh(app, given.get('refresh_token') ?? '')
    if (grant !== null && grant !== 'authorization_code') return 'unsupported_grant_type'
    const value = given.get('code') ?? ''
    const code = this.#codes.get(value)
    if (!code || code.app !== app || code.expiresAt <= this.world.clock.now()) return 'bad_verification_code'
    const redirect = given.get('redirect_uri')
    if (redirect !== null && !app.callbackUrls.includes(redirect)) return 'redirect_uri_mismatch'
    if (redirect !== null && code.redirectUri !== null && redirect !== code.redirectUri) return 'redirect_uri_mismatch'
    const verifier = given.get('code_verifier')
    const hashed = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url')
    if (code.challenge !== hashed) return 'bad_verification_code'
    this.#codes.delete(value)
    return this.issueToken(app, code.person)
  }

  #refresh(app: App, value: string): 'bad_refresh_token' | Record<string, string | number> {
    const now = this.world.clock.now()
    const old = [...this.world.tokens.values()].find((each) => each.kind === 'user' && each.refreshToken === value)
    if (old?.kind !== 'user' || old.app !== app || old.refreshExpiresAt <= now) return 'bad_refresh_token'
    // "Once you use a refresh token, that refresh token and the old user access token will no longer work."
    this.world.tokens.delete(old.value)
    return this.issueToken(app, old.person)
  }

  issueToken(app: App, person: Person) {
    const now = this.world.clock.now()
    const token: UserToken = {
      ...{ kind: 'user', value: `ghu_${randomText(36)}`, app, person, expiresAt: now + TOKEN_SECONDS * 1000 },
      ...{ refreshToken: `ghr_${randomText(76)}`, refreshExpiresAt: now + REFRESH_SECONDS * 1000 },
    }
    this.world.tokens.set(token.value, token)
    return {
      access_token: token.value,
      expires_in: TOKEN_SECONDS,
      refresh_token: token.refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
      scope: '',
      token_type: 'bearer',
    }
  }
}
