/** The small pages behind mailed links: self-contained, without a framework, usable by keyboard and screen reader. */
import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'

/** The Content-Security-Policy of our pages: only resources of the same origin. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const browser = (file: string): Promise<string> => Bun.file(`${import.meta.dir}/browser/${file}`).text()

const respondWith = (body: string, type: string): Response =>
  new Response(body, {
    headers: {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': POLICY,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-store',
    },
  })

const hidden = { open: 'requests', detail: { hide: true } } as const

/** Files shared by all pages. */
export const assets = new Elysia({ name: 'page-assets' }).use(access)
for (const [file, type] of [
  ['page.css', 'text/css'],
  ['page.js', 'text/javascript'],
] as const) {
  const body = await browser(file)
  assets.get(`/pages/${file}`, () => respondWith(body, type), hidden)
}

const favicon = await browser('favicon.svg')
// Browsers request /favicon.ico for responses without an icon link, such as JSON.
for (const path of ['/favicon.svg', '/favicon.ico']) assets.get(path, () => respondWith(favicon, 'image/svg+xml'), hidden)

/**
 * A page at `/<name>` with its script: `browser/<name>.html` is the content of `main`, `browser/<name>.js` the script. Mailed
 * links lead here with `?token=`; the script sends the token when the user acts. Opening the page must have no effect, since
 * mail scanners follow links.
 */
export async function page(name: string, title: string) {
  const [main, script] = await Promise.all([browser(`${name}.html`), browser(`${name}.js`)])
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Signalbox</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/pages/page.css">
</head>
<body>
<main>
<h1>${title}</h1>
${main}
<noscript><p>This page requires JavaScript.</p></noscript>
</main>
<script type="module" src="/pages/${name}.js"></script>
</body>
</html>
`
  return new Elysia({ name: `page-${name}` })
    .use(access)
    .get(`/${name}`, () => respondWith(html, 'text/html'), hidden)
    .get(`/pages/${name}.js`, () => respondWith(script, 'text/javascript'), hidden)
}
