import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { signatureHeaders, signingKey, signingKeys } from '../../core/security/signing.ts'

/** Published with the specification: https://www.standardwebhooks.com */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

describe('signing', () => {
  test('the published test vector of Standard Webhooks is reproduced', () => {
    expect(signatureHeaders(signingKeys([VECTOR.secret]), VECTOR)).toMatchObject({
      'webhook-id': VECTOR.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    })
  })

  test('without a secret there are an id and a timestamp, and no signature', () => {
    expect(signatureHeaders([], VECTOR)).toEqual({ 'webhook-id': VECTOR.id, 'webhook-timestamp': '1614265330' })
  })

  test('the Standard Webhooks library accepts a signature, and refuses it after changing one byte', () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders(signingKeys([VECTOR.secret]), { ...VECTOR, timestamp })
    const webhook = new Webhook(VECTOR.secret)
    expect(webhook.verify(VECTOR.body, headers)).toEqual({ test: 2432232314 })
    expect(() => webhook.verify(VECTOR.body.replace('4}', '5}'), headers)).toThrow('No matching signature found')
  })

  test('the key is the UTF-8 bytes of a plain secret, or the decoded bytes of a whsec_ secret', () => {
    expect(Buffer.from(signingKey('grüße') ?? [])).toEqual(Buffer.from('grüße', 'utf8'))
    expect(Buffer.from(signingKey('MfKQ9r8GKYqr') ?? [])).toEqual(Buffer.from('MfKQ9r8GKYqr', 'utf8'))
    expect(Buffer.from(signingKey('whsec_AAEC/w==') ?? [])).toEqual(Buffer.from([0, 1, 2, 255]))
    // Padding is often left out when such secrets are written by hand.
    expect(Buffer.from(signingKey('whsec_AAEC/w') ?? [])).toEqual(Buffer.from([0, 1, 2, 255]))
  })

  test.each(['whsec_', 'whsec_not base64', 'whsec_AAEC_w==', 'whsec_A', 'whsec_AAEC/w===', 'whsec_ä'])(
    '%p is not a valid key',
    (secret) => {
      expect(signingKey(secret)).toBeNull()
    },
  )

  test('X-Signalbox-Signature covers the raw bytes of the body', () => {
    const body = '{"text":"ä€𝄞"}'
    const headers = signatureHeaders(signingKeys(['plain']), { ...VECTOR, body })
    expect(headers['X-Signalbox-Signature']).toBe(
      `sha256=${createHmac('sha256', 'plain').update(Buffer.from(body)).digest('hex')}`,
    )
    expect(headers).not.toHaveProperty('X-Signalbox-Signature-Previous')
  })

  test('during a rotation both secrets sign, the current one first', () => {
    const headers = signatureHeaders(signingKeys(['new', 'old']), VECTOR)
    const hex = (key: string) => `sha256=${createHmac('sha256', key).update(VECTOR.body).digest('hex')}`
    expect(headers['X-Signalbox-Signature']).toBe(hex('new'))
    expect(headers['X-Signalbox-Signature-Previous']).toBe(hex('old'))
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  })
})
