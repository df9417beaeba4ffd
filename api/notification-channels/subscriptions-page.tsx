/** Which events a channel sends: a table of checkboxes, for all projects or for one. */
import { PATTERNS, SUBSCRIBABLE } from '../../core/events/catalogue.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nullable, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { EmptyList, Tick } from '../pages/components/checkboxes.tsx'
import { Form, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { resourceKey } from '../plugins/resources.ts'
import { listProjects } from '../projects/projects.ts'
import { getChannel } from './channels.ts'
import { listSubscriptions, MAX_SUBSCRIPTIONS, setSubscriptions } from './subscriptions.ts'

/** Projects to choose from. */
const MAX_PROJECTS = 200

/** Every pattern: `*`, then each family before its events. */
const ROWS = [
  '*',
  ...[...PATTERNS].filter((pattern) => pattern !== '*').toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))),
]

/** Sorts `gate.*` before `gate.approved`. */
function keyOf(pattern: string): string {
  return pattern.replace('*', ' ')
}

const meaningOf = (pattern: string): string =>
  pattern === '*' ? 'all events' : pattern.endsWith('.*') ? `all events of ${pattern.slice(0, -2)}` : pattern

const columnsFor = (chosen: string[]): Column<string>[] => [
  {
    head: 'Events',
    main: true,
    cell: (pattern) => (SUBSCRIBABLE.includes(pattern) ? <code>{pattern}</code> : <strong>{meaningOf(pattern)}</strong>),
  },
  {
    head: 'Send',
    cell: (pattern) => (
      <Tick name="event_patterns" value={pattern} label={`Send ${meaningOf(pattern)}`} checked={chosen.includes(pattern)} />
    ),
  },
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
    const project_id = refused?.values.get('project_id') ?? query.project_id ?? ''
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
            <Table label="Events" columns={columnsFor(chosen)} rows={ROWS} keyOf={(pattern) => pattern} />
            <Submit>Save</Submit>
          </Form>
        </>
      ),
    }
  },
  Shape({ project_id: Maybe(Uuid) }),
)

const save = action(
  '/app/notification-channels/:channel_id/subscriptions',
  { channel: 'admin' },
  { on: subscriptionsPage, body: Chosen },
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
