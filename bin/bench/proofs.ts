/** What it costs to prove approvals: passkeys, `verify`, and attestations. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { apiClient } from '../support/api-client.ts'
import { median, medians } from './figures.ts'
import { startProcess } from './processes.ts'
import { createProjects, type Part, type Stage, signIn, until } from './stage.ts'

const subject = (n: number) => ({ uri: 'pkg:oci/checkout', digest: { sha256: n.toString(16).padStart(64, '0') } })

/** The median of what a function takes, in milliseconds. @param prepare what comes before, and is not measured */
async function timed<Input>(count: number, prepare: () => Promise<Input>, run: (input: Input) => Promise<unknown>) {
  const samples: number[] = []
  while (samples.length < count) {
    const input = await prepare()
    const begun = performance.now()
    await run(input)
    samples.push(performance.now() - begun)
  }
  return median(samples)
}

/** A user with a passkey. @returns answers a challenge for it */
async function addPasskey({ url, sql }: Stage, email: string) {
  const { user_id } = await signIn(apiClient(url), 'register', email)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const hex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex')
  const cose = Buffer.from(`a5010203262001215820${hex(x)}225820${hex(y)}`, 'hex')
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
  await sql`insert into passkeys (user_id, name, credential_id, public_key, sign_count, backed_up) values (${user_id}, 'Bench', ${id}, ${cose}, 0, false)`
  return ({ challenge }: { challenge: string }) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: url.replace('127.0.0.1', 'localhost') }))
    const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
    const data = Buffer.concat([sha256('localhost'), Buffer.from([5, 0, 0, 0, 0])])
    const [clientDataJSON, authenticatorData, signature, userHandle] = [
      client,
      data,
      sign('sha256', Buffer.concat([data, sha256(client)]), privateKey),
      Buffer.from(user_id.replaceAll('-', ''), 'hex'),
    ].map((each) => each.toString('base64url'))
    const response = { clientDataJSON, authenticatorData, signature, userHandle }
    const text = id.toString('base64url')
    return { assertion: { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response } }
  }
}

export const proofs: Part = {
  name: 'proofs',
  about:
    'POST /auth/passkey against POST /auth/login less argon2; verify against GET /projects/{id}; approving gates with a subject against without; CPU time of a statement and its signature. Medians of 5 × 40, in turns.',
  async run(stage) {
    const { api, url, sql, environment, quick } = stage
    const [rounds, count] = quick ? [1, 5] : [5, 40]
    const [keyed, plain] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`]
    const [anyone, answer] = [apiClient(url), await addPasskey(stage, keyed)]
    await signIn(apiClient(url), 'register', plain)
    const [{ hash }] = await sql<[{ hash: string }]>`select password_hash as hash from users where email = ${plain}`
    const [project = { id: '' }] = await createProjects(stage, 1)
    let opened = 0
    const open = (input: object) =>
      api.post<{ id: string; binding: string }>(`/projects/${project.id}/gates`, { name: `${++opened}`, ...input })
    const approve = ({ id, binding }: { id: string; binding: string }) => api.post(`/gates/${id}/approve`, { binding })
    await approve(await open({ environment: 'production', subject: subject(0) }))
    const asked = { environment: 'production', digest: `sha256:${subject(0).digest.sha256}` }
    const verify = () => api.post<{ allowed: boolean }>(`/projects/${project.id}/verify`, asked)
    await until('The attestation is signed', async () => (await verify()).allowed)
    const none = async () => {}
    const figures = await medians(rounds, {
      passkey: () =>
        timed(
          count,
          async () => answer(await anyone.post('/auth/passkey/options')),
          (input) => anyone.post('/auth/passkey', input),
        ),
      login: () => timed(count, none, () => signIn(apiClient(url), 'login', plain)),
      argon2: () => timed(count, none, () => Bun.password.verify('correct horse battery staple', hash)),
      verify: () => timed(count, none, verify),
      read: () => timed(count, none, () => api.get(`/projects/${project.id}`)),
      signed: () => timed(count, () => open({ subject: subject(opened + 1) }), approve),
      unsigned: () => timed(count, () => open({}), approve),
    })
    await using child = startProcess('bin/bench/attestation.ts', environment)
    return [
      {
        name: 'sign-in with a passkey, to a password less argon2',
        value: figures.passkey,
        baseline: figures.login - figures.argon2,
        unit: 'ms',
        target: '≤ 1.5',
      },
      { name: 'verify, to an authorized read', value: figures.verify, baseline: figures.read, unit: 'ms', target: '≤ 2' },
      {
        name: 'approving with a subject, to without',
        value: figures.signed,
        baseline: figures.unsigned,
        unit: 'ms',
        target: '≤ 1.1',
      },
      { name: 'CPU of an attestation', value: Number(await child.firstLine), unit: 'ms', target: '≤ 1 ms' },
    ]
  },
}
