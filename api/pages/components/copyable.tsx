import { Notice } from './text.tsx'

interface CopyableProps {
  value: string
  /** An id, where a page has several. */
  id?: string
  /** What the button copies, for screen readers, where a page has several. */
  what?: string
}

/** A value to copy, within a line. With the script of the page, it has a button for that. */
export const Copied = ({ value, id = 'copyable', what }: CopyableProps) => (
  <span class="copyable">
    <code id={id} class="whole">
      {value}
    </code>
    <button type="button" class="quiet" data-copies={id} hidden>
      Copy{what !== undefined && <span class="unseen"> {what}</span>}
    </button>
    <span role="status" class="hint" />
  </span>
)

/** A value to copy, such as a secret that is shown only once. */
export const Copyable = (of: CopyableProps) => (
  <div class="card">
    <Copied {...of} />
  </div>
)

/** A new token, shown once, as the answer to a form. @param what a key or a token @param from the page of the form */
export const shownOnce = (what: string, name: string, token: string, from: { href: string; text: string; back: string }) => ({
  title: `New ${what}`,
  crumbs: [{ href: from.href, text: from.text }],
  main: (
    <>
      <Notice tone="warn">
        Copy the {what} {name} now. It is shown only this once.
      </Notice>
      <Copyable value={token} />
      <p class="hint">
        Send it as <code>Authorization: Bearer …</code>
      </p>
      <p>
        <a href={from.href}>Back to {from.back}</a>
      </p>
    </>
  ),
})
