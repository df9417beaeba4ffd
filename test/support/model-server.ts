/** A local server with the OpenAI chat completions API, whose responses tests define. */
import { PATIENCE_MS } from './patience.ts'

/** A received request. */
export interface Asked {
  path: string
  authorization: string | null
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  body: any
  /** The text between the marker lines of the user's message. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  data: any
  text: string
  at: number
}

type Reply = (asked: Asked, number: number) => Response | Promise<Response>

const CRITERIA = ['correctness', 'completeness', 'verification', 'maintainability', 'security']

/** The judgment of the model, in terms of the order in which the tracks were presented. */
export interface Says {
  recommendation?: 'first' | 'second' | 'tie'
  confidence?: number
  first?: number
  second?: number
  rationale?: string
  evidence?: string
}

export const judgment = ({
  recommendation = 'tie',
  confidence = 0.8,
  first = 6,
  second = 6,
  rationale = 'Both do it.',
  evidence = 'Seen in the summary.',
}: Says = {}) => ({
  criteria: Object.fromEntries(CRITERIA.map((name) => [name, { evidence, first, second }])),
  rationale,
  recommendation,
  confidence,
})

/** The tokens of one call, as in `usage`. */
export const USAGE = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 }

/** A completion with a text, or with another first choice. */
export const completion = (content: unknown, choice: object = {}, usage: object | null = USAGE): Response =>
  Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'served-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...choice }],
    ...(usage ? { usage } : {}),
  })

export const says = (given: Says = {}): Response => completion(JSON.stringify(judgment(given)))

/** An error response in the format of OpenAI. */
export const refusal = (status: number, error: object = {}, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message: 'No.', type: 'error', code: null, param: null, ...error } }, { status, headers })

export class ModelServer {
  readonly asked: Asked[] = []
  /** Returns the response to a request; tests replace it. */
  reply: Reply = () => says()
  #watchers = new Set<() => void>()
  #server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 120, fetch: (request) => this.#receive(request) })

  /** The value for AI_BASE_URL. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`
  }

  async #receive(request: Request): Promise<Response> {
    const text = await request.text()
    const body = JSON.parse(text)
    const user: string = body.messages.at(-1).content
    const marker = user.slice(0, user.indexOf('\n'))
    const data = JSON.parse(user.split(`${marker}\n`)[1] ?? 'null')
    const { pathname } = new URL(request.url)
    const asked = { path: pathname, authorization: request.headers.get('authorization'), body, data, text, at: performance.now() }
    this.asked.push(asked)
    for (const watcher of this.#watchers) watcher()
    return this.reply(asked, this.asked.length)
  }

  /** Clears the received requests and replaces the response. */
  reset(reply: Reply): void {
    this.asked.length = 0
    this.reply = reply
  }

  /** Resolves when a number of requests have been received. */
  waitFor(count: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.asked.length < count) return
        this.#watchers.delete(look)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => reject(new Error(`${this.asked.length} of ${count} questions came`)), PATIENCE_MS)
      this.#watchers.add(look)
      look()
    })
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}

/** The settings of a box that uses this server. A call costs 0.0012 + 0.0004 USD. */
export const settingsFor = (server: ModelServer): Record<string, string> => ({
  AI_BASE_URL: server.url,
  AI_API_KEY: 'sk-test-0123456789',
  AI_MODEL: 'judge-large',
  AI_PRICE_INPUT: '1.2',
  AI_PRICE_OUTPUT: '2',
})

/** The price of one call, in USD. */
export const CALL_USD = 0.0016
