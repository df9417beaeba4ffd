import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { find, type Program } from '../support/programs.ts'
import type { Received } from '../support/receiver.ts'
import { compiled, judgementOf } from '../support/snippets.ts'
import { signatureSpellings, timeSpellings, withHeader } from './spellings.ts'

// Each judgement starts a program, such as a compiler of Go.
setDefaultTimeout(300_000)

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const PLAIN = 'a plain secret, grün'

const docs = join(import.meta.dir, '../../docs/receivers')

/** How to run each snippet, and which programs it needs. */
const SNIPPETS: [name: string, needs: Program[], command: string[]][] = [
  ['verify.sh', ['sh', 'openssl', 'od'], ['sh', 'verify.sh']],
  ['verify.mjs in Node', ['node'], ['node', 'verify.mjs']],
  ['verify.mjs in Bun', [], [process.execPath, 'verify.mjs']],
  ['verify.py', ['python3'], ['python3', 'verify.py']],
  ['verify.go', ['go'], ['go', 'run', 'verify.go']],
]

let bench: Workbench
let folder: string
/** Real dispatches: signed with a whsec_ secret, a plain secret, and two secrets during a rotation. */
const requests: Record<'whsec' | 'plain' | 'rotated', Received> = {} as never
let fresh: string
/** The id of the hook of `requests.whsec`. */
let whsecHook: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-snippets-'))
  bench = await Workbench.open()
  await makeRequests()
})

/** For each snippet anew: a request is valid for five minutes, and starting compilers takes long. */
async function makeRequests(): Promise<void> {
  const ping = async ({ hook, receiver }: Awaited<ReturnType<Workbench['hooked']>>) => {
    await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    return receiver.requests.at(-1) as Received
  }
  const first = await bench.hooked({ secret: OLD, name: 'Grüße 𝄞' })
  requests.whsec = await ping(first)
  whsecHook = first.hook.id
  fresh = (await bench.admin.make(`/api/v1/deployment-hooks/${first.hook.id}/rotate-secret`)).secret
  requests.rotated = await ping(first)
  requests.plain = await ping(await bench.hooked({ secret: PLAIN }))
}

afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true })
})

/** The output and exit code of a snippet for a request. */
const runSnippet = (command: string[], secret: string, request: Pick<Received, 'headers' | 'body'>) =>
  judgementOf(command, request, { docs, folder }, { SIGNALBOX_SECRET: secret })

/** A request of the hook with OLD as its secret, in spellings that nobody may accept. */
function misspelled(request: Received): [spelling: string, request: Received][] {
  const { 'webhook-id': id, 'webhook-timestamp': time = '', 'webhook-signature': signature = '' } = request.headers
  const signed = (timestamp: string) =>
    createHmac('sha256', Buffer.from(OLD.slice('whsec_'.length), 'base64'))
      .update(`${id}.${timestamp}.${request.body}`)
      .digest('base64')
  return [
    ...signatureSpellings(signature).map(([name, value]): [string, Received] => [
      name,
      withHeader(request, 'webhook-signature', value),
    ]),
    ...timeSpellings(time).map(([name, value]): [string, Received] => [
      name,
      withHeader(withHeader(request, 'webhook-timestamp', value), 'webhook-signature', `v1,${signed(value)}`),
    ]),
  ]
}

test('verify refuses signatures and times in other spellings', async () => {
  for (const [spelling, { headers, body }] of misspelled(requests.whsec)) {
    const verdict = await bench.admin.post(`/api/v1/deployment-hooks/${whsecHook}/verify`, { headers, body })
    expect([spelling, verdict.status, verdict.body.valid]).toEqual([spelling, 200, false])
  }
})

