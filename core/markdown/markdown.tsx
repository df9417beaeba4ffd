/** Markdown as nodes of Preact. Only the elements in this file exist: HTML in Markdown is shown as text. */
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { type ComponentChildren, h } from 'preact'
import { decodeReferences } from './references.ts'

/** What scrolls sideways takes the focus, or a keyboard could not reach what is hidden. */
export const FOCUSABLE = { tabIndex: 0 }

/** How a document differs from plain Markdown. */
interface MarkdownOptions {
  /** The id of a heading. */
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

/** The blocks of a document, in CommonMark with the tables and links of GFM. */
export const parseMarkdown = (markdown: string): Token[] => marked.lexer(markdown)

const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:|#)/i.test(href)

/** The text of tokens, without markup. */
export const plainTextOf = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainTextOf(token.tokens)
      if (token.type === 'text') return decodeReferences(String(token.text))
      return 'text' in token ? String(token.text) : ''
    })
    .join('')

/** Renders the tokens of a document. */
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

/** Renders Markdown. */
export const renderMarkdown = (markdown: string, options: MarkdownOptions = {}): ComponentChildren[] =>
  renderTokens(parseMarkdown(markdown), options)
