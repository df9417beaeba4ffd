/**
 * The members of organizations are on the nodes, and a copy of them on the coordinator, by user: a user's organizations are looked up before
 * any of them is known. What changes the members changes the copy in the same transaction.
 */
import type { Statement } from '../cluster.ts'
import { sendBeside } from './driver.ts'

const MEMBERS = 'organization_members'
export const MEMBER_ORGANIZATIONS = 'member_organizations'

const WRITES = new RegExp(`^\\s*(?:insert\\s+into|update|delete\\s+from)\\s+${MEMBERS}\\b`, 'i')
const OF_USER = new RegExp(`^(\\s*select\\s[^(]+\\sfrom\\s+)${MEMBERS}(\\s+where\\s+user_id\\s*=\\s*\\$\\d)`, 'i')

/** The text of a statement, which reads the copy if it asks for the organizations of a user. */
export const readCopy = (text: string): string => text.replace(OF_USER, `$1${MEMBER_ORGANIZATIONS}$2`)

/** Makes a statement that changes the members change the copy as well; its result waits for both. */
export function writeCopy(statement: Statement, text: string, parameters: unknown[]): void {
  if (!WRITES.test(text)) return
  const copied = sendBeside(statement, text.replaceAll(MEMBERS, MEMBER_ORGANIZATIONS), parameters)
  const { resolve, reject } = statement
  statement.resolve = (rows) => void copied.then(() => resolve(rows), reject)
  // If the statement fails, its error says more.
  copied.catch(() => {})
}
