/**
 * Takes secrets out of text that comes from outside: a receiver may repeat what it was sent, as it came or written in
 * another way, and whoever reads the record need not be allowed to know it.
 */
import { MASK } from '../../core/security/secrets.ts'

/** Takes secrets out of a text. Where the text ends too early, so does a secret whose beginning stands at its end. */
export type Mask = (text: string, isPartial?: boolean) => string

/** A shorter value stands in many a text by chance. It is masked where it stands alone, as a word or a value does. */
const SHORT = 6
/** Of a secret that the end of a text cuts off, so much may be left. */
const PARTIAL = 4
/** A text may be JSON in JSON in a URL. */
const MOST_LAYERS = 4

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const BLANKS: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
const ESCAPE =
  /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)|%([0-9a-f]{2})|&#x0*([0-9a-f]{1,6});|&#0*(\d{1,7});|&(amp|lt|gt|quot|apos);/gis

const CUT_ESCAPE = /(?:%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&#?\w{0,7})$/i

/** Bytes of UTF-8, one character each: escapes of URLs stand for bytes, and base64 and hex are made of them. */
const bytesOf = (text: string): string => Buffer.from(text.toWellFormed()).toString('latin1')

/** A text with one layer of escapes taken off; `origins` says where each character, and the end, was in the text given. */
interface Layer {
  text: string
  origins: number[] | null
}

const originOf = ({ origins }: Layer, at: number): number => (origins ? (origins[at] ?? 0) : at)

const characterOf = (code: number): string => (code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : '')

function unescaped([, high, low, json, hex, escaped, url, entityHex, entity, name]: RegExpExecArray): string {
  if (url !== undefined || hex !== undefined) return String.fromCharCode(Number.parseInt(url ?? hex ?? '', 16))
  if (escaped !== undefined) return BLANKS[escaped] ?? escaped
  if (high !== undefined && low !== undefined) {
    return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
  }
  if (json !== undefined) return characterOf(Number.parseInt(json, 16))
  if (entityHex !== undefined) return characterOf(Number.parseInt(entityHex, 16))
  if (entity !== undefined) return characterOf(Number(entity))
  return ENTITIES[(name ?? '').toLowerCase()] ?? ''
}

/** @returns null where there is nothing to take off */
function peeled(layer: Layer): Layer | null {
  const { text } = layer
  if (!/[\\%&]/.test(text)) return null
  let out = ''
  const from: number[] = []
  const add = (piece: string, at: number, isCopied: boolean) => {
    for (let index = 0; index < piece.length; index++) from.push(originOf(layer, isCopied ? at + index : at))
    out += piece
  }
  let last = 0
  for (const match of text.matchAll(ESCAPE)) {
    add(text.slice(last, match.index), last, true)
    add(unescaped(match), match.index, false)
    last = match.index + match[0].length
  }
  if (last === 0) return null
  add(text.slice(last), last, true)
  from.push(originOf(layer, text.length))
  return { text: out, origins: from }
}

/** @param isCut an escape that is not whole at the end is left out, as it would be read as something else */
function* layersOf(text: string, isCut = false): Generator<Layer> {
  let layer: Layer | null = { text, origins: null }
  for (let depth = 0; layer && depth <= MOST_LAYERS; depth++) {
    if (isCut) layer = { ...layer, text: layer.text.replace(CUT_ESCAPE, '') }
    yield layer
    layer = peeled(layer)
  }
}

const LINE_BREAK = /\r?\n[ \t]*/g

/** A text as one line: programs that write base64 or hex break it after 60 to 76 characters. */
function unwrapped(layer: Layer): Layer {
  let out = ''
  const from: number[] = []
  let last = 0
  const add = (end: number) => {
    for (let at = last; at < end; at++) from.push(originOf(layer, at))
    out += layer.text.slice(last, end)
  }
  for (const match of layer.text.matchAll(LINE_BREAK)) {
    add(match.index)
    last = match.index + match[0].length
  }
  add(layer.text.length)
  from.push(originOf(layer, layer.text.length))
  return { text: out, origins: from }
}

/** All that a text may be read as. */
function* readingsOf(text: string, isCut = false): Generator<Layer> {
  for (const layer of layersOf(text, isCut)) {
    yield layer
    if (layer.text.includes('\n')) yield unwrapped(layer)
  }
}

/** Both alphabets of base64, both cases of hex, and both ways to write a space look alike; lengths stay as they are. */
const folded = (text: string): string => text.toLowerCase().replaceAll(/[+ ]/g, '-').replaceAll('/', '_')

interface Needle {
  text: string
  /** It counts only where it stands alone. */
  isWord: boolean
}

/** What of the base64 of a text does not depend on the bytes around it, at each of the three places where it may begin. */
function base64Of(bytes: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + bytes, 'latin1').toString('base64')
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
}

function needlesOf(secret: string): Needle[] {
  const bytes = bytesOf(secret)
  const isWord = bytes.length < SHORT
  const [whole = '', ...shifted] = base64Of(bytes)
  const encoded = [
    isWord ? Buffer.from(bytes, 'latin1').toString('base64').replace(/=+$/, '') : whole,
    ...(isWord ? [] : shifted),
    Buffer.from(bytes, 'latin1').toString('hex'),
  ]
  // What is base64 itself may come back without its padding.
  const bare = bytes.replace(/=+$/, '')
  const texts = [...[...layersOf(bytes)].map(({ text }) => text), bare, ...encoded].map(folded)
  return texts.filter((text) => text !== '').map((text) => ({ text, isWord: isWord || text.length < SHORT }))
}

