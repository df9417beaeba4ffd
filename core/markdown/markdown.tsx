/** Markdown as nodes of Preact. Only the elements in this file exist: HTML in Markdown is shown as text. */
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { type ComponentChildren, h, isValidElement, type VNode } from 'preact'

/** Character references of HTML, which Markdown allows in text and links: `&lt;`, `&#35;`, `&#x23;`. */
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  zwj: '\u200d',
}

const decodeReferences = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? written) : written
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    // As CommonMark requires; a surrogate alone is no character.
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })

/** What scrolls sideways takes the focus, or a keyboard could not reach what is hidden. */
export const FOCUSABLE = { tabIndex: 0 }

interface MarkdownOptions {
  idOf?: (heading: Tokens.Heading) => string | undefined
  /** Where a link leads; null shows its text alone. By default, links to other sites, mail addresses and anchors. */
  linkTo?: (href: string) => string | null
  /** The address of an image; null shows its text instead, which is the default. */
  imageAt?: (href: string) => string | null
  /** The attributes of what scrolls sideways; by default, those that make it focusable. */
  scrolling?: object
}

/** Without underlined headings: looking for one takes a time that grows with the square of the length of a paragraph. */
const marked = new Marked({ tokenizer: { lheading: () => undefined } })

export const parseMarkdown = (markdown: string): Token[] => marked.lexer(markdown)

const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:|#)/i.test(href)

export const plainTextOf = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainTextOf(token.tokens)
      if (token.type === 'text') return decodeReferences(String(token.text))
      return 'text' in token ? String(token.text) : ''
    })
    .join('')

export function renderTokens(tokens: Token[], options: MarkdownOptions = {}): ComponentChildren[] {
  const { idOf, linkTo = (href) => (isSafe(href) ? href : null), imageAt = () => null, scrolling = FOCUSABLE } = options

  const nodes = (some: Token[] = []): ComponentChildren[] => some.map((token) => node(token as MarkedToken))

  /** Items of a tight list hold text without a paragraph. */
  const item = ({ tokens: inner }: Tokens.ListItem) => <li>{nodes(inner)}</li>

  const cell = ({ header, align, tokens: inner }: Tokens.TableCell) =>
    h(header ? 'th' : 'td', align ? { align } : {}, ...nodes(inner))

  function node(token: MarkedToken): ComponentChildren {
    switch (token.type) {
      case 'heading':
        return h(`h${token.depth}`, { id: idOf?.(token) }, ...nodes(token.tokens))
      case 'paragraph':
        return <p>{nodes(token.tokens)}</p>
      case 'text':
        return token.tokens ? nodes(token.tokens) : decodeReferences(token.text)
      case 'escape':
        return token.text
      case 'codespan':
        return <code>{token.text}</code>
      case 'code':
        return (
          <pre {...scrolling}>
            <code>{`${token.text}\n`}</code>
          </pre>
        )
      case 'strong':
        return <strong>{nodes(token.tokens)}</strong>
      case 'em':
        return <em>{nodes(token.tokens)}</em>
      case 'del':
        return <del>{nodes(token.tokens)}</del>
      case 'br':
        return <br />
      case 'hr':
        return <hr />
      case 'blockquote':
        return <blockquote>{nodes(token.tokens)}</blockquote>
      case 'list':
        return token.ordered ? (
          <ol start={token.start === 1 || token.start === '' ? undefined : token.start}>{token.items.map(item)}</ol>
        ) : (
          <ul>{token.items.map(item)}</ul>
        )
      case 'table':
        return (
          <div class="wide" {...scrolling}>
            <table>
              <thead>
                <tr>{token.header.map(cell)}</tr>
              </thead>
              <tbody>
                {token.rows.map((row) => (
                  <tr>{row.map(cell)}</tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      case 'link': {
        const href = linkTo(token.autolink ? token.href : decodeReferences(token.href))
        const label = nodes(token.tokens)
        if (href === null) return label
        const isForeign = /^https?:/i.test(href)
        // Print adds the address to all links but those whose text it is.
        const isAddress = isForeign && plainTextOf(token.tokens) === href
        return (
          <a class={isAddress ? 'url' : undefined} href={href} rel={isForeign ? 'noopener noreferrer' : undefined}>
            {label}
          </a>
        )
      }
      case 'image': {
        const src = imageAt(token.href)
        const alt = decodeReferences(token.text)
        return src === null ? alt : <img src={src} alt={alt} loading="lazy" />
      }
      case 'html':
        return token.text
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ '
      default:
        return null
    }
  }

  return nodes(tokens)
}

export const renderMarkdown = (markdown: string, options: MarkdownOptions = {}): ComponentChildren[] =>
  renderTokens(parseMarkdown(markdown), options)

/** A node of Preact as JSON: text, or an element. */
export type StoredNode = string | StoredElement
export type StoredElement = [name: string, attributes: Record<string, string | number>, ...children: StoredNode[]]

/** Text that follows text becomes one node. */
export function storedNodes(content: ComponentChildren): StoredNode[] {
  const nodes: StoredNode[] = []
  const add = (each: ComponentChildren): void => {
    if (Array.isArray(each)) each.forEach(add)
    else if (isValidElement(each)) nodes.push(storedElement(each))
    else if (typeof each === 'string' || typeof each === 'number') {
      const before = nodes.at(-1)
      if (typeof before === 'string') nodes[nodes.length - 1] = before + each
      else nodes.push(String(each))
    }
  }
  add(content)
  return nodes
}

function storedElement({ type, props: { children, ...props } }: VNode<object>): StoredElement {
  if (typeof type !== 'string') throw new Error('Only elements can be stored.')
  const attributes = (Object.entries(props) as [string, string | number][]).filter(([, value]) => value !== undefined)
  return [type, Object.fromEntries(attributes), ...storedNodes(children)]
}

/** The node of Preact. @param change replaces an element, or removes it */
export function restored(
  node: StoredNode,
  change: (element: StoredElement) => StoredElement | null = (same) => same,
): VNode | string | null {
  const changed = typeof node === 'string' ? node : change(node)
  if (changed === null || typeof changed === 'string') return changed
  const [name, attributes, ...children] = changed
  return h(name, attributes, ...children.map((child) => restored(child, change)))
}
