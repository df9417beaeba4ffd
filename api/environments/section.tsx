/** What runs in the environments of a project, and how its deployments go: a part of the project's page. */
import { Maybe, Name } from '../../core/values/schema.ts'
import { Field, Submit } from '../pages/components/forms.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import type { ShownEnvironment } from './environments.ts'
import { policyPath } from './paths.ts'
import { Figures, Running } from './tables.tsx'

/** Environments that the page shows at a time. */
const PART = 10

/** The parameter of the page: the last environment of the part before. */
export const environmentsQuery = { environments_after: Maybe(Name(64)) }

/** The environments to read; one more than is shown tells whether there are others. */
export const environmentsPart = ({ environments_after: after }: { environments_after?: string }) => ({ limit: PART + 1, after })

/** Leads to the policy of an environment, which may be none of those that are shown. */
const PolicyFinder = ({ project_id }: { project_id: string }) => (
  <details class="change">
    <summary>Policy of an environment…</summary>
    <form method="get" action={policyPath(project_id)} class="filters">
      <Field name="name" label="Environment" maxLength={64} required hint="Such as production. It needs no hook yet." />
      <div class="buttons">
        <Submit kind="quiet">Open its policy</Submit>
      </div>
    </form>
  </details>
)

/**
 * The environments of a project.
 *
 * @param path of the page
 * @param rows as read with `environmentsPart`
 * @param after the last environment of the part before
 */
export function Environments({
  project_id,
  path,
  rows,
  after,
}: {
  project_id: string
  path: string
  rows: ShownEnvironment[]
  after: string | undefined
}) {
  const shown = rows.slice(0, PART)
  const hasMore = rows.length > PART
  return (
    <Section title="Environments" aside={<a href={`/app/projects/${project_id}/charts`}>Charts</a>}>
      {shown.length === 0 ? (
        <Empty>
          {after === undefined ? (
            <>
              It is not known what runs where. Set “Seconds within which the outcome is reported” of a hook: its environment is
              then shown here.
            </>
          ) : (
            'No further environments.'
          )}
        </Empty>
      ) : (
        <>
          <Running rows={shown} project_id={project_id} />
          <Figures rows={shown} named />
        </>
      )}
      {(hasMore || after !== undefined) && (
        <nav class="pager" aria-label="Parts of environments">
          {after !== undefined && <a href={path}>First environments</a>}
          {hasMore && (
            <a href={`${path}?${new URLSearchParams({ environments_after: shown.at(-1)?.environment ?? '' })}`} rel="next">
              More environments
            </a>
          )}
        </nav>
      )}
      <PolicyFinder project_id={project_id} />
    </Section>
  )
}
