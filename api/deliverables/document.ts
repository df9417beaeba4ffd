/** A document as parts of a page, from its sanitized HTML. No HTML is inserted as it is: every text is escaped again. */
import { Parser } from 'htmlparser2'
import { type ComponentChildren, h, type VNode } from 'preact'
import { render } from './page.ts'

/** Headings of a document are below the one of the page. */
const HEADINGS: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

/** What scrolls sideways needs the focus, or a keyboard cannot reach what is hidden. */
const scrolls = (name: string, attributes: Record<string, string>): boolean => name === 'pre' || attributes.class === 'wide'

/** The most bytes of HTML in a part: with style and script, a page stays below 100 KiB. */
const MAX_PART_BYTES = 60 * 1024

/** The nodes of sanitized HTML. */
function nodesOf(html: string): ComponentChildren[] {
  const root: ComponentChildren[] = []
  const open: { name: string; attributes: Record<string, string>; children: ComponentChildren[] }[] = []
  const add = (node: VNode | string) => (open.at(-1)?.children ?? root).push(node)
  let hasText = false
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name === 'thead') hasText = false
        open.push({ name, attributes, children: [] })
      },
      ontext: (text) => {
        hasText ||= text.trim() !== ''
        add(text)
      },
      onclosetag: () => {
        const element = open.pop()
        if (!element) return
        const { name, attributes, children } = element
        // Tables of names and values have no heads.
        if (name === 'thead' && !hasText) return
        // The page has ids of its own.
        if (attributes.id !== undefined) attributes.id = `document-${attributes.id}`
        if (attributes.href?.startsWith('#')) attributes.href = `#document-${attributes.href.slice(1)}`
        const focusable = scrolls(name, attributes) ? { tabIndex: 0 } : {}
        add(h(HEADINGS[name] ?? name, { ...attributes, ...focusable }, ...children))
      },
    },
    // SVG has attributes with capitals.
    { lowerCaseAttributeNames: false },
  )
  parser.end(html)
  return root
}

/** Groups blocks into parts of at most `MAX_PART_BYTES`; a longer block is a part of its own. */
function partsOf(blocks: string[]): string[] {
  const parts: string[] = []
  let bytes = 0
  for (const block of blocks) {
    const length = Buffer.byteLength(block)
    if (parts.length === 0 || bytes + length > MAX_PART_BYTES) {
      parts.push(block)
      bytes = length
    } else {
      parts[parts.length - 1] += block
      bytes += length
    }
  }
  return parts
}

/**
 * A part of a document.
 *
 * @param number from 1
 * @returns its nodes, and the number of parts
 */
export function documentPart(markdown: string, number: number): { nodes: ComponentChildren[]; parts: number } {
  const parts = partsOf(render(markdown).blocks)
  return { nodes: nodesOf(parts[number - 1] ?? ''), parts: parts.length }
}
