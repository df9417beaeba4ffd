/** The style sheet, the script and the icon of all pages. */
import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { PAGE_HEADERS } from './headers.ts'

const read = (file: string): Promise<string> => Bun.file(`${import.meta.dir}/browser/${file}`).text()

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
async function serve(file: keyof typeof TYPES): Promise<string> {
  const content = withoutComments(file, await read(file))
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12)
  assets.get(
    `/assets/:hash/${file}`,
    ({ params }) =>
      new Response(content, {
        headers: {
          ...PAGE_HEADERS,
          'Content-Type': `${TYPES[file]}; charset=utf-8`,
          // During a deployment, a page of another version can ask this process: it gets this version, but does not keep it.
          'Cache-Control': params.hash === hash ? 'public, max-age=31536000, immutable' : 'no-store',
        },
      }),
    hidden,
  )
  return `/assets/${hash}/${file}`
}

export const STYLE = await serve('style.css')
export const SCRIPT = await serve('script.js')
export const KEYS = await serve('keys.js')
export const PASSKEYS = await serve('passkeys.js')
export const LIVE_WORKER = await serve('live.js')

const favicon = await read('favicon.svg')
// Browsers request /favicon.ico for responses without an icon link, such as JSON.
for (const path of ['/favicon.svg', '/favicon.ico']) {
  assets.get(
    path,
    () => new Response(favicon, { headers: { ...PAGE_HEADERS, 'Content-Type': 'image/svg+xml; charset=utf-8' } }),
    hidden,
  )
}
