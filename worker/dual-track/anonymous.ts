/** Prepares a track for the model: without names and invisible characters, and limited in length. */

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** A letter next to which a name would be part of another word. Not in scripts without spaces between words, such as Han. */
const LETTER =
  '[[\\p{L}\\p{M}\\p{N}]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]'

/** A pattern for a name as a whole word, in any spelling: `claude-code`, `Claude Code`, `CLAUDE_CODE`. */
function patternOf(name: string): string {
  const parts = name.split(/[\s_.-]+/).filter((part) => part !== '')
  const pattern = parts.length === 0 ? escaped(name) : parts.map(escaped).join('[\\s_.\\-]*')
  return `(?<!${LETTER})${pattern}(?!${LETTER})`
}

/** A name and its replacement. */
export type Alias = [name: string, alias: string]

/**
 * Returns a function that replaces names in texts. Longer names take precedence, since they may contain shorter ones. All are
 * replaced in one pass, so that a replacement is not replaced again.
 */
export function anonymizer(aliases: Alias[]): (text: string) => string {
  const named = aliases.filter(([name]) => name.trim() !== '').toSorted(([one], [two]) => two.length - one.length)
  const pattern = new RegExp(named.map(([name]) => `(${patternOf(name.trim())})`).join('|'), 'giv')
  return (text) =>
    text.replaceAll(pattern, (_, ...groups: unknown[]) => named[groups.findIndex((group) => group !== undefined)]?.[1] ?? '')
}

/** Removes control and other invisible characters, with which text could be hidden from people but not from the model. */
const visible = (text: string): string => text.replaceAll(/[^\P{C}\n\t]/gu, '')

/** Cleans all texts in a value, and cuts them so that together they have at most `characters` characters; earlier texts first. */
export function prepared<Value>(value: Value, clean: (text: string) => string, characters: number): Value {
  let left = characters
  const cut = (text: string): string => {
    const whole = clean(visible(text))
    const beginning = whole.slice(0, left).toWellFormed()
    left -= beginning.length
    return beginning.length === whole.length ? whole : `${beginning} [cut off here]`
  }
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return cut(node)
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, field]) => [key, walk(field)]))
  }
  return walk(value) as Value
}
