/** The people of the scenario, and where it is played. */
import { type ApiClient, apiClient, type Resource } from '../support/api-client.ts'
import { Failure } from '../support/command.ts'
import type { Received, Receiver } from './receiver.ts'
import type { ProjectName } from './story.ts'

export const PASSWORD = 'correct horse battery staple'

export const PEOPLE = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com', role: 'owner' },
  grace: { name: 'Grace Hopper', email: 'grace@example.com', role: 'admin' },
  alan: { name: 'Alan Turing', email: 'alan@example.com', role: 'member' },
  margaret: { name: 'Margaret Hamilton', email: 'margaret@example.com', role: 'member' },
} as const

export type Person = keyof typeof PEOPLE

type Account = Resource & { email: string }
type Session = { access_token: string; user: Account & { email_verified: boolean } }
/** The API, as each of them uses it. */
export type Clients = Record<Person, ApiClient & Account>

/** Signs in everyone, and registers who has no account yet. @param tag makes the addresses unlike those of other runs */
export async function signInAll(url: string, tag = ''): Promise<Clients> {
  const clients = Object.entries(PEOPLE).map(async ([person, { name, email }]) => {
    const api = apiClient(url)
    const { access_token, user } = await signIn(api, name, email.replace('@', `${tag}@`))
    if (!user.email_verified)
      throw new Failure(`The address ${user.email} is not verified. The scenario needs a server with EMAIL_VERIFICATION=off.`)
    api.authorization = `Bearer ${access_token}`
    return [person, Object.assign(api, { id: user.id, email: user.email })] as const
  })
  return Object.fromEntries(await Promise.all(clients)) as Clients
}

async function signIn(api: ApiClient, name: string, email: string): Promise<Session> {
  try {
    return await api.post<Session>('/auth/login', { email, password: PASSWORD })
  } catch (error) {
    if (!(error instanceof Failure && error.status === 401)) throw error
    return api.post<Session>('/auth/register', { email, name, password: PASSWORD })
  }
}

/** A dispatch or a mail takes milliseconds, and on a busy machine seconds. */
const TIMEOUT_MS = 30_000

export interface Stage {
  /** The origin of the API and the web app. */
  url: string
  /** The origin of the mail catcher; null if there is none that can be read. */
  mailUrl: string | null
  clients: Clients
  receiver: Receiver
  say(who: string, what: string): void
  stopping: AbortSignal
}

export type Site = Record<ProjectName | 'organization' | 'platform' | 'farm', Resource>

/** Waits for a result. @param what did not happen, for the error */
export async function waitFor<Result>(
  { stopping }: Stage,
  what: string,
  look: () => Promise<Result | undefined> | Result | undefined,
): Promise<Result> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await Bun.sleep(20)) {
    stopping.throwIfAborted()
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Failure(`${what} within ${TIMEOUT_MS / 1000} seconds. Is a worker running?`)
}

/** Waits for a request at the receiver. */
export const arrivalOf = (stage: Stage, event: string, isMeant: (received: Received) => boolean = () => true) =>
  waitFor(stage, `${event} did not arrive at the receiver`, () =>
    stage.receiver.received.find((each) => each.event === event && each.status !== 401 && isMeant(each)),
  )
