/** The web app: the pages of all slices. */
import { Elysia } from 'elysia'
import { limitPages } from './agent-limits/page.tsx'
import { standingsPages } from './agent-standings/page.tsx'
import { apiDescriptionPages } from './api-descriptions/page.tsx'
import { attestationListPages } from './attestations/list-page.tsx'
import { attestationPages } from './attestations/page.tsx'
import { auditLogPages } from './audit-logs/page.tsx'
import { invitationPages } from './auth/invitation-page.tsx'
import { mailedPages } from './auth/mailed-pages.tsx'
import { accountPages } from './auth/page.tsx'
import { securityPages } from './auth/security-page.tsx'
import { budgetPages } from './budgets/page.tsx'
import { deliverablePages } from './deliverables/app-page.tsx'
import { hookEditPages } from './deployment-hooks/edit-pages.tsx'
import { hookKeyPages, verifyPages } from './deployment-hooks/keys-pages.tsx'
import { latencyPages } from './deployment-hooks/latency-page.tsx'
import { hookPages } from './deployment-hooks/page.tsx'
import { previewPages } from './deployment-hooks/preview-page.tsx'
import { dispatchPages } from './dispatches/page.tsx'
import { newComparisonPages } from './dual-track/new-page.tsx'
import { comparisonPages } from './dual-track/page.tsx'
import { projectChartPages } from './environments/charts-page.tsx'
import { environmentPages } from './environments/page.tsx'
import { environmentPolicyPages } from './environments/policy-page.tsx'
import { executionPages, queuePages } from './executions/page.tsx'
import { gateOutcomePages } from './gates/beyond-pages.tsx'
import { decidePages } from './gates/decide-page.tsx'
import { gateOpeningPages } from './gates/opening-pages.tsx'
import { gatePages } from './gates/page.tsx'
import { groupPages } from './groups/page.tsx'
import { agentPages } from './mcp/page.tsx'
import { memberPages } from './members/page.tsx'
import { receivedInvitationPages } from './members/received-page.tsx'
import { pricePages } from './model-prices/page.tsx'
import { channelEditPages } from './notification-channels/edit-pages.tsx'
import { channelPages } from './notification-channels/page.tsx'
import { subscriptionPages } from './notification-channels/subscriptions-page.tsx'
import { inboxPages } from './notifications/page.tsx'
import { preferencePages, unsubscribePages } from './notifications/preferences-page.tsx'
import { authorizePages } from './oauth/authorize-page.tsx'
import { devicePages } from './oauth/device-page.tsx'
import { organizationSecurityPages } from './organizations/page.tsx'
import { organizationSettingsPages } from './organizations/settings-page.tsx'
import { overviewPages } from './overview/page.tsx'
import { componentsPages } from './pages/components-page.tsx'
import { passkeyPages } from './passkeys/page.tsx'
import { projectPages } from './projects/page.tsx'
import { projectSettingsPages } from './projects/settings-page.tsx'
import { requirementEditPages } from './requirements/edit-page.tsx'
import { requirementPages } from './requirements/page.tsx'
import { rollbackPages } from './rollouts/rollback-page.tsx'
import { runtimePages } from './runtimes/page.tsx'
import { searchPages } from './search/page.tsx'
import { serviceAccountPages } from './service-accounts/page.tsx'
import { signingKeyPages } from './signing-keys/page.tsx'
import { installPages, slackLinkPages } from './slack/link-page.tsx'
import { tokenPages } from './tokens/page.tsx'
import { trustEditPages, trustPages } from './trusts/page.tsx'
import { profilePages } from './users/page.tsx'
import { workflowTemplatePages } from './workflow-templates/page.tsx'
import { workspaceSettingsPages } from './workspaces/settings-page.tsx'

export const webApp = new Elysia({ name: 'web-app' })

// In a loop: each plugin that is chained makes the type of the app longer, and nothing reads the types of pages.
for (const pages of [
  accountPages,
  securityPages,
  mailedPages,
  invitationPages,
  receivedInvitationPages,
  unsubscribePages,
  overviewPages,
  inboxPages,
  searchPages,
  componentsPages,
  gatePages,
  gateOutcomePages,
  gateOpeningPages,
  attestationPages,
  attestationListPages,
  decidePages,
  hookPages,
  latencyPages,
  hookKeyPages,
  hookEditPages,
  previewPages,
  verifyPages,
  dispatchPages,
  channelPages,
  channelEditPages,
  subscriptionPages,
  slackLinkPages,
  installPages,
  memberPages,
  organizationSecurityPages,
  organizationSettingsPages,
  signingKeyPages,
  groupPages,
  serviceAccountPages,
  runtimePages,
  budgetPages,
  standingsPages,
  pricePages,
  limitPages,
  auditLogPages,
  workspaceSettingsPages,
  profilePages,
  passkeyPages,
  tokenPages,
  devicePages,
  authorizePages,
  trustPages,
  trustEditPages,
  preferencePages,
  agentPages,
  projectPages,
  projectSettingsPages,
  environmentPages,
  projectChartPages,
  environmentPolicyPages,
  rollbackPages,
  requirementPages,
  requirementEditPages,
  executionPages,
  queuePages,
  deliverablePages,
  apiDescriptionPages,
  comparisonPages,
  newComparisonPages,
  workflowTemplatePages,
]) {
  webApp.use(pages)
}
