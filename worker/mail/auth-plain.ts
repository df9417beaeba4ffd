/** How a password goes to a mail server. */

/** What the mail library hands to a way of signing in. */
interface Login {
  auth: { credentials: { user: string; pass: string } }
  authMethods: string[]
  sendCommand: (command: string) => Promise<{ status: number }>
}

/**
 * Takes the place of the library's own AUTH PLAIN, which it falls back to where the server offers nothing that it knows:
 * the password would go, readable, to a server that did not ask for it.
 */
async function plain({ auth: { credentials }, authMethods, sendCommand }: Login): Promise<void> {
  if (!authMethods.includes('PLAIN')) {
    throw new Error('The mail server offers none of the ways to sign in that are known here (PLAIN, LOGIN, CRAM-MD5)')
  }
  const { user, pass } = credentials
  const { status } = await sendCommand(`AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`)
  if (status < 200 || status >= 300) throw new Error('Invalid login')
}

/** For the option `customAuth` of the mail library. */
export const OFFERED_AUTH = { PLAIN: plain } as const
