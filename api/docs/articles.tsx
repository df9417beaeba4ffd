/** Serves articles of `docs/` as pages, and the files that they link to. */
import { config } from '../../core/platform/config.ts'
import { layout, Markdown } from './layout.tsx'

const FOLDER = `${import.meta.dir}/../../docs`

export const readArticle = (file: string): Promise<string> => Bun.file(`${FOLDER}/${file}`).text()

/** The Markdown files that are served as pages; the path of each is that of its file without `/README` and `.md`. */
const ARTICLES = [
  'first-hour.md',
  'quickstart.md',
  'approvals.md',
  'agents.md',
  'second-factors.md',
  'sso.md',
  'service-accounts.md',
  'usage.md',
  'verify/README.md',
  'cli.md',
  'clients.md',
  'machines.md',
  'sdk.md',
  'receivers/README.md',
  'slack.md',
  'github.md',
  'receivers/ci-systems.md',
  'receivers/pull.md',
  'operating.md',
  'settings.md',
  'monitoring/README.md',
  'scaling.md',
  'citus.md',
  'architecture.md',
  ...new Bun.Glob('decisions/*.md').scanSync(FOLDER),
]

/** The path at which the target of a relative link in a file of `docs/` is served. */
function servedPath(target: string, file: string): string {
  const { pathname, hash } = new URL(target, `file:///docs/${file}`)
  return pathname.replace(/(\/README)?\.md$/, '') + hash
}

/** Each article by the path that it is served at. */
export const articles = new Map(ARTICLES.map((file) => [servedPath(`/docs/${file}`, file), () => article(file)]))

/** The Markdown of each article by the path of its page. Its links lead to Markdown as well. */
export const articleTexts = new Map(ARTICLES.map((file) => [servedPath(`/docs/${file}`, file), () => articleText(file)]))

async function articleText(file: string): Promise<string> {
  const text = await readArticle(file)
  return text.replaceAll(/\]\((?!https?:|[#/])([^)\s]+)\)/g, (_, target: string) => {
    const [path = '', hash] = servedPath(target, file).split('#')
    const isArticle = /\.md(#|$)/.test(target)
    return `](${path}${isArticle ? '.md' : ''}${hash === undefined ? '' : `#${hash}`})`
  })
}

async function article(file: string): Promise<string> {
  const text = await readArticle(file)
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
  return layout(servedPath(`/docs/${file}`, file), title, <Markdown text={text} resolve={(target) => servedPath(target, file)} />)
}

export async function sampleFile(folder: 'receivers' | 'verify', name: string): Promise<string | null> {
  if (!/^[\w-]+\.(mjs|py|go|sh|ya?ml)$/.test(name)) return null
  const file = Bun.file(`${FOLDER}/${folder}/${name}`)
  return (await file.exists()) ? await file.text() : null
}

export async function picture(name: string): Promise<Blob | null> {
  if (!/^[\w-]+\.png$/.test(name)) return null
  const file = Bun.file(`${FOLDER}/screenshots/${name}`)
  return (await file.exists()) ? file : null
}

/** The alert rules, with links to the runbook on this service. */
export const alertRules = async (): Promise<string> =>
  (await readArticle('monitoring/alerts.yml')).replaceAll('docs/operating.md#', `${config.PUBLIC_URL}/docs/operating#`)

export const dashboard = (): Promise<string> => readArticle('monitoring/dashboard.json')
