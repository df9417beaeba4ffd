/** Database errors that are temporary or that the operator can fix, and the settings to check. */
import { PostgresError } from '../../sql/index.ts'
import { codeOf, messageOf } from './error-fields.ts'

/** Codes of certificate and TLS errors of Node.js and OpenSSL. */
const TLS = /CERT|^UNABLE_TO_|^ERR_(TLS|SSL|OSSL)|^(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/

/** Errors of the driver or the operating system if the server cannot be reached. */
const UNREACHABLE =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|ERR_SOCKET)|^(57P0[1235]|53300|08...)$/

/**
 * SQLSTATEs that do not depend on the statement (connection, authorization, unknown database, insufficient resources, shutdown,
 * system error, read-only server, terminated session), and conflicts: serialization failure, deadlock, lock timeout, statement
 * timeout.
 */
const RETRYABLE = /^(08...|28...|3D...|53...|57...|58...|25006|25P03|25P04|40001|40P01|55P03)$/

const isTls = (error: unknown): boolean => error instanceof Error && !(error instanceof PostgresError) && TLS.test(codeOf(error))

/** A Unix socket that does not exist, or may not be used, has the codes of a file. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && (UNREACHABLE.test(codeOf(error)) || ('syscall' in error && error.syscall === 'connect'))

/** Whether the server ended the session or did not start it. Some codes mean something else for a statement: `42501`, `55000`. */
export const endedSession = (error: unknown): boolean =>
  error instanceof PostgresError && /^(FATAL|PANIC)$/.test(error.severity ?? '')

/** Whether the same request may succeed later, or after the operator has corrected a setting. */
export const isUnavailable = (error: unknown): boolean =>
  isUnreachable(error) || isTls(error) || endedSession(error) || (error instanceof Error && RETRYABLE.test(codeOf(error)))

export interface DatabaseErrorInfo {
  /** The setting to check first; undefined if it is not caused by a setting. */
  setting?: string
  code: string
  message: string
}

/** What to check, by the SQLSTATE. */
function adviceOn(error: unknown, code: string, url: string): string | null {
  if (code === '25006')
    return `Check default_transaction_read_only of the role in ${url}, and whether the server is a standby or its disk is full.`
  if (code.startsWith('28')) return `Check user and password in ${url}, and DATABASE_SSL.`
  if (code.startsWith('3D')) return `Check the name of the database in ${url}.`
  return isUnreachable(error) ? `Check host and port in ${url}, and whether the server is running.` : null
}

/** @param url the name of the setting with the URL of the connection */
export function explainDatabaseError(error: unknown, url: string): DatabaseErrorInfo {
  const code = codeOf(error)
  const reason = messageOf(error)
  const blame = (setting: string, message: string): DatabaseErrorInfo => ({ setting, code, message })
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code))
    return blame(url, `The certificate of the database is for another name (${reason}). Check the host in ${url}.`)
  if (reason.includes('before secure TLS connection'))
    return blame(
      'DATABASE_SSL',
      `The database server does not support TLS, or closed the connection during the handshake (${reason}). Check DATABASE_SSL.`,
    )
  if (isTls(error))
    return blame('DATABASE_CA', `The certificate of the database is not trusted (${reason}). Check DATABASE_CA and DATABASE_SSL.`)
  const advice = adviceOn(error, code, url)
  return advice === null ? { code, message: reason } : blame(url, `The database cannot be used: ${reason}. ${advice}`)
}
