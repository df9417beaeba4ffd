/** The style sheet, the fonts, the scripts and the icon of all pages. */
import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { PAGE_HEADERS } from './headers.ts'

const read = (file: string): Promise<string> => Bun.file(`${import.meta.dir}/browser/${file}`).text()

/** Letters of Western Europe, and those of other languages with Latin letters, which browsers load when a page has some. */
const FONTS = ['inter-latin', 'inter-latin-ext'] as const

const scripts = new Bun.Transpiler({ loader: 'js', minifyWhitespace: true })

/** A style sheet or script without comments and indents: readers of the source have it, and pages weigh less. */
const withoutComments = (file: string, content: string): string =>
  file.endsWith('.js') ? scripts.transformSync(content) : content.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s*/g, '\n')

const hidden = { open: 'requests', detail: { hide: true } } as const

const TYPES = {
  'style.css': 'text/css',
  'script.js': 'text/javascript',
  'live.js': 'text/javascript',
  'keys.js': 'text/javascript',
  'passkeys.js': 'text/javascript',
} as const

export const assets = new Elysia({ name: 'page-assets' }).use(access)

/** Serves a file at a path that contains the hash of its content, so that browsers can keep it. @returns the path */
function serve(file: string, type: string, content: string | ArrayBuffer): string {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12)
  assets.get(
    `/assets/:hash/${file}`,
    ({ params }) =>
      new Response(content, {
        headers: {
          ...PAGE_HEADERS,
          'Content-Type': type,
          // During a deployment, a page of another version can ask this process: it gets this version, but does not keep it.
          'Cache-Control': params.hash === hash ? 'public, max-age=31536000, immutable' : 'no-store',
        },
      }),
    hidden,
  )
  return `/assets/${hash}/${file}`
}

const serveText = async (file: keyof typeof TYPES, edit = (content: string) => content): Promise<string> =>
  serve(file, `${TYPES[file]}; charset=utf-8`, withoutComments(file, edit(await read(file))))

const fonts = await Promise.all(
  FONTS.map(async (name) => {
    const file = Bun.resolveSync(`@fontsource-variable/inter/files/${name}-wght-normal.woff2`, import.meta.dir)
    return serve(`${name}.woff2`, 'font/woff2', await Bun.file(file).arrayBuffer())
  }),
)

/** The font that every page needs, and loads before the style sheet asks for it. */
export const FONT = fonts[0] ?? ''
export const STYLE = await serveText('style.css', (content) =>
  FONTS.reduce((text, name, index) => text.replace(`"${name}.woff2"`, `"${fonts[index]}"`), content),
)
export const SCRIPT = await serveText('script.js')
export const KEYS = await serveText('keys.js')
export const PASSKEYS = await serveText('passkeys.js')
export const LIVE_WORKER = await serveText('live.js')

const favicon = await read('favicon.svg')
// Browsers request /favicon.ico for responses without an icon link, such as JSON.
for (const path of ['/favicon.svg', '/favicon.ico']) {
  assets.get(
    path,
    () => new Response(favicon, { headers: { ...PAGE_HEADERS, 'Content-Type': 'image/svg+xml; charset=utf-8' } }),
    hidden,
  )
}
