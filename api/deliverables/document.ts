/** A part of a document as nodes of a page of the web app. */
import type { ComponentChildren } from 'preact'
import { FOCUSABLE } from '../../core/markdown/markdown.tsx'
import { restored, type StoredElement, type StoredNode } from '../../core/markdown/stored.ts'

/** Headings of a document are below the one of the page. */
const HEADINGS: Record<string, string> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

const hasText = (node: StoredNode): boolean =>
  typeof node === 'string' ? node.trim() !== '' : node.slice(2).some((child) => hasText(child as StoredNode))

function onPage(element: StoredElement): StoredElement | null {
  const [name, attributes, ...children] = element
  // The contents lead to other parts. Tables of names and values have no heads.
  if (name === 'nav' || (name === 'thead' && !hasText(element))) return null
  const { id, href, ...others } = attributes
  return [
    HEADINGS[name] ?? name,
    {
      ...others,
      // The page has ids of its own.
      ...(id !== undefined && { id: `document-${id}` }),
      ...(href !== undefined && { href: String(href).replace(/^#/, '#document-') }),
      ...((name === 'pre' || others.class === 'wide') && FOCUSABLE),
    },
    ...children,
  ]
}

/** @param part JSON, as the worker stored it */
export const nodesOf = (part: string): ComponentChildren[] =>
  (JSON.parse(part) as StoredNode[]).map((node) => restored(node, onPage))
