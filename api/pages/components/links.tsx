/** Links to other origins, whose addresses users and agents have written. */
import type { ComponentChildren } from 'preact'

/** Whether an address is http or https: any other could run as a script. */
function isWeb(address: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(address)?.protocol ?? '')
}

/** A link to another origin; only its text if the address is not http or https. */
export function WebLink({ href, children = href }: { href: string; children?: ComponentChildren }) {
  if (!isWeb(href)) return <>{children}</>
  return (
    <a href={href} rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** Links that filter a list, each with the number of its rows. The one that is shown is marked. */
export function Filters({ label, of }: { label: string; of: { href: string; text: string; count: number; isShown: boolean }[] }) {
  return (
    <nav class="choices" aria-label={label}>
      {of.map(({ href, text, count, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? 'true' : undefined}>
          {text} <span class="number">{count.toLocaleString('en')}</span>
        </a>
      ))}
    </nav>
  )
}
