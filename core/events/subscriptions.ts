/** Subscriptions of channels to events: some events are only written if one matches them. */
import type { Tx } from '../../sql/index.ts'
import type { Scope } from '../tenants/scopes.ts'
import { declarationOf, type EventName, patternsOf } from './catalogue.ts'

/** An event, as far as subscriptions look at it. */
type Occurrence = { scope: Scope; name: EventName }

/** What of the subscriptions decides whether an optional event is written. */
export interface Subscribed {
  workspace_id: string
  event_pattern: string
  filter_project_id: string | null
}

export async function findSubscriptions(tx: Tx, organization_ids: string[], names: EventName[]): Promise<Subscribed[]> {
  if (organization_ids.length === 0) return []
  return await tx<Subscribed[]>`
    select distinct workspace_id, event_pattern, filter_project_id
    from subscriptions
    where organization_id = any(${[...new Set(organization_ids)]}::uuid[])
      and event_pattern = any(${[...new Set(names.flatMap(patternsOf))]})
  `
}

const isOptional = ({ name }: Occurrence): boolean => declarationOf(name)?.onlyIfSubscribed === true

/** Events, without those that are `onlyIfSubscribed` and match no subscription. @param known the subscriptions to these, if they were read */
export async function withSubscribers<Event extends Occurrence>(tx: Tx, events: Event[], known?: Subscribed[]): Promise<Event[]> {
  const optional = events.filter(isOptional)
  if (optional.length === 0) return events
  const organization_ids = optional.map(({ scope }) => scope.organization_id)
  const names = optional.map(({ name }) => name)
  const subscriptions = known ?? (await findSubscriptions(tx, organization_ids, names))
  const hasSubscribers = ({ scope, name }: Occurrence) =>
    subscriptions.some(
      ({ workspace_id, event_pattern, filter_project_id }) =>
        workspace_id === scope.workspace_id &&
        patternsOf(name).includes(event_pattern) &&
        (filter_project_id === null || filter_project_id === scope.project_id),
    )
  return events.filter((event) => !isOptional(event) || hasSubscribers(event))
}
