/** Which events a channel sends: a table of checkboxes, for all projects or for one. */
import { useContext } from 'preact/hooks'
import { PATTERNS, SUBSCRIBABLE } from '../../core/events/catalogue.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nullable, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { EmptyList, Tick } from '../pages/components/checkboxes.tsx'
import { CurrentForm, Form, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { resourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { listProjects } from '../projects/projects.ts'
import { getChannel } from './channels.ts'
import { listSubscriptions, MAX_SUBSCRIPTIONS, setSubscriptions } from './subscriptions.ts'

const MAX_PROJECTS = 200

/** The events of one noun, such as `gate`. */
interface Family {
  noun: string
  /** `gate.*`; null if it has one event alone. */
  pattern: string | null
  events: string[]
}

const FAMILIES = [...Map.groupBy(SUBSCRIBABLE, (event) => event.slice(0, event.indexOf('.')))]
  .map(([noun, events]): Family => {
    const pattern = `${noun}.*`
    return { noun, pattern: PATTERNS.has(pattern) ? pattern : null, events: events.toSorted() }
  })
  .toSorted((one, other) => one.noun.localeCompare(other.noun))

const wordsOf = (name: string): string => name.replaceAll('_', ' ')

const titleOf = (noun: string): string => noun.charAt(0).toUpperCase() + wordsOf(noun).slice(1)

/** The single events of a family, folded unless some are chosen. */
function Singles({ of: { noun, events }, chosen }: { of: Family; chosen: string[] }) {
  const refused = useContext(CurrentForm)?.values.getAll('event_patterns')
  const count = events.filter((event) => (refused ?? chosen).includes(event)).length
  return (
    <details open={count > 0}>
      <summary>
        {count > 0 ? `${count} of ${events.length}` : events.length} {events.length === 1 ? 'event' : 'events'}
        <span class="unseen"> of {wordsOf(noun)}</span>
      </summary>
      <div class="grid">
        {events.map((event) => (
          <Tick name="event_patterns" value={event} label={event} checked={chosen.includes(event)} isNamed />
        ))}
      </div>
    </details>
  )
}

const columnsFor = (chosen: string[]): Column<Family>[] => [
  { head: 'About', main: true, cell: ({ noun }) => <strong>{titleOf(noun)}</strong> },
  {
    head: 'All events',
    cell: ({ noun, pattern }) =>
      pattern !== null && (
        <Tick
          name="event_patterns"
          value={pattern}
          label={`Send all events of ${wordsOf(noun)}`}
          checked={chosen.includes(pattern)}
        />
      ),
  },
  { head: 'Only some', cell: (family) => <Singles of={family} chosen={chosen} /> },
]

const Chosen = Shape({
  project_id: Maybe(Nullable(Uuid)),
  event_patterns: Type.Array(Text(100), { maxItems: MAX_SUBSCRIPTIONS }),
})

const subscriptionsPage = page(
  '/app/notification-channels/:channel_id/subscriptions',
  { channel: 'admin' },
  async ({ channel, url, query, refused }) => {
    const workspace = resourceKey('workspace', channel.workspace_id, channel)
    const [shown, subscriptions, projects] = await Promise.all([
      getChannel(sql, channel),
      listSubscriptions(sql, channel, { limit: MAX_SUBSCRIPTIONS, after: null }),
      listProjects(sql, workspace, { limit: MAX_PROJECTS, after: null }),
    ])
    const project_id = refused?.values.get('project_id') ?? query.project_id?.toLowerCase() ?? ''
    // A project of elsewhere, or one that was deleted: what is chosen for it could only be refused.
    if (!refused && project_id !== '' && !projects.some(({ id }) => id === project_id)) throw notFound('project')
    const chosen = subscriptions.flatMap((each) => ((each.filter_project_id ?? '') === project_id ? [each.event_pattern] : []))
    const path = `/app/notification-channels/${channel.id}/subscriptions`
    const options = projects.map(({ id, name }): [string, string] => [id, name])
    return {
      title: 'Subscriptions',
      crumbs: [{ href: `/app/notification-channels/${shown.id}`, text: shown.name }],
      main: (
        <>
          <Filters
            url={url}
            fields={[{ name: 'project_id', label: 'Events of', shown: project_id, options: [['', 'all projects'], ...options] }]}
            button="Show"
          />
          <p class="hint">
            An event that matches several of them is sent once. Events of the whole organization, such as those of members and
            budgets, are sent only by what is chosen for all projects. <a href="/docs/events">What each event says</a>
          </p>
          <Form action={path}>
            <input type="hidden" name="project_id" value={project_id} />
            <EmptyList name="event_patterns" />
            <Tick
              name="event_patterns"
              value="*"
              label="All events, also those of later versions"
              checked={chosen.includes('*')}
              isNamed
            />
            <div class="families">
              <Table label="Events" columns={columnsFor(chosen)} rows={FAMILIES} />
            </div>
            <Submit>Save</Submit>
          </Form>
        </>
      ),
    }
  },
  Shape({ project_id: Maybe(Uuid) }),
)

const save = actionOn(
  subscriptionsPage,
  '',
  { channel: 'admin' },
  Chosen,
  async ({ caller, channel, change }, { project_id = null, event_patterns }) => {
    const count = await change((tx) => setSubscriptions(tx, caller, channel, project_id, event_patterns))
    const path = `/app/notification-channels/${channel.id}`
    return {
      to: path,
      notice: count === 0 ? 'The channel has no subscriptions of this kind any more.' : 'The subscriptions were saved.',
    }
  },
)

export const subscriptionPages = pageRoutes('subscription-pages', subscriptionsPage, save)
