/** The whole API: what every request meets, then the slices, then their docs. */
import { Elysia } from 'elysia'
import { apiDescriptions } from './api-descriptions/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { auth } from './auth/routes.ts'
import { budgets } from './budgets/routes.ts'
import { deliverables } from './deliverables/routes.ts'
import { dispatchRoutes } from './deployment-hooks/dispatch-routes.ts'
import { deploymentHooks } from './deployment-hooks/routes.ts'
import { docs } from './docs/docs.ts'
import { dualTrack } from './dual-track/routes.ts'
import { executions } from './executions/routes.ts'
import { gates } from './gates/routes.ts'
import { invitations } from './members/invitation-routes.ts'
import { members } from './members/routes.ts'
import { notificationChannels } from './notification-channels/routes.ts'
import { notifications, unsubscribing } from './notifications/routes.ts'
import { operations } from './operations/routes.ts'
import { organizations } from './organizations/routes.ts'
import { pages } from './pages/routes.ts'
import { answers } from './plugins/answers.ts'
import { body, type TypesTaken, typesTaken } from './plugins/body.ts'
import { frontDoor } from './plugins/front-door.ts'
import { type MethodsFor, methodsFor, problems } from './plugins/problems.ts'
import { projects } from './projects/routes.ts'
import { requirements } from './requirements/routes.ts'
import { runtimes } from './runtimes/routes.ts'
import { tokens } from './tokens/routes.ts'
import { users } from './users/routes.ts'
import { workflowTemplates } from './workflow-templates/routes.ts'
import { workspaces } from './workspaces/routes.ts'

// Known only when all routes are: what a path that fits none is asked, and what bodies are read as.
let methods: MethodsFor = () => []
let taken: TypesTaken = () => undefined

export const app = new Elysia({
  // Unknown fields are refused, not dropped.
  normalize: false,
  serve: {
    // Bodies are bounded where they are read, with an answer that says so; the server's own limit says nothing.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Longer than anything waits here.
    idleTimeout: 60,
  },
})
  .use(frontDoor)
  .use(problems((path) => methods(path)))
  .use(body((method, route) => taken(method, route)))
  .use(answers)
  .use(auth)
  .use(users)
  .use(tokens)
  .use(organizations)
  .use(members)
  .use(invitations)
  .use(budgets)
  .use(runtimes)
  .use(auditLogs)
  .use(workspaces)
  .use(projects)
  .use(workflowTemplates)
  .use(requirements)
  .use(executions)
  .use(gates)
  .use(deploymentHooks)
  .use(dispatchRoutes)
  .use(dualTrack)
  .use(notificationChannels)
  .use(apiDescriptions)
  .use(deliverables)
  .use(notifications)
  .use(unsubscribing)
  .use(operations)
  .use(pages)
  .use(docs)

methods = methodsFor(app.routes)
taken = typesTaken(app.routes)

// Closed by default: a route that does not say who may use it must not go live.
for (const { method, path, hooks } of app.routes) {
  if (!path.startsWith('/docs') && !hooks.detail?.['x-access']) throw new Error(`${method} ${path} does not say who may use it`)
}

/** What a typed client knows of this API (https://elysiajs.com/eden/overview). */
export type App = typeof app
