/** A part of a document as nodes of a page, from its sanitized HTML. No HTML is inserted as it is: every text is escaped again. */
import { Parser } from 'htmlparser2'
import { type ComponentChildren, h, type VNode } from 'preact'

/** Headings of a document are below the one of the page. */
const HEADINGS: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

/** What scrolls sideways needs the focus, or a keyboard cannot reach what is hidden. */
const scrolls = (name: string, attributes: Record<string, string>): boolean => name === 'pre' || attributes.class === 'wide'

/** The nodes of sanitized HTML, without the contents, which lead to other parts. */
export function nodesOf(html: string): ComponentChildren[] {
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
        if (name === 'nav') return
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
