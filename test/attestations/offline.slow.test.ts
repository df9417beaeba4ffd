/** The programs of the guide that verify attestations offline, and what cosign reads: against real attestations, good and tampered. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFromJSON } from '@sigstore/bundle'
import { type TrustMaterial, toSignedEntity, type VerificationError, Verifier } from '@sigstore/verify'
import { nodeHere } from '../support/node.ts'
import { find, type Program } from '../support/programs.ts'
import type { Answer } from '../support/signalbox.ts'
import { compiled, outputOf } from '../support/snippets.ts'
import { Approvals, gitSubject, newCommit, preAuthentication, statementIn } from './support.ts'

// A compiler of Go may take a minute on a busy machine.
setDefaultTimeout(300_000)

type Body = Answer['body']

const docs = join(import.meta.dir, '../../docs/verify')

const PROGRAMS: [name: string, needs: Program[], command: string[]][] = [
  ['verify-attestation.mjs in Node', ['node'], ['node', 'verify-attestation.mjs']],
  ['verify-attestation.mjs in Bun', [], [process.execPath, 'verify-attestation.mjs']],
  ['verify-attestation.py', ['python3'], ['python3', 'verify-attestation.py']],
  ['verify-attestation.go', ['go'], ['go', 'run', 'verify-attestation.go']],
]

let approvals: Approvals
let folder: string
let commit: string
let envelope: Body
let pem: string
const artifact = 'ab'.repeat(32)
let ofArtifact: Body
/** Of the same commit in another project of the organization, signed with the same key. */
let ofOtherProject: Body

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-offline-'))
  approvals = await Approvals.begin()
  commit = newCommit()
  const gate = await approvals.approved({ subject: gitSubject(commit, { version: 'v1 „ü“' }) })
  envelope = await approvals.attestation(gate)
  ofArtifact = await approvals.attestation(
    await approvals.approved({ subject: { uri: 'pkg:oci/checkout', digest: { sha256: artifact } } }),
  )
  const { workspace } = approvals.site
  const { id } = await approvals.ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Sandbox' })
  ofOtherProject = await approvals.attestation(
    await approvals.approve(await approvals.open({ subject: gitSubject(commit) }, approvals.ada, id)),
  )
  pem = (await approvals.keys())[0].public_key_pem
})
afterAll(async () => {
  await approvals.close()
  await rm(folder, { recursive: true })
})

const encoded = (statement: Body): string => Buffer.from(JSON.stringify(statement)).toString('base64')

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An envelope that someone else signed. */
function signedByStranger({ payloadType, payload }: Body): Body {
  const signed = preAuthentication(payloadType, Buffer.from(payload, 'base64'))
  return { payloadType, payload, signatures: [{ sig: sign('sha256', signed, stranger.privateKey).toString('base64') }] }
}

const strangersPem = () => stranger.publicKey.export({ format: 'pem', type: 'spki' }).toString()

const OK: [string, number] = ['ok', 0]
const FORGED: [string, number] = ['the signature does not match', 1]