/** Each text once: secrets that differ in case alone have the same needles, and each would be looked for anew. */
function distinct(needles: Needle[]): Needle[] {
  const areWords = new Map<string, boolean>()
  for (const { text, isWord } of needles) areWords.set(text, isWord && (areWords.get(text) ?? true))
  return [...areWords].map(([text, isWord]) => ({ text, isWord }))
}

const PART_OF_WORD_BEFORE = /[\w%+\x80-\xff-]$|\w\.$/
const PART_OF_WORD_AFTER = /^[\w%+\x80-\xff-]|^\.\w/

/** Whether what stands from `start` to `end` is a word of its own. */
const standsAlone = (text: string, start: number, end: number): boolean =>
  !PART_OF_WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !PART_OF_WORD_AFTER.test(text.slice(end, end + 2))

type Range = [start: number, end: number]

/** Where needles stand in a layer, as places in the text that it was made of. */
function find(layer: Layer, needles: Needle[]): Range[] {
  const { text } = layer
  const haystack = folded(text)
  const ranges: Range[] = []
  for (const { text: needle, isWord } of needles) {
    for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
      if (isWord && !standsAlone(text, at, at + needle.length)) continue
      ranges.push([originOf(layer, at), originOf(layer, at + needle.length)])
      at += needle.length - 1
    }
  }
  return ranges
}

/** Where the beginning of a needle stands at the end of a layer. */
function findCut(layer: Layer, needles: Needle[], end: number): Range[] {
  const haystack = folded(layer.text)
  return needles.flatMap(({ text: needle }): Range[] => {
    const beginning = needle.slice(0, PARTIAL)
    let at = haystack.indexOf(beginning, Math.max(0, haystack.length - needle.length))
    while (at !== -1 && !needle.startsWith(haystack.slice(at))) at = haystack.indexOf(beginning, at + 1)
    return at === -1 ? [] : [[originOf(layer, at), end]]
  })
}

function replaced(bytes: string, ranges: Range[]): string {
  ranges.sort(([a], [b]) => a - b)
  let out = ''
  let done = 0
  for (const [start, end] of ranges) {
    if (end <= done) continue
    // What overlaps with the last one, or touches it, is hidden with it.
    if (start > done || out === '') out += `${bytes.slice(done, start)}${MASK}`
    done = end
  }
  return Buffer.from(out + bytes.slice(done), 'latin1').toString()
}

/**
 * Makes what takes secrets out of texts: each of them as it is, escaped as in JSON, HTML or a URL, and in base64 or hex,
 * also as a part of something longer.
 */
export function maskOf(secrets: string[]): Mask {
  const values = [...new Set(secrets.map((secret) => secret.trim()))].filter((secret) => secret !== '')
  if (values.length === 0) return (text) => text
  const needles = distinct(values.flatMap(needlesOf))
  const shortest = Math.min(...needles.map(({ text }) => text.length))
  return (text, isPartial = false) => {
    if (!isPartial && Buffer.byteLength(text) < shortest) return text
    const bytes = bytesOf(text)
    const ranges = [...readingsOf(bytes)].flatMap((layer) => find(layer, needles))
    if (isPartial) ranges.push(...[...readingsOf(bytes, true)].flatMap((layer) => findCut(layer, needles, bytes.length)))
    return ranges.length === 0 ? text : replaced(bytes, ranges)
  }
}

/**
 * The beginning of a text without secrets. What comes after it is not read, so that a text of any length takes no longer.
 *
 * @param most characters that are read
 */
export const maskedBeginning = (mask: Mask, text: string, most: number): string => mask(text.slice(0, most), text.length > most)

/** What a header value holds that is secret: all of it, its credentials without their scheme, and what those stand for. */
export function secretsOfHeader(value: string): string[] {
  const [, scheme = '', credentials] = /^(\S+)\s+(\S.*)$/.exec(value.trim()) ?? []
  if (credentials === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, credentials]
  const opened = Buffer.from(credentials, 'base64').toString()
  return [value, credentials, opened, opened.slice(opened.indexOf(':') + 1)]
}

/** A signing secret; one of the form `whsec_…` stands for a key, which is written without the prefix elsewhere. */
export function secretsOfSigning(secret: string): string[] {
  if (!secret.startsWith('whsec_')) return [secret]
  const key = secret.slice('whsec_'.length)
  const bytes = Buffer.from(key, 'base64')
  const text = bytes.toString()
  return [secret, key, bytes.toString('hex'), ...(text.includes('\uFFFD') ? [] : [text])]
}

/** What makes a URL a secret: its path with the query, and what in them looks like a token. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [url]
  const { pathname, search, searchParams } = new URL(url)
  const parts = [...pathname.split('/'), ...searchParams.values()]
  const tokens = parts.filter((part) => part.length >= 16 || (part.length >= 8 && /\d/.test(part)))
  return [url, ...(pathname.length >= 2 ? [pathname, pathname + search] : []), ...tokens]
}

/** A mail account's password, and the forms in which it is sent to a server that asks for it. */
export function secretsOfMail(user: string, password: string): string[] {
  return [password, `\0${user}\0${password}`, `${user}\0${password}`]
}
