import { Email, Name, Nothing, Shape, type Static, Text, Type } from '../../core/schema.ts'
import { User } from '../users/schema.ts'

const Password = Text(256, { minLength: 12, examples: ['correct horse battery staple'] })

export const Registration = Shape({ email: Email, password: Password, name: Name(120, { examples: ['Ada Lovelace'] }) })
export type Registration = Static<typeof Registration>

export const Credentials = Shape({ email: Email, password: Text(256) })
export type Credentials = Static<typeof Credentials>

export const RefreshInput = Shape({ refresh_token: Text(200) })

export const VerificationInput = Shape({ token: Text(200) })

export const Session = Shape(
  {
    user: User,
    access_token: Type.String({ description: 'A JWT. Send it as `Authorization: Bearer …`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds that the access token lives.', examples: [900] }),
    refresh_token: Type.String({ description: 'Lives 30 days and works once; the answer holds the next one.' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export { Nothing }
