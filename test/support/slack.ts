/**
 * A stand-in of Slack's Web API and of its clicks. It holds to the documented rules and refuses what Slack refuses, so that tests
 * notice malformed messages.
 */
import { createHmac } from 'node:crypto'
import { type Received, Receiver } from './receiver.ts'
import type { Answer, Box } from './signalbox.ts'
import { problemOfMessage } from './slack-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: payloads of a third party, inspected field by field
export type Payload = any

export const BOT_TOKEN = 'xoxb-1234567890-abcdefghijkl'
/** The token of another bot in the same Slack workspace. */
export const OTHER_BOT_TOKEN = 'xoxb-1234567890-mnopqrstuvwx'
export const SIGNING_SECRET = 'e6b19c573432dcc6b075501d51b51bb8'
export const TEAM = 'T0ACME'

/** A message as people see it now. */
export interface Posted {
  ts: string
  channel: string
  thread_ts: string | null
  /** Whether a reply is shown in the channel as well. */
  isBroadcast: boolean
  text: string
  blocks: Payload[]
  /** How often it was changed. */
  edits: number
  /** The bot that posted it, which alone can change it. */
  token: string
}

/** A person in a Slack workspace. */
export interface Member {
  id: string
  name: string
  email?: string
  team?: string
}

/** A person who agreed to sign in somewhere with Slack. */
interface SignIn {
  user: string
  team: string
  nonce: string
  redirect_uri: string
}

export class SlackServer {
  readonly messages: Posted[] = []
  /** What was shown to one person alone, by their id. */
  readonly ephemerals: { user: string; text: string }[] = []
  readonly channels = new Set(['C0RELEASES', 'G0SECRET'])
  readonly archived = new Set<string>()
  /** The codes that `oauth.v2.access` exchanges, each once. */
  readonly codes = new Set<string>()
  /** The codes that `openid.connect.token` exchanges, each once. */
  readonly #signIns = new Map<string, SignIn>()
  /** Changes the claims of id tokens. */
  claims: object = {}
  /** The bot tokens that work. */
  readonly tokens = new Set([BOT_TOKEN, OTHER_BOT_TOKEN])
  /** Whom `users.info` knows; null: the tokens lack its scope. */
  members: Member[] | null = null
  /** Replaces the response to a call. @returns null for Slack's own */
  fault: (method: string, request: Received) => Response | null | Promise<Response | null> = () => null
  readonly #server: Receiver
  #clock = 1_700_000_000
  #urls = new Map<string, { ts: string; channel: string; user: string; uses: number }>()

  constructor(port = 0) {
    this.#server = new Receiver(port)
    this.#server.answer = (request) => this.#answer(request)
  }

  get url(): string {
    return `${this.#server.url}/api`
  }

  get config() {
    return { bot_token: BOT_TOKEN, slack_channel: 'C0RELEASES', api_url: this.url }
  }

  /** The requests of a method, such as `chat.update`. */
  calls = (method: string): Received[] => this.#server.requests.filter(({ path }) => path === `/api/${method}`)

  waitForCall = (method: string, count = 1): Promise<Received[]> =>
    this.#server.waitFor(count, ({ path }) => path === `/api/${method}`)

  get requests(): Received[] {
    return this.#server.requests
  }

  get inFlightMax(): number {
    return this.#server.inFlightMax
  }

  /** The messages that are no replies. */
  get roots(): Posted[] {
    return this.messages.filter(({ thread_ts }) => thread_ts === null)
  }

  repliesTo = ({ ts }: Posted): Posted[] => this.messages.filter(({ thread_ts }) => thread_ts === ts)

  /** A person deletes a message. */
  delete(message: Posted): void {
    this.messages.splice(this.messages.indexOf(message), 1)
  }

