import { Notice } from './text.tsx'

/** A value to copy, such as a secret that is shown only once. With the script of the page, it has a button for that. */
export function Copyable({ value }: { value: string }) {
  return (
    <div class="card copyable">
      <code id="copyable" class="whole">
        {value}
      </code>
      <button type="button" class="quiet" data-copies="copyable" hidden>
        Copy
      </button>
      <span role="status" class="hint" />
    </div>
  )
}

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
