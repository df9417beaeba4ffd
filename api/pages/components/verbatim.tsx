/** Text as a machine sent or received it, cut so that a page stays small. */

/** Bytes of a character in the HTML of the page, where three characters are escaped. */
const ESCAPED: Record<string, number> = { '&': 5, '<': 4, '"': 6 }
const bytesOf = (character: string): number => ESCAPED[character] ?? Buffer.byteLength(character)

export interface Excerpt {
  text: string
  isCut: boolean
  /** What it takes of the page. */
  bytes: number
}

export function excerptOf(text: string, limit: number): Excerpt {
  let bytes = 0
  let end = 0
  for (const character of text) {
    const more = bytesOf(character)
    if (bytes + more > limit) return { text: text.slice(0, end), isCut: true, bytes }
    bytes += more
    end += character.length
  }
  return { text, isCut: false, bytes }
}

export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Verbatim text in a frame of its own, which scrolls. @param whole where the whole text is, if this is only its beginning */
export function Verbatim({ label, excerpt, whole }: { label: string; excerpt: Excerpt; whole: string }) {
  return (
    <>
      <section
        class="verbatim"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
      >
        <pre>{excerpt.text}</pre>
      </section>
      {excerpt.isCut && (
        <p class="hint">
          Only the beginning is shown. <code>{whole}</code> returns all of it.
        </p>
      )}
    </>
  )
}
