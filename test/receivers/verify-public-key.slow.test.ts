import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeyPair, privateKeyOf, publicKeySignatureOf } from '../../core/security/signing.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { find, type Program } from '../support/programs.ts'
import type { Received } from '../support/receiver.ts'
import { compiled, judgementOf } from '../support/snippets.ts'
import { signatureSpellings, timeSpellings, withHeader } from './spellings.ts'

// Each judgement starts a program, such as a compiler of Go.
setDefaultTimeout(300_000)

const docs = join(import.meta.dir, '../../docs/receivers')

/** Without the package, only this snippet is skipped: Python's standard library has no Ed25519. */
const hasCryptography = Bun.which('python3') !== null && Bun.spawnSync(['python3', '-c', 'import cryptography']).exitCode === 0

/** How to run each snippet, and which programs it needs. */
const SNIPPETS: [name: string, needs: Program[], command: string[]][] = [
  ['verify-public-key.mjs in Node', ['node'], ['node', 'verify-public-key.mjs']],
  ['verify-public-key.mjs in Bun', [], [process.execPath, 'verify-public-key.mjs']],
  ['verify-public-key.py', ['python3'], ['python3', 'verify-public-key.py']],
  ['verify-public-key.go', ['go'], ['go', 'run', 'verify-public-key.go']],
]

let bench: Workbench
let folder: string
let first: string
let second: string
/** Real dispatches: signed with one private key, and with two during a rotation. */
const requests: Record<'single' | 'rotated', Received> = {} as never

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-snippets-'))
  bench = await Workbench.open()
})

/** For each snippet anew: a request is valid for five minutes, and starting compilers takes long. */
async function makeRequests(): Promise<void> {
  const { hook, receiver } = await bench.hooked({ signature: 'ed25519', name: 'Grüße 𝄞' })
  const ping = async () => {
    await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    return receiver.requests.at(-1) as Received
  }
  first = hook.public_key
  requests.single = await ping()
  second = (await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/rotate-secret`)).public_key
  requests.rotated = await ping()
}

afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true })
})

type Request = Pick<Received, 'headers' | 'body'>

/** The output and exit code of a snippet for a request. */
const runSnippet = (command: string[], public_key: string, request: Request) =>
  judgementOf(command, request, { docs, folder }, { SIGNALBOX_PUBLIC_KEY: public_key })

const OK: [string, number] = ['ok', 0]
const LATE: [string, number] = ['webhook-timestamp is too old, or in the future', 1]
const REFUSED: [string, number] = ['webhook-signature does not match', 1]

for (const [name, needs, command] of SNIPPETS) {
  const missing: string[] = needs.filter((program) => !find(program, `${name} of docs/receivers`))
  if (name.endsWith('.py') && !hasCryptography) missing.push('cryptography')
  describe.skipIf(missing.length > 0)(`${name}${missing.length > 0 ? ` (no ${missing.join(', ')} here)` : ''}`, () => {
    let program: string[]
    beforeAll(async () => {
      program = compiled(command, { docs, folder })
      await makeRequests()
    })
    const judge = (public_key: string, request: Request) => runSnippet(program, public_key, request)
    /** The request with some headers changed or (`undefined`) removed. */
    const changed = (headers: Record<string, string | undefined>): Request => ({
      headers: Object.fromEntries(
        Object.entries({ ...requests.single.headers, ...headers }).filter((entry): entry is [string, string] => entry[1] != null),
      ),
      body: requests.single.body,
    })
    const at = (seconds: number) =>
      changed({ 'webhook-timestamp': String(Number(requests.single.headers['webhook-timestamp']) + seconds) })

    test('accepts a signature, and either public key during a rotation', async () => {
      expect(await judge(first, requests.single)).toEqual(OK)
      expect(await judge(first, requests.rotated)).toEqual(OK)
      expect(await judge(second, requests.rotated)).toEqual(OK)
    })

    test('refuses signatures and times in other spellings', async () => {
      const { headers } = requests.single
      for (const [spelling, signature] of signatureSpellings(headers['webhook-signature'] ?? '')) {
        const request = withHeader(requests.single, 'webhook-signature', signature)
        expect([spelling, await judge(first, request)]).toEqual([spelling, REFUSED])
      }
      const pair = newKeyPair()
      const id = headers['webhook-id'] ?? ''
      for (const [spelling, timestamp] of timeSpellings(headers['webhook-timestamp'] ?? '')) {
        const signed = { id, timestamp, body: requests.single.body }
        const signature = publicKeySignatureOf(privateKeyOf(pair.private_key), signed as never)
        const request = withHeader(withHeader(requests.single, 'webhook-timestamp', timestamp), 'webhook-signature', signature)
        expect([spelling, await judge(pair.public_key, request)]).toEqual([spelling, LATE])
      }
    })

    test('refuses another public key, a changed body or id, another time, and missing or other signatures', async () => {
      expect(await judge(second, requests.single)).toEqual(REFUSED)
      expect(await judge(newKeyPair().public_key, requests.rotated)).toEqual(REFUSED)
      expect(await judge(first, { ...requests.single, body: `${requests.single.body}\n` })).toEqual(REFUSED)
      expect(await judge(first, changed({ 'webhook-id': crypto.randomUUID() }))).toEqual(REFUSED)
      expect(await judge(first, at(-1))).toEqual(REFUSED)
      expect(await judge(first, at(-400))).toEqual(LATE)
      expect(await judge(first, at(4_000))).toEqual(LATE)
      expect((await judge(first, changed({ 'webhook-timestamp': undefined })))[1]).toBe(1)
      expect(await judge(first, changed({ 'webhook-signature': undefined }))).toEqual(REFUSED)
      const signature = requests.single.headers['webhook-signature']?.slice('v1a,'.length)
      for (const other of ['', 'v1a,', 'v1a,AAAA', 'v1a,é', `v1,${signature}`, signature])
        expect(await judge(first, changed({ 'webhook-signature': other }))).toEqual(REFUSED)
    })
  })
}

describe('the published test vector of Standard Webhooks is valid at its time', () => {
  const body = '{"test": 2432232314}'
  const time = 1614265330
  // The public key of the published private key.
  const public_key = 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(time),
    'webhook-signature': 'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
  }

  test('in verify-public-key.mjs', async () => {
    const { refusal } = await import(join(docs, 'verify-public-key.mjs'))
    expect(refusal(public_key, headers, Buffer.from(body), time + 299)).toBeNull()
    expect(refusal(public_key, headers, Buffer.from(body), time + 301)).toContain('too old')
  })

  test.skipIf(!hasCryptography)('in verify-public-key.py', () => {
    const call = `import sys; sys.dont_write_bytecode = True; import importlib, json; snippet = importlib.import_module("verify-public-key"); print(snippet.refusal(*json.loads(sys.argv[1]), sys.argv[2].encode(), ${time}) or "ok")`
    const child = Bun.spawnSync(['python3', '-c', call, JSON.stringify([public_key, headers]), body], { cwd: docs })
    expect(child.stdout.toString().trim()).toBe('ok')
  })

  test.skipIf(!find('go', 'the published vector in docs/receivers'))('in verify-public-key.go', async () => {
    const source = await Bun.file(join(docs, 'verify-public-key.go')).text()
    const file = join(folder, 'verify-public-key.go')
    await Bun.write(file, source.replaceAll('time.Now()', `time.Unix(${time}, 0)`))
    expect(await runSnippet(['go', 'run', file], public_key, { headers, body })).toEqual(['ok', 0])
  })
})
