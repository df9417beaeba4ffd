import { describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { newKeyPair, privateKeyOf, publicKeyOf, publicKeySignatureOf, signerOf } from '../../core/security/signing.ts'

/** Published with the reference library for Go: https://www.standardwebhooks.com */
const VECTOR = {
  private_key: 'whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
}

/** Verifies as a receiver does that has only the public key. */
function isVerified(public_key: string, signature: string, { id, timestamp, body }: typeof VECTOR): boolean {
  const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(`${id}.${timestamp}.${body}`), key, Buffer.from(signature.slice('v1a,'.length), 'base64'))
}

describe('public-key signatures', () => {
  test('the published test vector of Standard Webhooks is reproduced', () => {
    expect(signerOf('ed25519', [VECTOR.private_key])(VECTOR)).toEqual({
      'webhook-id': VECTOR.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    })
  })

  test('RFC 8032: the first private key has the published public key', () => {
    const bytes = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const published = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
    expect(publicKeyOf(privateKeyOf(`whsk_${bytes.toString('base64')}`))).toBe(`whpk_${published.toString('base64')}`)
  })

  test('a new pair is 32 bytes each in base64; its public key verifies, and refuses another key, id, time or body', () => {
    const pair = newKeyPair()
    expect(pair.private_key).toMatch(/^whsk_[A-Za-z0-9+/]{43}=$/)
    expect(pair.public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(publicKeyOf(privateKeyOf(pair.private_key))).toBe(pair.public_key)
    const signed = { ...VECTOR, body: '{"text":"ä€𝄞"}' }
    const signature = publicKeySignatureOf(privateKeyOf(pair.private_key), signed)
    expect(isVerified(pair.public_key, signature, signed)).toBeTrue()
    expect(isVerified(newKeyPair().public_key, signature, signed)).toBeFalse()
    for (const altered of [{ id: 'msg_2' }, { timestamp: 1614265331 }, { body: '{}' }])
      expect(isVerified(pair.public_key, signature, { ...signed, ...altered })).toBeFalse()
  })

  test('two private keys both sign, the current one first', () => {
    const pairs = [newKeyPair(), newKeyPair()]
    const sign = signerOf(
      'ed25519',
      pairs.map(({ private_key }) => private_key),
    )
    const signatures = sign(VECTOR)['webhook-signature']?.split(' ') ?? []
    expect(signatures).toHaveLength(2)
    for (const [index, { public_key }] of pairs.entries())
      expect(isVerified(public_key, signatures[index] ?? '', VECTOR)).toBeTrue()
  })

  test.each(['', 'whsk_', 'whsk_AAAA', VECTOR.private_key.slice(5), 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='])(
    '%p is not a private key',
    (text) => {
      expect(() => privateKeyOf(text)).toThrow('not an Ed25519 key')
    },
  )
})
