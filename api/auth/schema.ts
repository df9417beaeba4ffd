import { Email, Instant, Nothing, PersonName, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { Password, User } from '../users/schema.ts'

export const Registration = Shape({ email: Email, password: Password, name: PersonName({ examples: ['Ada Lovelace'] }) })
export type Registration = Static<typeof Registration>

export const Credentials = Shape({ email: Email, password: Text(256) })
export type Credentials = Static<typeof Credentials>

export const RefreshInput = Shape({ refresh_token: Text(200) })

const MailedToken = Text(200, { description: 'The token of the mailed link.' })

export const VerificationInput = Shape({ token: MailedToken })

export const ResetRequest = Shape({ email: Email })

export const Reset = Shape({ token: MailedToken, password: Password })

export const LiveSession = Shape(
  {
    id: Uuid,
    device: Type.String({ description: 'The `User-Agent` of the client when it signed in.' }),
    ip_address: Type.String({ description: 'The address of the client when it signed in.', examples: ['203.0.113.7'] }),
    created_at: Instant,
    last_used_at: Type.String({ description: 'Accurate to the minute. ISO 8601, UTC.', examples: ['2026-11-21T09:30:00.000Z'] }),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  },
  { title: 'LiveSession' },
)
export type LiveSession = Static<typeof LiveSession>

export const Session = Shape(
  {
    user: User,
    access_token: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer …`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.', examples: [900] }),
    refresh_token: Type.String({
      description: 'Valid for 30 days and usable once; the response of the exchange contains the next one.',
    }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export { Nothing }
