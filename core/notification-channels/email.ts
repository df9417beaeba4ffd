/** E-mail: through a mail server of the tenant. */
import { type Flaw, literalAddress, urlError } from '../outbound/requests.ts'
import { secretsOfMail } from '../security/secret-forms.ts'
import { asciiLowerCase } from '../values/email-addresses.ts'
import { Email, Maybe, Shape, type Static, Text, Type } from '../values/schema.ts'
import { bareName } from '../values/web-addresses.ts'
import { declareChannel, flawed, Matching } from './declaration.ts'

const HostName = Matching(
  Text(253, { examples: ['mail.example.com'] }),
  /^\[?[\p{L}\p{N}_.:-]+\]?$/u,
  'must be the host name or IP address of a mail server, without a port',
)

const config = Shape('EmailConfig', {
  smtp_host: HostName,
  smtp_port: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      default: 587,
      description: '465: implicit TLS. Other ports: STARTTLS if the server supports it.',
    }),
  ),
  smtp_user: Maybe(Text(256, { minLength: 1, description: 'Requires `smtp_password`.', examples: ['signalbox'] })),
  smtp_password: Maybe(Text(1024, { minLength: 1, description: 'Write-only.' })),
  from_address: Email,
  to_addresses: Type.Array(Email, {
    minItems: 1,
    maxItems: 50,
    description:
      'Each recipient gets one copy. Recipients that the server rejects temporarily are retried without the others. If the server rejects a recipient permanently, the message counts as failed. An address with non-ASCII characters before the @ requires a server with SMTPUTF8.',
  }),
})
export type EmailConfig = Static<typeof config>

function hostError(host: string): Flaw | null {
  // Checked as a URL, since the same hosts are blocked as for hooks.
  const bare = literalAddress(host)
  const url = `http://${bare?.includes(':') ? `[${bare}]` : host}/`
  if (!URL.canParse(url) || new URL(url).port !== '' || (host.includes(':') && !bare))
    return ['malformed', 'must be a host name or an IP address']
  return urlError(url)
}

const TOGETHER: Flaw = ['required', 'is required: smtp_user and smtp_password must be set together']

export const email = declareChannel(config, {
  title: 'E-mail',
  format: 'HTML and text',
  fields: {
    smtp_host: 'public',
    smtp_port: 'public',
    smtp_user: 'public',
    smtp_password: 'secret',
    from_address: 'public',
    to_addresses: 'public',
  },
  labels: {
    smtp_host: 'Mail server',
    smtp_port: 'Port',
    smtp_user: 'User',
    smtp_password: 'Password',
    from_address: 'Sender',
    to_addresses: 'Recipients',
  },
  masks: ({ smtp_user = '', smtp_password }) => (smtp_password === undefined ? [] : secretsOfMail(smtp_user, smtp_password)),
  serverOf: ({ smtp_host, smtp_port }) => `${bareName(asciiLowerCase(smtp_host))}:${smtp_port}`,
  errors: ({ smtp_host, smtp_user, smtp_password }) =>
    flawed(
      ['smtp_host', hostError(smtp_host)],
      ['smtp_user', smtp_user === undefined && smtp_password !== undefined ? TOGETHER : null],
      ['smtp_password', smtp_password === undefined && smtp_user !== undefined ? TOGETHER : null],
    ),
})
