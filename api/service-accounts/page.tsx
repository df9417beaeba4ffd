/** The pages of service accounts: those of an organization, and each with its keys. */
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Text } from '../../core/values/schema.ts'
import { SERVICE_SCOPES, serviceScopes } from '../credentials/scopes.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Checkboxes } from '../pages/components/checkboxes.tsx'
import { Button, Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Facts, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Prose, State } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { createKey, listKeys, MAX_KEYS, revokeKey } from './keys.ts'
import { Keys, LastUse, refusalRow, shownKey } from './keys-section.tsx'
import { KeyInput, type ServiceAccount, ServiceAccountInput } from './schema.ts'
import {
  areaIn,
  areaValueOf,
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listAreas,
  listRefusals,
  listServiceAccounts,
  MAX_SERVICE_ACCOUNTS,
  type NamedArea,
  updateServiceAccount,
} from './service-accounts.ts'

const ACCOUNTS = { limit: MAX_SERVICE_ACCOUNTS, after: null }
const KEYS = { limit: 2 * MAX_KEYS, after: null }

const areaName = (areas: NamedArea[], account: ServiceAccount): string =>
  areas.find(({ value }) => value === areaValueOf(account))?.name ?? 'all of the organization'

const Enabled = ({ of: { enabled } }: { of: ServiceAccount }) =>
  enabled ? <State of="enabled" tone="good" /> : <State of="disabled" tone="wait" />

const rowFor =
  (areas: NamedArea[]) =>
  (account: ServiceAccount): RowParts => ({
    state: <Enabled of={account} />,
    href: `/app/service-accounts/${account.id}`,
    what: account.name,
    beside: areaName(areas, account),
    below: account.description ?? account.scopes.join(', '),
    end: account.last_used_at === null ? 'never used' : <LastUse of={account} />,
  })

function AccountFields({ of, areas }: { of: ServiceAccount | null; areas: NamedArea[] }) {
  return (
    <>
      <Field name="name" label="Name" required maxLength={120} value={of?.name ?? ''} hint="Such as Release pipeline." />
      <TextArea name="description" label="Description" maxLength={2000} value={of?.description ?? ''} />
      <Select
        name="area"
        label="Works in"
        required
        value={of ? areaValueOf(of) : ''}
        options={[['', 'All of the organization'], ...areas.map(({ value, name }): [string, string] => [value, name])]}
      />
      <Checkboxes
        name="scopes"
        label="Scopes"
        options={serviceScopes.map((scope) => [scope, `${scope}: ${SERVICE_SCOPES[scope]}`])}
        checked={of?.scopes ?? []}
      />
    </>
  )
}

const { name, description, scopes } = ServiceAccountInput.properties
const AccountForm = Shape({ name, description, scopes, area: Text(60) })

const accountsPage = page('/app/organizations/:org_id/service-accounts', { organization: 'admin' }, async ({ organization }) => {
  const [accounts, areas] = await Promise.all([
    listServiceAccounts(sql, organization.id, ACCOUNTS),
    listAreas(sql, organization.id),
  ])
  const path = `/app/organizations/${organization.id}/service-accounts`
  return {
    title: 'Service accounts',
    main: (
      <>
        <OrganizationTabs of={organization} path={path} />
        <Rows label="Service accounts" of={accounts} row={rowFor(areas)}>
          No service accounts yet. Make one for a build or an agent: it does what its scopes allow, and nothing else.
        </Rows>
        <Section title="New service account">
          <Form card action={path}>
            <AccountFields of={null} areas={areas} />
            <Submit>Create the service account</Submit>
          </Form>
        </Section>
      </>
    ),
  }
})

const create = actionOn(
  accountsPage,
  '',
  { organization: 'admin' },
  AccountForm,
  async ({ caller, organization, change }, { area, ...input }) => {
    const { id } = await change((tx) => createServiceAccount(tx, caller, organization, { ...input, ...areaIn(area) }))
    return { notice: `The service account ${input.name} was created.`, to: `/app/service-accounts/${id}` }
  },
)