for (const [name, needs, command] of PROGRAMS) {
  const missing = needs.filter((program) => !find(program, `${name} of docs/verify`))
  describe.skipIf(missing.length > 0)(`${name}${missing.length > 0 ? ` (no ${missing.join(', ')} here)` : ''}`, () => {
    let program: string[]
    beforeAll(() => {
      program = compiled(command, { docs, folder })
    })

    async function judge(
      given: Body,
      digest = `gitCommit:${commit}`,
      environment = 'production',
      key = pem,
      more = [approvals.site.project.id],
    ): Promise<[string, number]> {
      const [envelopeFile, keyFile] = [join(folder, crypto.randomUUID()), join(folder, crypto.randomUUID())]
      await Promise.all([Bun.write(envelopeFile, JSON.stringify(given)), Bun.write(keyFile, key)])
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
      return outputOf([...program, envelopeFile, keyFile, digest, environment, ...more], docs, env)
    }

    test('accepts attestations of commits and of artifacts', async () => {
      expect(await judge(envelope)).toEqual(OK)
      expect(await judge(ofArtifact, `sha256:${artifact}`)).toEqual(OK)
    })

    test('refuses what was changed, and what others signed', async () => {
      const { payloadType, signatures } = envelope
      const statement = statementIn(envelope)
      statement.predicate.properties.push('SIGNALBOX_ENVIRONMENT_staging')
      const [{ keyid, sig }] = signatures
      const bytes = Buffer.from(sig, 'base64')
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      for (const changed of [
        { ...envelope, payload: encoded(statement) },
        { ...envelope, payload: encoded(statementIn(envelope)).replace(/.{4}$/, 'fQ==') },
        { ...envelope, payloadType: `${payloadType} ` },
        { ...envelope, signatures: [] },
        { ...envelope, signatures: [{ keyid, sig: '' }] },
        { ...envelope, signatures: [{ keyid, sig: bytes.toString('base64') }] },
        { ...envelope, signatures: ofArtifact.signatures },
        signedByStranger(envelope),
      ])
        expect([changed, await judge(changed)]).toEqual([changed, FORGED])
      expect(await judge(envelope, undefined, undefined, strangersPem())).toEqual(FORGED)
    })

    test('refuses another digest, also of another algorithm, and another environment', async () => {
      const other = `gitCommit:${'0'.repeat(39)}f`
      expect(await judge(envelope, other)).toEqual([`this is not about ${other}`, 1])
      expect(await judge(envelope, `sha256:${commit}`)).toEqual([`this is not about sha256:${commit}`, 1])
      expect(await judge(ofArtifact, `gitCommit:${artifact}`)).toEqual([`this is not about gitCommit:${artifact}`, 1])
      expect(await judge(envelope, commit)).toEqual([`this is not about ${commit}`, 1])
      expect(await judge(envelope, undefined, 'staging')).toEqual(['this lacks SIGNALBOX_ENVIRONMENT_staging', 1])
    })

    test('refuses an attestation of another project, and requires the project', async () => {
      const judged = (given: Body, more: string[]) => judge(given, undefined, undefined, undefined, more)
      const [own, other] = [envelope, ofOtherProject].map((each) => statementIn(each).predicate.signalbox.project_id)
      expect(await judge(ofOtherProject)).toEqual(['this is for another project', 1])
      expect(await judged(ofOtherProject, [other])).toEqual(OK)
      expect(await judged(envelope, [other])).toEqual(['this is for another project', 1])
      expect(await judged(envelope, [own])).toEqual(OK)
      for (const none of [[], ['']])
        expect(await judged(envelope, none)).toEqual([expect.stringMatching(/^usage: .* PROJECT_ID$/), 1])
    })

    test('refuses other statements of the same key', async () => {
      const with_ = (change: (statement: Body) => void): Body => {
        const statement = statementIn(envelope)
        change(statement)
        return signedByStranger({ payloadType: envelope.payloadType, payload: encoded(statement) })
      }
      const judged = (given: Body) => judge(given, undefined, undefined, strangersPem())
      expect(await judged(with_(() => {}))).toEqual(OK)
      const slsa = with_((statement) => Object.assign(statement, { predicateType: 'https://slsa.dev/provenance/v1' }))
      expect(await judged(slsa)).toEqual(['this is no verification result', 1])
      const denied = with_(({ predicate }) => Object.assign(predicate, { properties: ['SIGNALBOX_ENVIRONMENT_production'] }))
      expect(await judged(denied)).toEqual(['this lacks SIGNALBOX_APPROVED', 1])
      const { payload } = with_(() => {})
      expect(await judged(signedByStranger({ payloadType: 'application/json', payload }))).toEqual([
        'this is no in-toto statement',
        1,
      ])
    })
  })
}

