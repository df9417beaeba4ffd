/** The people and workspaces that the filters of the audit log name. */
import { sql } from '../../core/platform/database.ts'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { invalidField } from '../problems.ts'

type Field = 'actor_id' | 'workspace_id'

/** Ids or names. */
type Filter = { [Name in Field]?: string | undefined }

interface Named {
  field: Field
  id: string
  name: string
  /** Of a person; of a service account its name. */
  email: string | null
}

const idIn = (text: string | undefined): string | null => (text !== undefined && isUuid(text) ? text : null)
const nameIn = (text: string | undefined): string | null => (text === undefined || isUuid(text) ? null : text)

/** Members and others who have acted, by id, name or address, and workspaces by id or name; for a person by id also their namesakes. */
const findNamed = (organization_id: string, { actor_id, workspace_id }: Filter) => sql<Named[]>`
  with known as (
    select people.id, people.name, people.email
    from (
      select user_id
      from organization_members
      where organization_id = ${organization_id}
      union
      select actor_id
      from audit_log_counts
      where organization_id = ${organization_id}
    ) as known
    join people on people.id = known.user_id
    union all
    select id, name, name
    from service_accounts
    where organization_id = ${organization_id}
  )
  (
    select 'actor_id' as field, id, name, email
    from known
    where folded(name) = folded(coalesce(${nameIn(actor_id)}, (select name from known where id = ${idIn(actor_id)})))
      or email = ${canonicalAddress(nameIn(actor_id) ?? '')}
    limit 10
  )
  union all
  (
    select 'workspace_id', id, name, null
    from workspaces
    where organization_id = ${organization_id}
      and (id = ${idIn(workspace_id)} or folded(name) = folded(${nameIn(workspace_id)}))
    limit 10
  )
`

/** @param found is empty for a name of nothing, and has more than one for a name of several */
function refused(field: Field, found: Named[]) {
  const isPerson = field === 'actor_id'
  if (found.length === 0) {
    const what = isPerson ? 'must be the name or the e-mail address of a person here' : 'must be the name of a workspace here'
    return invalidField(`/${field}`, 'unknown', what)
  }
  const others = isPerson
    ? `enter the address of one, such as ${found.map(({ email }) => email).join(' or ')}`
    : 'press the workspace in the list'
  return invalidField(`/${field}`, 'ambiguous', `is the name of ${found.length}: ${others}`)
}

/** The id that the text of a field means, and what the field shows: the name, or for one of several of that name the address. */
function meaningOf(field: Field, text: string | undefined, all: Named[]): { id?: string; shown?: string } {
  if (text === undefined) return {}
  const found = all.filter((each) => each.field === field)
  const id = idIn(text) ?? (found.length === 1 ? found[0]?.id : undefined)
  if (id === undefined) throw refused(field, found)
  const named = found.find((each) => each.id === id)
  return { id, shown: (found.length === 1 ? named?.name : named?.email) ?? text }
}

/** An id that means nothing here stays as it is. @throws Problem `validation_failed` for a name of nothing, or of several */
export async function readFilter(organization_id: string, filter: Filter): Promise<{ ids: Filter; shown: Filter }> {
  const { actor_id, workspace_id } = filter
  const all = actor_id === undefined && workspace_id === undefined ? [] : await findNamed(organization_id, filter)
  const person = meaningOf('actor_id', actor_id, all)
  const workspace = meaningOf('workspace_id', workspace_id, all)
  return {
    ids: { ...(person.id && { actor_id: person.id }), ...(workspace.id && { workspace_id: workspace.id }) },
    shown: { actor_id: person.shown, workspace_id: workspace.shown },
  }
}

/** More words than an action has. */
const MOST_WORDS = 10

/** `Deployment hook created` means `deployment_hook.created`, and `deployment hook` all of that noun. Others are actions already. */
export function actionsOf(text: string): string | string[] {
  if (!/^[a-z]+( +[a-z]+)*$/i.test(text)) return text
  const words = text.toLowerCase().split(/ +/).slice(0, MOST_WORDS)
  const actions = words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('_')}.${words.slice(index + 1).join('_')}`)
  return [...actions, `${words.join('_')}.*`]
}
