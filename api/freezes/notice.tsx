import { policyPath } from '../environments/paths.ts'
import { Notice, Time } from '../pages/components/text.tsx'

/** Says that an environment is frozen; nothing if it is not. */
export function FreezeNotice({
  project_id,
  environment,
  until,
}: {
  project_id: string
  environment: string
  until: string | null
}) {
  if (until === null) return null
  return (
    <Notice tone="warn">
      <bdi>{environment}</bdi> is frozen until <Time at={until} exact />. Approved deployments wait until then; tests, manual
      triggers and rollbacks are sent. <a href={policyPath(project_id, environment)}>Freezes</a>
    </Notice>
  )
}
