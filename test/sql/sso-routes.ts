/** Single sign-on, for the walk: the pages of signing in, and the connection of an organization. */
import { leave, type Provider, pathOf, SECRET, signOn } from '../sso/provider.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, complete, forgetCodes, ticketOf } from '../support/second-factors.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

/** Signs on with the provider of the instance: a new person, the same again, and one who has an account. */
export async function signOnPages(walk: Walk, provider: Provider): Promise<void> {
  walk.ids.connection = 'instance'
  const claims = { sub: 'visitor', email: 'sso@example.com', email_verified: true, name: 'Sso' }
  const known = await walk.box.user('Known')
  for (const person of [claims, claims, { ...claims, sub: 'known', email: known.email }]) {
    const visitor = new PageClient(walk.box, walk.newAddress())
    const pages = new PageWalk(walk, visitor)
    await pages.visit('GET /sign-in/sso/{connection}')
    const back = pathOf(provider.signIn(await leave(visitor), { claims: person }))
    walk.succeeded.add('POST /sign-in/sso/{connection}')
    const page = await visitor.open(back)
    if (page.status !== 200) throw new Error(`${back} answered ${page.status}: ${page.text}`)
    walk.succeeded.add('GET /sign-in/sso/{connection}/callback')
  }
  // A person whom the provider names another than their account does connects both.
  const member = new PageClient(walk.box, walk.newAddress())
  await member.post('/sign-in', { email: (await walk.box.user('Member')).email, password: PASSWORD })
  const page = await signOn(member, provider, { claims: { ...claims, sub: 'other', email: 'other@example.com' } })
  await member.press(page, 'Connect')
}

const SSO = '/api/v1/organizations/{org_id}/sso'
const PAGE = '/app/organizations/{org_id}/sso'

/** A domain whose record is there. */
async function provenDomain(walk: Walk, { names }: Context, owner: Actor, domain: string): Promise<void> {
  const { record } = await walk.create(owner, `${SSO}/domains`, 'domain_id', { domain })
  names.records.set(record.name, [record.value])
  await walk.call(owner, `POST ${SSO}/domains/{domain_id}/verify`)
}

