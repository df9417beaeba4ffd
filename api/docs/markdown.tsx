/** Markdown of the documentation, which comes from this repository. */
import type { ComponentChildren } from 'preact'
import { anchors } from '../../core/markdown/anchors.ts'
import { plainTextOf, renderMarkdown } from '../../core/markdown/markdown.tsx'

interface Props {
  text: string
  /** The address of a relative link. */
  resolve?: (target: string) => string
}

const isRelative = (href: string): boolean => !/^([a-z]+:|[#/])/i.test(href)

/** Headings get the anchors that they have on GitHub. */
export function Markdown({ text, resolve = (target) => target }: Props): ComponentChildren {
  const name = anchors()
  return renderMarkdown(text, {
    idOf: ({ tokens }) => name(plainTextOf(tokens)),
    linkTo: (href) => (isRelative(href) ? resolve(href) : href),
    imageAt: (href) => (isRelative(href) ? resolve(href) : null),
  })
}
