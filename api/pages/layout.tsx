/** The document of every page: head, side bar, breadcrumb, notice, and the content. */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import type { SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { FONT, KEYS, LIVE_WORKER, PASSKEYS, SCRIPT, STYLE } from './assets.ts'
import { Account } from './components/forms.tsx'
import { Notice } from './components/text.tsx'
import type { FrameData } from './frame-data.ts'
import type { LivePage } from './live-pages.ts'
import { SideBar } from './side-bar.tsx'
import { confirmPath } from './urls.ts'

interface Crumb {
  href: string
  text: string
}

export interface View {
  /** The heading and the title of the window. */
  title: string
  main: ComponentChildren
  /** Shown next to the heading, such as a state. */
  aside?: ComponentChildren
  /** Links between the scope of the resource and this page. The scope itself comes from the access of the page. */
  crumbs?: Crumb[]
  /** The status of the response, such as 410 for a link that no longer works; default: 200, or the status of a refused form. */
  status?: number
  /** A narrow page without navigation, such as a form for signing in. */
  narrow?: boolean
  passkeys?: boolean
  /** Instead of the reader's. */
  scheme?: 'light' | 'dark' | undefined
  /** Where its form may lead to outside of this service, as a Content-Security-Policy names it. */
  formTarget?: string
  /** What the browser is to keep for it. */
  cookies?: string[]
}

interface Frame {
  caller: SignedIn | null
  resource: Resource | null
  data: FrameData | null
  notice: string | null
  path: string
  /** The name of the page in the stream of changes, and the version of what it shows. */
  live: { page: LivePage; version: string } | null
}

/** Where the page is. The organization is the one in the side bar. */
function scopeCrumbs({ resource, data, path }: Frame): Crumb[] {
  if (!resource || !data) return []
  const crumbs = [
    { href: `/app/workspaces/${resource.workspace_id}`, text: data.workspace_name },
    { href: `/app/projects/${resource.project_id}`, text: data.project_name },
  ]
  return crumbs.flatMap(({ href, text }) => (text === null || href === path ? [] : [{ href, text }]))
}

function Breadcrumb({ crumbs }: { crumbs: Crumb[] }) {
  if (crumbs.length === 0) return null
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ href, text }) => (
          <li>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

export function documentOf(
  { title, main, aside, crumbs = [], narrow = false, passkeys = false, scheme = 'light dark' as never }: View,
  frame: Frame,
): string {
  const { data, notice, caller, resource, path, live } = frame
  const place = (resource && (data?.project_name ?? data?.workspace_name)) ?? title
  const account = caller && { id: caller.id, confirm: caller.has_password ? null : confirmPath(path) }
  const html = render(
    <Account.Provider value={account}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content={scheme} />
          <title>{`${title}${place === title ? '' : ` · ${place}`} · Signalbox`}</title>
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="preload" href={FONT} as="font" type="font/woff2" crossorigin="anonymous" />
          <link rel="stylesheet" href={STYLE} />
          <script type="module" src={SCRIPT} />
          {caller && !narrow && <script type="module" src={KEYS} />}
          {passkeys && <script type="module" src={PASSKEYS} />}
        </head>
        <body
          class={narrow ? 'narrow' : undefined}
          data-account={account?.id}
          data-live-page={live?.page}
          data-live-version={live?.version}
          data-live-worker={live ? LIVE_WORKER : undefined}
        >
          <a class="skip" href="#main">
            Skip to content
          </a>
          {caller && data && !narrow && <SideBar caller={caller} data={data} place={resource} path={path} />}
          <main id="main" tabIndex={-1}>
            {narrow && <p class="brand">Signalbox</p>}
            <Breadcrumb crumbs={[...scopeCrumbs(frame), ...crumbs]} />
            <div role="status" id="status">
              {notice && <Notice tone="good">{notice}</Notice>}
            </div>
            <div class="heading">
              <h1>{title}</h1>
              {aside}
            </div>
            {main}
          </main>
        </body>
      </html>
    </Account.Provider>,
  )
  return `<!doctype html>\n${html}\n`
}
