/** Errors of the database that pass or that the operator mends: what they are, and which setting to look at. */
import { PostgresError } from '../../sql/index.ts'
import { codeOf, messageOf } from './error-facts.ts'

/** Names of certificate and TLS errors, as Node.js and OpenSSL have them. */
const TLS = /CERT|^UNABLE_TO_|^ERR_(TLS|SSL|OSSL)|^(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/

/** The driver or the system could not reach the server. */
const UNREACHABLE =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|ERR_SOCKET)|^(57P0[1235]|53300|08...)$/

/**
 * Classes and codes of PostgreSQL that say nothing about the statement: connections, roles and databases that it rejects,
 * full disks, shutdowns, system errors, a standby, and ended sessions; and statements that lost a race, waited too long for
 * a lock, or ran out of time.
 */
const PASSING = /^(08...|28...|3D...|53...|57...|58...|25006|25P03|25P04|40001|40P01|55P03)$/

const isTls = (error: unknown): boolean => error instanceof Error && !(error instanceof PostgresError) && TLS.test(codeOf(error))

const isUnreachable = (error: unknown): boolean => error instanceof Error && UNREACHABLE.test(codeOf(error))

/** Whether the same request may succeed later, or once the operator has mended a setting. */
export const isUnavailable = (error: unknown): boolean =>
  isUnreachable(error) || isTls(error) || (error instanceof Error && PASSING.test(codeOf(error)))

/** What keeps a process from using the database. */
export interface DatabaseFault {
  /** What to look at first; undefined where no setting is to blame. */
  setting?: string
  code: string
  message: string
}

/**
 * Explains an error to the operator.
 *
 * @param url the setting that holds the URL which was used
 */
export function explainDatabaseError(error: unknown, url: string): DatabaseFault {
  const code = codeOf(error)
  const message = messageOf(error)
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) {
    return {
      setting: url,
      code,
      message: `The certificate of the database is for another name (${message}). Check the host in ${url}.`,
    }
  }
  if (message.includes('before secure TLS connection')) {
    return {
      setting: 'DATABASE_SSL',
      code,
      message: `The database does not speak TLS, or hangs up on it (${message}). Check DATABASE_SSL.`,
    }
  }
  if (isTls(error)) {
    return {
      setting: 'DATABASE_CA',
      code,
      message: `The certificate of the database is not trusted (${message}). Check DATABASE_CA and DATABASE_SSL.`,
    }
  }
  const advice =
    code === '25006'
      ? `Check default_transaction_read_only of the role in ${url}, and whether the server is a standby or its disk is full.`
      : code.startsWith('28')
        ? `Check user and password in ${url}, and DATABASE_SSL.`
        : code.startsWith('3D')
          ? `Check the name of the database in ${url}.`
          : isUnreachable(error)
            ? `Check host and port in ${url}, and whether the server runs.`
            : ''
  return advice === '' ? { code, message } : { setting: url, code, message: `The database cannot be used: ${message}. ${advice}` }
}
