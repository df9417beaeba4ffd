/**
 * E-mail addresses. Each has one canonical form, which is stored, compared, counted and mailed to: the domain in ASCII
 * (UTS 46, so Unicode and Punycode spellings are one), the rest in NFC, ASCII letters in lower case. A Unicode
 * lower-casing would map other letters onto ASCII ones and so give one person's address to another. The database upholds the
 * form with its type `email_address`.
 */
import { domainToASCII } from 'node:url'

const LONGEST = 254
const LONGEST_LOCAL_PART = 64

const INVISIBLE = '\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}'
const ATOM = `(?:[a-z0-9!#$%&'*+/=?^_\`{|}~-]|[^\\x00-\\x7f${INVISIBLE}])+`
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
// `domainToASCII` drops invisible characters, cuts at a slash and decodes percent signs, so it may see none of them. Only
// UTS 46 can say whether a joiner (U+200C, U+200D) means something where it stands.
const DOMAIN = new RegExp(`^(?:[A-Za-z0-9._-]|[^\\x00-\\x7f${INVISIBLE}]|[\\u200c\\u200d])+$`, 'u')
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?'
// A domain whose last label is a number is an IPv4 address.
const ASCII_DOMAIN = new RegExp(`^(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`)

/**
 * Domains of the addresses that replaced and deleted accounts keep. They belong to the service alone: an account registered
 * under one would stand in the way of a replacement or a deletion.
 */
export const PLACEHOLDER_DOMAINS = { replaced: 'unproven.invalid', deleted: 'deleted.invalid' } as const
const RESERVED: string[] = Object.values(PLACEHOLDER_DOMAINS)

/** Lower-cases ASCII letters alone: Unicode maps other letters onto them, such as the Kelvin sign onto k. */
export const asciiLowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

// Twice: NFC turns the Kelvin sign into K, and joins h, but not H, with a macron below.
const canonicalText = (text: string): string => asciiLowerCase(text.normalize('NFC')).normalize('NFC')

function canonicalDomain(text: string): string | null {
  // Converting takes long for a text that is long.
  if (text.length > 2 * LONGEST || !DOMAIN.test(text)) return null
  const domain = domainToASCII(text)
  return ASCII_DOMAIN.test(domain) ? domain : null
}

/** The canonical form of an address; null for what no mail server takes, and for an address that the service keeps for itself. */
export function canonicalAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  if (at === -1) return null
  const local = canonicalText(text.slice(0, at))
  const domain = canonicalDomain(text.slice(at + 1))
  if (domain === null || RESERVED.includes(domain)) return null
  if (!LOCAL_PART.test(local) || Buffer.byteLength(local) > LONGEST_LOCAL_PART) return null
  const address = `${local}@${domain}`
  return Buffer.byteLength(address) > LONGEST ? null : address
}

/** The texts of which a canonical address holds one if it holds what a person typed as part of an address. */
export function addressParts(text: string): string[] {
  const at = text.lastIndexOf('@') + 1
  const domain = canonicalDomain(text.slice(at))
  return [canonicalText(text), ...(domain === null ? [] : [canonicalText(text.slice(0, at)) + domain])]
}
