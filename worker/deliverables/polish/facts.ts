/**
 * Checks that a reworded text still says the same. Meaning cannot be compared exactly, so the check is strict: all facts must be
 * there in the same order, and most words must be those of the source.
 */

const NUMBERS = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion
  billions dozen dozens half halves quarter quarters double triple fourth fifth sixth seventh eighth ninth tenth percent
  percentage couple several majority minority`.split(/\s+/),
)

/** Words for quantities, negations and states: changing one changes the meaning. */
const SIGNIFICANT = new Set(
  `no not none never nothing nobody nowhere neither nor cannot without unless except only
  once twice first second third last all every each any some most more less least many few both must may should before after until since
  open done cancelled completed failed succeeded approved rejected pending running queued published archived enabled disabled
  passed removed deprecated added fixed on off`.split(/\s+/),
)

/** Function words, which may start a sentence and are never names. */
const OPENERS = new Set(
  `a an and as at because but by for from here how however if in instead it its now of on or so that the their then there
  these they this those through to using we what when where whenever which while who with you your also`.split(/\s+/),
)

/** How far a text may be changed. */
export interface Freedom {
  /** The share of words that must stay. */
  minSharedWords: number
  /** Limits for the length, relative to the source. */
  minLength: number
  maxLength: number
}

/** For a paragraph that is to be worded better. */
export const REWORD: Freedom = { minSharedWords: 0.6, minLength: 0.5, maxLength: 1.6 }

/** For a text that is to be written anew from its facts. */
export const WRITE: Freedom = { minSharedWords: 0.25, minLength: 0.4, maxLength: 2.2 }

/** Whether a word is a number, such as `twelve` or `twenty-one`. */
const isNumber = (word: string): boolean => word.split('-').some((part) => NUMBERS.has(part))

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The names that a text contains, the longest first, since a name may contain a shorter one. */
const namesIn = (text: string, names: string[]): string[] =>
  names.filter((name) => text.includes(name)).toSorted((one, other) => other.length - one.length)

/** A text split into facts and words. */
interface TextFacts {
  /** Numbers, names, quotations, addresses, symbols, and significant words, in their order. */
  facts: string[]
  /** First words of sentences, which may be names. */
  openings: string[]
  words: string[]
}

function parse(text: string, names: string[]): TextFacts {
  const known = namesIn(text, names)
  const pattern = new RegExp(
    [
      known.length > 0 ? `(?<name>(?<![\\p{L}\\p{N}])(?:${known.map(escaped).join('|')})(?![\\p{L}\\p{N}]))` : '(?<name>(?!))',
      String.raw`(?<quoted>(?<!\S)["“„«‘'*_\u0060][^"”“»’'*_\u0060]+["”“»’'*_\u0060])`,
      String.raw`(?<word>(?:[-+±~<>≤≥#@/]*\p{Sc}?\p{N}|\p{L})\S*)`,
      String.raw`(?<other>\S)`,
    ].join('|'),
    'gu',
  )
  const result: TextFacts = { facts: [], openings: [], words: [] }
  let atStart = true
  let afterNumber = false
  for (const { groups = {} } of text.matchAll(pattern)) {
    const { name, quoted, word, other } = groups
    if (name !== undefined || quoted !== undefined) result.facts.push((name ?? quoted) as string)
    else if (word !== undefined && afterNumber && !OPENERS.has(bare(word))) result.facts.push(bare(word))
    else if (word !== undefined) classify(bare(word), atStart, result)
    else if (other !== undefined && !/[.,;:!?()"'“”‘’–—…-]/.test(other)) result.facts.push(other)
    const end = word ?? other
    atStart = end === undefined ? false : /[.!?:][)"'”’]*$/.test(end)
    // A unit is part of its number: 14 days are not 14 weeks.
    afterNumber = word !== undefined && bare(word) === word && (/\p{N}/u.test(word) || isNumber(word.toLowerCase()))
  }
  return result
}

/** A word without the punctuation that follows it. */
const bare = (word: string): string => word.replace(/[.,;:!?)"'“”’…–—]+$/, '')

function classify(word: string, atStart: boolean, result: TextFacts): void {
  const lower = word.toLowerCase()
  const isOrdinary = /^\p{Ll}[\p{Ll}\p{M}]*(?:[-'’]\p{Ll}+)*$/u.test(word)
  const isOpening = atStart && /^\p{Lu}[\p{Ll}\p{M}]*(?:[-'’]\p{Ll}+)*$/u.test(word)
  if (isNumber(lower) || SIGNIFICANT.has(lower) || /n['’]t$/.test(lower)) result.facts.push(lower)
  else if (isOpening) result.openings.push(lower)
  else if (isOrdinary) result.words.push(lower)
  else result.facts.push(word)
}

/** Whether each first word of a sentence occurs in the other text or is a function word. */
const areKnown = ({ openings }: TextFacts, other: TextFacts): boolean => {
  const known = new Set([...other.words, ...other.openings, ...other.facts.map((fact) => fact.toLowerCase())])
  return openings.every((word) => OPENERS.has(word) || known.has(word))
}

/** The first five letters of the content words. */
const stems = ({ words, openings }: TextFacts): string[] =>
  [...words, ...openings].filter((word) => word.length > 3 && !OPENERS.has(word)).map((word) => word.slice(0, 5))

function sharedWords(of: string[], within: string[]): number {
  const known = new Set(within)
  return of.length === 0 ? 1 : of.filter((stem) => known.has(stem)).length / of.length
}

/**
 * Compares a new wording with the source.
 *
 * @param names all names in the data
 * @param freedom how far the words may be changed; facts may never be
 * @returns why the wording must be rejected; null if it can be used
 */
export function departure(
  source: string,
  wording: string,
  names: string[],
  freedom: Freedom = REWORD,
): 'changed a fact' | 'changed too much' | null {
  const [before, after] = [parse(source, names), parse(wording, names)]
  if (before.facts.length !== after.facts.length || before.facts.some((fact, index) => fact !== after.facts[index])) {
    return 'changed a fact'
  }
  if (!areKnown(after, before) || !areKnown(before, after)) return 'changed a fact'
  const length = wording.length / source.length
  if (length < freedom.minLength || length > freedom.maxLength) return 'changed too much'
  const share = Math.min(sharedWords(stems(before), stems(after)), sharedWords(stems(after), stems(before)))
  return share < freedom.minSharedWords ? 'changed too much' : null
}
