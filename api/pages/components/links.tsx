/** Links to other origins, whose addresses users and agents have written. */
import type { ComponentChildren } from 'preact'
import { line } from '../../../core/values/plain-text.ts'
import { webAddress } from '../../../core/values/web-addresses.ts'

const MAX_LINK = 2048

/** Escaped characters as they are read, except in the host, which shows its letters in Punycode. */
function readable({ href }: URL, limit: number): string {
  try {
    return line(decodeURI(href), limit)
  } catch {
    return line(href, limit)
  }
}

/** Only its text if the address is not http or https. @param children the text, next to which the host is shown; default: the address */
export function WebLink({ href, limit = MAX_LINK, children }: { href: string; limit?: number; children?: ComponentChildren }) {
  const address = webAddress(href)
  if (!address) return <>{children ?? href}</>
  const link = (
    <a href={address.href} rel="noopener noreferrer">
      {children ?? readable(address, limit)}
    </a>
  )
  if (children === undefined) return link
  return (
    <>
      {link} <span class="hint">({address.host})</span>
    </>
  )
}

/** Links that filter a list, each with the number of its rows. The one that is shown is marked. */
export function Filters({ label, of }: { label: string; of: { href: string; text: string; count: number; isShown: boolean }[] }) {
  return (
    <nav class="choices" aria-label={label}>
      {of.map(({ href, text, count, isShown }) => (
        <a href={href} aria-current={isShown ? 'true' : undefined}>
          {text} <span class="number">{count.toLocaleString('en')}</span>
        </a>
      ))}
    </nav>
  )
}
