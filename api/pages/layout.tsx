/** The document of every page: head, header with navigation, breadcrumb, notice, and the content. */
import type { ComponentChildren } from 'preact'
import { render } from 'preact-render-to-string'
import type { SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import type { HeaderData } from './access.ts'
import { KEYS, LIVE_WORKER, PASSKEYS, SCRIPT, STYLE } from './assets.ts'
import { Account, AccountField } from './components/forms.tsx'
import { Notice } from './components/text.tsx'
import type { LivePage } from './live-pages.ts'

interface Crumb {
  href: string
  text: string
}

export interface View {
  /** The heading and the title of the window. */
  title: string
  main: ComponentChildren
  /** Shown beside the heading, such as a state. */
  aside?: ComponentChildren
  /** Links between the scope of the resource and this page. The scope itself comes from the access of the page. */
  crumbs?: Crumb[]
  /** The status of the response, such as 410 for a link that no longer works; default: 200, or that of a refused form. */
  status?: number
  /** A narrow page without navigation, such as a form for signing in. */
  narrow?: boolean
  passkeys?: boolean
  /** Where its form may lead to outside of this service, as a Content-Security-Policy names it. */
  formTarget?: string
}

interface Frame {
  caller: SignedIn | null
  resource: Resource | null
  headerData: HeaderData | null
  notice: string | null
  path: string
  /** The name of the page in the stream of changes, and the version of what it shows. */
  live: { page: LivePage; version: string } | null
}

const NavLink = ({ href, path, children }: { href: string; path: string; children: ComponentChildren }) => (
  <a href={href} aria-current={href === path ? 'page' : undefined}>
    {children}
  </a>
)

function Header({ path, caller, headerData }: Frame) {
  const brand = (
    <a class="brand" href={caller && headerData ? '/app' : '/'}>
      Signalbox
    </a>
  )
  if (!caller || !headerData) return <header class="bar">{brand}</header>
  const { unread, organizations } = headerData
  return (
    <header class="bar">
      {brand}
      <nav aria-label="Main">
        <NavLink href="/app" path={path}>
          Needs you
        </NavLink>
        <NavLink href="/app/notifications" path={path}>
          Inbox
          <span id="unread">
            {unread > 0 && (
              <span class="count">
                {unread > 99 ? '99+' : unread}
                <span class="unseen"> unread</span>
              </span>
            )}
          </span>
        </NavLink>
        <details class="menu">
          <summary>Organizations</summary>
          <ul>
            {organizations.map(({ id, name }) => (
              <li>
                <NavLink href={`/app/organizations/${id}`} path={path}>
                  {name}
                </NavLink>
              </li>
            ))}
            <li>
              <NavLink href="/app/organizations/new" path={path}>
                New organization
              </NavLink>
            </li>
          </ul>
        </details>
      </nav>
      <search>
        <form action="/app/search">
          <input type="search" name="q" aria-label="Search" placeholder="Search" maxLength={200} />
        </form>
        <button type="button" class="plain" hidden aria-keyshortcuts="Control+K" title="Command menu">
          <kbd>Ctrl K</kbd>
          <span class="unseen"> Command menu</span>
        </button>
      </search>
      <div class="person">
        <NavLink href="/app/account" path={path}>
          {caller.name}
        </NavLink>
        <form method="post" action="/sign-out">
          <AccountField />
          <button type="submit" class="plain">
            Sign out
          </button>
        </form>
      </div>
    </header>
  )
}

function scopeCrumbs({ resource, headerData, path }: Frame): Crumb[] {
  if (!resource || !headerData) return []
  const crumbs = [
    { href: `/app/organizations/${resource.organization_id}`, text: headerData.organization_name },
    { href: `/app/workspaces/${resource.workspace_id}`, text: headerData.workspace_name },
    { href: `/app/projects/${resource.project_id}`, text: headerData.project_name },
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

export function documentOf({ title, main, aside, crumbs = [], narrow = false, passkeys = false }: View, frame: Frame): string {
  const { headerData, notice, caller, live } = frame
  const account = caller?.id ?? null
  const html = render(
    <Account.Provider value={account}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} · Signalbox`}</title>
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href={STYLE} />
          <script type="module" src={SCRIPT} />
          {caller && !narrow && <script type="module" src={KEYS} />}
          {passkeys && <script type="module" src={PASSKEYS} />}
        </head>
        <body
          class={narrow ? 'narrow' : undefined}
          data-account={account ?? undefined}
          data-live-page={live?.page}
          data-live-version={live?.version}
          data-live-worker={live ? LIVE_WORKER : undefined}
        >
          <a class="skip" href="#main">
            Skip to content
          </a>
          <Header {...frame} headerData={narrow ? null : headerData} />
          <main id="main" tabIndex={-1}>
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
