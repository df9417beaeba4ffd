/** The articles of `docs/` that are served as pages, and the files that they link to. */
import { html, Markup, markdown } from './html.ts'
import { type DocsPath, layout } from './layout.ts'

const FOLDER = `${import.meta.dir}/../../docs`

/** Where each is served, and the file that it is made from. */
const ARTICLES = {
  '/docs/quickstart': 'quickstart.md',
  '/docs/clients': 'clients.md',
  '/docs/receivers': 'receivers/README.md',
} as const satisfies Partial<Record<DocsPath, string>>

/** A link as it is served: beside the file it leads to another file of `docs/`. */
function served(target: string, file: string): string {
  const { pathname, hash } = new URL(target, `file:///docs/${file}`)
  return pathname.replace(/(\/README)?\.md$/, '') + hash
}

/** An article as a page. */
export async function article(path: keyof typeof ARTICLES): Promise<string> {
  const file = ARTICLES[path]
  const { text } = markdown(await Bun.file(`${FOLDER}/${file}`).text())
  const linked = text.replaceAll(/href="([^"#/:][^":]*)"/g, (_, target: string) => `href="${served(target, file)}"`)
  return layout(path, html`${new Markup(linked)}`)
}

/** A file that the page of receivers links to, as text; null where there is none of that name. */
export async function receiverFile(name: string): Promise<string | null> {
  if (!/^[\w-]+\.(mjs|py|go|sh)$/.test(name)) return null
  const file = Bun.file(`${FOLDER}/receivers/${name}`)
  return (await file.exists()) ? await file.text() : null
}
