/**
 * Masks secrets in text that comes from outside. A receiver may repeat what it was sent, also in another encoding, and users who
 * may read the response may not be allowed to see the secret.
 */
import { MASK, maskCredentials } from '../values/credentials.ts'
import { memoize } from '../values/memoize.ts'

/** Masks the secrets in a text. If it is partial (cut off), the beginning of a secret at its end is masked as well. */
export type Mask = (text: string, isPartial?: boolean) => string

/** Shorter secrets occur in texts by chance. They are masked only where they are a separate word or value. */
const SHORT = 6
/** The minimum length of a secret's beginning that is masked at the end of a partial text. */
const PARTIAL = 4
/** Of secrets of at least this length, beginnings and ends are masked as well: a server that repeats a secret may cut it. */
const HAS_PARTS = 8
/** How many layers of escapes are decoded: a text may be JSON in JSON in a URL. */
const MAX_LAYERS = 4

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const BLANKS: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
const ESCAPE =
  /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)|%([0-9a-f]{2})|&#x0*([0-9a-f]{1,6});|&#0*(\d{1,7});|&(amp|lt|gt|quot|apos);/gis

const CUT_ESCAPE = /(?:%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&#?\w{0,7})$/i

/** The UTF-8 bytes of a text as a binary string: URL escapes, base64 and hex encode bytes, not characters. */
const bytesOf = (text: string): string => Buffer.from(text.toWellFormed()).toString('latin1')

/** A text with one or more layers of escapes decoded; `origins` has the position of each character, and of the end, in the input. */
type Layer = { text: string; origins: number[] | null }

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

/** Decodes one layer of escapes. Returns null if there are none. */
function decodeLayer(layer: Layer): Layer | null {
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

/** @param isCut whether to remove an incomplete escape at the end, which would be decoded as something else */
function* layersOf(text: string, isCut = false): Generator<Layer> {
  let layer: Layer | null = { text, origins: null }
  for (let depth = 0; layer && depth <= MAX_LAYERS; depth++) {
    if (isCut) layer = { ...layer, text: layer.text.replace(CUT_ESCAPE, '') }
    yield layer
    layer = decodeLayer(layer)
  }
}

const LINE_BREAK = /\r?\n[ \t]*/g

/** Joins lines: encoders of base64 and hex often break lines after 60 to 76 characters. */
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

function* decodingsOf(text: string, isCut = false): Generator<Layer> {
  for (const layer of layersOf(text, isCut)) {
    yield layer
    if (layer.text.includes('\n')) yield unwrapped(layer)
  }
}

/** Normalizes both base64 alphabets, both cases of hex, and both encodings of a space. Keeps the length. */
const folded = (text: string): string => text.toLowerCase().replaceAll(/[+ ]/g, '-').replaceAll('/', '_')

interface Needle {
  text: string
  /** Whether it matches only as a separate word. */
  isWord: boolean
  /** The length from which its end matches as well; its whole length if it does not. */
  part: number
  /** The same for its beginning. */
  first: number
}

/**
 * What begins as many texts do: a url or path, an authentication scheme, a media type, the user of a mail account. Its secret part is
 * a secret by itself.
 */
const COMMON_BEGINNING =
  /^(?:https?:|\/|(?:basic|bearer|digest|token|apikey|key|negotiate) |(?:application|text|image|audio|video|multipart)\/|[^\0]*\0)/i

/** What all tokens of a kind begin with. It is no part of the secret. */
const TOKEN_PREFIX = /^(?:sbx_[a-z]+_|gh[a-z]_|github_pat_|gl[a-z]+-|xox[a-z]-|whsec_|sk[_-](?:[a-z]+[_-])?)/

/** At least half of a short secret. Infinite if only the whole is masked. */
const partOf = (bytes: string): number =>
  bytes.length < HAS_PARTS || COMMON_BEGINNING.test(bytes) ? Infinity : Math.min(8, Math.max(6, Math.ceil(bytes.length / 2)))

/** The part of a secret's base64 that does not depend on surrounding bytes, for each of the three possible alignments. */
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
  const base64 = [isWord ? Buffer.from(bytes, 'latin1').toString('base64').replace(/=+$/, '') : whole, ...(isWord ? [] : shifted)]
  // If the secret itself is base64, it may be repeated without its padding.
  const bare = bytes.replace(/=+$/, '')
  const part = partOf(bytes)
  const first = part + (TOKEN_PREFIX.exec(bytes)?.[0].length ?? 0)
  const needle = (text: string, perByte = 1): Needle => ({
    text: folded(text),
    isWord: isWord || text.length < SHORT,
    part: Math.min(Math.floor(part * perByte), text.length),
    first: Math.min(Math.floor(first * perByte), text.length),
  })
  return [
    ...[...layersOf(bytes)].map(({ text }) => needle(text)),
    needle(bare),
    ...base64.map((text) => needle(text, 8 / 6)),
    needle(Buffer.from(bytes, 'latin1').toString('hex'), 2),
  ].filter(({ text }) => text !== '')
}

function distinct(needles: Needle[]): Needle[] {
  const kept = new Map<string, Needle>()
  for (const needle of needles) {
    const { isWord, part, first } = kept.get(needle.text) ?? needle
    kept.set(needle.text, {
      text: needle.text,
      isWord: isWord && needle.isWord,
      part: Math.min(part, needle.part),
      first: Math.min(first, needle.first),
    })
  }
  return [...kept.values()]
}

const PART_OF_WORD_BEFORE = /[\w%+\x80-\xff-]$|\w\.$/
const PART_OF_WORD_AFTER = /^[\w%+\x80-\xff-]|^\.\w/

const isSeparateWord = (text: string, start: number, end: number): boolean =>
  !PART_OF_WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) && !PART_OF_WORD_AFTER.test(text.slice(end, end + 2))

