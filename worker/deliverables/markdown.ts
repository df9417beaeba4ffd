/**
 * Writes Markdown (CommonMark with GFM tables). All text from the data is escaped, so that it cannot contain markup. It loses control
 * characters and those that change the direction of text, and what looks like a credential is masked.
 */
import { maskCredentials } from '../../core/values/credentials.ts'
import { printable } from '../../core/values/plain-text.ts'

export type Block = string | null | false | undefined

/** Text from the data as it may be read. Masked before lines are joined: a private key has several. */
const readable = (text: string): string => maskCredentials(printable(text))

export const flat = (text: string): string => readable(text).replaceAll(/\s+/g, ' ').trim()

/** @see https://spec.commonmark.org/0.31.2/#backslash-escapes */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>|~&#!$]/g, '\\$&')

/** Also escapes what GFM turns into links (https://github.github.com/gfm/#autolinks-extension-): `http://`, `www.`, e-mail addresses. */
const unlinked = (text: string): string => escaped(text).replaceAll(/:(?=\/\/)|(?<=www)\.|@/gi, '\\$&')

/** Escapes what would start a list, a rule, or the underline of a heading or table at the start of a line. */
const atStart = (markdown: string): string => markdown.replace(/^[-+=:]/, '\\$&').replace(/^(\d{1,9})([.)])/, '$1\\$2')

/** Text as one line, for use within a line. */
export const inline = (text: string): string => unlinked(flat(text))

/** Text as one line, for use at the start of a line. */
export const line = (text: string): string => atStart(inline(text))

/** Like `inline`, but text between single backticks stays code, unless it contains a bar, which would end a table cell. */
export const withCode = (text: string): string =>
  flat(text)
    .split(/((?<!`)`\s*[^`\s][^`]*`(?!`))/)
    .map((each, index) => (index % 2 === 1 && !each.includes('|') ? code(each.slice(1, -1)) : unlinked(each)))
    .join('')

const ITEM = /^(?:[-*+•]|(?<number>\d{1,9})[.)])\s+(?<item>.+)$/

/** Text with paragraphs, simple lists and inline code. All other markup is escaped. */
export function prose(text: string): string {
  const blocks: string[][] = []
  let kind = ''
  for (const each of readable(text).split('\n')) {
    const { number, item } = ITEM.exec(each.trim())?.groups ?? {}
    const now = each.trim() === '' ? '' : item === undefined ? 'paragraph' : number === undefined ? 'list' : 'steps'
    if (now !== '') {
      if (now !== kind) blocks.push([])
      const mark = number === undefined ? '-' : `${number}.`
      blocks.at(-1)?.push(item === undefined ? atStart(withCode(each)) : `${mark} ${atStart(withCode(item))}`)
    }
    kind = now
  }
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

/** Text of at most this many code points, cut at a word where possible. */
export function shortened(text: string, limit: number): string {
  const points = [...flat(text)]
  if (points.length <= limit) return points.join('')
  const cut = points.slice(0, limit - 1).join('')
  const atWord = cut.lastIndexOf(' ')
  return `${atWord > cut.length / 2 ? cut.slice(0, atWord) : cut}…`
}

/** What someone said, as the end of a sentence; empty if nothing. */
export const quoteOf = (text: string | null, limit: number): string => (text ? `: ${inline(shortened(text, limit))}` : '')

/** The text of a link. A link within it would end it, and some renderers take `\](` for the end of it as well. */
const linkText = (words: string): string => inline(words).replaceAll('](', ']\\(')

/** Whether a link shows where it leads: then it stays readable in Markdown, because nothing else could become of it. */
const isShown = (words: string, address: string): boolean =>
  (words === address || `mailto:${words}` === address) && /^[\w.:/@+-]+$/.test(words)

/** A link. Its text may come from the data; its address is ours, or was validated as http(s) when it was stored. */
export const link = (words: string, address: string): string =>
  `[${isShown(words, address) ? escaped(words) : linkText(words)}](<${readable(address)
    .replaceAll(/[<>\s\\|`]/g, encodeURIComponent)
    .replaceAll('&', '\\&')}>)`

/** A link to a heading of the same document, by the anchor that `anchors` of core/markdown/anchors.ts gives it. */
export const linkWithin = (words: string, anchor: string): string => `[${linkText(words)}](<#${anchor}>)`

export const strong = (markdown: string): string => `**${markdown}**`

export function code(text: string): string {
  const words = flat(text)
  // Two backticks without text would start code that ends at the next two.
  if (words === '') return ''
  // In a table cell, `\|` cannot be written as code.
  if (words.includes('\\|')) return unlinked(words)
  const longest = Math.max(0, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = words.startsWith('`') || words.endsWith('`') ? ' ' : ''
  // In a table, a bar ends the cell even in code.
  return `${fence}${pad}${words.replaceAll('|', '\\|')}${pad}${fence}`
}

export function block(code: string, language = ''): string {
  const text = readable(code)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

export const heading = (level: number, text: string): string => `${'#'.repeat(level)} ${inline(text)}`

/** A list. Items are Markdown of one line each; what is empty is omitted. */
export const bullets = (items: Block[]): string => items.flatMap((item) => (item ? `- ${atStart(item)}` : [])).join('\n')

/** A numbered list, with items as in `bullets`. */
export const steps = (items: string[]): string => items.map((item, index) => `${index + 1}. ${atStart(item)}`).join('\n')

/** Markdown below an item of `bullets` or `steps` that belongs to it. */
export const indented = (markdown: string): string =>
  markdown
    .split('\n')
    .map((each) => (each === '' ? '' : `  ${each}`))
    .join('\n')

/** A box that warns, in the syntax of GitHub and GitLab. Its text is Markdown of one line. */
export const warning = (markdown: string): string => `> [!WARNING]\n> ${atStart(markdown)}`

/** A table. Cells are Markdown. `right` lists the columns to align right. */
export function table(head: string[], rows: string[][], right: number[] = []): string {
  const rule = head.map((_, index) => (right.includes(index) ? '---:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A bar chart in Mermaid syntax. Several in a row are side by side in the HTML of a document. @param title in our words */
export function bars(title: string, unit: string, bars: [label: string, value: number][]): string {
  const most = Math.max(...bars.map(([, value]) => value), 1)
  return block(
    [
      'xychart-beta',
      `  title "${title}"`,
      `  x-axis [${bars.map(([label]) => `"${label}"`).join(', ')}]`,
      `  y-axis "${unit}" 0 --> ${most}`,
      `  bar [${bars.map(([, value]) => value).join(', ')}]`,
    ].join('\n'),
    'mermaid',
  )
}

/** A pie chart in Mermaid syntax, which GitHub and GitLab render, as does the HTML of a document. */
export function pie(title: string, parts: [string, number][]): string {
  const lines = parts.map(([name, value]) => `  "${name.replaceAll(/["\n]/g, "'")}" : ${value}`)
  return block([`pie showData title ${title}`, ...lines].join('\n'), 'mermaid')
}

export const joined = (blocks: Block[]): string => `${blocks.filter(Boolean).join('\n\n')}\n`
