/** HTML whose text is escaped. */

/** Markup that is trusted as it is. */
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

/** A template of markup: every value in it is escaped, unless it is markup itself. */
export const html = (strings: TemplateStringsArray, ...values: Content[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(rendered)))

/** Our own Markdown as HTML. Headings get ids, and a table scrolls by itself where it is wider than the page. */
export function markdown(text: string): Markup {
  const made = Bun.markdown.html(text, { headings: { ids: true } })
  return new Markup(made.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>'))
}
