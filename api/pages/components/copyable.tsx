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
