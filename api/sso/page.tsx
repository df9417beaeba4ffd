/** The page of the single sign-on of an organization: its connection, domains and mappings. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text, Type } from '../../core/values/schema.ts'
import { isRecentSignIn, PROOF, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { ConfirmedForm } from '../pages/components/folded.tsx'
import { Button, Field, Form, Submit } from '../pages/components/forms.tsx'
import { ProofField } from '../pages/components/proof-fields.tsx'
import { Facts, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { invalidField, Problem } from '../problems.ts'
import { claimsIn } from '../trusts/claim-lines.ts'
import { addDomain, listDomains, readDomainRecord, removeDomain, verifyDomain } from './domains.ts'
import { listTargets, type Target } from './preview.ts'
import { ConnectionInput, DomainInput, type Mapping, type SsoConnection, type SsoDomain } from './schema.ts'
import { checkProvider, deleteSettings, getSettings, putSettings } from './settings.ts'
import { NewConnection, NewMapping, Settings } from './settings-form.tsx'

const settingsOf = async (organization: Parameters<typeof getSettings>[1]): Promise<SsoConnection | null> => {
  try {
    return await getSettings(sql, organization)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  }
}

const TONES = { pending: 'wait', verified: 'good', lapsed: 'bad' } as const

const domainRow =
  (path: string, isOwner: boolean) =>
  ({ id, domain, status, record, checked_at }: SsoDomain): RowParts => ({
    what: domain,
    state: <State of={status} tone={TONES[status]} />,
    below: (
      <>
        TXT record <code>{record.name}</code> with the value <code class="whole">{record.value}</code>
      </>
    ),
    end: checked_at === null ? 'not checked yet' : <Time at={checked_at} />,
    actions: isOwner && (
      <>
        {status !== 'verified' && (
          <Button action={`${path}/domains/${id}/verify`}>
            Check the record<span class="unseen"> of {domain}</span>
          </Button>
        )}
        <Button action={`${path}/domains/${id}/remove`} kind="danger" confirm={`Remove ${domain}?`}>
          Remove<span class="unseen">: {domain}</span>
        </Button>
      </>
    ),
  })

/** What a mapping gives, as the value of a form and in words. */
const targetsOf = (targets: Target[]): [string, string][] => [
  ['admin', 'Admin of the organization'],
  ...targets.flatMap(({ kind, id, name }): [string, string][] =>
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
  const [what = '', id] = gives.split(' ')
  if (id === undefined) return { value, role: 'admin' }
  return what === 'group' ? { value, group_id: id } : { value, workspace_id: id, role: what === 'admin' ? 'admin' : 'member' }
}

const ssoPage = page('/app/organizations/:org_id/sso', { organization: 'admin' }, async ({ organization, caller }) => {
  const path = `/app/organizations/${organization.id}/sso`
  const isOwner = organization.role === 'owner'
  const [of, domains, targets, isRecent] = await Promise.all([
    settingsOf(organization),
    listDomains(sql, organization, { limit: 10, after: null }),
    listTargets(sql, organization.id),
    isRecentSignIn(sql, caller),
  ])
  const tabs = <OrganizationTabs of={organization} path={path} />
  if (!of) {
    const main = isOwner ? <NewConnection path={path} isRecent={isRecent} /> : <p>The owner has not connected a provider.</p>
    return { title: 'Single sign-on', main: [tabs, main] }
  }
  const given = targetsOf(targets)
  const names = new Map(given)
  return {
    title: 'Single sign-on',
    main: (
      <>
        {tabs}
        {of.required === 'none' && (
          <Notice tone="warn">
            It is not required yet. <a href={`${path}/people`}>Look whom that would bind</a> first.
          </Notice>
        )}
        <Section title="Provider">
          <Facts
            of={[
              ['Issuer', of.use_instance ? 'that of this service' : <code>{of.issuer}</code>],
              ['Redirect URI', of.callback_url && <code class="whole">{of.callback_url}</code>],
              ['Page to sign in', of.use_instance ? null : <a href={`/sign-in/sso/${of.id}?next=${path}`}>Try it</a>],
              ['People', <a href={`${path}/people`}>Who is linked, and who would be bound</a>],
            ]}
          />
        </Section>
        {!of.use_instance && (
          <Section title="Domains" count={domains.length}>
            <Rows label="Domains" of={domains} row={domainRow(path, isOwner)}>
              No domains yet. The provider signs in only people whose address lies in a verified one.
            </Rows>
            {isOwner && (
              <Form card action={`${path}/domains`}>
                <Field
                  name="domain"
                  label="Domain"
                  maxLength={253}
                  required
                  hint="Such as example.com. Subdomains count apart."
                />
                <Submit>Add the domain</Submit>
              </Form>
            )}
          </Section>
        )}
        <Section title="Groups" count={of.mappings.length}>
          <Rows
            label="Mappings"
            of={of.mappings.map((mapping, index) => ({ mapping, index }))}
            row={({ mapping, index }) => ({
              what: mapping.value,
              beside: names.get(keyOf(mapping)) ?? 'something that was deleted',
              actions: isOwner && (
                <Button action={`${path}/mappings/${index}/remove`} kind="danger">
                  Remove<span class="unseen">: {mapping.value}</span>
                </Button>
              ),
            })}
          >
            No mappings yet. With them, the groups of the provider say who is in which group here, and who is an admin.
          </Rows>
          {isOwner && <NewMapping path={`${path}/mappings`} targets={given} isRecent={isRecent} />}
        </Section>
        {isOwner && <Settings of={of} path={path} isRecent={isRecent} />}
        {isOwner && (
          <Section title="Delete">
            <ConfirmedForm
              action={`${path}/delete`}
              name={new URL(of.issuer ?? 'https://instance').host}
              label="Host of the provider"
              button="Delete the connection"
            >
              <p>Everybody is unlinked, and sessions that it opened end. Members stay.</p>
              <ProofField isRecent={isRecent} />
            </ConfirmedForm>
          </Section>
        )}
      </>
    ),
  }
})

const { properties } = ConnectionInput
const proof = { current_password: PROOF.current_password }

const SettingsForm = Shape({
  issuer: properties.issuer,
  client_id: properties.client_id,
  client_secret: Maybe(Text(1024)),
  scopes: properties.scopes,
  claims: Maybe(Text(20_000)),
  groups_claim: properties.groups_claim,
  provision: properties.provision,
  trust_email: properties.trust_email,
  session_hours: properties.session_hours,
  required: properties.required,
  ...proof,
})

const save = actionOn(
  ssoPage,
  '',
  { organization: 'owner' },
  SettingsForm,
  async ({ request, caller, organization, change }, { claims, client_secret, ...rest }) => {
    const input = {
      ...rest,
      ...(claims === undefined ? {} : { claims: claimsIn(claims) }),
      ...(client_secret ? { client_secret } : {}),
    }
    await requireRecentSignIn(sql, caller, rest)
    await checkProvider(sql, organization, input)
    await change((tx) => putSettings(tx, caller, organization, input, request))
    return { notice: 'Single sign-on was saved.' }
  },
)

const useInstance = actionOn(
  ssoPage,
  '/instance',
  { organization: 'owner' },
  Shape(proof),
  async ({ request, caller, organization, change }, given) => {
    await requireRecentSignIn(sql, caller, given)
    await change((tx) => putSettings(tx, caller, organization, { use_instance: true }, request))
    return { notice: 'Sign-ins with the provider of this service count now.' }
  },
)

const addMapping = actionOn(
  ssoPage,
  '/mappings',
  { organization: 'owner' },
  Shape({ value: Text(1000, { minLength: 1 }), gives: Text(60), ...proof }),
  async ({ request, caller, organization, change }, { value, gives, ...given }) => {
    await requireRecentSignIn(sql, caller, given)
    const { mappings } = await getSettings(sql, organization)
    if (mappings.length >= 100) throw invalidField('/value', 'too_many', 'cannot be added: there are 100 mappings already')
    const added = [...mappings, mappingOf(value, gives)]
    await change((tx) => putSettings(tx, caller, organization, { mappings: added }, request))
    return { notice: `The mapping of ${value} was added. It counts from the next sign-in of each person on.` }
  },
)

const removeMapping = actionOn(
  ssoPage,
  '/mappings/:index/remove',
  { organization: 'owner' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await requireRecentSignIn(sql, caller, {})
    const { mappings } = await getSettings(sql, organization)
    const kept = mappings.filter((_, index) => String(index) !== params.index)
    await change((tx) => putSettings(tx, caller, organization, { mappings: kept }, request))
    return { notice: 'The mapping was removed.' }
  },
)

const claim = actionOn(
  ssoPage,
  '/domains',
  { organization: 'owner' },
  DomainInput,
  async ({ caller, organization, change }, { domain }) => {
    const claimed = await change((tx) => addDomain(tx, caller, organization, domain))
    return { notice: `Add the TXT record of ${claimed.domain} at your DNS provider, then check it here.` }
  },
)

const verify = actionOn(
  ssoPage,
  '/domains/:domain_id/verify',
  { organization: 'owner' },
  Nothing,
  async ({ caller, organization, params, change }) => {
    const id = params.domain_id ?? ''
    const texts = await readDomainRecord(organization, id)
    const { domain } = await change((tx) => verifyDomain(tx, caller, organization, id, texts))
    return { notice: `The domain ${domain} is verified.` }
  },
)

const drop = actionOn(
  ssoPage,
  '/domains/:domain_id/remove',
  { organization: 'owner' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => removeDomain(tx, caller, organization, params.domain_id ?? '', request))
    return { notice: 'The domain was removed.' }
  },
)

const remove = actionOn(
  ssoPage,
  '/delete',
  { organization: 'owner' },
  Shape({ confirm_name: Type.String(), ...proof }),
  async ({ request, caller, organization, change }, { confirm_name, ...given }) => {
    const { issuer } = await getSettings(sql, organization)
    const { host } = new URL(issuer ?? 'https://instance')
    if (confirm_name !== host) throw invalidField('/confirm_name', 'mismatch', `must be exactly: ${host}`)
    await requireRecentSignIn(sql, caller, given)
    await change((tx) => deleteSettings(tx, caller, organization, request))
    return { notice: 'The connection was deleted, and everybody unlinked.' }
  },
)

export const ssoPages = pageRoutes(
  'sso-pages',
  ...[ssoPage, save, useInstance, addMapping, removeMapping, claim, verify, drop, remove],
)
