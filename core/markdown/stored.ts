/** Nodes of Preact as JSON: what a document is stored as. */
import { type ComponentChildren, h, isValidElement, type VNode } from 'preact'

/** Text, or an element. */
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
