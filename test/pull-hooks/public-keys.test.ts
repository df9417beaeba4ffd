/** Pull hooks that sign with a key pair, also with a template. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import type { Answer } from '../support/signalbox.ts'
import { PullWorkbench } from './workbench.ts'

type Body = Answer['body']

let bench: PullWorkbench

beforeAll(async () => {
  bench = await PullWorkbench.open()
})

afterAll(() => bench.close())

/** Which signatures of a claimed dispatch a claimer with the public key accepts. */
function accepted(public_key: string, { headers, payload }: Body): boolean[] {
  const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${payload}`)
  const signatures = (headers['webhook-signature'] as string).split(' ')
  return signatures.map((each) => verify(null, signed, key, Buffer.from(each.replace(/^v1a,/, ''), 'base64')))
}

const verdictOf = async (hook: Body, { headers, payload }: Body): Promise<boolean> =>
  (await bench.ask(hook, 'verify', { headers, body: payload })).body.valid

test('A claimed dispatch has a signature that the public key verifies, signed again with each claim', async () => {
  const pulled = await bench.pulled({ signature: 'ed25519' })
  await bench.trigger(pulled)
  const first = await bench.claimOne(pulled)
  expect(first.headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
  expect(first.headers).not.toHaveProperty('X-Signalbox-Signature')
  expect([accepted(pulled.hook.public_key, first), await verdictOf(pulled.hook, first)]).toEqual([[true], true])
  expect(accepted(pulled.hook.public_key, { ...first, payload: `${first.payload} ` })).toEqual([false])
  await bench.runOut(first)
  const { body: rotated } = await bench.ask(pulled.hook, 'rotate-secret')
  const second = await bench.claimOne(pulled)
  expect([second.dispatch.id, second.payload]).toEqual([first.dispatch.id, first.payload])
  expect(accepted(rotated.public_key, second).sort()).toEqual([false, true])
  expect(accepted(pulled.hook.public_key, second).sort()).toEqual([false, true])
})

test('The rendered body is what is signed, with its secrets; a redelivery has the same bytes', async () => {
  const pulled = await bench.pulled({
    signature: 'ed25519',
    report_within_seconds: 600,
    template_secrets: { key: 'swordfish-4711' },
    body_template: { key: '{{secret:key}}', note: 'Grüße an {{/hook/name}}', token: '{{report:token}}' },
  })
  await bench.trigger(pulled)
  const first = await bench.claimOne(pulled)
  const token = first.headers['X-Signalbox-Report-Token']
  expect(JSON.parse(first.payload)).toEqual({ key: 'swordfish-4711', note: 'Grüße an Deploy', token })
  expect([accepted(pulled.hook.public_key, first), await verdictOf(pulled.hook, first)]).toEqual([[true], true])
  await bench.acknowledge(pulled, first, { outcome: 'failed' })
  expect((await bench.act(first.dispatch, 'redeliver')).status).toBe(202)
  const second = await bench.claimOne(pulled)
  expect([second.payload, second.headers['webhook-id']]).toEqual([first.payload, first.dispatch.id])
  expect(second.headers['X-Signalbox-Report-Token']).not.toBe(token)
  expect([accepted(pulled.hook.public_key, second), await verdictOf(pulled.hook, second)]).toEqual([[true], true])
  // The body names the token of the first dispatch: a report with it is about the newest redelivery.
  const reported = await bench.reportWith(token, first.dispatch, { state: 'succeeded' })
  expect([reported.status, reported.body.id, reported.body.rollout.state]).toEqual([200, second.dispatch.id, 'succeeded'])
})
