/** The API: plugins that apply to every request, then one slice per noun, the docs, and the pages of the web app. */
import { Elysia } from 'elysia'
import { agentLimits } from './agent-limits/routes.ts'
import { agentStandings } from './agent-standings/routes.ts'
import { apiDescriptions } from './api-descriptions/routes.ts'
import { attestations } from './attestations/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { auth } from './auth/routes.ts'
import { secondFactors } from './auth/second-factor-routes.ts'
import { budgets } from './budgets/routes.ts'
import { deliverables } from './deliverables/routes.ts'
import { deploymentHooks } from './deployment-hooks/routes.ts'
import { dispatchRoutes } from './dispatches/routes.ts'
import { docs } from './docs/docs.ts'
import { dualTrack } from './dual-track/routes.ts'
import { environments } from './environments/routes.ts'
import { executions } from './executions/routes.ts'
import { gateDecisions } from './gates/decision-routes.ts'
import { gates } from './gates/routes.ts'
import { githubApp } from './github/app-routes.ts'
import { github } from './github/routes.ts'
import { githubWebhooks } from './github/webhook-routes.ts'
import { groups } from './groups/routes.ts'
import { connectTools } from './mcp/operations.ts'
import { mcp } from './mcp/routes.ts'
import { invitations } from './members/invitation-routes.ts'
import { members } from './members/routes.ts'
import { modelPrices } from './model-prices/routes.ts'
import { notificationChannels } from './notification-channels/routes.ts'
import { notifications, unsubscribing } from './notifications/routes.ts'
import { problemAsOAuthError } from './oauth/errors.ts'
import { oauth } from './oauth/routes.ts'
import { operations } from './operations/routes.ts'
import { organizations } from './organizations/routes.ts'
import { otlp } from './otlp/routes.ts'
import { packages } from './packages/routes.ts'
import { refusal } from './pages/answers.tsx'
import { assets } from './pages/assets.ts'
import { passkeys } from './passkeys/routes.ts'
import { body } from './plugins/body.ts'
import { type DeclarationOf, declarationsOf } from './plugins/declarations.ts'
import { type MethodsFor, methodsFor, problems } from './plugins/problems.ts'
import { requestLifecycle } from './plugins/request-lifecycle.ts'
import { responses } from './plugins/responses.ts'
import { projects } from './projects/routes.ts'
import { pullRoutes } from './pull-hooks/routes.ts'
import { requirements } from './requirements/routes.ts'
import { runtimes } from './runtimes/routes.ts'
import { searching } from './search/routes.ts'
import { serviceAccounts } from './service-accounts/routes.ts'
import { signingKeys } from './signing-keys/routes.ts'
import { slack } from './slack/routes.ts'
import { sso } from './sso/routes.ts'
import { tokens } from './tokens/routes.ts'
import { trusts } from './trusts/routes.ts'
import { users } from './users/routes.ts'
import * as webApp from './web-app.ts'
import { workflowTemplates } from './workflow-templates/routes.ts'
import { workspaces } from './workspaces/routes.ts'

// Both are derived from all routes, so they are set once every route is registered.
let allowedMethods: MethodsFor = () => []
let declarationOf: DeclarationOf = () => undefined

// One chain of all slices would be too deep for TypeScript.
const connections = new Elysia({ name: 'connections' }).use(github).use(githubApp).use(githubWebhooks)
const costs = new Elysia({ name: 'costs' }).use(budgets).use(modelPrices).use(agentLimits).use(agentStandings).use(otlp)

export const app = new Elysia({
  // Unknown fields are rejected, not dropped.
  normalize: false,
  // Otherwise the router looks for the path only behind eleven characters, and finds none at a host such as `web`.
  handler: { standardHostname: false },
  serve: {
    // `plugins/body.ts` limits bodies and answers with a problem; the server's own limit would send an empty response.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise Bun answers an error that no plugin caught with a page about the source.
    development: false,
    // Seconds. Longer than any request takes.
    idleTimeout: 60,
  },
})
  .use(requestLifecycle)
  .use(
    problems(
      (path) => allowedMethods(path),
      (request, problem) => refusal(request, problem) ?? problemAsOAuthError(request, problem),
    ),
  )
  .use(body((method, route) => declarationOf(method, route)))
  .use(responses((method, route) => declarationOf(method, route)))
  .use(auth)
  .use(secondFactors)
  .use(passkeys)
  .use(users)
  .use(tokens)
  .use(serviceAccounts)
  .use(sso)
  .use(trusts)
  .use(organizations)
  .use(members)
  .use(invitations)
  .use(costs)
  .use(groups)
  .use(runtimes)
  .use(auditLogs)
  .use(workspaces)
  .use(projects)
  .use(workflowTemplates)
  .use(requirements)
  .use(executions)
  .use(gates)
  .use(gateDecisions)
  .use(attestations)
  .use(signingKeys)
  .use(deploymentHooks)
  .use(dispatchRoutes)
  .use(pullRoutes)
  .use(environments)
  .use(dualTrack)
  .use(notificationChannels)
  .use(apiDescriptions)
  .use(deliverables)
  .use(notifications)
  .use(searching)
  .use(unsubscribing)
  .use(slack)
  .use(connections)
  .use(oauth)
  .use(mcp)
  .use(operations)
  .use(docs)
  .use(assets)
  .use(packages)

// In a loop: each plugin that is chained makes the type of the app longer, and nothing reads the types of pages.
for (const pages of Object.values(webApp)) app.use(pages)

allowedMethods = methodsFor(app.routes)
declarationOf = declarationsOf(app.routes)
connectTools(app)

// Closed by default: the process must not start while a route declares no access rule.
for (const { method, path, hooks } of app.routes) {
  if (!path.startsWith('/docs') && !hooks.detail?.['x-access']) throw new Error(`${method} ${path} declares no access rule`)
}

/** The type for Eden, Elysia's typed client (https://elysiajs.com/eden/overview). */
export type App = typeof app
