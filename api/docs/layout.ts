/** The layout and headers of all pages of the docs. They load nothing from other origins. */
import { POLICY } from '../pages/headers.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { html, type Markup } from './html.ts'

const PAGES = {
  '/docs': 'API',
  '/docs/quickstart': 'Quickstart',
  '/docs/events': 'Events',
  '/docs/receivers': 'Receivers',
  '/docs/clients': 'Clients',
  '/docs/problems': 'Problems',
  '/docs/operating': 'Operating',
} as const

/** A response of the docs. */
export const docsResponse = (body: string | Blob, type: string, caching = 'no-cache'): Response =>
  new Response(body, {
    headers: { ...SECURITY_HEADERS, 'Content-Security-Policy': POLICY, 'Content-Type': type, 'Cache-Control': caching },
  })

const link = (path: string, label: string, here: string): Markup =>
  html`<a href="${path}"${path === here ? html` aria-current="page"` : null}>${label}</a>`

/**
 * A page of the docs.
 *
 * @param here the path of the page
 * @param more a script of the page, and a sidebar
 */
export function layout(here: string, title: string, main: Markup, more: { script?: string; side?: Markup } = {}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Signalbox</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
${more.script ? html`<script type="module" src="/docs/assets/${more.script}"></script>` : null}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<strong>Signalbox</strong>
<nav aria-label="Documentation">${Object.entries(PAGES).map(([path, label]) => link(path, label, here))} ${link('/docs/json', 'OpenAPI', here)}</nav>
</header>
<div class="${more.side ? 'frame' : 'article'}">
${more.side}
<main id="main">
${main}
</main>
</div>
</body>
</html>
`.text
}
