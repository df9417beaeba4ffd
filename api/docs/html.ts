/** HTML templates with escaping. */

/** Trusted markup, which is not escaped. */
export class Markup {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text
  }
}

type Content = Markup | string | number | null | undefined | false | Content[]

function rendered(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (Array.isArray(content)) return content.map(rendered).join('')
  return content instanceof Markup ? content.text : Bun.escapeHTML(content)
}

/** A template whose values are escaped, except `Markup`. */
export const html = (strings: TemplateStringsArray, ...values: Content[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(rendered)))

/** Renders trusted Markdown. Headings get ids, and wide tables scroll. */
export function markdown(text: string): Markup {
  const made = Bun.markdown.html(text, { headings: { ids: true } })
  return new Markup(made.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>'))
}
