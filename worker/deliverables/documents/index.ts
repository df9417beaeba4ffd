/** The generators of the five document types. */
import type { DeliverableType } from '../../../core/deliverables.ts'
import type { ProjectData } from '../project-data.ts'
import { apiDocs } from './api-docs.ts'
import { changelog } from './changelog.ts'
import { deploymentGuide } from './deployment-guide.ts'
import { projectSummary } from './project-summary.ts'
import { userManual } from './user-manual.ts'

/** By deliverable type. Pure functions: the same data gives the same document. */
export const DOCUMENTS: Record<DeliverableType, (data: ProjectData) => string> = {
  changelog,
  project_summary: projectSummary,
  deployment_guide: deploymentGuide,
  api_docs: apiDocs,
  user_manual: userManual,
}
