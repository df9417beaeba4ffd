/** The people and workspaces that the filters of the audit log name. */
import { sql } from '../../core/platform/database.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { invalidField } from '../problems.ts'

interface Named {
  id: string
  name: string
  /** Of a person. */
  email?: string
}

/** Members, and others who have acted, with a name or an address. The case of letters does not count. */
const findPeople = (organization_id: string, text: string) => sql<Named[]>`
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
  where lower(people.name) = lower(${text})
    or people.email = lower(${text})
  limit 10
`

const findWorkspaces = (organization_id: string, text: string) => sql<Named[]>`
  select id, name
  from workspaces
  where organization_id = ${organization_id}
    and lower(name) = lower(${text})
  limit 10
`

/** The id that a filter means: an id itself, or the one thing of that name. @throws Problem `validation_failed` */
function oneOf(found: Named[], field: 'actor_id' | 'workspace_id'): string {
  const isPerson = field === 'actor_id'
  const [first, second] = found
  if (!first) {
    const what = isPerson ? 'must be the name or the e-mail address of a person here' : 'must be the name of a workspace here'
    throw invalidField(`/${field}`, 'unknown', what)
  }
  if (!second) return first.id
  const others = isPerson
    ? `enter the address of one, such as ${found.map(({ email }) => email).join(' or ')}`
    : 'press the workspace in the list'
  throw invalidField(`/${field}`, 'ambiguous', `is the name of ${found.length}: ${others}`)
}

type Names = { actor_id?: string | undefined; workspace_id?: string | undefined }

/** The ids that a filter means. @throws Problem `validation_failed` for a name of nothing, or of several */
export async function idsOf(organization_id: string, { actor_id, workspace_id }: Names): Promise<Names> {
  const id = async (text: string | undefined, field: 'actor_id' | 'workspace_id', find: typeof findPeople) =>
    text === undefined || isUuid(text) ? text : oneOf(await find(organization_id, text), field)
  const [person, workspace] = await Promise.all([
    id(actor_id, 'actor_id', findPeople),
    id(workspace_id, 'workspace_id', findWorkspaces),
  ])
  return { ...(person && { actor_id: person }), ...(workspace && { workspace_id: workspace }) }
}

/** What the fields of a filter show for ids: names, or for one of several people of one name the address. */
export async function namesOf(organization_id: string, { actor_id, workspace_id }: Names): Promise<Names> {
  const [[person], [workspace]] = await Promise.all([
    actor_id === undefined ? [] : sql<Named[]>`select id, name, email from people where id = ${actor_id} and deleted_at is null`,
    workspace_id === undefined
      ? []
      : sql<Named[]>`select id, name from workspaces where id = ${workspace_id} and organization_id = ${organization_id}`,
  ])
  const known = person ? await findPeople(organization_id, person.name) : []
  // The id may be of a person who has nothing to do with the organization.
  const isKnown = known.some(({ id }) => id === person?.id)
  return {
    actor_id: isKnown ? (known.length === 1 ? person?.name : person?.email) : actor_id,
    workspace_id: workspace?.name ?? workspace_id,
  }
}
