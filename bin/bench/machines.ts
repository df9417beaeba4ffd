/** What it costs that machines sign in: reads with their credentials beside those of people, and exchanges of tokens. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { apiClient } from '../support/api-client.ts'
import { addCost, type Cost, cpuOf } from './cpu.ts'
import { medians, type Row } from './figures.ts'
import { IN_FLIGHT } from './load.ts'
import { ORGANIZATIONS, sendLoad, type Workload } from './requests.ts'
import { createOrganization, createProjects, type Part, type Stage, signIn } from './stage.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const SENDERS = 4
const WARM_UP = 100

type Credential = 'session' | 'key' | 'token'

async function requestToken(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams(fields).toString(),
  })
  const { access_token, error_description } = (await response.json()) as Record<string, string>
  if (!access_token) throw new Error(`A sign-in was answered with ${response.status}: ${error_description}`)
  return access_token
}

const createAccount = ({ api, tenant }: Pick<Stage, 'api' | 'tenant'>) =>
  api.post(`/organizations/${tenant.organization.id}/service-accounts`, { name: 'Bench', scopes: ['work:read'] })

/** `GET /projects/{id}` in several organizations, with each credential. */
async function createReads(url: string): Promise<Record<Credential, Workload>> {
  const targets: Record<Credential, Workload['targets']> = { session: [], key: [], token: [] }
  for (let made = 0; made < ORGANIZATIONS; made++) {
    const api = apiClient(url)
    await signIn(api, 'register', `${crypto.randomUUID()}@example.com`)
    const tenant = await createOrganization(api)
    const [project] = await createProjects({ api, tenant }, 1)
    const { id: client_id } = await createAccount({ api, tenant })
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const made = await api.post<{ key: string }>(`/service-accounts/${client_id}/keys`, { name: 'Bench', expires_at })
    const token = await requestToken(url, { grant_type: 'client_credentials', client_id, client_secret: made.key })
    const add = (credential: Credential, Authorization: string) =>
      targets[credential].push({ url: `/api/v1/projects/${project?.id}`, headers: { Authorization } })
    add('session', api.authorization)
    add('key', `Bearer ${made.key}`)
    add('token', `Bearer ${token}`)
  }
  const workload = (own: Workload['targets']): Workload => ({
    method: 'GET',
    targets: own,
    status: 200,
    contains: '"name":"Bench',
  })
  return { session: workload(targets.session), key: workload(targets.key), token: workload(targets.token) }
}

/** An issuer with a key as GitHub has it. @returns signs tokens of a job */
async function openIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }]
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }): Response => {
      const issuer = new URL(url).origin
      return Response.json(url.endsWith('/jwks') ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` })
    },
  })
  const issuer = server.url.origin
  return {
    issuer,
    sign: (aud: string) =>
      new SignJWT({ repository: 'acme/shop', repository_id: '74', ref: 'refs/heads/main', sha: 'a'.repeat(40) })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(aud)
        .setSubject('repo:acme/shop:ref:refs/heads/main')
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime('10 minutes')
        .sign(privateKey),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** What one exchange costs the API and PostgreSQL, in milliseconds of processor time. */
async function exchanges(stage: Stage, count: number): Promise<{ api: number; postgres: number; wal: number }> {
  const { url, sql, process: web } = stage
  await using issuer = await openIssuer()
  const { id } = await createAccount(stage)
  const trust = { issuer: issuer.issuer, audience: url, claims: { repository_id: ['74'], ref: ['refs/heads/main'] } }
  await stage.api.post(`/service-accounts/${id}/trusts`, trust)
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', service_account: id }
  const assertions = await Promise.all(Array.from({ length: WARM_UP + count }, () => issuer.sign(url)))
  const exchange = async (given: string[]) => {
    const work = async () => {
      for (let assertion = given.pop(); assertion; assertion = given.pop()) await requestToken(url, { ...grant, assertion })
    }
    await Promise.all(Array.from({ length: SENDERS }, work))
  }
  await exchange(assertions.splice(0, WARM_UP))
  const before = await cpuOf([web.pid])
  const costs: Cost[] = []
  await addCost(costs, sql, count, () => exchange(assertions))
  const [cost = { ms: Number.NaN, walBytes: Number.NaN }] = costs
  return { api: (((await cpuOf([web.pid])) - before) * 1000) / count, postgres: cost.ms, wal: cost.walBytes }
}

export const machines: Part = {
  name: 'machines',
  about: `GET /projects/{id} in ${ORGANIZATIONS} organizations with an access token and with a key of a service account, against the access token of a session; ${IN_FLIGHT} in flight, median of 3 × 4 s in turns. Processor time of 2,000 exchanges of an RS256 token of a CI system at /oauth/token, of the API and of PostgreSQL.`,
  async run(stage) {
    const [rounds, seconds, count] = stage.quick ? [1, 1, 200] : [3, 4, 2_000]
    const reads = await createReads(stage.url)
    const rateOf = (credential: Credential) => async (isWarmUp: boolean) => {
      const load = await sendLoad(stage.url, reads[credential], isWarmUp ? seconds / 2 : seconds)
      return load.requests / load.seconds
    }
    const { session, token, key } = await medians(rounds, {
      session: rateOf('session'),
      token: rateOf('token'),
      key: rateOf('key'),
    })
    const { api, postgres, wal } = await exchanges(stage, count)
    const rows: Row[] = [
      {
        name: 'read with a token of a service account, to a session',
        value: token,
        baseline: session,
        unit: '/s',
        target: '≥ 0.95',
      },
      { name: 'read with a key of a service account, to a session', value: key, baseline: session, unit: '/s', target: '≥ 0.95' },
      { name: 'API CPU of an exchange', value: api, unit: 'ms', target: '≤ 3 ms' },
      { name: 'PostgreSQL CPU of an exchange', value: postgres, unit: 'ms', note: `${Math.round(wal)} B of WAL` },
    ]
    return rows
  },
}
