/** The pages of groups: those of an organization, and the members of each. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text, Uuid } from '../../core/values/schema.ts'
import { MemberChoice, MemberFilter, personRow } from '../members/lists.tsx'
import { listMembers } from '../members/members.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button, Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty, Rows, Section } from '../pages/components/structure.tsx'
import { Prose, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { BY_JOINING, Cursor } from '../plugins/lists.ts'
import { hasAtLeast } from '../roles.ts'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroups,
  MAX_GROUPS,
  removeGroupMember,
  updateGroup,
} from './groups.ts'
import { type Group, GroupInput, type GroupMember, GroupUpdate } from './schema.ts'

const GROUPS = { limit: MAX_GROUPS, after: null }

/** The fields of a group. @param of null for a new one */
function GroupFields({ of }: { of: Group | null }) {
  return (
    <>
      <Field name="name" label="Name" required maxLength={120} value={of?.name ?? ''} hint="Such as Security." />
      <TextArea name="description" label="Description" maxLength={2000} value={of?.description ?? ''} />
    </>
  )
}

const groupsPage = page('/app/organizations/:org_id/groups', { organization: 'member' }, async ({ organization }) => {
  const rows = await listGroups(sql, organization.id, GROUPS)
  const path = `/app/organizations/${organization.id}/groups`
  const isAdmin = hasAtLeast(organization.role, 'admin')
  return {
    title: 'Groups',
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Rows
          label="Groups"
          of={rows}
          row={({ id, name, description, member_count, created_at }) => ({
            href: `/app/groups/${id}`,
            what: name,
            below: description,
            end: (
              <>
                {member_count.toLocaleString('en')} {member_count === 1 ? 'member' : 'members'} · <Time at={created_at} />
              </>
            ),
          })}
        >
          No groups yet. The policy of an environment can require that members of a group approve.
        </Rows>
        {isAdmin && (
          <Section title="New group">
            <Form card action={path}>
              <GroupFields of={null} />
              <Submit>Create the group</Submit>
            </Form>
          </Section>
        )}
      </>
    ),
  }
})

const create = actionOn(
  groupsPage,
  '',
  { organization: 'admin' },
  GroupInput,
  async ({ caller, organization, change }, input) => {
    const { id, name } = await change((tx) => createGroup(tx, caller, organization, input))
    return { notice: `The group ${name} was created. Add its members.`, to: `/app/groups/${id}` }
  },
)

const memberRow = (group: { id: string }, reader: { id: string }, isAdmin: boolean) => (member: GroupMember) => ({
  ...personRow(member, reader.id),
  end: <Time at={member.added_at} />,
  actions: isAdmin && (
    <Button
      action={`/app/groups/${group.id}/members/${member.user_id}/remove`}
      kind="danger"
      confirm={`Remove ${member.user_name} from this group? Their approvals then no longer count for it.`}
    >
      Remove<span class="unseen">: {member.user_name}</span>
    </Button>
  ),
})

/** Members of the group that the form leaves out: all of them. */
const MEMBERS = { limit: 200, after: null }

const groupPage = page(
  '/app/groups/:group_id',
  { group: 'member' },
  async ({ group, caller, url, query }) => {
    const isAdmin = hasAtLeast(group.role, 'admin')
    const [shown, members, candidates] = await Promise.all([
      getGroup(sql, group),
      listGroupMembers(sql, group, MEMBERS),
      isAdmin ? listMembers(sql, group.organization_id, query.query ?? null, partAfter(url, query, 'after', BY_JOINING)) : [],
    ])
    const known = new Set(members.map(({ user_id }) => user_id))
    const offered = shownOf(candidates).filter(({ user_id }) => !known.has(user_id))
    return {
      title: shown.name,
      crumbs: [{ href: `/app/organizations/${group.organization_id}/groups`, text: 'Groups' }],
      main: (
        <>
          {shown.description !== null && <Prose>{shown.description}</Prose>}
          <Section title="Members" count={members.length}>
            <Rows label="Members" of={members} row={memberRow(group, caller, isAdmin)}>
              No members yet. Until it has some, no one can approve for this group.
            </Rows>
          </Section>
          {isAdmin && (
            <Section title="Add a member">
              <MemberFilter url={url} />
              {offered.length === 0 ? (
                <Empty>Everyone found is already in this group. Search for another name.</Empty>
              ) : (
                <Form card action={`/app/groups/${group.id}/members`}>
                  <MemberChoice name="user_id" label="Member of the organization" of={offered} required />
                  <Submit>Add</Submit>
                </Form>
              )}
              <Parts of="members" url={url} name="after" rows={candidates} order={BY_JOINING} />
            </Section>
          )}
          {isAdmin && (
            <Section title="Settings">
              <Form card action={`/app/groups/${group.id}`} updated_at={shown.updated_at}>
                <GroupFields of={shown} />
                <Submit>Save</Submit>
              </Form>
            </Section>
          )}
          {isAdmin && (
            <Section title="Delete">
              <Button
                action={`/app/groups/${group.id}/delete`}
                kind="danger"
                confirm={`Delete the group ${shown.name}? Its members stay in the organization.`}
              >
                Delete the group
              </Button>
            </Section>
          )}
        </>
      ),
    }
  },
  Shape({ after: Cursor, query: Maybe(Text(254)) }),
)

const save = actionOn(groupPage, '', { group: 'admin' }, GroupUpdate, async ({ request, caller, group, change }, input) => {
  await change((tx) => updateGroup(tx, caller, group, input, request))
  return { notice: 'The group was saved.' }
})

const remove = actionOn(groupPage, '/delete', { group: 'admin' }, Nothing, async ({ request, caller, group, change }) => {
  await change((tx) => deleteGroup(tx, caller, group, request))
  return { notice: 'The group was deleted.', to: `/app/organizations/${group.organization_id}/groups` }
})

const addMember = actionOn(
  groupPage,
  '/members',
  { group: 'admin' },
  Shape({ user_id: Uuid }),
  async ({ request, caller, group, change }, { user_id }) => {
    await change((tx) => addGroupMember(tx, caller, group, user_id, request))
    return { notice: 'The member was added to the group.' }
  },
)

const removeMember = actionOn(
  groupPage,
  '/members/:user_id/remove',
  { group: 'admin' },
  Nothing,
  async ({ request, caller, group, params, change }) => {
    await change((tx) => removeGroupMember(tx, caller, group, (params.user_id ?? '').toLowerCase(), request))
    return { notice: 'The member was removed from the group.' }
  },
)

export const groupPages = pageRoutes('group-pages', groupsPage, create, groupPage, save, remove, addMember, removeMember)