  async #answer(request: Received): Promise<Response> {
    const method = request.path.replace(/^\/(api\/)?/, '')
    const fault = await this.fault(method, request)
    if (fault) return fault
    if (request.path.startsWith('/actions/')) return this.#respond(request)
    const failed = (error: string) => Response.json({ ok: false, error })
    const isJson = request.headers['content-type']?.startsWith('application/json')
    const payload: Payload = isJson ? JSON.parse(request.body) : Object.fromEntries(new URLSearchParams(request.body))
    if (method === 'oauth.v2.access') return this.#exchange(payload)
    if (method === 'openid.connect.token') return this.#signIn(payload)
    // Methods that read take no JSON.
    if (isJson === (method === 'users.info')) return failed('invalid_form_data')
    const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined) return failed('not_authed')
    if (!this.tokens.has(token)) return failed('invalid_auth')
    if (method === 'users.info') return this.#info(payload)
    if (!this.channels.has(payload.channel)) return failed('channel_not_found')
    if (this.archived.has(payload.channel)) return failed('is_archived')
    const problem = problemOfMessage(payload)
    if (problem) return failed(problem)
    if (method === 'chat.postMessage') return this.#post(payload, token)
    if (method === 'chat.update') return this.#update(payload, token)
    return failed('unknown_method')
  }

  #find = (channel: string, ts: unknown): Posted | undefined =>
    this.messages.find((message) => message.channel === channel && message.ts === ts)

  #post({ channel, thread_ts = null, reply_broadcast = false, text, blocks = [] }: Payload, token: string): Response {
    if (thread_ts !== null && !this.#find(channel, thread_ts)) return Response.json({ ok: false, error: 'thread_not_found' })
    this.#clock += 1
    const ts = `${this.#clock}.000100`
    const isBroadcast = thread_ts !== null && reply_broadcast
    this.messages.push({ ts, channel, thread_ts, isBroadcast, text, blocks, edits: 0, token })
    const message = { type: 'message', user: 'U0BOT', bot_id: 'B0BOT', app_id: 'A0SIGNALBOX', team: TEAM, text, ts, blocks }
    return Response.json({ ok: true, channel, ts, message })
  }

  #update({ channel, ts, text, blocks = [] }: Payload, token: string): Response {
    const message = this.#find(channel, ts)
    if (!message) return Response.json({ ok: false, error: 'message_not_found' })
    if (message.token !== token) return Response.json({ ok: false, error: 'cant_update_message' })
    Object.assign(message, { text, blocks, edits: message.edits + 1 })
    return Response.json({ ok: true, channel, ts, text })
  }

  #exchange({ code, client_id, client_secret }: Payload): Response {
    if (client_id !== 'client' || client_secret !== 'client-secret')
      return Response.json({ ok: false, error: 'bad_client_secret' })
    if (!this.codes.delete(code)) return Response.json({ ok: false, error: 'invalid_code' })
    return Response.json({ ok: true, access_token: BOT_TOKEN, token_type: 'bot', team: { id: TEAM, name: 'Acme' } })
  }

  /**
   * A person opens a link to Sign in with Slack, and agrees.
   *
   * @returns the path to which Slack sends the browser
   */
  authorize(href: string, user: string, team = TEAM): string {
    const { pathname, searchParams } = new URL(href)
    const given = Object.fromEntries(searchParams)
    const { response_type, scope, client_id, redirect_uri = '', state = '', nonce = '' } = given
    if (pathname !== '/openid/connect/authorize' || response_type !== 'code' || client_id !== 'client') throw new Error(href)
    if (!scope?.split(' ').includes('openid') || state === '' || nonce === '') throw new Error(href)
    const code = crypto.randomUUID()
    this.#signIns.set(code, { user, team, nonce, redirect_uri })
    return `${new URL(redirect_uri).pathname}?${new URLSearchParams({ code, state })}`
  }

  #signIn({ code, client_id, client_secret, redirect_uri }: Payload): Response {
    if (client_id !== 'client' || client_secret !== 'client-secret')
      return Response.json({ ok: false, error: 'bad_client_secret' })
    const found = this.#signIns.get(code)
    if (!found) return Response.json({ ok: false, error: 'invalid_code' })
    if (found.redirect_uri !== redirect_uri) return Response.json({ ok: false, error: 'bad_redirect_uri' })
    this.#signIns.delete(code)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: 'https://slack.com',
      sub: found.user,
      aud: 'client',
      iat: now,
      exp: now + 300,
      nonce: found.nonce,
      'https://slack.com/user_id': found.user,
      'https://slack.com/team_id': found.team,
      ...this.claims,
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return Response.json({ ok: true, token_type: 'Bearer', id_token: `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl` })
  }

  #info({ user }: Payload): Response {
    if (!this.members) return Response.json({ ok: false, error: 'missing_scope', needed: 'users:read' })
    const found = this.members.find(({ id }) => id === user)
    if (!found) return Response.json({ ok: false, error: 'user_not_found' })
    const { id, name, email, team = TEAM } = found
    // The address only with the scope `users:read.email`.
    const profile = { real_name: name, display_name: '', ...(email === undefined ? {} : { email }) }
    return Response.json({ ok: true, user: { id, team_id: team, name: id.toLowerCase(), real_name: name, profile } })
  }

  /** An answer to a click: accepted five times, for the message or for the person alone. */
  #respond({ path, body }: Received): Response {
    const target = this.#urls.get(path)
    if (!target || target.uses >= 5) return Response.json({ ok: false, error: 'expired_url' }, { status: 404 })
    target.uses += 1
    const payload: Payload = JSON.parse(body)
    const problem = problemOfMessage(payload)
    if (problem) return Response.json({ ok: false, error: problem }, { status: 400 })
    if (payload.replace_original === true) {
      const message = this.#find(target.channel, target.ts)
      if (message) Object.assign(message, { text: payload.text, blocks: payload.blocks ?? [], edits: message.edits + 1 })
    } else if (payload.response_type === 'ephemeral') this.ephemerals.push({ user: target.user, text: payload.text })
    return new Response('ok')
  }

  /**
   * The payload that Slack posts when a person clicks a button of a message.
   *
   * @param team the Slack workspace of the person; in a shared channel it may be another than that of the app
   */
  interaction(message: Posted, label: string, user: string, team = TEAM): Payload {
    const action = buttonsOf(message).find(({ text }: Payload) => text.text === label)
    if (!action) throw new Error(`The message has no button ${label}`)
    const path = `/actions/${crypto.randomUUID()}`
    this.#urls.set(path, { ts: message.ts, channel: message.channel, user, uses: 0 })
    this.#clock += 1
    return {
      type: 'block_actions',
      team: { id: TEAM, domain: 'acme' },
      enterprise: null,
      is_enterprise_install: false,
      user: { id: user, username: user.toLowerCase(), name: user.toLowerCase(), team_id: team },
      api_app_id: 'A0SIGNALBOX',
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel, is_ephemeral: false },
      trigger_id: crypto.randomUUID(),
      channel: { id: message.channel, name: 'releases' },
      message: { type: 'message', ts: message.ts, text: message.text, bot_id: 'B0BOT', app_id: 'A0SIGNALBOX', team: TEAM },
      response_url: `${this.#server.url}${path}`,
      actions: [{ action_id: action.action_id, type: 'button', value: action.value, action_ts: `${this.#clock}.0001` }],
    }
  }

  /** A person clicks a button, and Slack reports it to a box. */
  click(box: Box, message: Posted, label: string, user: string, team = TEAM): Promise<Answer> {
    return interact(box, signed(this.interaction(message, label, user, team)))
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

/** The buttons of a message. */
export const buttonsOf = ({ blocks }: Pick<Posted, 'blocks'>): Payload[] =>
  blocks.filter(({ type }) => type === 'actions').flatMap(({ elements }) => elements)

/** The labels of the buttons of a message. */
export const labelsOf = (message: Pick<Posted, 'blocks'>): string[] => buttonsOf(message).map(({ text }) => text.text)

/** All text that a message shows. */
export const textOf = ({ blocks }: Pick<Posted, 'blocks'>): string => JSON.stringify(blocks)

export interface SignedForm {
  body: string
  headers: Record<string, string>
}

const signatureOf = (secret: string, timestamp: number | string, body: string): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`

/** A body as Slack signs it. */
export function signedBody(
  body: string,
  secret = SIGNING_SECRET,
  timestamp: number | string = Math.floor(Date.now() / 1000),
): SignedForm {
  return {
    body,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Slack-Request-Timestamp': String(timestamp),
      'X-Slack-Signature': signatureOf(secret, timestamp, body),
    },
  }
}

/** A payload as the form that Slack posts and signs. */
export const signed = (payload: Payload, secret?: string, timestamp?: number): SignedForm =>
  signedBody(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), secret, timestamp)

/** Posts a form to a box as Slack does. */
export const interact = (box: Box, { body, headers }: SignedForm): Promise<Answer> =>
  box.request('POST', '/slack/interactions', body, headers)
