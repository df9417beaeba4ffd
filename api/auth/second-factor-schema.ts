import { Count, Form, Instant, Maybe, Nullable, OneOf, Shape, type Static, Text, Type } from '../../core/values/schema.ts'
import { Assertion } from './passkey-assertions.ts'
import { VerificationInput } from './schema.ts'

export const Method = OneOf(['totp', 'passkey', 'recovery_code'])
export type Method = Static<typeof Method>

export const CODE_PATTERN = '^[0-9]{3} ?[0-9]{3}$'

const Code = Form(CODE_PATTERN, 'must be a code of 6 digits', {
  description: 'The code that the authenticator app shows.',
  examples: ['492039'],
})

export const SecondFactors = Shape(
  {
    methods: Type.Array(Method, { description: 'What can complete a sign-in; empty without a second factor.' }),
    totp_created_at: Nullable(Instant),
    recovery_codes_left: Count,
  },
  { title: 'SecondFactors' },
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpSetup = Shape(
  {
    secret: Type.String({ description: 'In base 32.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    uri: Type.String({
      description: 'What a QR code for the app contains.',
      examples: ['otpauth://totp/Signalbox:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Signalbox'],
    }),
    expires_at: Instant,
  },
  { title: 'TotpSetup' },
)
export type TotpSetup = Static<typeof TotpSetup>

export const Confirmation = Shape({ code: Code })

export const FactorReset = Shape({ token: VerificationInput.properties.token, current_password: Text(256) })
export type FactorReset = Static<typeof FactorReset>

export const RecoveryCodes = Shape(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['k3vd-7qmw-x2pa-n6te'] }), {
      description: 'Each completes one sign-in. Shown only in this response.',
    }),
  },
  { title: 'RecoveryCodes' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Ticket = Text(200, { description: 'The `ticket` of the response to the password.' })

export const SecondStep = Shape({
  ticket: Ticket,
  code: Maybe(Code),
  recovery_code: Maybe(Text(40, { examples: ['k3vd-7qmw-x2pa-n6te'] })),
  assertion: Maybe(Assertion),
})
export type SecondStep = Static<typeof SecondStep>
