/** The small pages behind mailed links: self-contained, without a framework, usable by keyboard and screen reader. */
import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'

/** What a page of ours may load: its own server's style, script, pictures and answers. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

const browser = (file: string): Promise<string> => Bun.file(`${import.meta.dir}/browser/${file}`).text()

const answer = (body: string, type: string): Response =>
  new Response(body, {
    headers: {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': POLICY,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-store',
    },
  })

const hidden = { open: 'requests', detail: { hide: true } } as const

/** What the pages share. */
export const assets = new Elysia({ name: 'page-assets' }).use(access)
for (const [file, type] of [
  ['page.css', 'text/css'],
  ['page.js', 'text/javascript'],
] as const) {
  const body = await browser(file)
  assets.get(`/pages/${file}`, () => answer(body, type), hidden)
}

const favicon = await browser('favicon.svg')
// Browsers ask for the second of a page that names none, as of an answer in JSON.
for (const path of ['/favicon.svg', '/favicon.ico']) assets.get(path, () => answer(favicon, 'image/svg+xml'), hidden)

/**
 * One page and its script, `browser/<name>.html` (what stands in its `main`) and `browser/<name>.js`. It stands at
 * `/<name>`, where a mailed link leads with `?token=`; the token stays in the address, and the script sends it.
 * Mail scanners follow links: opening a page must do nothing.
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
<noscript><p>This page needs JavaScript. Without it, send the token of this link to the API yourself.</p></noscript>
</main>
<script type="module" src="/pages/${name}.js"></script>
</body>
</html>
`
  return new Elysia({ name: `page-${name}` })
    .use(access)
    .get(`/${name}`, () => answer(html, 'text/html'), hidden)
    .get(`/pages/${name}.js`, () => answer(script, 'text/javascript'), hidden)
}
