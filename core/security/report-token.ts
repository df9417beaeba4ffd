/**
 * The token with which the receiver of a dispatch reports the outcome of the deployment. Derived from the service's key and the id of the
 * dispatch, so that it need not be stored.
 */
import { createHmac } from 'node:crypto'
import { config } from '../platform/config.ts'
import { equalInConstantTime } from './tokens.ts'

export const REPORT_PREFIX = 'sbx_rep_'

// Keys of their own: the keys of SECRETS_KEY encrypt.
const keys = config.SECRETS_KEY.map((key) => createHmac('sha256', key).update('signalbox report token').digest())

const tokenWith = (key: Uint8Array, dispatch_id: string): string =>
  REPORT_PREFIX + createHmac('sha256', key).update(dispatch_id.toLowerCase()).digest('base64url')

export const reportToken = (dispatch_id: string): string => tokenWith(keys[0] as Uint8Array, dispatch_id)

/** Whether a token belongs to a dispatch, by any key of SECRETS_KEY. */
export function isReportToken(token: string, dispatch_id: string): boolean {
  // All keys are tried, whichever fits, so that the time says nothing about them.
  return keys.map((key) => equalInConstantTime(token, tokenWith(key, dispatch_id))).includes(true)
}
