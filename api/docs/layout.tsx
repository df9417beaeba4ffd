/** The layout and headers of all pages of the docs. They load nothing from other origins. */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import { anchors } from '../../core/markdown/anchors.ts'
import { plainTextOf, renderMarkdown } from '../../core/markdown/markdown.tsx'
import { POLICY } from '../pages/headers.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'

interface Props {
  text: string
  resolve?: (target: string) => string
}

const isRelative = (href: string): boolean => !/^([a-z]+:|[#/])/i.test(href)

/** Headings get the anchors that they have on GitHub. */
export function Markdown({ text, resolve = (target) => target }: Props): ComponentChildren {
  const name = anchors()
  return renderMarkdown(text, {
    idOf: ({ tokens }) => name(plainTextOf(tokens)),
    linkTo: (href) => (isRelative(href) ? resolve(href) : href),
    imageAt: (href) => (isRelative(href) ? resolve(href) : null),
  })
}

const PAGES = {
  '/docs': 'API',
  '/docs/first-hour': 'First hour',
  '/docs/quickstart': 'Quickstart',
  '/docs/events': 'Events',
  '/docs/receivers': 'Receivers',
  '/docs/clients': 'Clients',
  '/docs/cli': 'CLI',
  '/docs/sdk': 'SDK',
  '/docs/problems': 'Problems',
  '/docs/operating': 'Operating',
} as const

export const docsResponse = (body: string | Blob, type: string): Response =>
  new Response(body, {
    headers: { ...SECURITY_HEADERS, 'Content-Security-Policy': POLICY, 'Content-Type': type, 'Cache-Control': 'no-cache' },
  })

/** A page of the docs. @param here the path of the page @param more a script of the page, and a sidebar */
export function layout(
  here: string,
  title: string,
  main: ComponentChildren,
  more: { script?: string; side?: ComponentChildren } = {},
): string {
  const link = (path: string, label: string) => (
    <a href={path} aria-current={path === here ? 'page' : undefined}>
      {label}
    </a>
  )
  return `<!doctype html>\n${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Signalbox`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/assets/docs.css" />
        {more.script && <script type="module" src={`/docs/assets/${more.script}`} />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <strong>Signalbox</strong>
          <nav aria-label="Documentation">
            {Object.entries(PAGES).map(([path, label]) => link(path, label))} {link('/docs/json', 'OpenAPI')}
          </nav>
        </header>
        <div class={more.side ? 'frame' : 'article'}>
          {more.side}
          <main id="main">{main}</main>
        </div>
      </body>
    </html>,
  )}\n`
}
