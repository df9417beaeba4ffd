/** The people whom the single sign-on of an organization concerns: who is linked, and whom it would bind. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Button } from '../pages/components/forms.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { type BoundMember, listBound } from './preview.ts'
import { getSettings } from './settings.ts'
import { unlinkMember } from './unlinking.ts'

const MAX_ROWS = 100

const rowFor =
  (path: string, isOwn: boolean) =>
  ({ user_id, name, email, is_linked, is_in_domain, signed_on_until }: BoundMember): RowParts => ({
    what: name,
    beside: email,
    state: is_linked ? <State of="linked" tone="good" /> : <State of="not linked" tone="wait" />,
    below: is_in_domain ? 'Bound if linked members and domains must sign in' : 'Bound if everyone must sign in',
    end:
      signed_on_until === null ? (
        'never signed in with it'
      ) : (
        <>
          until <Time at={signed_on_until} />
        </>
      ),
    // The provider of the instance knows them for other organizations as well.
    actions: isOwn && is_linked && (
      <Button
        action={`${path}/${user_id}/unlink`}
        kind="danger"
        confirm={`Unlink ${name}? Sessions that the provider opened for them end.`}
      >
        Unlink<span class="unseen">: {name}</span>
      </Button>
    ),
  })

const peoplePage = page('/app/organizations/:org_id/sso/people', { organization: 'admin' }, async ({ organization }) => {
  const path = `/app/organizations/${organization.id}/sso/people`
  const of = await getSettings(sql, organization)
  const members = await listBound(sql, of, MAX_ROWS + 1)
  return {
    title: 'People of single sign-on',
    crumbs: [{ href: `/app/organizations/${organization.id}/sso`, text: 'Single sign-on' }],
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Section title="Members">
          <Rows label="Members" of={members.slice(0, MAX_ROWS)} row={rowFor(path, !of.use_instance)} />
          {members.length > MAX_ROWS && <p class="hint">The first {MAX_ROWS}, those who are not linked first.</p>}
        </Section>
      </>
    ),
  }
})

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
