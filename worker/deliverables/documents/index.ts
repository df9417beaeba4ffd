/** The five documents. */
import type { DeliverableType } from '../../../core/deliverables.ts'
import type { ProjectData } from '../project-data.ts'
import { apiDocs } from './api-docs.ts'
import { changelog } from './changelog.ts'
import { deploymentGuide } from './deployment-guide.ts'
import { projectSummary } from './project-summary.ts'
import { userManual } from './user-manual.ts'

/** Type of a deliverable → what writes it: pure, so that the same data gives the same bytes. */
export const DOCUMENTS: Record<DeliverableType, (data: ProjectData) => string> = {
  changelog,
  project_summary: projectSummary,
  deployment_guide: deploymentGuide,
  api_docs: apiDocs,
  user_manual: userManual,
}
