import type { Static } from '../../core/values/schema.ts'
import { Count, Email, Instant, Maybe, Nullable, OneOf, PersonName, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { Assertion } from '../passkeys/fields.ts'
import { Password, User } from '../users/schema.ts'
import { isSixDigits } from './typed-codes.ts'

export const Registration = Shape({ email: Email, password: Password, name: PersonName({ examples: ['Ada Lovelace'] }) })
export type Registration = Static<typeof Registration>

export const Credentials = Shape({ email: Email, password: Text(256) })
export type Credentials = Static<typeof Credentials>

export const RefreshInput = Shape({ refresh_token: Text(200) })

const MailedToken = Text(200, { description: 'The token of the mailed link.' })

export const VerificationInput = Shape({ token: MailedToken })

export const ResetRequest = Shape({ email: Email })

export const Reset = Shape({ token: MailedToken, password: Password })

export const LiveSession = Shape('LiveSession', {
  id: Uuid,
  device: Type.String({ description: 'The `User-Agent` of the client when it signed in.' }),
  ip_address: Type.String({ description: 'The address of the client when it signed in.', examples: ['203.0.113.7'] }),
  created_at: Instant,
  last_used_at: Type.String({ description: 'Accurate to the minute. ISO 8601, UTC.', examples: ['2026-11-21T09:30:00.000Z'] }),
  current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
})
export type LiveSession = Static<typeof LiveSession>

export const Session = Shape('Session', {
  user: User,
  access_token: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer …`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.', examples: [900] }),
  refresh_token: Type.String({
    description: 'Valid for 30 days and usable once; the response of the exchange contains the next one.',
  }),
})
export type Session = Static<typeof Session>

export const Method = OneOf(['totp', 'passkey', 'recovery_code'])
export type Method = Static<typeof Method>

const Code = Type.Refine(
  Text(40, {
    description: 'The code that the authenticator app shows. Separators do not count, and digits may be of any script.',
    examples: ['492039'],
  }),
  isSixDigits,
  () => 'must be a code of 6 digits',
)

export const SecondFactors = Shape('SecondFactors', {
  methods: Type.Array(Method, { description: 'What can complete a sign-in; empty without a second factor.' }),
  totp_created_at: Nullable(Instant),
  recovery_codes_left: Count,
})
export type SecondFactors = Static<typeof SecondFactors>

export const TotpSetup = Shape('TotpSetup', {
  secret: Type.String({ description: 'In base 32.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
  uri: Type.String({
    description: 'What a QR code for the app contains.',
    examples: ['otpauth://totp/Signalbox:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Signalbox'],
  }),
  expires_at: Instant,
})
export type TotpSetup = Static<typeof TotpSetup>

export const Confirmation = Shape({ code: Code })

export const FactorReset = Shape({ token: VerificationInput.properties.token, current_password: Text(256) })
export type FactorReset = Static<typeof FactorReset>

export const RecoveryCodes = Shape('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String({ examples: ['k3vd-7qmw-x2pa-n6te'] }), {
    description: 'Each completes one sign-in. Shown only in this response.',
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Ticket = Text(200, { description: 'The `ticket` of the response to the password.' })

export const SecondStep = Shape({
  ticket: Ticket,
  code: Maybe(Code),
  recovery_code: Maybe(Text(40, { examples: ['k3vd-7qmw-x2pa-n6te'] })),
  assertion: Maybe(Assertion),
})
export type SecondStep = Static<typeof SecondStep>
