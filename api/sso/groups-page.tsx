/** The groups of the provider that give groups and roles here, and what a person would get. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Unconfirmed } from '../auth/confirm-page.tsx'
import { isRecentSignIn, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button, Field, Form, type Options, Select, Submit } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { invalidField } from '../problems.ts'
import { MAX_MAPPINGS, type Mapping } from './mapped.ts'
import { type Change, changesFor, listTargets, readHeld, type Target } from './preview.ts'
import { getSettings, putSettings } from './settings.ts'

/** What a mapping can give, as the value of a form and in words. */
const optionsOf = (targets: Target[]): Options => [
  ['admin', 'Admin of the organization'],
  ...targets.flatMap(
    ({ kind, id, name }): Options =>
      kind === 'group'
        ? [[`group ${id}`, `Group ${name}`]]
        : [
            [`member ${id}`, `Member of the workspace ${name}`],
            [`admin ${id}`, `Admin of the workspace ${name}`],
          ],
  ),
]

const keyOf = (each: Mapping): string =>
  'group_id' in each ? `group ${each.group_id}` : 'workspace_id' in each ? `${each.role} ${each.workspace_id}` : 'admin'

function mappingOf(value: string, gives: string): Mapping {
  const [what, id] = gives.split(' ')
  if (id === undefined) return { value, role: 'admin' }
  return what === 'group' ? { value, group_id: id } : { value, workspace_id: id, role: what === 'admin' ? 'admin' : 'member' }
}

const changeRow = ({ what, from, to }: Change): RowParts => ({
  what,
  state: from === to ? <State of="unchanged" /> : <State of={to === 'none' ? 'taken away' : 'given'} tone="wait" />,
  end: from === to ? to : `${from} → ${to}`,
})

const Query = Shape({ groups: Maybe(Text(5_000)), person: Maybe(Text(254)) })

const groupsPage = page(
  '/app/organizations/:org_id/sso/groups',
  { organization: 'admin' },
  async ({ organization, caller, url, query: { groups: typed = '', person = '' } }) => {
    const path = `/app/organizations/${organization.id}/sso/groups`
    const isOwner = organization.role === 'owner'
    const isTried = typed !== '' || person !== ''
    const [{ mappings, groups_claim }, targets, isRecent, held] = await Promise.all([
      getSettings(sql, organization),
      listTargets(sql, organization.id),
      isRecentSignIn(sql, caller),
      person === '' ? null : readHeld(sql, organization.id, person),
    ])
    if (person !== '' && !held) throw invalidField('/person', 'unknown', 'is not the address of a member')
    const options = optionsOf(targets)
    const names = new Map(options)
    const groups = typed.split(',').flatMap((text) => text.trim() || [])
    return {
      title: 'Groups of the provider',
      crumbs: [{ href: `/app/organizations/${organization.id}/sso`, text: 'Single sign-on' }],
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          {isOwner && !isRecent && <Unconfirmed next={path} />}
          <p>
            Each sign-in sets what is named here to what the claim <code>{groups_claim}</code> gives. What the claim does not have
            is taken away. The owner stays the owner.
          </p>
          <Section title="Mappings" count={mappings.length}>
            <Rows
              label="Mappings"
              of={mappings.map((mapping, index) => ({ mapping, index }))}
              row={({ mapping, index }) => ({
                what: mapping.value,
                beside: names.get(keyOf(mapping)) ?? 'something that was deleted',
                actions: isOwner && (
                  <Button action={`${path}/${index}/remove`} kind="danger">
                    Remove<span class="unseen">: {mapping.value}</span>
                  </Button>
                ),
              })}
            >
              No mappings yet: roles and groups are given by hand.
            </Rows>
            {isOwner && mappings.length < MAX_MAPPINGS && (
              <Form card action={path}>
                <Field
                  name="value"
                  label="Group at the provider"
                  maxLength={1000}
                  required
                  hint="Its name or id, as the claim has it."
                />
                <Select name="gives" label="Gives" options={options} />
                <Submit>Add the mapping</Submit>
              </Form>
            )}
          </Section>
          <Section title="Try it">
            <Filters
              url={url}
              fields={[
                { name: 'groups', label: 'Groups at the provider', hint: 'Separated by commas.' },
                { name: 'person', label: 'Address of a member', hint: 'Empty: a new member.' },
              ]}
              button="Show what they would get"
            />
            {isTried && (
              <Rows
                label={`What ${held?.name ?? 'a new member'} would get`}
                of={changesFor(mappings, groups, held, targets)}
                row={changeRow}
              >
                No mappings: nothing would change.
              </Rows>
            )}
          </Section>
        </>
      ),
    }
  },
  Query,
)

const OWNER = { organization: 'owner' } as const

const add = actionOn(
  groupsPage,
  '',
  OWNER,
  Shape({ value: Text(1000, { minLength: 1 }), gives: Text(60) }),
  async ({ request, caller, organization, change }, { value, gives }) => {
    await requireRecentSignIn(sql, caller)
    const { mappings } = await getSettings(sql, organization)
    if (mappings.length >= MAX_MAPPINGS)
      throw invalidField('/value', 'too_many', `cannot be added: there are ${MAX_MAPPINGS} mappings already`)
    const added = [...mappings, mappingOf(value, gives)]
    await change((tx) => putSettings(tx, caller, organization, { mappings: added }, request))
    return { notice: `The mapping of ${value} was added. It counts from the next sign-in of each person on.` }
  },
)

const remove = actionOn(
  groupsPage,
  '/:index/remove',
  OWNER,
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await requireRecentSignIn(sql, caller)
    const { mappings } = await getSettings(sql, organization)
    const kept = mappings.filter((_, index) => String(index) !== params.index)
    await change((tx) => putSettings(tx, caller, organization, { mappings: kept }, request))
    return { notice: 'The mapping was removed.' }
  },
)

export const ssoGroupsPages = pageRoutes('sso-groups-pages', groupsPage, add, remove)
