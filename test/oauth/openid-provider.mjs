// @ts-nocheck: the provider has no types.
// An OpenID provider that vouches for jobs as CI systems do. Runs with Node: `node openid-provider.mjs <port> <audience>…`.
// GET /job-token?claims=<JSON>&audience=<audience> answers as the token endpoint of GitHub Actions does; with `as=text`, with the token alone.
import { once } from 'node:events'
import Provider from 'oidc-provider'

const [port, ...audiences] = process.argv.slice(2)

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: audiences.map((client_id) => ({
    client_id,
    redirect_uris: ['https://ci.example.com/'],
    token_endpoint_auth_method: 'none',
  })),
  ttl: { IdToken: 300 },
})

provider.use(async (ctx, next) => {
  if (ctx.path !== '/job-token') return next()
  const { claims = '{}', audience, as } = ctx.query
  const client = await provider.Client.find(audience)
  ctx.oidc = new provider.OIDCContext(ctx)
  const token = new provider.IdToken({}, { ctx, client })
  for (const [name, value] of Object.entries({ jti: crypto.randomUUID(), ...JSON.parse(claims) })) token.set(name, value)
  const value = await token.issue({ use: 'idtoken' })
  ctx.body = as === 'text' ? value : { value }
})

await once(provider.listen(Number(port), '127.0.0.1'), 'listening')
console.log('listening')
