/** The people of the demo. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { printStep } from '../support/timeline.ts'

export const PASSWORD = 'correct horse battery staple'

export interface Account {
  user_id: string
  email: string
}

/** Registers a person, who uses the client from then on. */
export async function register(api: ApiClient, name: string): Promise<Account> {
  const [first = ''] = name.toLowerCase().split(' ')
  const email = `${first}-${crypto.randomUUID().slice(0, 8)}@example.com`
  const { access_token, user } = await api.post<{ access_token: string; user: Resource }>('/auth/register', {
    email,
    password: PASSWORD,
    name,
  })
  api.authorization = `Bearer ${access_token}`
  printStep(first, `registers as ${email}`)
  return { email, user_id: user.id }
}
