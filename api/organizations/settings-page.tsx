/** Making, changing, handing over and deleting organizations. */

import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape, Text, Uuid } from '../../core/values/schema.ts'
import { BudgetFields } from '../budgets/components.tsx'
import { MemberChoice, MemberFilter } from '../members/lists.tsx'
import { listMembers } from '../members/members.ts'
import { Confirmation, ConfirmationWith, ConfirmedForm, requireConfirmed } from '../pages/components/folded.tsx'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { BY_JOINING, Cursor } from '../plugins/lists.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  showSetup,
  transferOwnership,
  updateOrganization,
} from './organizations.ts'
import { type Organization, OrganizationInput, OrganizationUpdate } from './schema.ts'
import { OrganizationTabs } from './tabs.tsx'

const newPage = page('/app/organizations/new', { signedIn: true }, () => ({
  title: 'New organization',
  main: (
    <Form card action="/app/organizations/new">
      <Field name="name" label="Name" required maxLength={120} hint="Such as the name of your company or team." autofocus />
      <TextArea name="description" label="Description" maxLength={2000} />
      <Submit>Create the organization</Submit>
    </Form>
  ),
}))

const create = actionOn(newPage, '', { signedIn: true }, OrganizationInput, async ({ caller, change }, input) => {
  const { id, name } = await change(async (tx) => {
    const made = await createOrganization(tx, caller, input)
    await showSetup(tx, caller, made.id, true)
    return made
  })
  return { to: `/app/organizations/${id}`, notice: `The organization ${name} was created. You are its owner.` }
})

const settingsPath = ({ id }: { id: string }): string => `/app/organizations/${id}/settings`

function SettingsForm({ of }: { of: Organization }) {
  return (
    <Form card action={settingsPath(of)} updated_at={of.updated_at}>
      <Field name="name" label="Name" required maxLength={120} value={of.name} hint="Its key and slug do not change." />
      <TextArea name="description" label="Description" maxLength={2000} value={of.description ?? ''} />
      <Field name="logo_url" label="Logo URL" type="url" maxLength={2048} value={of.logo_url ?? ''} />
      <Select
        name="registration_mode"
        label="Who can join"
        required
        value={of.registration_mode}
        options={Object.entries({ 'invite-only': 'People who are invited', open: 'Everyone with an account' })}
      />
      <Field
        name="max_members"
        label="Maximum number of members"
        type="number"
        value={of.max_members?.toString()}
        hint="A number below the current one only prevents growth. Empty: no limit."
      />
      <Field
        name="max_workspaces"
        label="Maximum number of workspaces"
        type="number"
        value={of.max_workspaces?.toString()}
        hint="Empty: no limit."
      />
      <BudgetFields of={of} />
      <TextArea
        name="settings"
        label="Settings of your programs"
        value={JSON.stringify(of.settings, null, 2)}
        hint="A JSON object of up to 64 KiB. Signalbox stores it and does not use it."
        required
      />
      <Submit>Save</Submit>
    </Form>
  )
}

const SettingsQuery = Shape({ query: Maybe(Text(254)), members_after: Cursor })

const settingsPage = page(
  '/app/organizations/:org_id/settings',
  { organization: 'admin' },
  async ({ caller, organization, url, query }) => {
    const isOwner = organization.role === 'owner'
    const [shown, members] = await Promise.all([
      getOrganization(sql, organization.id),
      isOwner ? listMembers(sql, organization.id, query.query ?? null, partAfter(url, query, 'members_after', BY_JOINING)) : [],
    ])
    const candidates = shownOf(members).filter(({ user_id }) => user_id !== caller.id)
    const path = settingsPath(organization)
    return {
      title: 'Settings',
      main: (
        <>
          <OrganizationTabs of={organization} path={path} />
          <SettingsForm of={shown} />
          {isOwner && (
            <Section title="New owner">
              <MemberFilter url={url} />
              {candidates.length === 0 ? (
                <Empty>No other member was found.</Empty>
              ) : (
                <ConfirmedForm action={`${path}/transfer`} name={shown.name} button="Transfer the organization">
                  <p>The new owner decides who is an admin, and can delete the organization. You become an admin.</p>
                  <MemberChoice name="new_owner_id" label="New owner" of={candidates} />
                </ConfirmedForm>
              )}
              <Parts of="members" url={url} name="members_after" rows={members} order={BY_JOINING} />
            </Section>
          )}
          {isOwner && (
            <Section title="Delete">
              <ConfirmedForm
                action={`${path}/delete`}
                name={shown.name}
                button="Delete the organization"
                updated_at={shown.updated_at}
              >
                <p>All its workspaces, projects, hooks and records are deleted at once. This cannot be undone.</p>
              </ConfirmedForm>
            </Section>
          )}
        </>
      ),
    }
  },
  SettingsQuery,
)

const save = actionOn(
  settingsPage,
  '',
  { organization: 'admin' },
  OrganizationUpdate,
  async ({ request, caller, organization, change }, input) => {
    await change((tx) => updateOrganization(tx, caller, organization, input, request))
    return { notice: 'The settings were saved.' }
  },
)

const transfer = actionOn(
  settingsPage,
  '/transfer',
  { organization: 'owner' },
  ConfirmationWith({ new_owner_id: Uuid }),
  async ({ caller, organization, change }, { new_owner_id, ...confirmed }) => {
    const { name } = await getOrganization(sql, organization.id)
    requireConfirmed(confirmed, name)
    await change((tx) => transferOwnership(tx, caller, organization, new_owner_id))
    return { to: `/app/organizations/${organization.id}`, notice: `${name} has a new owner. You are an admin now.` }
  },
)

const remove = actionOn(
  settingsPage,
  '/delete',
  { organization: 'owner' },
  Confirmation,
  async ({ request, caller, organization, change }, confirmed) => {
    const { name } = await getOrganization(sql, organization.id)
    requireConfirmed(confirmed, name)
    await change((tx) => deleteOrganization(tx, caller, organization, request))
    return { to: '/app', notice: `The organization ${name} and everything in it were deleted.` }
  },
)

export const organizationSettingsPages = pageRoutes(
  'organization-settings-pages',
  newPage,
  create,
  settingsPage,
  save,
  transfer,
  remove,
)
