/** The files of the guide for those who deploy: each is YAML, and its commands run against a real server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { OpenIdProvider } from '../oauth/openid-provider.ts'
import { nodeHere } from '../support/node.ts'
import { makeMachine } from '../support/service-accounts.ts'
import { type Answer, Process } from '../support/signalbox.ts'
import { Approvals, gitSubject, newCommit } from './support.ts'

type Body = Answer['body']

const docs = join(import.meta.dir, '../../docs/verify')
const yaml = async (name: string): Promise<Body> => Bun.YAML.parse(await Bun.file(join(docs, name)).text())

const CLAIMS = { sub: 'repo:acme/checkout', repository_id: '74', project_id: '74', ref: 'main' }

let approvals: Approvals
let provider: OpenIdProvider
/** Of a service account, its id and its key. */
let account: string
let token: string
/** Of a gate that is approved, and of one that was revoked. */
let approved: string
let revoked: string

beforeAll(async () => {
  approvals = await Approvals.begin()
  provider = await OpenIdProvider.open(approvals.publicUrl)
  const machine = await makeMachine(approvals.box, approvals.ada, approvals.site, ['gates:read'])
  ;[account, token] = [machine.account.id, machine.key.key]
  const trust = { issuer: provider.url, claims: { repository_id: ['74'], ref: ['main'] } }
  await approvals.ada.make(`/api/v1/service-accounts/${account}/trusts`, trust)
  ;[approved, revoked] = [newCommit(), newCommit()] as [string, string]
  const gates = [
    await approvals.approved({ subject: gitSubject(approved) }),
    await approvals.approved({ name: 'Revoked', subject: gitSubject(revoked) }),
  ] as [Body, Body]
  for (const gate of gates) await approvals.attestation(gate)
  await approvals.ada.make(`/api/v1/gates/${gates[1].id}/revoke`, { reason: 'Vulnerable.' })
})
afterAll(async () => {
  await approvals.close()
  await provider.close()
})