test('the documented command makes the bundle that cosign reads, and names what cosign checks', async () => {
  const page = await Bun.file(join(docs, 'README.md')).text()
  const [, script = ''] = /```sh\n(node -e [\s\S]*?)```/.exec(page) ?? []
  const [making = '', checking = ''] = script.split(/^(?=cosign )/m)
  await Bun.write(join(folder, 'attestation.json'), JSON.stringify(envelope))
  const PATH = [await nodeHere(), process.env.PATH].join(':')
  const { exitCode, stderr } = Bun.spawnSync(['bash', '-e', '-c', making], { cwd: folder, env: { PATH } })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  const bundle = await Bun.file(join(folder, 'bundle.json')).json()
  // As `sigstore_bundle.proto` says: one signature, and no key id, which cosign would compare with a fingerprint of its own.
  expect(bundle).toEqual({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: envelope.signatures[0].keyid } },
    dsseEnvelope: {
      payloadType: envelope.payloadType,
      payload: envelope.payload,
      signatures: [{ sig: envelope.signatures[0].sig }],
    },
  })
  const { payloadType, payload, signatures } = bundle.dsseEnvelope
  const signed = preAuthentication(payloadType, Buffer.from(payload, 'base64'))
  expect(verify('sha256', signed, createPublicKey(pem), Buffer.from(signatures[0].sig, 'base64'))).toBe(true)
  // What Sigstore's own library says of it, without a transparency log, as with --insecure-ignore-tlog.
  const judgedBySigstore = (given: Body, key = pem): string => {
    const keys = { publicKey: () => ({ publicKey: createPublicKey(key), validFor: () => true }) } as unknown as TrustMaterial
    const verifier = new Verifier(keys, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 })
    try {
      verifier.verify(toSignedEntity(bundleFromJSON(given)))
      return 'verified'
    } catch (error) {
      return (error as VerificationError).code
    }
  }
  const withEnvelope = (changed: object) => ({ ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, ...changed } })
  expect(judgedBySigstore(bundle)).toBe('verified')
  expect(judgedBySigstore(bundle, strangersPem())).toBe('SIGNATURE_ERROR')
  expect(judgedBySigstore(withEnvelope({ payload: ofOtherProject.payload }))).toBe('SIGNATURE_ERROR')
  expect(judgedBySigstore(withEnvelope({ payloadType: 'application/json' }))).toBe('SIGNATURE_ERROR')
  // What the options of the command are compared with.
  const { predicateType, subject } = statementIn(bundle.dsseEnvelope)
  const options = Object.fromEntries(
    [...checking.matchAll(/--(\w[\w-]*) ([^\s\\-]\S*)/g)].map(([, name, value]) => [name, value]),
  )
  expect(options).toMatchObject({ bundle: 'bundle.json', key: 'key.pem', type: predicateType, digestAlg: 'gitCommit' })
  expect(subject[0].digest).toEqual({ [options.digestAlg ?? '']: commit })
  expect(checking).toContain('--insecure-ignore-tlog')
})

const noJq = !find('jq', 'The jq command of docs/verify')

test.skipIf(noJq)('the documented jq command compares the project and the properties', async () => {
  const page = await Bun.file(join(docs, 'README.md')).text()
  const [, command = ''] = /```sh\n(jq [\s\S]*?)```/.exec(page) ?? []
  const cwd = await mkdtemp(join(folder, 'jq-'))
  const judged = async (dsseEnvelope: Body, script = command): Promise<[string, number]> => {
    await Bun.write(join(cwd, 'bundle.json'), JSON.stringify({ dsseEnvelope }))
    const env = { PATH: process.env.PATH, PROJECT_ID: approvals.site.project.id }
    const { exitCode, stdout } = Bun.spawnSync(['bash', '-e', '-c', script], { cwd, env })
    return [stdout.toString().trim(), exitCode]
  }
  expect(await judged(envelope)).toEqual(['true', 0])
  expect(await judged(ofOtherProject)).toEqual(['false', 1])
  expect(await judged(envelope, command.replace('production', 'prod'))).toEqual(['false', 1])
  const statement = statementIn(envelope)
  const other = { ...statement, predicateType: 'https://slsa.dev/provenance/v1' }
  expect(await judged({ ...envelope, payload: encoded(other) })).toEqual(['false', 1])
  statement.predicate.properties.shift()
  expect(await judged({ ...envelope, payload: encoded(statement) })).toEqual(['false', 1])
})
