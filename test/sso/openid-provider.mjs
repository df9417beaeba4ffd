// @ts-nocheck: the provider has no types.
// A certified OpenID provider whose people are who the test says. Runs with Node: `node openid-provider.mjs <port> <client> <secret> <redirect URI>`.
// GET /be?claims=<JSON> says who signs in next.
import { once } from 'node:events'
import Provider from 'oidc-provider'

const [port, client_id, client_secret, redirect_uri] = process.argv.slice(2)
let person = { sub: 'ada' }
const people = new Map()

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id, client_secret, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_basic' }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...people.get(accountId), sub: accountId }) }),
  async loadExistingGrant(ctx) {
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId })
    grant.addOIDCScope('openid email profile groups')
    await grant.save()
    return grant
  },
})

provider.use(async (ctx, next) => {
  if (ctx.path === '/be') {
    person = JSON.parse(ctx.query.claims)
    people.set(person.sub, person)
    ctx.body = 'ok'
    return
  }
  if (!ctx.path.startsWith('/interaction/')) return next()
  await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: person.sub } }, { mergeWithLastSubmission: false })
  ctx.respond = false
})

await once(provider.listen(Number(port), '127.0.0.1'), 'listening')
console.log('listening')
// Nobody reads what it says of the test.
for (const name of ['log', 'info', 'warn', 'error']) console[name] = () => {}
