/** An authenticator: makes passkeys, and answers challenges with them, as bytes that a test can falsify. */
import type { Actor, Answer } from './actor.ts'
import type { Box } from './box.ts'
import { encodeCbor } from './cbor.ts'

type Bytes = Uint8Array<ArrayBuffer>

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = async (bytes: string | Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.from(bytes as string)))

const [UP, UV, BE, BS, AT] = [0x01, 0x04, 0x08, 0x10, 0x40]

/** What is otherwise than a browser and an authenticator would have it. */
export interface Forgery {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  /** Without a person at it. */
  isUnverified?: boolean
  /** As the authenticator counts, if it is not the next one. */
  counter?: number
  crossOrigin?: boolean
  userHandle?: string | null
}

/** A DER integer of a signature. */
function integer(bytes: Uint8Array): number[] {
  const first = bytes.findIndex((byte) => byte !== 0)
  const trimmed = [...bytes.slice(first === -1 ? bytes.length - 1 : first)]
  const value = (trimmed[0] ?? 0) & 0x80 ? [0, ...trimmed] : trimmed
  return [2, value.length, ...value]
}

/** A signature of WebCrypto as authenticators write it. */
function derOf(signature: Uint8Array): Uint8Array {
  const body = [...integer(signature.slice(0, 32)), ...integer(signature.slice(32))]
  return Uint8Array.from([0x30, body.length, ...body])
}

export class Authenticator {
  #counter = 0
  readonly credential_id: Bytes = crypto.getRandomValues(new Uint8Array(32))
  #userHandle = ''

  private constructor(
    readonly origin: string,
    readonly keys: CryptoKeyPair,
    /** Whether it counts its signatures; those that synchronize do not. */
    readonly counts: boolean,
  ) {}

  /** @param origin of the pages that ask it */
  static async make(origin: string, { counts = true } = {}): Promise<Authenticator> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
    return new Authenticator(origin, keys as CryptoKeyPair, counts)
  }

  /** One that has the same key and id: a copy. */
  copy(): Authenticator {
    const copy = new Authenticator(this.origin, this.keys, this.counts)
    copy.#counter = this.#counter
    copy.#userHandle = this.#userHandle
    Object.assign(copy, { credential_id: this.credential_id })
    return copy
  }

  #clientData(challenge: string, type: string, forgery: Forgery): Buffer {
    const { origin = this.origin, crossOrigin = false } = forgery
    return Buffer.from(
      JSON.stringify({ type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin, crossOrigin }),
    )
  }

  async #authenticatorData(flags: number, { rpId, isUnverified, counter }: Forgery, rest: Uint8Array): Promise<Bytes> {
    if (this.counts) this.#counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.#counter)
    const verified = isUnverified ? 0 : UV
    return new Uint8Array(
      Buffer.concat([
        await sha256(rpId ?? new URL(this.origin).hostname),
        Uint8Array.of(UP | verified | BE | BS | flags),
        count,
        rest,
      ]),
    )
  }

  /** The public key as COSE. */
  async #publicKey(): Promise<Uint8Array> {
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', this.keys.publicKey)
    const pairs: [number, number | Uint8Array][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]
    return encodeCbor(new Map(pairs))
  }

  /** What a browser makes of creation options. @param attestation another one than none */
  async create(options: Answer['body'], forgery: Forgery = {}, attestation = { fmt: 'none', attStmt: new Map() }) {
    this.#userHandle = options.user.id
    const { length } = this.credential_id
    const attested = Buffer.concat([
      new Uint8Array(16),
      Uint8Array.of(length >> 8, length & 0xff),
      this.credential_id,
      await this.#publicKey(),
    ])
    const authData = await this.#authenticatorData(AT, forgery, attested)
    const attestationObject = encodeCbor(
      new Map<string, unknown>([
        ['fmt', attestation.fmt],
        ['attStmt', attestation.attStmt],
        ['authData', authData],
      ]),
    )
    const id = base64url(this.credential_id)
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: base64url(this.#clientData(options.challenge, 'webauthn.create', forgery)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** What a browser makes of request options. */
  async get(options: Answer['body'], forgery: Forgery = {}) {
    const clientData = this.#clientData(options.challenge, 'webauthn.get', forgery)
    const authData = await this.#authenticatorData(0, forgery, new Uint8Array())
    const signed = Buffer.concat([authData, await sha256(clientData)])
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.keys.privateKey, signed)
    const id = base64url(this.credential_id)
    const { userHandle = this.#userHandle } = forgery
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(derOf(new Uint8Array(signature))),
        userHandle,
      },
    }
  }
}

/** The origin of the pages of a box: browsers have no passkeys for addresses. */
export const originOf = (box: Box): string => box.environment.PUBLIC_URL ?? box.base.replace('127.0.0.1', 'localhost')

/** Registers a passkey of a user, who has just signed in. */
export async function registerPasskey(box: Box, actor: Actor, name = 'Laptop', options = {}): Promise<Authenticator> {
  const authenticator = await Authenticator.make(originOf(box), options)
  const creation = await actor.make('/api/v1/auth/passkeys/options')
  await actor.make('/api/v1/auth/passkeys', { name, credential: await authenticator.create(creation) })
  return authenticator
}
