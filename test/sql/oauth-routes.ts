/** The routes and pages of OAuth. */
import { challengeOf } from '../oauth/client-flow.ts'
import { Issuer, makeKey } from '../oauth/issuer.ts'
import { BEARER } from '../oauth/machine.ts'
import { PageClient } from '../support/page-client.ts'
import { tomorrow } from '../support/service-accounts.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const TRUSTS = '/api/v1/service-accounts/{service_account_id}/trusts'

/** A build signs in as the service account of the walk, by a trust and by a key, and is refused. */
export async function walkSignIns(walk: Walk, { box }: Context, ada: Actor): Promise<void> {
  const issuer = new Issuer()
  issuer.keys = [await makeKey('ES256', 'one')]
  const { audience } = await walk.create(ada, TRUSTS, 'trust_id', { issuer: issuer.url, claims: { sub: ['job'] } })
  await walk.call(ada, `PUT ${TRUSTS}/{trust_id}`, { max_ttl_seconds: 60 })
  const service_account = walk.ids.service_account_id ?? ''
  const send = (fields: Record<string, string>) =>
    walk.call(box, 'POST /oauth/token', new URLSearchParams(fields).toString(), FORM)
  const signIn = async (sub: string) =>
    send({ grant_type: BEARER, service_account, assertion: await issuer.sign({ aud: audience, sub }) })
  await signIn('job')
  await signIn('another').catch(() => {})
  const { key } = await ada.make(`/api/v1/service-accounts/${service_account}/keys`, { name: 'Key', expires_at: tomorrow() })
  await send({ grant_type: 'client_credentials', client_id: service_account, client_secret: key })
  await walk.call(ada, `DELETE ${TRUSTS}/{trust_id}`)
  await walk.create(ada, TRUSTS, 'trust_id', { issuer: issuer.url, claims: { sub: ['job'] } })
  const pages = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  await pages.visitor.post('/sign-in', { email: ada.email, password: PASSWORD })
  const page = '/app/service-accounts/{service_account_id}/trusts'
  await pages.visit(`GET ${page}`)
  await pages.visit(`POST ${page}`, { issuer: issuer.url, claims: 'sub: job' })
  await pages.visit(`GET ${page}/{trust_id}`)
  await pages.visit(`POST ${page}/{trust_id}`, { issuer: issuer.url, claims: 'sub: job' })
  await pages.visit(`POST ${page}/{trust_id}/delete`)
  await walk.create(ada, TRUSTS, 'trust_id', { issuer: issuer.url, claims: { sub: ['job'] } })
  await issuer.stop()
}

/** A device is signed in, and another one is denied. */
export async function walkDevice(walk: Walk, { box }: Context, ada: Actor): Promise<void> {
  const send = async (route: string, fields: Record<string, string>) =>
    (await walk.call(box, route, new URLSearchParams(fields).toString(), FORM)).body
  const pages = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  await pages.visitor.post('/sign-in', { email: ada.email, password: PASSWORD })
  await pages.visit('GET /device')
  for (const decision of ['deny', 'allow']) {
    const { user_code, device_code } = await send('POST /oauth/device_authorization', { client_id: 'signalbox-cli' })
    await pages.visit('POST /device', { user_code })
    await pages.visit('POST /device/decision', { user_code, decision })
    if (decision === 'deny') continue
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    await send('POST /oauth/token', { grant_type, device_code, client_id: 'signalbox-cli' })
  }
}

/** A client is denied, then allowed for the organization of the walk; it fetches its tokens, refreshes them and gives them back. Then it is allowed again. */
export async function walkClient(walk: Walk, { box }: Context, ada: Actor): Promise<void> {
  const codes: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { origin, pathname, searchParams } = new URL(request.url)
      if (pathname === '/client') return Response.json({ client_id: `${origin}/client`, redirect_uris: ['http://127.0.0.1/'] })
      codes.push(searchParams.get('code') ?? '')
      return new Response('')
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  const [client_id, redirect_uri] = [`${origin}/client`, `${origin}/`]
  const [code_verifier, code_challenge] = ['v'.repeat(43), challengeOf('v'.repeat(43))]
  const query = `?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri, code_challenge, code_challenge_method: 'S256' })}`
  const pages = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  await pages.visitor.post('/sign-in', { email: ada.email, password: PASSWORD })
  await pages.visit('GET /oauth/authorize', {}, query)
  const answer = (decision: string) =>
    pages.visit('POST /oauth/authorize', { organization_id: walk.ids.org_id ?? '', scope: 'read', decision }, query)
  await answer('deny')
  await answer('allow')
  const send = async (route: string, fields: Record<string, string>) =>
    (await walk.call(box, route, new URLSearchParams({ client_id, ...fields }).toString(), FORM)).body
  const exchange = () =>
    send('POST /oauth/token', { grant_type: 'authorization_code', code: codes.at(-1) ?? '', redirect_uri, code_verifier })
  const { access_token, refresh_token } = await exchange()
  await ada.as(access_token).get(`/api/v1/organizations/${walk.ids.org_id}`)
  const next = await send('POST /oauth/token', { grant_type: 'refresh_token', refresh_token })
  await send('POST /oauth/revoke', { token: next.refresh_token })
  await answer('allow')
  await exchange()
  await server.stop(true)
}
