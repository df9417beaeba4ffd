/** Shapes of WebAuthn (Level 3, as JSON), which other features use too. */
import { Form, Maybe, Nullable, OneOf, Shape, type Static, type TSchema, Type } from '../../core/values/schema.ts'

const Bytes = (maximum: number, options: Type.TStringOptions = {}) =>
  Form('^[A-Za-z0-9_-]+$', 'must be base64url without padding', { maxLength: maximum, ...options })

/** Ids have at most 1,023 bytes. */
const CredentialId = Bytes(1364, { examples: ['dGhlIGlkIG9mIGEgY3JlZGVudGlhbA'] })
const ClientData = Bytes(8192, { description: 'With the challenge and the origin.' })
const Kind = OneOf(['public-key'])
/** What browsers and password managers leave out, or send null for. */
const Optional = <T extends TSchema>(schema: T) => Maybe(Nullable(schema))
const OptionalBytes = (maximum: number) =>
  Optional(Form('^[A-Za-z0-9_-]*$', 'must be base64url without padding', { maxLength: maximum }))
const Attachment = Optional(Type.String({ maxLength: 40 }))
const Transports = Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 }))
/** What browsers add. None of it is used. */
const Extensions = Optional(Type.Object({}, { additionalProperties: true, maxProperties: 40 }))

const credential = {
  id: CredentialId,
  rawId: OptionalBytes(1364),
  type: Optional(Kind),
  authenticatorAttachment: Attachment,
  clientExtensionResults: Extensions,
}

export const Assertion = Shape(
  'PasskeyAssertion',
  {
    ...credential,
    response: Shape({
      clientDataJSON: ClientData,
      authenticatorData: Bytes(8192),
      signature: Bytes(4096),
      userHandle: OptionalBytes(100),
    }),
  },
  {
    description:
      'What `navigator.credentials.get()` returned, as JSON (`AuthenticationResponseJSON` of WebAuthn). A challenge can be answered once, also if the answer is refused, within 5 minutes.',
  },
)
export type Assertion = Static<typeof Assertion>

export const NewCredential = Shape(
  'PasskeyCredential',
  {
    ...credential,
    response: Shape({
      clientDataJSON: ClientData,
      attestationObject: Bytes(16_384),
      authenticatorData: OptionalBytes(8192),
      transports: Transports,
      publicKey: OptionalBytes(8192),
      publicKeyAlgorithm: Optional(Type.Integer({ minimum: -65_536, maximum: 65_535 })),
    }),
  },
  { description: 'What `navigator.credentials.create()` returned, as JSON (`RegistrationResponseJSON` of WebAuthn).' },
)
export type NewCredential = Static<typeof NewCredential>

const Descriptor = Shape({ id: Type.String(), type: Type.Literal('public-key'), transports: Maybe(Type.Array(Type.String())) })

const Challenge = Type.String({ description: 'Random, for one answer within 5 minutes.', examples: ['c2lnbmFsYm94'] })
const Timeout = Type.Integer({ description: 'Milliseconds.', examples: [300_000] })

export const RequestOptions = Shape(
  'PasskeyRequestOptions',
  {
    challenge: Challenge,
    timeout: Timeout,
    rpId: Type.String({ description: 'The host of `PUBLIC_URL`.', examples: ['signalbox.example.com'] }),
    allowCredentials: Type.Array(Descriptor, { description: 'The passkeys of the user; empty: any discoverable one.' }),
    userVerification: Type.Literal('required'),
  },
  { description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`.' },
)
export type RequestOptions = Static<typeof RequestOptions>

export const CreationOptions = Shape(
  'PasskeyCreationOptions',
  {
    challenge: Challenge,
    timeout: Timeout,
    rp: Shape({ id: Type.String(), name: Type.String() }),
    user: Shape({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Shape({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    excludeCredentials: Type.Array(Descriptor, { description: 'The passkeys that the user has.' }),
    authenticatorSelection: Shape({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
  },
  { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`.' },
)
export type CreationOptions = Static<typeof CreationOptions>
