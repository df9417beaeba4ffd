/** The accounts of the seed data. */
import { type ApiClient, apiClient, Refusal, type Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'

export const PASSWORD = 'correct horse battery staple'

export const PEOPLE = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com', role: 'owner' },
  grace: { name: 'Grace Hopper', email: 'grace@example.com', role: 'admin' },
  alan: { name: 'Alan Turing', email: 'alan@example.com', role: 'member' },
  margaret: { name: 'Margaret Hamilton', email: 'margaret@example.com', role: 'member' },
} as const

export type Person = keyof typeof PEOPLE
export type Clients = Record<Person, ApiClient>

interface Session {
  access_token: string
  user: Resource & { email_verified: boolean }
}

/** Signs in everyone, and registers who has no account yet. */
export async function signInAll(url: string): Promise<Clients> {
  const clients = await Promise.all(
    Object.entries(PEOPLE).map(async ([person, { name, email }]) => {
      const api = apiClient(url)
      const { access_token, user } = await signIn(api, name, email)
      if (!user.email_verified) {
        throw new Failure(`The address ${email} is not verified. Seed data needs a server with EMAIL_VERIFICATION=off.`)
      }
      api.authorization = `Bearer ${access_token}`
      return [person, api] as const
    }),
  )
  return Object.fromEntries(clients) as Clients
}

async function signIn(api: ApiClient, name: string, email: string): Promise<Session> {
  try {
    return await api.post<Session>('/auth/login', { email, password: PASSWORD })
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
  }
  try {
    return await api.post<Session>('/auth/register', { email, name, password: PASSWORD })
  } catch (error) {
    if (!(error instanceof Refusal && error.problem.code === 'email_taken')) throw error
    throw new Failure(`${email} is registered here with another password than that of the seed data.`)
  }
}
