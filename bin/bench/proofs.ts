/** What it costs to prove approvals: passkeys, `verify`, and attestations. */
import { Authenticator } from '../../test/support/authenticator.ts'
import { apiClient } from '../support/api-client.ts'
import { median, medians, ms, times } from './figures.ts'
import { startProcess } from './processes.ts'
import { createProject, createTenant, newEmail, PASSWORD, type Part, type Stage, signIn, until } from './stage.ts'

const subject = (n: number) => ({ uri: 'pkg:oci/checkout', digest: { sha256: n.toString(16).padStart(64, '0') } })

/** Registers a user with a passkey. @returns answers a challenge for it */
async function addPasskey({ url }: Stage) {
  const { api } = await createTenant(url)
  const authenticator = await Authenticator.make(url.replace('127.0.0.1', 'localhost'))
  const creation = await api.post('/auth/passkeys/options')
  await api.post('/auth/passkeys', { name: 'Bench', credential: await authenticator.create(creation) })
  return async (options: object) => ({ assertion: await authenticator.get(options) })
}

export const part: Part = {
  about:
    'POST /auth/passkey against POST /auth/login less argon2; verify against GET /projects/{id}; approving gates with a subject against without; CPU time of a statement and its signature. Medians of 5 × 40, in turns.',
  async run(stage) {
    const { api, url, sql, environment, quick } = stage
    const [rounds, count] = quick ? [1, 5] : [5, 40]
    const [plain, anyone, answer] = [newEmail(), apiClient(url), await addPasskey(stage)]
    await signIn(apiClient(url), 'register', plain)
    const [{ hash }] = await sql<[{ hash: string }]>`select password_hash as hash from users where email = ${plain}`
    const project = await createProject(stage)
    let opened = 0
    type Gate = { id: string; binding: string }
    const open = (input: object) => api.post<Gate>(`/projects/${project.id}/gates`, { name: `${++opened}`, ...input })
    const approve = ({ id, binding }: Gate) => api.post(`/gates/${id}/approve`, { binding })
    await approve(await open({ environment: 'production', subject: subject(0) }))
    const target = { environment: 'production', digest: `sha256:${subject(0).digest.sha256}` }
    const verify = () => api.post<{ allowed: boolean }>(`/projects/${project.id}/verify`, target)
    await until('The attestation is signed', async () => (await verify()).allowed)
    const timed =
      <Input>(run: (input: Input) => Promise<unknown>, prepare: () => Promise<Input> = async () => undefined as Input) =>
      async () =>
        median(await times(count, prepare, run))
    const figures = await medians(rounds, {
      passkey: timed(
        (input: object) => anyone.post('/auth/passkey', input),
        async () => answer(await anyone.post('/auth/passkey/options')),
      ),
      login: timed(() => signIn(apiClient(url), 'login', plain)),
      argon2: timed(() => Bun.password.verify(PASSWORD, hash)),
      verify: timed(verify),
      read: timed(() => api.get(`/projects/${project.id}`)),
      signed: timed(approve, () => open({ subject: subject(opened + 1) })),
      unsigned: timed(approve, () => open({})),
    })
    await using child = startProcess('bin/bench/attestation.ts', environment)
    const login = figures.login - figures.argon2
    return [
      ms('sign-in with a passkey, to a password less argon2', { value: figures.passkey, baseline: login }, '≤ 1.5'),
      ms('verify, to an authorized read', { value: figures.verify, baseline: figures.read }, '≤ 2'),
      ms('approving with a subject, to without', { value: figures.signed, baseline: figures.unsigned }, '≤ 1.1'),
      ms('CPU of an attestation', Number(await child.firstLine), '≤ 1 ms'),
    ]
  },
}
