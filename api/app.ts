/** The API: plugins that apply to every request, then one slice per noun, the docs, and the pages of the web app. */
import { Elysia } from 'elysia'
import { apiDescriptions } from './api-descriptions/routes.ts'
import { attestationPages } from './attestations/page.tsx'
import { attestations } from './attestations/routes.ts'
import { auditLogPages } from './audit-logs/page.tsx'
import { auditLogs } from './audit-logs/routes.ts'
import { invitationPages } from './auth/invitation-page.tsx'
import { mailedPages } from './auth/mailed-pages.tsx'
import { accountPages } from './auth/page.tsx'
import { passkeySignInPages } from './auth/passkey-page.tsx'
import { passkeySignIn } from './auth/passkey-routes.ts'
import { auth } from './auth/routes.ts'
import { secondFactors } from './auth/second-factor-routes.ts'
import { secondStepPages } from './auth/second-step-page.tsx'
import { securityPages } from './auth/security-page.tsx'
import { budgetPages } from './budgets/page.tsx'
import { budgets } from './budgets/routes.ts'
import { deliverablePages } from './deliverables/app-page.tsx'
import { deliverables } from './deliverables/routes.ts'
import { dispatchPages } from './deployment-hooks/dispatch-page.tsx'
import { dispatchRoutes } from './deployment-hooks/dispatch-routes.ts'
import { hookKeyPages } from './deployment-hooks/keys-pages.tsx'
import { hookPages } from './deployment-hooks/page.tsx'
import { previewPages } from './deployment-hooks/preview-page.tsx'
import { pullRoutes } from './deployment-hooks/pull-routes.ts'
import { rollbackPages } from './deployment-hooks/rollback-page.tsx'
import { deploymentHooks } from './deployment-hooks/routes.ts'
import { docs } from './docs/docs.ts'
import { comparisonPages } from './dual-track/page.tsx'
import { dualTrack } from './dual-track/routes.ts'
import { environmentPages } from './environments/page.tsx'
import { environmentPolicyPages } from './environments/policy-page.tsx'
import { environments } from './environments/routes.ts'
import { executionPages } from './executions/page.tsx'
import { executions } from './executions/routes.ts'
import { gateOutcomePages } from './gates/beyond-pages.tsx'
import { decidePages } from './gates/decide-page.tsx'
import { gateDecisions } from './gates/decision-routes.ts'
import { gatePages } from './gates/page.tsx'
import { gates } from './gates/routes.ts'
import { groupPages } from './groups/page.tsx'
import { groups } from './groups/routes.ts'
import { invitations } from './members/invitation-routes.ts'
import { organizationPages } from './members/page.tsx'
import { receivedInvitationPages } from './members/received-page.tsx'
import { members } from './members/routes.ts'
import { workspacePages } from './members/workspace-page.tsx'
import { channelPages } from './notification-channels/page.tsx'
import { notificationChannels } from './notification-channels/routes.ts'
import { inboxPages } from './notifications/page.tsx'
import { preferencePages } from './notifications/preferences-page.tsx'
import { notifications, unsubscribing } from './notifications/routes.ts'
import { unsubscribePages } from './notifications/unsubscribe-page.tsx'
import { operations } from './operations/routes.ts'
import { organizations } from './organizations/routes.ts'
import { organizationSecurityPages } from './organizations/security-page.tsx'
import { overviewPages } from './overview/page.tsx'
import { assets } from './pages/assets.ts'
import { refusal } from './pages/refusals.tsx'
import { passkeyPages } from './passkeys/page.tsx'
import { passkeys } from './passkeys/routes.ts'
import { body, type RawBodyTypes, rawBodyTypes } from './plugins/body.ts'
import { type MethodsFor, methodsFor, problems } from './plugins/problems.ts'
import { requestLifecycle } from './plugins/request-lifecycle.ts'
import { responses } from './plugins/responses.ts'
import { projectPages } from './projects/page.tsx'
import { projects } from './projects/routes.ts'
import { requirementPages } from './requirements/page.tsx'
import { requirements } from './requirements/routes.ts'
import { runtimePages } from './runtimes/page.tsx'
import { runtimes } from './runtimes/routes.ts'
import { signingKeyPages } from './signing-keys/page.tsx'
import { signingKeys } from './signing-keys/routes.ts'
import { installPages } from './slack/install-page.tsx'
import { slackLinkPages } from './slack/link-page.tsx'
import { slack } from './slack/routes.ts'
import { tokenPages } from './tokens/page.tsx'
import { tokens } from './tokens/routes.ts'
import { identities } from './users/identity-routes.ts'
import { profilePages } from './users/page.tsx'
import { users } from './users/routes.ts'
import { workflowTemplates } from './workflow-templates/routes.ts'
import { workspaces } from './workspaces/routes.ts'

// Both are derived from all routes, so they are set once every route is registered.
let allowedMethods: MethodsFor = () => []
let consumedTypes: RawBodyTypes = () => undefined

export const app = new Elysia({
  // Unknown fields are rejected, not dropped.
  normalize: false,
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
  .use(problems((path) => allowedMethods(path), refusal))
  .use(body((method, route) => consumedTypes(method, route)))
  .use(responses)
  .use(auth)
  .use(secondFactors)
  .use(passkeySignIn)
  .use(passkeys)
  .use(users)
  .use(identities)
  .use(tokens)
  .use(organizations)
  .use(members)
  .use(invitations)
  .use(budgets)
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
  .use(unsubscribing)
  .use(slack)
  .use(operations)
  .use(docs)
  .use(assets)
  .use(accountPages)
  .use(secondStepPages)
  .use(securityPages)
  .use(passkeySignInPages)
  .use(mailedPages)
  .use(invitationPages)
  .use(receivedInvitationPages)
  .use(unsubscribePages)
  .use(overviewPages)
  .use(inboxPages)
  .use(gatePages)
  .use(gateOutcomePages)
  .use(attestationPages)
  .use(decidePages)
  .use(hookPages)
  .use(hookKeyPages)
  .use(previewPages)
  .use(dispatchPages)
  .use(channelPages)
  .use(slackLinkPages)
  .use(installPages)
  .use(organizationPages)
  .use(organizationSecurityPages)
  .use(signingKeyPages)
  .use(groupPages)
  .use(runtimePages)
  .use(budgetPages)
  .use(auditLogPages)
  .use(workspacePages)
  .use(profilePages)
  .use(passkeyPages)
  .use(tokenPages)
  .use(preferencePages)
  .use(projectPages)
  .use(environmentPages)
  .use(environmentPolicyPages)
  .use(rollbackPages)
  .use(requirementPages)
  .use(executionPages)
  .use(deliverablePages)
  .use(comparisonPages)

allowedMethods = methodsFor(app.routes)
consumedTypes = rawBodyTypes(app.routes)

// Closed by default: the process must not start while a route declares no access rule.
for (const { method, path, hooks } of app.routes) {
  if (!path.startsWith('/docs') && !hooks.detail?.['x-access']) throw new Error(`${method} ${path} declares no access rule`)
}

/** The type for Eden, Elysia's typed client (https://elysiajs.com/eden/overview). */
export type App = typeof app