type TextRange = [start: number, end: number]

/** Beginnings of a needle in a text, each as long as it goes on. The whole needle is one of them. */
function* beginnings(haystack: string, { text, first }: Needle): Generator<TextRange> {
  const beginning = text.slice(0, first)
  for (let at = haystack.indexOf(beginning); at !== -1; ) {
    let length = first
    while (length < text.length && haystack[at + length] === text[length]) length++
    yield [at, at + length]
    // The next one may overlap.
    at = haystack.indexOf(beginning, at + length - first + 1)
  }
}

/** Ends of a needle in a text. Never goes back behind the one before, so that the cost does not grow with the needle. */
function* ends(haystack: string, { text, part }: Needle): Generator<TextRange> {
  const rest = text.length - part
  const end = text.slice(rest)
  let done = 0
  for (let at = haystack.indexOf(end); at !== -1; at = haystack.indexOf(end, at + 1)) {
    let before = 0
    while (before < rest && at - before > done && haystack[at - before - 1] === text[rest - before - 1]) before++
    done = at + part
    yield [at - before, done]
  }
}

/** Finds needles, and parts of them, in a layer. Returns their positions in the input. */
function find(layer: Layer, needles: Needle[]): TextRange[] {
  const { text } = layer
  const haystack = folded(text)
  const ranges: TextRange[] = []
  for (const each of needles) {
    const { text: needle, isWord, part } = each
    if (part < needle.length) {
      for (const parts of [beginnings(haystack, each), ends(haystack, each)])
        for (const [start, end] of parts) ranges.push([originOf(layer, start), originOf(layer, end)])
      continue
    }
    for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) {
      if (isWord && !isSeparateWord(text, at, at + needle.length)) continue
      ranges.push([originOf(layer, at), originOf(layer, at + needle.length)])
      at += needle.length - 1
    }
  }
  return ranges
}

function findCut(layer: Layer, needles: Needle[], end: number): TextRange[] {
  const haystack = folded(layer.text)
  return needles.flatMap(({ text: needle }): TextRange[] => {
    const beginning = needle.slice(0, PARTIAL)
    let at = haystack.indexOf(beginning, Math.max(0, haystack.length - needle.length))
    while (at !== -1 && !needle.startsWith(haystack.slice(at))) at = haystack.indexOf(beginning, at + 1)
    return at === -1 ? [] : [[originOf(layer, at), end]]
  })
}

function replaced(bytes: string, ranges: TextRange[]): string {
  ranges.sort(([a], [b]) => a - b)
  let out = ''
  let done = 0
  for (const [start, end] of ranges) {
    if (end <= done) continue
    // Adjacent and overlapping ranges share one mask.
    if (start > done || out === '') out += `${bytes.slice(done, start)}${MASK}`
    done = end
  }
  return Buffer.from(out + bytes.slice(done), 'latin1').toString()
}

const SHORT_TEXT = 64
const MAX_SHORT_TEXTS = 100

/** A mask that remembers how it masked short texts: names and values of response headers are mostly the same with each response. */
function rememberShort(mask: Mask): Mask {
  const masked = new Map<string, string>()
  return (text, isPartial = false) => {
    if (isPartial || text.length > SHORT_TEXT) return mask(text, isPartial)
    const known = masked.get(text)
    if (known !== undefined) return known
    const result = mask(text)
    if (masked.size === MAX_SHORT_TEXTS) masked.clear()
    // A copy: a part of a long text would keep all of it in memory.
    const copy = Buffer.from(text).toString()
    masked.set(copy, result === text ? copy : result)
    return result
  }
}

/** Masks are kept for the secrets of this many hooks: making one takes longer than sending a request. */
const MAX_KEPT = 200
/** Of longer secrets, masks are not kept. In characters, all together. */
const MAX_KEPT_LENGTH = 4_096

function newMask(secretsAsJson: string): Mask {
  const ofKnown = maskOfKnown(JSON.parse(secretsAsJson))
  return rememberShort((text, isPartial) => maskCredentials(ofKnown(text, isPartial)))
}

const keptMask = memoize(MAX_KEPT, newMask)

/**
 * Returns a function that masks secrets: as they are, escaped as in JSON, HTML or a URL, and in base64 or hex, also as part of
 * a longer encoded text, and also if only their beginning or end is there. It masks what looks like a credential as well.
 */
export function maskOf(secrets: string[]): Mask {
  const key = JSON.stringify(secrets)
  return key.length > MAX_KEPT_LENGTH ? newMask(key) : keptMask(key)
}

function maskOfKnown(secrets: string[]): Mask {
  const values = [...new Set(secrets.map((secret) => secret.trim()))].filter((secret) => secret !== '')
  if (values.length === 0) return (text) => text
  const needles = distinct(values.flatMap(needlesOf))
  const shortest = Math.min(...needles.map(({ part }) => part))
  return (text, isPartial = false) => {
    if (!isPartial && Buffer.byteLength(text) < shortest) return text
    const bytes = bytesOf(text)
    const ranges = [...decodingsOf(bytes)].flatMap((layer) => find(layer, needles))
    if (isPartial) ranges.push(...[...decodingsOf(bytes, true)].flatMap((layer) => findCut(layer, needles, bytes.length)))
    return ranges.length === 0 ? text : replaced(bytes, ranges)
  }
}

/** The beginning of a text, with secrets masked. The rest is not read, so that long texts do not take longer. */
export const maskedBeginning = (mask: Mask, text: string, length: number): string =>
  mask(text.slice(0, length), text.length > length)