const accountPage = page(
  '/app/service-accounts/:service_account_id',
  { service_account: 'admin' },
  async ({ service_account }) => {
    const [account, keys, refusals, areas] = await Promise.all([
      getServiceAccount(sql, service_account),
      listKeys(sql, service_account, KEYS),
      listRefusals(sql, service_account, 10),
      listAreas(sql, service_account.organization_id),
    ])
    const home = `/app/organizations/${account.organization_id}`
    return {
      title: account.name,
      crumbs: [{ href: `${home}/service-accounts`, text: 'Service accounts' }],
      aside: <Enabled of={account} />,
      main: (
        <>
          {account.description !== null && <Prose>{account.description}</Prose>}
          <Facts
            of={[
              ['Id', <code>{account.id}</code>],
              ['Works in', areaName(areas, account)],
              [
                'May',
                account.scopes.map((scope) => (
                  <div>
                    <code>{scope}</code> {SERVICE_SCOPES[scope]}
                  </div>
                )),
              ],
              ['Last used', <LastUse of={account} />],
              [
                'Trusts',
                <a href={`/app/service-accounts/${account.id}/trusts`}>
                  Sign in with tokens of a CI system, without a stored secret
                </a>,
              ],
              ['What it did', <a href={`${home}/audit-log?actor_id=${account.id}`}>Its entries in the audit log</a>],
            ]}
          />
          <Keys of={account} keys={keys} />
          <Section title="Why was it refused?" count={refusals.length}>
            <Rows label="Refused sign-ins" of={refusals} row={refusalRow}>
              No sign-in was refused. The reasons are shown here and in the audit log; the caller does not learn them.
            </Rows>
          </Section>
          <Section title="Settings">
            <Form card action={`/app/service-accounts/${account.id}`} updated_at={account.updated_at}>
              <AccountFields of={account} areas={areas} />
              <Submit>Save</Submit>
            </Form>
          </Section>
          <Section title="Disable or delete">
            {account.enabled ? (
              <Button
                action={`/app/service-accounts/${account.id}/disable`}
                kind="danger"
                confirm={`Disable ${account.name}? Its keys and tokens are refused until it is enabled again.`}
              >
                Disable
              </Button>
            ) : (
              <Button action={`/app/service-accounts/${account.id}/enable`}>Enable</Button>
            )}{' '}
            <Button
              action={`/app/service-accounts/${account.id}/delete`}
              kind="danger"
              confirm={`Delete ${account.name}? Its keys and tokens are refused from now on. Records still show its name.`}
            >
              Delete the service account
            </Button>
          </Section>
        </>
      ),
    }
  },
)

const save = actionOn(
  accountPage,
  '',
  { service_account: 'admin' },
  AccountForm,
  async ({ request, caller, service_account, change }, { area, ...input }) => {
    await change((tx) => updateServiceAccount(tx, caller, service_account, { ...input, ...areaIn(area) }, request))
    return { notice: 'The service account was saved.' }
  },
)

const setEnabled = (step: 'enable' | 'disable') =>
  actionOn(
    accountPage,
    `/${step}`,
    { service_account: 'admin' },
    Nothing,
    async ({ request, caller, service_account, change }) => {
      await change((tx) => updateServiceAccount(tx, caller, service_account, { enabled: step === 'enable' }, request))
      return { notice: `The service account was ${step}d.` }
    },
  )

const remove = actionOn(
  accountPage,
  '/delete',
  { service_account: 'admin' },
  Nothing,
  async ({ request, caller, service_account, change }) => {
    await change((tx) => deleteServiceAccount(tx, caller, service_account, request))
    const to = `/app/organizations/${service_account.organization_id}/service-accounts`
    return { notice: 'The service account was deleted.', to }
  },
)

const makeKey = actionOn(
  accountPage,
  '/keys',
  { service_account: 'admin' },
  KeyInput,
  async ({ caller, service_account, change }, input) =>
    shownKey(await change((tx) => createKey(tx, caller, service_account, input))),
)

const revoke = actionOn(
  accountPage,
  '/keys/:key_id/revoke',
  { service_account: 'admin' },
  Nothing,
  async ({ request, caller, service_account, params, change }) => {
    await change((tx) => revokeKey(tx, caller, service_account, params.key_id ?? '', request))
    return { notice: 'The key was revoked. It does not work any more.' }
  },
)

export const serviceAccountPages = pageRoutes(
  'service-account-pages',
  accountsPage,
  create,
  accountPage,
  save,
  setEnabled('enable'),
  setEnabled('disable'),
  remove,
  makeKey,
  revoke,
)
