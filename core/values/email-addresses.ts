/**
 * E-mail addresses. Each has one canonical form, which is stored, compared and mailed to: the domain in ASCII (UTS 46, so that
 * Unicode and Punycode spellings are the same), the local part in NFC, and ASCII letters in lower case. Unicode lower-casing
 * would map other letters to ASCII ones, and so treat addresses of different people as the same. The database type
 * `email_address` enforces the form.
 */
import { domainToASCII } from 'node:url'
import { nfc } from './plain-text.ts'

const LONGEST = 254
const LONGEST_LOCAL_PART = 64
/** Longer spellings of an address are not looked at: the conversion is slow for long texts. */
const LONGEST_INPUT = 3 * LONGEST

const INVISIBLE = '\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}'
const ATOM = `(?:[a-z0-9!#$%&'*+/=?^_\`{|}~-]|[^\\x00-\\x7f${INVISIBLE}])+`
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
// `domainToASCII` drops invisible characters, cuts at a slash and decodes percent signs, so such domains are rejected before.
// Joiners (U+200C, U+200D) are valid in some positions, which UTS 46 checks.
const DOMAIN = new RegExp(`^(?:[A-Za-z0-9._-]|[^\\x00-\\x7f${INVISIBLE}]|[\\u200c\\u200d])+$`, 'u')
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?'
// A domain whose last label is a number is an IPv4 address.
const ASCII_DOMAIN = new RegExp(`^(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`)

/**
 * Domains of the placeholder addresses of replaced and deleted accounts. Users cannot register under them: such an account would
 * conflict with a placeholder.
 */
export const PLACEHOLDER_DOMAINS = { replaced: 'unproven.invalid', deleted: 'deleted.invalid' } as const
const RESERVED: string[] = Object.values(PLACEHOLDER_DOMAINS)

/** Lower-cases only ASCII letters: Unicode also maps other letters to them, such as the Kelvin sign to k. */
export const asciiLowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

// Twice: NFC turns the Kelvin sign into K, and joins h, but not H, with a macron below.
const canonicalText = (text: string): string => nfc(asciiLowerCase(nfc(text)))

export function canonicalDomain(text: string): string | null {
  if (!DOMAIN.test(text)) return null
  const domain = domainToASCII(text)
  return ASCII_DOMAIN.test(domain) ? domain : null
}

/** The canonical form of an address; null if it is not a valid address, or reserved for placeholders. */
export function canonicalAddress(text: string): string | null {
  if (text.length > LONGEST_INPUT) return null
  const at = text.lastIndexOf('@')
  if (at === -1) return null
  const local = canonicalText(text.slice(0, at))
  const domain = canonicalDomain(text.slice(at + 1))
  if (domain === null || RESERVED.includes(domain)) return null
  if (!LOCAL_PART.test(local) || Buffer.byteLength(local) > LONGEST_LOCAL_PART) return null
  const address = `${local}@${domain}`
  return Buffer.byteLength(address) > LONGEST ? null : address
}

/** For searching: if a canonical address matches a typed part of an address, it contains one of these texts. */
export function addressParts(text: string): string[] {
  if (text.length > LONGEST_INPUT) return []
  const at = text.lastIndexOf('@') + 1
  const domain = canonicalDomain(text.slice(at))
  return [canonicalText(text), ...(domain === null ? [] : [canonicalText(text.slice(0, at)) + domain])]
}