for (const [name, needs, command] of SNIPPETS) {
  const missing = needs.filter((program) => !find(program, `${name} of docs/receivers`))
  describe.skipIf(missing.length > 0)(`${name}${missing.length > 0 ? ` (no ${missing.join(', ')} here)` : ''}`, () => {
    let program: string[]
    beforeAll(async () => {
      program = compiled(command, { docs, folder })
      await makeRequests()
    })
    const judge = (secret: string, request: Pick<Received, 'headers' | 'body'>) => runSnippet(program, secret, request)

    test('refuses signatures and times in other spellings', async () => {
      for (const [spelling, request] of misspelled(requests.whsec))
        expect([spelling, (await judge(OLD, request))[1]]).toEqual([spelling, 1])
    })

    test('accepts signatures with either kind of secret, and with both during a rotation', async () => {
      expect(await judge(OLD, requests.whsec)).toEqual(['ok', 0])
      expect(await judge(PLAIN, requests.plain)).toEqual(['ok', 0])
      expect(await judge(OLD, requests.rotated)).toEqual(['ok', 0])
      expect(await judge(fresh, requests.rotated)).toEqual(['ok', 0])
    })

    test('refuses another secret, a changed body, an old request, and missing headers', async () => {
      const { headers, body } = requests.whsec
      expect(await judge(fresh, requests.whsec)).toEqual(['X-Signalbox-Signature does not match', 1])
      expect(await judge(PLAIN, requests.whsec)).toEqual(['X-Signalbox-Signature does not match', 1])
      expect(await judge(OLD, { headers, body: `${body}\n` })).toEqual(['X-Signalbox-Signature does not match', 1])
      const at = (seconds: number) => ({
        ...headers,
        'webhook-timestamp': String(Number(headers['webhook-timestamp']) + seconds),
      })
      expect(await judge(OLD, { headers: at(-400), body })).toEqual(['webhook-timestamp is too old, or in the future', 1])
      expect(await judge(OLD, { headers: at(4_000), body })).toEqual(['webhook-timestamp is too old, or in the future', 1])
      expect(await judge(OLD, { headers: at(-1), body })).toEqual(['webhook-signature does not match', 1])
      expect(await judge(OLD, { headers: { ...headers, 'webhook-id': crypto.randomUUID() }, body })).toEqual([
        'webhook-signature does not match',
        1,
      ])
      expect(await judge(OLD, { headers: {}, body })).toEqual(['X-Signalbox-Signature does not match', 1])
      const { 'webhook-timestamp': _, ...timeless } = headers
      expect((await judge(OLD, { headers: timeless, body }))[1]).toBe(1)
    })
  })
}

describe('the published test vector of Standard Webhooks is valid at its time', () => {
  const body = '{"test": 2432232314}'
  const time = 1614265330
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(time),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    // Not part of that vector, which has only one signature.
    'x-signalbox-signature': `sha256=${createHmac('sha256', Buffer.from(OLD.slice(6), 'base64'))
      .update(body)
      .digest('hex')}`,
  }

  test('in verify.mjs', async () => {
    const { refusal } = await import(join(docs, 'verify.mjs'))
    expect(refusal(OLD, headers, Buffer.from(body), time + 299)).toBeNull()
    expect(refusal(OLD, headers, Buffer.from(body), time + 301)).toContain('too old')
  })

  test.skipIf(!find('openssl', 'the published vector in docs/receivers'))('in verify.sh', async () => {
    // The date program that the script uses.
    const date = join(folder, 'date')
    await writeFile(date, `#!/bin/sh\necho ${time}\n`, { mode: 0o755 })
    expect(await runSnippet(['env', `PATH=${folder}:${process.env.PATH}`, 'sh', 'verify.sh'], OLD, { headers, body })).toEqual([
      'ok',
      0,
    ])
  })

  test.skipIf(!find('python3', 'the published vector in docs/receivers'))('in verify.py', async () => {
    const call = `import sys; sys.dont_write_bytecode = True; import json, verify; print(verify.refusal(*json.loads(sys.argv[1])[:2], sys.argv[2].encode(), ${time}) or "ok")`
    const child = Bun.spawnSync(['python3', '-c', call, JSON.stringify([OLD, headers]), body], { cwd: docs })
    expect(child.stdout.toString().trim()).toBe('ok')
  })

  test.skipIf(!find('go', 'the published vector in docs/receivers'))('in verify.go', async () => {
    const source = (await Bun.file(join(docs, 'verify.go')).text()).replaceAll('time.Now()', `time.Unix(${time}, 0)`)
    await Bun.write(join(folder, 'verify.go'), source)
    expect(await runSnippet(['go', 'run', join(folder, 'verify.go')], OLD, { headers, body })).toEqual(['ok', 0])
  })
})
