/** The generators of the five document types. */
import type { DeliverableType } from '../../../core/deliverables.ts'
import { apiDocs } from './api-docs.ts'
import { changelog } from './changelog.ts'
import { deploymentGuide } from './deployment-guide.ts'
import type { Generator } from './document.ts'
import { projectSummary } from './project-summary.ts'
import { userManual } from './user-manual.ts'

/** By deliverable type. */
export const DOCUMENTS: Record<DeliverableType, Generator> = {
  changelog,
  project_summary: projectSummary,
  deployment_guide: deploymentGuide,
  api_docs: apiDocs,
  user_manual: userManual,
}