async function run(shell: string[], script: string, env: Record<string, string>): Promise<[code: number, printed: string]> {
  const PATH = [await nodeHere(), process.env.PATH].join(':')
  const child = Bun.spawn([...shell, script], { env: { PATH, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [printed, , code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return [code, printed]
}

interface Pipeline {
  name: string
  /** The shell and the commands of its step. */
  step: () => Promise<[shell: string[], script: string]>
  /** What it gets from its system about a commit. */
  variables: (commit: string) => Record<string, string>
  /** What it signs in with, for a job with these claims. */
  credentials: (claims: object) => Promise<Record<string, string>>
}

const project = () => approvals.site.project.id
const DIGEST = (commit: string) => ({ DIGEST: `gitCommit:${commit}`, ENVIRONMENT: 'production' })

const PIPELINES: Pipeline[] = [
  {
    name: 'github-actions.yml',
    step: async () => {
      const { jobs, permissions } = await yaml('github-actions.yml')
      expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' })
      expect(jobs.deploy.env).toMatchObject({
        ENVIRONMENT: 'production',
        DIGEST: expect.stringMatching(/^gitCommit:\$\{\{ github\.sha \}\}$/),
      })
      const [verification, ...later] = jobs.deploy.steps
      expect(later.at(-1).run).toBe('./deploy.sh')
      // As the runner does: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax
      return [['bash', '-e', '-c'], verification.run]
    },
    variables: (commit) => ({ ...DIGEST(commit), PROJECT_ID: project() }),
    credentials: async (claims) => ({
      SIGNALBOX_SERVICE_ACCOUNT: account,
      ACTIONS_ID_TOKEN_REQUEST_URL: provider.requestUrl(claims),
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
    }),
  },
  {
    name: 'gitlab-ci.yml',
    step: async () => {
      const { verify, deploy } = await yaml('gitlab-ci.yml')
      expect(verify.variables).toMatchObject({ ENVIRONMENT: 'production', DIGEST: 'gitCommit:$CI_COMMIT_SHA' })
      expect(deploy.needs).toEqual(['verify'])
      expect(verify.id_tokens.SIGNALBOX_ID_TOKEN.aud).toBe('$SIGNALBOX_URL')
      return [['sh', '-c'], verify.script.join('\n')]
    },
    variables: (commit) => ({ ...DIGEST(commit), SIGNALBOX_PROJECT_ID: project() }),
    credentials: async (claims) => ({
      SIGNALBOX_SERVICE_ACCOUNT: account,
      SIGNALBOX_ID_TOKEN: await provider.token(claims, approvals.publicUrl),
    }),
  },
  {
    name: 'argo-cd.yaml',
    step: async () => {
      const { metadata, spec } = await yaml('argo-cd.yaml')
      expect(metadata.annotations['argocd.argoproj.io/hook']).toBe('PreSync')
      expect([spec.backoffLimit, spec.template.spec.restartPolicy]).toEqual([0, 'Never'])
      const [{ command, args, env }] = spec.template.spec.containers
      expect(env.map(({ name }: { name: string }) => name)).toEqual([
        'ENVIRONMENT',
        'COMMIT',
        'SIGNALBOX_TOKEN',
        'SIGNALBOX_URL',
        'PROJECT_ID',
      ])
      return [command, args[0]]
    },
    variables: (commit) => ({ ENVIRONMENT: 'production', COMMIT: commit, PROJECT_ID: project() }),
    credentials: async (claims) => ({ SIGNALBOX_TOKEN: claims === CLAIMS ? token : 'sbx_svc_wrong' }),
  },
]

describe.each(PIPELINES)('$name', ({ step, variables, credentials }) => {
  const deploy = async (commit: string, more: Record<string, string> = {}, claims = CLAIMS) => {
    const [shell, script] = await step()
    // Without waiting between retries.
    return run(shell, script.replaceAll('--retry 3', '--retry 0'), {
      SIGNALBOX_URL: approvals.publicUrl,
      ...variables(commit),
      ...(await credentials(claims)),
      ...more,
    })
  }

  test('goes on with a commit that was approved', async () => {
    for (const end of ['', '/']) {
      const [code, printed] = await deploy(approved, { SIGNALBOX_URL: approvals.publicUrl + end })
      expect([code, JSON.parse(printed)]).toMatchObject([0, { allowed: true, reasons: [] }])
    }
  })

  test('stops with the reasons at one that was not', async () => {
    const unknown = newCommit()
    const [code, printed] = await deploy(unknown)
    expect([code, JSON.parse(printed).reasons]).toEqual([1, [`No gate for production is about gitCommit:${unknown}.`]])
    const [stopped, reason] = await deploy(revoked)
    expect([stopped, reason]).toEqual([1, expect.stringContaining('was revoked')])
    expect((await deploy(approved, { ENVIRONMENT: 'staging' }))[0]).toBe(1)
  })

  test('stops without an answer, and at one that is not from Signalbox', async () => {
    const [code, printed] = await deploy(approved, {}, { ...CLAIMS, ref: 'other' })
    expect([code !== 0, printed]).toEqual([true, expect.stringMatching(/invalid_grant|unauthenticated/)])
    expect((await deploy(approved, { SIGNALBOX_URL: `http://127.0.0.1:${await freePort('127.0.0.1')}` }))[0]).not.toBe(0)
    const answer = '{"value":"x","access_token":"x","reasons":["{\\"allowed\\":true,"],"note":"{"}'
    using other = Bun.serve({ port: 0, fetch: () => new Response(answer) })
    const elsewhere = { SIGNALBOX_URL: other.url.origin, ACTIONS_ID_TOKEN_REQUEST_URL: `${other.url.origin}/?` }
    expect((await deploy(approved, elsewhere))[0]).not.toBe(0)
  })
})

describe('kubernetes-admission.mjs', () => {
  const allowedImage = `ghcr.io/acme/checkout@sha256:${'1a'.repeat(32)}`
  const otherImage = `ghcr.io/acme/checkout:v2@sha256:${'2b'.repeat(32)}`
  let server: Process
  let url: string

  beforeAll(async () => {
    const subject = { uri: 'pkg:oci/checkout', digest: { sha256: '1a'.repeat(32) } }
    await approvals.attestation(await approvals.approved({ subject }))
    const certificates = join(import.meta.dir, '../deployment-hooks/certificates')
    const port = await freePort('127.0.0.1')
    url = `https://127.0.0.1:${port}/`
    server = new Process(join(docs, 'kubernetes-admission.mjs'), {
      SIGNALBOX_URL: `${approvals.box.base}/`,
      SIGNALBOX_TOKEN: token,
      PROJECT_ID: project(),
      ENVIRONMENT: 'production',
      UNCHECKED: 'registry.k8s.io/',
      TLS_CERT: join(certificates, 'good.pem'),
      TLS_KEY: join(certificates, 'server.key'),
      PORT: String(port),
    })
    await approvals.box.until('the check listens', async () => server.lines.join('').includes('listening on port'))
  })
  afterAll(async () => {
    server.kill('SIGKILL')
    await server.exited
  })

  const pod = (images: string[], more: object = {}) => ({ spec: { containers: images.map((image) => ({ image })), ...more } })

  async function admit(object: unknown, oldObject: unknown = null): Promise<Body> {
    const body = JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u-1', object, oldObject },
    })
    const response = await fetch(url, { method: 'POST', body, tls: { rejectUnauthorized: false } })
    const review: Body = await response.json()
    expect(review).toMatchObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'u-1' } })
    return review.response
  }

  const denial = (message: string) => ({ uid: 'u-1', allowed: false, status: { code: 403, message } })

  test('is deployed by kubernetes.yaml, and fails closed', async () => {
    const documents = await yaml('kubernetes.yaml')
    const kinds = documents.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['Issuer', 'Certificate', 'Deployment', 'Service', 'ValidatingWebhookConfiguration'])
    const [{ failurePolicy, rules, clientConfig }] = documents[4].webhooks
    expect([failurePolicy, rules[0].resources]).toEqual(['Fail', ['pods', 'pods/ephemeralcontainers']])
    expect(clientConfig.service).toMatchObject({ name: documents[3].metadata.name, namespace: documents[3].metadata.namespace })
    const { env } = documents[2].spec.template.spec.containers[0]
    const program = await Bun.file(join(docs, 'kubernetes-admission.mjs')).text()
    for (const { name } of env) expect(program).toMatch(new RegExp(`\\b${name}\\b`))
  })

  test('admits images that were approved, and those that are not checked', async () => {
    expect(await admit(pod([allowedImage, 'registry.k8s.io/pause:3.10']))).toEqual({ uid: 'u-1', allowed: true })
  })

  test('denies others, with the reasons, in any container', async () => {
    const reason = `${otherImage}: No gate for production is about sha256:${'2b'.repeat(32)}.`
    expect(await admit(pod([allowedImage, otherImage]))).toEqual(denial(reason))
    for (const kind of ['initContainers', 'ephemeralContainers'])
      expect(await admit(pod([allowedImage], { [kind]: [{ image: otherImage }] }))).toEqual(denial(reason))
    expect(await admit(pod(['ghcr.io/acme/checkout:v1']))).toEqual(
      denial('ghcr.io/acme/checkout:v1 has no digest: write it as name@sha256:…'),
    )
    expect(await admit(null)).toEqual(denial('This is not a pod'))
  })

  test('lets a pod be changed that runs already, but not get another image', async () => {
    expect(await admit(pod([otherImage]), pod([otherImage]))).toEqual({ uid: 'u-1', allowed: true })
    expect(await admit(pod([otherImage]), pod([allowedImage]))).toMatchObject({ allowed: false })
  })

  test('answers what is no review with 400', async () => {
    const response = await fetch(url, { method: 'POST', body: 'x', tls: { rejectUnauthorized: false } })
    expect(response.status).toBe(400)
  })
})
