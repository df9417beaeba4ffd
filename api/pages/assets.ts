/** The style sheet, the fonts, the scripts and the icon of all pages. */
import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { PAGE_HEADERS } from './headers.ts'

const read = (file: string): Promise<string> => Bun.file(`${import.meta.dir}/browser/${file}`).text()

/** The subsets of the font: browsers load the second when a page has letters that are only there. */
const SUBSETS = ['latin', 'latin-ext']

const fontFile = (path: string) => Bun.file(Bun.resolveSync(`@fontsource-variable/inter/${path}`, import.meta.dir))

/** As wide and high as Inter, so that nothing moves when Inter arrives. */
const FALLBACK = `@font-face { font-family: "Inter Fallback"; src: local("Arial"), local("Liberation Sans"), local("Arimo"), local("Helvetica");
ascent-override: 90.44%; descent-override: 22.52%; line-gap-override: 0%; size-adjust: 107.12% }`

const scripts = new Bun.Transpiler({ loader: 'js', minifyWhitespace: true })

/** A style sheet or script without comments, indents and most line ends: readers of the source have it, and pages weigh less. */
const withoutComments = (file: string, content: string): string =>
  file.endsWith('.js')
    ? scripts.transformSync(content)
    : content
        .replaceAll(/\/\*.*?\*\//gs, '')
        .replaceAll(/\n\s*/g, '\n')
        .replaceAll(/(?<=[{};,])\n/g, '')

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

const declarations = await fontFile('index.css').text()

const fonts = await Promise.all(
  SUBSETS.map(async (subset) => {
    const name = `inter-${subset}-wght-normal`
    const path = serve(`${name}.woff2`, 'font/woff2', await fontFile(`files/${name}.woff2`).arrayBuffer())
    const [, declaration = ''] = new RegExp(`/\\* ${name} \\*/\\s*(@font-face \\{[^}]*\\})`).exec(declarations) ?? []
    return { path, declaration: declaration.replace(/url\([^)]*\)/, `url(${path})`).replace("'Inter Variable'", 'Inter') }
  }),
)

/** The font that every page needs, and loads before the style sheet asks for it. */
export const FONT = fonts[0]?.path ?? ''
export const STYLE = await serveText('style.css', (content) =>
  [...fonts.map(({ declaration }) => declaration), FALLBACK, content].join('\n'),
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
