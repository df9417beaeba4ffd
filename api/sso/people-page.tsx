/** The people whom the single sign-on of an organization concerns: who is linked, whom it would bind, and what groups would give. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { type BoundMember, listBound, listTargets, type Target } from './preview.ts'
import type { SsoConnection } from './schema.ts'
import { getSettings } from './settings.ts'
import { givenBy } from './sync.ts'
import { unlinkMember } from './unlinking.ts'

const rowFor =
  (path: string) =>
  ({ user_id, name, email, is_linked, is_in_domain, signed_on_until }: BoundMember): RowParts => ({
    what: name,
    beside: email,
    state: is_linked ? <State of="linked" tone="good" /> : <State of="not linked" tone="wait" />,
    below: is_in_domain || is_linked ? 'bound by “domains”' : 'bound by “everyone” alone',
    end: signed_on_until === null ? 'never signed on' : <Time at={signed_on_until} />,
    actions: is_linked && (
      <Button
        action={`${path}/${user_id}/unlink`}
        kind="danger"
        confirm={`Unlink ${name}? Sessions that the provider opened for them end.`}
      >
        Unlink<span class="unseen">: {name}</span>
      </Button>
    ),
  })

const sentence = (count: number, all: number): string =>
  count === 0 ? 'All of them are linked.' : `${count} of ${all} could not get in until they have connected their account.`

/** What a requirement would do, before it is saved. */
function Requirement({ members }: { members: BoundMember[] }) {
  const inDomains = members.filter(({ is_linked, is_in_domain }) => is_linked || is_in_domain)
  const without = (some: BoundMember[]) => some.filter(({ is_linked }) => !is_linked).length
  return (
    <ul>
      <li>
        <strong>Domains</strong> would bind {inDomains.length} of {members.length} members.{' '}
        {sentence(without(inDomains), inDomains.length)}
      </li>
      <li>
        <strong>Everyone</strong> would bind all {members.length}. {sentence(without(members), members.length)}
      </li>
    </ul>
  )
}

/** What somebody with these groups would get. */
function DryRun({ of: { mappings }, groups, targets }: { of: SsoConnection; groups: string[]; targets: Target[] }) {
  const given = givenBy(mappings, groups)
  const named = targets.flatMap(({ kind, id, name }) => {
    if (kind === 'group') return given.groups.has(id) ? [`member of the group ${name}`] : []
    const role = given.workspaces.get(id)
    return role === undefined ? [] : [`${role} of the workspace ${name}`]
  })
  const all = [...(given.is_admin ? ['admin of the organization'] : []), ...named]
  return (
    <p>
      With {groups.join(', ')}: {all.length === 0 ? 'nothing beyond what a member has' : all.join(', ')}.
    </p>
  )
}

const Query = Shape({ groups: Maybe(Text(5_000)) })

const peoplePage = page(
  '/app/organizations/:org_id/sso/people',
  { organization: 'admin' },
  async ({ organization, url, query }) => {
    const path = `/app/organizations/${organization.id}/sso/people`
    const of = await getSettings(sql, organization)
    const [members, targets] = await Promise.all([listBound(sql, of), listTargets(sql, organization.id)])
    const groups = (query.groups ?? '').split(',').flatMap((text) => text.trim() || [])
    return {
      title: 'People of single sign-on',
      crumbs: [{ href: `/app/organizations/${organization.id}/sso`, text: 'Single sign-on' }],
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          <Section title="What requiring it would do">
            <Requirement members={members} />
          </Section>
          <Section title="What somebody would get">
            <Filters url={url} fields={[{ name: 'groups', label: 'Groups at the provider, separated by commas' }]} button="Try" />
            {groups.length > 0 && <DryRun of={of} groups={groups} targets={targets} />}
          </Section>
          <Section title="Members" count={members.length}>
            <Rows label="Members" of={members} row={rowFor(path)}>
              Nobody.
            </Rows>
          </Section>
        </>
      ),
    }
  },
  Query,
)

const unlink = actionOn(
  peoplePage,
  '/:user_id/unlink',
  { organization: 'admin' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => unlinkMember(tx, caller, organization, params.user_id ?? '', request))
    return { notice: 'The account at the provider was unlinked.' }
  },
)

export const ssoPeoplePages = pageRoutes('sso-people-pages', peoplePage, unlink)
