/** What an app does as itself: its installations, their tokens, its webhook and deliveries. */
import { appJson, installationJson, repositoryJson } from './accounts-json.ts'
import { installationOf, issueInstallationToken, revokeTokens } from './credentials.ts'
import { notFound, Refusal, unprocessable } from './problems.ts'
import { type Api, type Call, paged } from './routing.ts'
import type { Paths, Schemas } from './shapes.ts'
import type { Delivery } from './webhooks.ts'
import { type App, type Installation, iso } from './world.ts'

/** Changes that only the account's owner or the app itself makes. */
export function setSuspension(
  { world, events }: Pick<Call, 'world' | 'events'>,
  installation: Installation,
  by: App['bot'] | null,
): void {
  if ((installation.suspendedAt !== null) === (by !== null)) return
  installation.suspendedBy = by
  installation.suspendedAt = by === null ? null : world.clock.now()
  installation.updatedAt = world.clock.now()
  events.installation(installation, by === null ? 'unsuspend' : 'suspend', by ?? installation.app.bot)
}

export function removeInstallation(
  { world, events }: Pick<Call, 'world' | 'events'>,
  installation: Installation,
  by: App['bot'],
): void {
  events.installation(installation, 'deleted', by)
  world.installations.splice(world.installations.indexOf(installation), 1)
  for (const { environments } of world.repositoriesOf(installation))
    for (const environment of environments) environment.rules = environment.rules.filter(({ app }) => app !== installation.app)
  revokeTokens(world, (token) => token.kind === 'installation' && token.installation === installation)
}

const hookConfig = ({ hook, webhookSecret }: App): Schemas['webhook-config'] => ({
  ...(hook ? { url: hook.url } : {}),
  content_type: 'json',
  insecure_ssl: '0',
  ...(webhookSecret === null ? {} : { secret: '********' }),
})

// An id of 19 digits must not pass through a number.
const exact = (id: bigint): number => (JSON as unknown as { rawJSON(text: string): number }).rawJSON(String(id))

const deliveryItem = (delivery: Delivery) =>
  ({
    id: exact(delivery.id),
    guid: delivery.guid,
    delivered_at: iso(delivery.at),
    redelivery: delivery.isRedelivery,
    duration: Math.round((delivery.duration ?? 0) * 100) / 100,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  }) satisfies Schemas['hook-delivery-item']

function deliveryOf({ webhooks, parameters }: Call, app: App): Delivery {
  const found = webhooks.recent(app).find(({ id }) => String(id) === parameters.delivery_id)
  if (!found) throw notFound()
  return found
}

/** Lists of deliveries go by a cursor, not by page. */
function deliveriesPage({ query, url, webhooks }: Call, app: App): { items: Delivery[]; headers: Record<string, string> } {
  const size = Math.min(Math.max(Number.parseInt(query.get('per_page') ?? '30', 10) || 30, 1), 100)
  const wanted = query.get('status')
  if (wanted !== null && wanted !== 'success' && wanted !== 'failure')
    throw unprocessable(`Invalid request.\n\n${wanted} is not a member of ["success", "failure"].`)
  const all = webhooks.recent(app).filter(({ statusCode }) => {
    if (wanted === null) return true
    return wanted === 'success' ? statusCode >= 200 && statusCode < 400 : statusCode >= 400 && statusCode < 600
  })
  const cursor = /^v1_(\d+)$/.exec(query.get('cursor') ?? '')?.[1]
  if (query.has('cursor') && cursor === undefined) throw new Refusal(400, 'Invalid cursor')
  const from = cursor === undefined ? all : all.filter(({ id }) => id <= BigInt(cursor))
  const next = from[size]
  if (!next) return { items: from, headers: {} }
  const target = new URL(url)
  target.searchParams.set('cursor', `v1_${next.id}`)
  return { items: from.slice(0, size), headers: { Link: `<${target.href}>; rel="next"` } }
}

/** The description says `anyOf`, which the types turn into an account that is a user and an enterprise at once. */
type Listed = Paths['/app/installations']['get']['responses'][200]['content']['application/json']

const optional = { required: false } as const

