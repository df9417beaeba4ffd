/** Where a person signs in to the web app, and with which account. */
import { connect } from '../../sql/index.ts'
import { PASSWORD, PEOPLE } from '../seed/accounts.ts'

/** Whether the account of `bun run seed` exists, with its password. */
async function hasSeedAccount(databaseUrl: string): Promise<boolean> {
  const sql = connect(databaseUrl, 'signalbox start', 1)
  try {
    const [user] = await sql<{ password_hash: string }[]>`
      select password_hash from users where email = ${PEOPLE.ada.email} and deleted_at is null
    `
    return user !== undefined && (await Bun.password.verify(PASSWORD, user.password_hash))
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * One line of text.
 *
 * @param app the origin of the API
 * @param databaseUrl of the embedded database; undefined for another, whose accounts are not looked at
 * @param isOpen whether anyone can register
 */
export async function signInHint(app: string, databaseUrl: string | undefined, isOpen: boolean): Promise<string> {
  if (databaseUrl && (await hasSeedAccount(databaseUrl))) {
    return `${app}/sign-in as ${PEOPLE.ada.email} with the password "${PASSWORD}"`
  }
  if (!isOpen) return `${app}/sign-in`
  return `${app}/register creates an account; after that, ${app}/sign-in`
}
