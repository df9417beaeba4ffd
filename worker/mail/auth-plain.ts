/** SMTP authentication with PLAIN. */

/** The argument that nodemailer passes to a custom authentication method. */
interface AuthContext {
  auth: { credentials: { user: string; pass: string } }
  authMethods: string[]
  sendCommand: (command: string) => Promise<{ status: number }>
}

/**
 * Replaces nodemailer's AUTH PLAIN, which is also its fallback if it supports none of the server's methods: it would send the
 * password in clear text to a server that does not offer PLAIN.
 */
async function plain({ auth: { credentials }, authMethods, sendCommand }: AuthContext): Promise<void> {
  if (!authMethods.includes('PLAIN')) {
    throw new Error('The mail server offers no supported authentication method (PLAIN, LOGIN, CRAM-MD5)')
  }
  const { user, pass } = credentials
  const { status } = await sendCommand(`AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`)
  if (status < 200 || status >= 300) throw new Error('Invalid login')
}

/** For nodemailer's option `customAuth`. */
export const OFFERED_AUTH = { PLAIN: plain } as const
