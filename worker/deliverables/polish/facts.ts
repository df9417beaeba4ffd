/**
 * Whether other words say the same. No program can tell that of a meaning, so this errs on the side of no: every fact
 * has to be there again, in its order, and most words have to be those of the source.
 */

const NUMBERS = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve hundred thousand million billion dozen half`.split(/\s+/),
)

/** Quantities, negations and states in words: to change one of them is to change what is said. */
const SIGNIFICANT = new Set(
  `no not none never nothing nobody nowhere neither nor cannot without unless except only
  once twice first second third last all every each any some most more less least many few both must may should before after until since
  open done cancelled completed failed succeeded approved rejected pending running queued published archived enabled disabled
  passed removed deprecated added fixed on off`.split(/\s+/),
)

/** Words that mean little by themselves: a sentence may begin with them, and no name is one. */
const OPENERS = new Set(
  `a an and as at because but by for from here how however if in instead it its now of on or so that the their then there
  these they this those through to using we what when where whenever which while who with you your also`.split(/\s+/),
)

/** How much of the words has to stay. */
const KEPT_SHARE = 0.6
const SHORTEST_SHARE = 0.5
const LONGEST_SHARE = 1.6

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Names of the data that a text holds, the longest first, so that none is taken for a part of another. */
const namesIn = (text: string, names: string[]): string[] =>
  names.filter((name) => text.includes(name)).toSorted((one, other) => other.length - one.length)

/** A text, taken apart. */
interface Said {
  /** Numbers, names, quotations, addresses, symbols, and words that count as such, in their order. */
  facts: string[]
  /** First words of sentences: names, perhaps. */
  openings: string[]
  words: string[]
}

function read(text: string, names: string[]): Said {
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
  const said: Said = { facts: [], openings: [], words: [] }
  let atStart = true
  let afterNumber = false
  for (const { groups = {} } of text.matchAll(pattern)) {
    const { name, quoted, word, other } = groups
    if (name !== undefined || quoted !== undefined) said.facts.push((name ?? quoted) as string)
    else if (word !== undefined && afterNumber && !OPENERS.has(bare(word))) said.facts.push(bare(word))
    else if (word !== undefined) sort(bare(word), atStart, said)
    else if (other !== undefined && !/[.,;:!?()"'“”‘’–—…-]/.test(other)) said.facts.push(other)
    const end = word ?? other
    atStart = end === undefined ? false : /[.!?:][)"'”’]*$/.test(end)
    // What is counted belongs to its number: 14 days are not 14 weeks.
    afterNumber = word !== undefined && bare(word) === word && (/\p{N}/u.test(word) || NUMBERS.has(word.toLowerCase()))
  }
  return said
}

/** A word without the punctuation that follows it. */
const bare = (word: string): string => word.replace(/[.,;:!?)"'“”’…–—]+$/, '')

function sort(word: string, atStart: boolean, said: Said): void {
  const lower = word.toLowerCase()
  const isOrdinary = /^\p{Ll}[\p{Ll}\p{M}]*(?:[-'’]\p{Ll}+)*$/u.test(word)
  const isOpening = atStart && /^\p{Lu}[\p{Ll}\p{M}]*(?:[-'’]\p{Ll}+)*$/u.test(word)
  if (NUMBERS.has(lower) || SIGNIFICANT.has(lower) || /n['’]t$/.test(lower)) said.facts.push(lower)
  else if (isOpening) said.openings.push(lower)
  else if (isOrdinary) said.words.push(lower)
  else said.facts.push(word)
}

/** Whether each of these first words is known to the other text, or no name. */
const areKnown = ({ openings }: Said, other: Said): boolean => {
  const known = new Set([...other.words, ...other.openings, ...other.facts.map((fact) => fact.toLowerCase())])
  return openings.every((word) => OPENERS.has(word) || known.has(word))
}

/** Words that carry meaning, without their endings. */
const stems = ({ words, openings }: Said): string[] =>
  [...words, ...openings].filter((word) => word.length > 3 && !OPENERS.has(word)).map((word) => word.slice(0, 5))

function keptShare(of: string[], within: string[]): number {
  const known = new Set(within)
  return of.length === 0 ? 1 : of.filter((stem) => known.has(stem)).length / of.length
}

/**
 * Holds a wording against the text that it is to replace.
 *
 * @param names whatever bears a name in the data
 * @returns why the wording cannot be taken; null where it can
 */
export function departure(source: string, wording: string, names: string[]): 'changed a fact' | 'changed too much' | null {
  const [before, after] = [read(source, names), read(wording, names)]
  if (before.facts.length !== after.facts.length || before.facts.some((fact, index) => fact !== after.facts[index])) {
    return 'changed a fact'
  }
  if (!areKnown(after, before) || !areKnown(before, after)) return 'changed a fact'
  const length = wording.length / source.length
  if (length < SHORTEST_SHARE || length > LONGEST_SHARE) return 'changed too much'
  const share = Math.min(keptShare(stems(before), stems(after)), keptShare(stems(after), stems(before)))
  return share < KEPT_SHARE ? 'changed too much' : null
}
