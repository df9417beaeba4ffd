/** The codes that people type in to sign in a device. */
import { randomInt } from 'node:crypto'

/** Letters that are not mistaken for others; without vowels, so that they spell nothing (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** A new code: 25,600,000,000 are possible. */
export const newUserCode = (): string => Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')

/** A code as it is shown. */
export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** What a person typed, as it is stored: in any case, with or without the dash. */
export const typedUserCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')