/** The single sign-on of an organization, which nothing requires in the end. */
export async function walkSso(walk: Walk, context: Context): Promise<void> {
  const { box, provider } = context
  const owner = await box.user('Sso Owner')
  const [org_id, connection] = [walk.ids.org_id, walk.ids.connection]
  const site = await box.site(owner, 'Single Sign-on')
  walk.ids.org_id = String(site.organization.id)
  const group = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Releases' })
  const browser = new PageClient(box, walk.newAddress())
  await browser.post('/sign-in', { email: owner.email, password: PASSWORD })
  const pages = new PageWalk(walk, browser)
  await pages.visit(`GET ${PAGE}`)
  await pages.visit(`POST ${PAGE}/instance`)
  await walk.call(owner, `DELETE ${SSO}`)
  const input = { issuer: provider.url, client_id: provider.client_id, client_secret: SECRET, provision: true }
  await walk.call(owner, `PUT ${SSO}`, input)
  const { body } = await walk.call(owner, `GET ${SSO}`)
  const path = `/sign-in/sso/${body.id}`
  await provenDomain(walk, context, owner, 'walk.example')
  const mappings = [
    { value: 'releases', group_id: group.id },
    { value: 'admins', role: 'admin' },
    { value: 'leads', workspace_id: site.workspace.id, role: 'admin' },
  ]
  await walk.call(owner, `PUT ${SSO}`, { mappings })
  for (const email of ['x@walk.example', 'x@elsewhere.example'])
    await new PageWalk(walk, new PageClient(box, walk.newAddress())).visit('POST /sign-in/address', { email })
  const claims = { sub: 'walker', email: 'walker@walk.example', email_verified: true, groups: ['releases', 'leads', 'admins'] }
  for (const groups of [claims.groups, ['leads'], []])
    await signOn(new PageClient(box, walk.newAddress()), provider, { claims: { ...claims, groups } }, path)
  await signOn(new PageClient(box, walk.newAddress()), provider, { claims: { ...claims, nonce: 'other' } }, path)
  walk.ids.connection = body.id
  await signOn(browser, provider, { claims: { sub: 'owner', email: 'owner@walk.example' } }, path)
  await pages.visit('GET /sign-in/sso/{connection}/connect')
  await pages.visit('POST /sign-in/sso/{connection}/connect')
  await pages.visit(`GET ${PAGE}`)
  await pages.visit(`GET ${PAGE}/people`)
  await pages.visit(`GET ${PAGE}/groups`, {}, `?groups=leads&person=${owner.email}`)
  await pages.visit(`POST ${PAGE}/groups`, { value: 'more', gives: 'admin' })
  walk.ids.index = '3'
  await pages.visit(`POST ${PAGE}/groups/{index}/remove`)
  delete walk.ids.index
  await pages.visit('GET /app/account/confirm')
  await pages.visit('POST /app/account/confirm', { current_password: PASSWORD })
  const { secret } = await addTotp(box, owner)
  await pages.visit(`POST ${PAGE}`, { required: 'everyone' })
  await forgetCodes(box, owner)
  const { body: opened } = await complete(box, await ticketOf(box, owner), { code: codeOf(secret) })
  await walk.call(owner.as(opened.access_token), `GET ${SSO}`)
  await lapse(context, 'walk.example')
  await walk.call(await walkedMember(box, site.organization.id), 'GET /api/v1/organizations')
  await signOn(browser, provider, { claims: { sub: 'owner', groups: [] } }, path)
  await pages.visit(`POST ${PAGE}`, { required: 'none' })
  await pages.visit(`POST ${PAGE}/domains`, { domain: 'pages.example' })
  const domains = await walk.call(owner, `GET ${SSO}/domains`)
  const claimed = domains.body.find(({ domain }: { domain: string }) => domain === 'pages.example')
  context.names.records.set(claimed.record.name, [claimed.record.value])
  const verified = walk.ids.domain_id
  walk.ids.domain_id = claimed.id
  await pages.visit(`POST ${PAGE}/domains/{domain_id}/verify`)
  await pages.visit(`POST ${PAGE}/domains/{domain_id}/remove`)
  walk.ids.domain_id = verified ?? ''
  const people = await walk.call(owner, `GET ${SSO}/identities`)
  const [first, second] = people.body
  walk.ids.identity_id = first.id
  await walk.call(owner, `DELETE ${SSO}/identities/{identity_id}`)
  walk.ids.user_id = second.user_id
  await pages.visit(`POST ${PAGE}/people/{user_id}/unlink`)
  await walk.call(owner, `DELETE ${SSO}/domains/{domain_id}`)
  await pages.visit(`POST ${PAGE}/delete`, { confirm_name: new URL(provider.url).host })
  for (const name of ['domain_id', 'identity_id', 'user_id']) delete walk.ids[name]
  Object.assign(walk.ids, { org_id: org_id ?? '', connection: connection ?? '' })
}

/** The record of a verified domain is missing for the third time. */
async function lapse({ box, names }: Context, domain: string): Promise<void> {
  names.records.delete(`_signalbox.${domain}`)
  await box.sql`update sso_domains set missed = 2, check_at = now() where domain = ${domain}`
  await box.until('the domain has lapsed', async () => {
    const rows = await box.sql`select from sso_domains where domain = ${domain} and status = 'lapsed'`
    return rows.length === 1
  })
}

/** A member who joined before it was required. */
async function walkedMember(box: Context['box'], organization_id: string): Promise<Actor> {
  const member = await box.user('Sso Member')
  await box.sql`
    insert into organization_members (organization_id, user_id, role, sso_connection_id, sso_required)
    select organization_id, ${member.id}, 'member', id, 'domains' from sso_connections where organization_id = ${organization_id}
  `
  return member
}
