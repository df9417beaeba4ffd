/** Digests on the command line: `sha256:HEX` or `gitCommit:HEX`. */
import { wrongUsage } from './failure.js'

/**
 * @param {string} text
 * @returns {[kind: 'sha256' | 'gitCommit', hex: string]}
 */
function partsOf(text) {
  const [, kind = '', hex = ''] = /^(sha256|gitCommit):([0-9a-f]+)$/i.exec(text.trim()) ?? []
  const lengths = kind.toLowerCase() === 'sha256' ? [64] : [40, 64]
  if (!lengths.includes(hex.length)) throw wrongUsage('--digest must be sha256: and 64 hex digits, or gitCommit: and 40 or 64.')
  return [kind.toLowerCase() === 'sha256' ? 'sha256' : 'gitCommit', hex.toLowerCase()]
}

/**
 * As subjects and reports have it.
 *
 * @param {string} text
 * @returns {Record<string, string>}
 */
export const digestOf = (text) => Object.fromEntries([partsOf(text)])

/**
 * In one spelling.
 *
 * @param {string} text
 */
export const digestText = (text) => partsOf(text).join(':')
