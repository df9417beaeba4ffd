/** The side bar: where its reader is, what waits for them, and where they can go. On a phone it is a menu. */
import type { ComponentChildren } from 'preact'
import { memoize } from '../../core/values/memoize.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { AccountField } from './components/forms.tsx'
import { Count, Dot, type Tone } from './components/text.tsx'
import { type FrameData, MAX_COUNTED, MAX_PROJECTS, type MemberOf, type ProjectLink, type ProjectState } from './frame-data.ts'
import { organizationPages } from './organization-pages.ts'

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const initial = (word: string): string => letters.segment(word)[Symbol.iterator]().next().value?.segment ?? ''

/** The first letters of the first two words of a name. */
const initials = memoize(1_000, (name) => name.split(/\s+/).slice(0, 2).map(initial).join('').toUpperCase())

const Mark = ({ of: name }: { of: string }) => (
  <span class="mark" aria-hidden="true">
    {initials(name)}
  </span>
)

type LinkProps = { href: string; path: string; isWithin?: boolean; children: ComponentChildren }

/** @param isWithin whether the page is one of those behind the link */
const Item = ({ href, path, isWithin = false, children }: LinkProps) => (
  <li>
    <a href={href} aria-current={href === path ? 'page' : isWithin ? 'true' : undefined}>
      {children}
    </a>
  </li>
)

function OrganizationPages({ of, path }: { of: MemberOf; path: string }) {
  return (
    <section aria-labelledby="side-organization">
      <h2 id="side-organization">
        <a href={`/app/organizations/${of.id}`} aria-current={path === `/app/organizations/${of.id}` ? 'page' : undefined}>
          Organization
        </a>
      </h2>
      <ul>
        {organizationPages(of).map(({ text, tabs }) => (
          <Item href={tabs[0]?.[0] ?? ''} path={path} isWithin={tabs.some(([href]) => path.startsWith(href))}>
            {text}
          </Item>
        ))}
      </ul>
    </section>
  )
}

const STATES: Record<ProjectState, [tone: Tone, text: string]> = {
  waiting: ['wait', 'a gate waits'],
  failed: ['bad', 'a rollout failed'],
  running: ['run', 'agents run'],
  well: ['good', 'all well'],
  empty: ['off', 'nothing yet'],
}

const isUrgent = ({ state }: ProjectLink): boolean => state === 'waiting' || state === 'failed'

/** The projects by workspace. In each, those with something to do come first, and the others by name. */
function Projects({ of, path, place, all }: { of: ProjectLink[]; path: string; place: Resource | null; all: string }) {
  const shown = of
    .slice(0, MAX_PROJECTS)
    .toSorted((one, other) => Number(isUrgent(other)) - Number(isUrgent(one)) || one.name.localeCompare(other.name, 'en'))
  const workspaces = [...new Map(shown.map(({ workspace_id, workspace_name }) => [workspace_id, workspace_name]))]
  return (
    <>
      {workspaces
        .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))
        .map(([id, name], index) => (
          <section aria-labelledby={`side-${index}`}>
            <h2 id={`side-${index}`}>
              <a href={`/app/workspaces/${id}`} aria-current={path === `/app/workspaces/${id}` ? 'page' : undefined}>
                <span class="name">{name}</span>
              </a>
            </h2>
            <ul>
              {shown
                .filter(({ workspace_id }) => workspace_id === id)
                .map((project) => (
                  <Item
                    href={`/app/projects/${project.id}`}
                    path={path}
                    isWithin={place !== null && 'project_id' in place && place.project_id === project.id}
                  >
                    <Dot tone={STATES[project.state][0]} text={STATES[project.state][1]} />
                    <bdi class="name">{project.name}</bdi>
                    <Count of={project.gates} most={MAX_COUNTED} what="waiting" />
                  </Item>
                ))}
            </ul>
          </section>
        ))}
      {of.length > MAX_PROJECTS && (
        <ul>
          <Item href={all} path={path}>
            All projects
          </Item>
        </ul>
      )}
    </>
  )
}

function Organizations({ of, current, path }: { of: MemberOf[]; current: MemberOf | null; path: string }) {
  return (
    <details class="menu">
      <summary>
        <Mark of={current?.name ?? 'Signalbox'} />
        <bdi class="name">{current?.name ?? 'Signalbox'}</bdi>
        <span class="unseen"> Organizations</span>
      </summary>
      <ul>
        {of.map(({ id, name }) => (
          <Item href={`/app/organizations/${id}`} path={path}>
            <Mark of={name} />
            <bdi class="name">{name}</bdi>
          </Item>
        ))}
        <Item href="/app/organizations/new" path={path}>
          New organization
        </Item>
      </ul>
    </details>
  )
}

const ACCOUNT: [href: string, text: string][] = [
  ['/app/account', 'Account'],
  ['/app/account/notifications', 'Preferences'],
]

const Me = ({ name, path }: { name: string; path: string }) => (
  <details class="menu me">
    <summary>
      <Mark of={name} />
      <bdi class="name">{name}</bdi>
    </summary>
    <ul>
      {ACCOUNT.map(([href, text]) => (
        <Item href={href} path={path}>
          {text}
        </Item>
      ))}
      <li>
        <form method="post" action="/sign-out">
          <AccountField />
          <button type="submit" class="plain">
            Sign out
          </button>
        </form>
      </li>
    </ul>
  </details>
)

const Search = () => (
  <search>
    <form action="/app/search">
      <input type="search" name="q" aria-label="Search" placeholder="Search" maxLength={200} />
    </form>
    <button type="button" class="plain" hidden aria-keyshortcuts="Control+K" title="Command menu">
      <kbd>Ctrl K</kbd>
      <span class="unseen"> Command menu</span>
    </button>
  </search>
)

type SideBarProps = { caller: SignedIn; data: FrameData; place: Resource | null; path: string }

export function SideBar({ caller, data, place, path }: SideBarProps) {
  const { current, organizations, needs_you, unread, projects } = data
  return (
    <details class="side">
      <summary>
        <Mark of={current?.name ?? 'Signalbox'} />
        <bdi class="name">{current?.name ?? 'Signalbox'}</bdi>
        <Count of={needs_you} most={MAX_COUNTED} what="to decide" isHot />
        <span class="small"> Menu</span>
      </summary>
      <div>
        <Organizations of={organizations} current={current} path={path} />
        <Search />
        <nav aria-label="Main">
          <ul>
            <Item href="/app" path={path}>
              Needs you
              <Count of={needs_you} most={MAX_COUNTED} what="to decide" isHot />
            </Item>
            <Item href="/app/notifications" path={path}>
              Inbox
              <Count of={unread} most={MAX_COUNTED} what="unread" />
            </Item>
          </ul>
          {current && (
            <>
              <Projects of={projects} path={path} place={place} all={`/app/organizations/${current.id}`} />
              <OrganizationPages of={current} path={path} />
            </>
          )}
        </nav>
        <Me name={caller.name} path={path} />
      </div>
    </details>
  )
}