export const appApi = {
  '/app': {
    get: { by: 'app', answer: ({ world, app }) => ({ status: 200, body: appJson(world, app) }) },
  },
  '/app/hook/config': {
    get: { by: 'app', answer: ({ app }) => ({ status: 200, body: hookConfig(app) }) },
    patch: {
      by: 'app',
      takes: {
        url: { type: 'string', ...optional },
        content_type: { type: 'string', enum: ['json', 'form'], ...optional },
        secret: { type: 'string', ...optional },
        insecure_ssl: { type: 'any', ...optional },
      },
      answer: ({ app, body }) => {
        if (body.url !== undefined) app.hook = { id: app.id, isActive: true, ...app.hook, url: body.url }
        if (body.secret !== undefined) app.webhookSecret = body.secret === '' ? null : body.secret
        return { status: 200, body: hookConfig(app) }
      },
    },
  },
  '/app/hook/deliveries': {
    get: {
      by: 'app',
      answer: ({ app, ...call }) => {
        const { items, headers } = deliveriesPage(call, app)
        return { status: 200, body: items.map(deliveryItem), headers }
      },
    },
  },
  '/app/hook/deliveries/{delivery_id}': {
    get: {
      by: 'app',
      answer: ({ app, ...call }) => {
        const delivery = deliveryOf(call, app)
        const { headers, payload, response } = delivery
        const request = { headers, payload: JSON.parse(payload) }
        const answered = { headers: response?.headers ?? {}, payload: response?.body ?? null }
        return { status: 200, body: { ...deliveryItem(delivery), request, response: answered } }
      },
    },
  },
  '/app/hook/deliveries/{delivery_id}/attempts': {
    post: {
      by: 'app',
      answer: ({ app, ...call }) => {
        call.webhooks.redeliver(deliveryOf(call, app))
        return { status: 202, body: {} }
      },
    },
  },
  '/app/installations': {
    get: {
      by: 'app',
      answer: ({ world, app, ...call }) => {
        const all = world.installations.filter((each) => each.app === app)
        const { items, headers } = paged(call, all)
        return { status: 200, body: items.map((each) => installationJson(world, each)) as unknown as Listed, headers }
      },
    },
  },
  '/app/installations/{installation_id}': {
    get: {
      by: 'app',
      answer: ({ world, app, parameters }) => {
        const installation = installationOf(world, app, parameters.installation_id)
        return { status: 200, body: installationJson(world, installation) }
      },
    },
    delete: {
      by: 'app',
      answer: ({ app, ...call }) => {
        removeInstallation(call, installationOf(call.world, app, call.parameters.installation_id), app.bot)
        return { status: 204, body: undefined }
      },
    },
  },
  '/app/installations/{installation_id}/access_tokens': {
    post: {
      by: 'app',
      takes: {
        repositories: { type: 'array', items: { type: 'string' }, ...optional },
        repository_ids: { type: 'array', items: { type: 'integer' }, ...optional },
        permissions: { type: 'object', properties: null, ...optional },
      },
      answer: ({ world, app, parameters, body }) => {
        const installation = installationOf(world, app, parameters.installation_id)
        const { value, permissions, repositories, expiresAt } = issueInstallationToken(world, installation, body ?? {})
        const shown: Schemas['installation-token'] = {
          token: value,
          expires_at: iso(expiresAt),
          permissions,
          repository_selection: repositories || installation.selected ? 'selected' : 'all',
        }
        if (repositories) shown.repositories = repositories.map((each) => repositoryJson(world, each))
        return { status: 201, body: shown }
      },
    },
  },
  '/app/installations/{installation_id}/suspended': {
    put: {
      by: 'app',
      answer: ({ app, ...call }) => {
        setSuspension(call, installationOf(call.world, app, call.parameters.installation_id), app.bot)
        return { status: 204, body: undefined }
      },
    },
    delete: {
      by: 'app',
      answer: ({ app, ...call }) => {
        setSuspension(call, installationOf(call.world, app, call.parameters.installation_id), null)
        return { status: 204, body: undefined }
      },
    },
  },
  '/app-manifests/{code}/conversions': {
    post: {
      by: 'anyone',
      answer: ({ website, parameters: { code = '' } }) => {
        const credentials = website.convert(code)
        if (!credentials) throw notFound()
        return { status: 201, body: credentials }
      },
    },
  },
  '/apps/{app_slug}': {
    get: {
      by: 'anyone',
      answer: ({ world, parameters }) => {
        const app = world.apps.find(({ slug }) => slug === parameters.app_slug)
        if (!app) throw notFound()
        return { status: 200, body: appJson(world, app) }
      },
    },
  },
  '/installation/repositories': {
    get: {
      by: 'installation',
      answer: ({ world, token, installation, ...call }) => {
        const all = token.repositories ?? world.repositoriesOf(installation)
        const { items, headers } = paged(call, all)
        const repositories = items.map((each) => repositoryJson(world, each))
        const selection = installation.selected === null ? 'all' : 'selected'
        return { status: 200, body: { total_count: all.length, repositories, repository_selection: selection }, headers }
      },
    },
  },
  '/installation/token': {
    delete: {
      by: 'installation',
      answer: ({ world, token }) => {
        world.tokens.delete(token.value)
        return { status: 204, body: undefined }
      },
    },
  },
} satisfies Api
