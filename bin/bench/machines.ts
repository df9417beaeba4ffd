/** What it costs that machines sign in: reads with their credentials beside those of people, and exchanges of tokens. */
import { Issuer, makeKey } from '../../test/oauth/issuer.ts'
import { costOf } from './cpu.ts'
import { ms, perSecond } from './figures.ts'
import { compareLoads, IN_FLIGHT, type Workload } from './load.ts'
import { ORGANIZATIONS } from './requests.ts'
import { createProject, createTenants, inParallel, type Part, type Stage, type Tenant } from './stage.ts'

const SENDERS = 4
const WARM_UP = 100

async function requestToken(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  const { access_token, error_description } = (await response.json()) as Record<string, string>
  if (!access_token) throw new Error(`A sign-in was answered with ${response.status}: ${error_description}`)
  return access_token
}

const createAccount = ({ api, organization }: Tenant) =>
  api.post(`/organizations/${organization.id}/service-accounts`, { name: 'Bench', scopes: ['work:read'] })

/** `GET /projects/{id}` in several organizations, with a token of a service account and with that of a session. */
async function createReads(url: string) {
  const reads = (): Workload => ({ method: 'GET', targets: [], status: 200, contains: '"name":"Bench' })
  const workloads = { value: reads(), baseline: reads() }
  for (const tenant of await createTenants(url, ORGANIZATIONS)) {
    const project = await createProject(tenant)
    const { id: client_id } = await createAccount(tenant)
    const input = { name: 'Bench', expires_at: new Date(Date.now() + 86_400_000).toISOString() }
    const { key } = await tenant.api.post<{ key: string }>(`/service-accounts/${client_id}/keys`, input)
    const token = await requestToken(url, { grant_type: 'client_credentials', client_id, client_secret: key })
    const target = (Authorization: string) => ({ url: `${url}/api/v1/projects/${project.id}`, headers: { Authorization } })
    workloads.value.targets.push(target(`Bearer ${token}`))
    workloads.baseline.targets.push(target(tenant.api.authorization))
  }
  return workloads
}

/** What one exchange of a token of a CI system costs. */
async function exchanges(stage: Stage, count: number) {
  const { url, api } = stage
  const issuer = new Issuer()
  issuer.keys.push(await makeKey('RS256', 'bench'))
  const { id } = await createAccount(stage)
  const trust = { issuer: issuer.url, audience: url, claims: { repository_id: ['74'], ref: ['refs/heads/main'] } }
  await api.post(`/service-accounts/${id}/trusts`, trust)
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', service_account: id }
  const job = { aud: url, sub: 'repo:acme/shop:ref:refs/heads/main', repository_id: '74', ref: 'refs/heads/main' }
  const assertions = await Promise.all(Array.from({ length: WARM_UP + count }, () => issuer.sign(job)))
  const exchange = (some: string[]) => inParallel(SENDERS, some, (assertion) => requestToken(url, { ...grant, assertion }))
  await exchange(assertions.splice(0, WARM_UP))
  const cost = await costOf(stage, count, () => exchange(assertions))
  await issuer.stop()
  return cost
}

export const part: Part = {
  about: `GET /projects/{id} in ${ORGANIZATIONS} organizations with an access token of a service account, against the access token of a session; ${IN_FLIGHT} in flight, median of 3 × 4 s in turns. The API's processor time of 2,000 exchanges of an RS256 token of a CI system at /oauth/token.`,
  async run(stage) {
    const read = await compareLoads(stage.quick, await createReads(stage.url))
    const { api } = await exchanges(stage, stage.quick ? 200 : 2_000)
    return [
      perSecond('read with a token of a service account, to a session', read, '≥ 0.95'),
      ms('API CPU of an exchange', api, '≤ 3 ms'),
    ]
  },
}
