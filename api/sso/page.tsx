/** The page of the single sign-on of an organization: its connection, its domains, and who must use it. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { Unconfirmed } from '../auth/confirm-page.tsx'
import { isRecentSignIn, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Copied } from '../pages/components/copyable.tsx'
import { Confirmation, requireConfirmed } from '../pages/components/folded.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { contextOf } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { claimsIn } from '../trusts/claim-lines.ts'
import { instance } from './connections.ts'
import { addDomain, listDomains, MAX_DOMAINS, readDomainRecord, removeDomain, verifyDomain } from './domains.ts'
import { Domains } from './domains-section.tsx'
import { readEffects } from './preview.ts'
import { ConnectionInput, DomainInput, type SsoConnection } from './schema.ts'
import { checkProvider, deleteSettings, getSettings, putSettings } from './settings.ts'
import { Deletion, hostOf, NewConnection, Requirement, Settings } from './settings-forms.tsx'

/** Null if the organization has no connection. */
const settingsOf = (organization: Parameters<typeof getSettings>[1]): Promise<SsoConnection | null> =>
  getSettings(sql, organization).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  })

const Provider = ({ of, path }: { of: SsoConnection; path: string }) => (
  <Section title="Provider">
    <Facts
      of={[
        ['Issuer', of.use_instance ? `that of this service, ${instance?.name}` : <code>{of.issuer}</code>],
        ['Redirect URI', of.callback_url && <Copied value={of.callback_url} id="redirect" what="the redirect URI" />],
        ['Page to sign in', of.use_instance ? null : <a href={`/sign-in/sso/${of.id}?next=${path}`}>Try it</a>],
        ['Groups', <a href={`${path}/groups`}>Groups that give roles</a>],
        ['People', <a href={`${path}/people`}>Linked people</a>],
      ]}
    />
  </Section>
)

const ssoPage = page('/app/organizations/:org_id/sso', { organization: 'admin' }, async ({ request, organization, caller }) => {
  const title = 'Single sign-on'
  const path = `/app/organizations/${organization.id}/sso`
  const isOwner = organization.role === 'owner'
  const [of, isRecent] = await Promise.all([settingsOf(organization), isRecentSignIn(sql, caller)])
  const tabs = <OrganizationTabs of={organization} path={path} />
  const unconfirmed = isOwner && !isRecent && <Unconfirmed next={path} />
  if (!of) {
    const main = isOwner ? <NewConnection path={path} /> : <p>The owner has not connected a provider.</p>
    return { title, main: [tabs, unconfirmed, main] }
  }
  // An owner without a sign-on sees the connection, and nothing else of the organization.
  if (contextOf(request).breaksGlass) {
    return {
      title,
      main: (
        <>
          <Notice tone="warn">You have not signed in with the provider. Only its settings are open to you.</Notice>
          <Requirement of={of} path={path} effects={null} />
          <Settings of={of} path={path} />
        </>
      ),
    }
  }
  const [domains, effects] = await Promise.all([
    listDomains(sql, organization, { limit: MAX_DOMAINS, after: null }),
    isOwner ? readEffects(sql, of) : null,
  ])
  return {
    title,
    main: (
      <>
        {tabs}
        {unconfirmed}
        <Provider of={of} path={path} />
        {!of.use_instance && <Domains of={domains} path={`${path}/domains`} isOwner={isOwner} />}
        {isOwner && (
          <>
            <Requirement of={of} path={path} effects={effects} />
            <Settings of={of} path={path} />
            <Deletion of={of} path={path} />
          </>
        )}
      </>
    ),
  }
})

const { properties } = ConnectionInput

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
})

const OWNER = { organization: 'owner' } as const

const save = actionOn(
  ssoPage,
  '',
  OWNER,
  SettingsForm,
  async ({ request, caller, organization, change }, { claims, client_secret, ...rest }) => {
    const input = {
      ...rest,
      ...(claims === undefined ? {} : { claims: claimsIn(claims) }),
      ...(client_secret ? { client_secret } : {}),
    }
    await requireRecentSignIn(sql, caller)
    await checkProvider(sql, organization, input)
    await change((tx) => putSettings(tx, caller, organization, input, request))
    return { notice: 'Single sign-on was saved.' }
  },
)

const useInstance = actionOn(ssoPage, '/instance', OWNER, Nothing, async ({ request, caller, organization, change }) => {
  await requireRecentSignIn(sql, caller)
  await change((tx) => putSettings(tx, caller, organization, { use_instance: true }, request))
  return { notice: 'Sign-ins with the provider of this service count now.' }
})

const remove = actionOn(ssoPage, '/delete', OWNER, Confirmation, async ({ request, caller, organization, change }, confirmed) => {
  requireConfirmed(confirmed, hostOf(await getSettings(sql, organization)))
  await requireRecentSignIn(sql, caller)
  await change((tx) => deleteSettings(tx, caller, organization, request))
  return { notice: 'The connection was deleted, and all people unlinked.' }
})

const claim = actionOn(
  ssoPage,
  '/domains',
  OWNER,
  Shape({ domain: DomainInput.properties.domain }),
  async ({ caller, organization, change }, { domain: typed }) => {
    await requireRecentSignIn(sql, caller)
    const { domain } = await change((tx) => addDomain(tx, caller, organization, typed))
    return { notice: `Add the TXT record of ${domain} at your DNS provider, then check it here.` }
  },
)

const verify = actionOn(
  ssoPage,
  '/domains/:domain_id/verify',
  OWNER,
  Nothing,
  async ({ caller, organization, params, change }) => {
    await requireRecentSignIn(sql, caller)
    const id = params.domain_id ?? ''
    const texts = await readDomainRecord(organization, id)
    const { domain } = await change((tx) => verifyDomain(tx, caller, organization, id, texts))
    return { notice: `The domain ${domain} is verified.` }
  },
)

const drop = actionOn(
  ssoPage,
  '/domains/:domain_id/remove',
  OWNER,
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await requireRecentSignIn(sql, caller)
    await change((tx) => removeDomain(tx, caller, organization, params.domain_id ?? '', request))
    return { notice: 'The domain was removed.' }
  },
)

export const ssoPages = pageRoutes('sso-pages', ssoPage, save, useInstance, remove, claim, verify, drop)
