/** Writing, changing and deleting requirements. */

import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Button, Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { EnterSends, Repeated } from '../pages/components/rows.tsx'
import { Section } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { projectPath, tabCrumb } from '../projects/tabs.tsx'
import { createRequirement, deleteRequirement, getRequirement, updateRequirement } from './requirements.ts'
import { REQUIREMENT_KINDS, REQUIREMENT_STATUSES, type Requirement, RequirementInput, RequirementUpdate } from './schema.ts'

const wordsOf = (values: readonly string[]): [string, string][] => values.map((each) => [each, each.replaceAll('_', ' ')])

/** The fields of a requirement. @param of null for a new one */
const RequirementFields = ({ of }: { of: Requirement | null }) => (
  <>
    <EnterSends />
    <Field name="title" label="Title" required maxLength={200} value={of?.title} hint="Such as: Pay by invoice." />
    <Select name="kind" label="Kind" required value={of?.kind ?? 'feature'} options={wordsOf(REQUIREMENT_KINDS)} />
    <TextArea name="description" label="Description" rows={6} maxLength={10_000} value={of?.description ?? ''} />
    <Repeated
      name="acceptance_criteria"
      label="Acceptance criteria"
      one="Criterion"
      values={of?.acceptance_criteria ?? []}
      maximum={50}
      hint="What must be true when it is done. Agents and the people who decide gates read them. Empty ones are left out."
    />
    {of && <Select name="status" label="Status" required value={of.status} options={wordsOf(REQUIREMENT_STATUSES)} />}
  </>
)

const newPath = ({ id }: { id: string }): string => `/app/projects/${id}/requirements/new`

const newPage = page('/app/projects/:project_id/requirements/new', { project: 'member' }, ({ project }) => ({
  title: 'New requirement',
  main: (
    <Form card action={newPath(project)}>
      <RequirementFields of={null} />
      <Submit>Create the requirement</Submit>
    </Form>
  ),
}))

const admin = { requirement: 'admin' } as const

const member = { requirement: 'member' } as const

const create = actionOn(newPage, '', { project: 'member' }, RequirementInput, async ({ caller, project, change }, input) => {
  const { id, number } = await change((tx) => createRequirement(tx, caller, project, input))
  return { to: `/app/requirements/${id}`, notice: `Requirement #${number} was created.` }
})

const editPath = ({ id }: { id: string }): string => `/app/requirements/${id}/edit`

const editPage = page('/app/requirements/:requirement_id/edit', { requirement: 'member' }, async ({ requirement }) => {
  const shown = await getRequirement(sql, requirement)
  const path = editPath(requirement)
  return {
    title: `Edit #${shown.number}`,
    crumbs: [
      tabCrumb(shown.project_id, 'requirements'),
      { href: `/app/requirements/${shown.id}`, text: `#${shown.number} ${shown.title}` },
    ],
    main: (
      <>
        <Form card action={path} updated_at={shown.updated_at}>
          <RequirementFields of={shown} />
          <Submit>Save</Submit>
        </Form>
        {requirement.role === 'admin' && (
          <Section title="Delete">
            <Button
              action={`${path}/delete`}
              kind="danger"
              confirm={`Delete requirement #${shown.number} and its executions? This cannot be undone.`}
            >
              Delete the requirement
            </Button>
          </Section>
        )}
      </>
    ),
  }
})

const save = actionOn(editPage, '', member, RequirementUpdate, async ({ request, caller, requirement, change }, input) => {
  await change((tx) => updateRequirement(tx, caller, requirement, input, request))
  return { to: `/app/requirements/${requirement.id}`, notice: 'The requirement was saved.' }
})

const remove = actionOn(editPage, '/delete', admin, Nothing, async ({ request, caller, requirement, change }) => {
  const { number, title } = await getRequirement(sql, requirement)
  await change((tx) => deleteRequirement(tx, caller, requirement, request))
  return { to: projectPath(requirement.project_id, 'requirements'), notice: `Requirement #${number}, ${title}, was deleted.` }
})

export const requirementEditPages = pageRoutes('requirement-edit-pages', newPage, create, editPage, save, remove)
