/** Opens gates by hand: in a project, where nothing waits for them, or in an execution, which does. */

import { sql } from '../../core/platform/database.ts'
import { isTransition } from '../../core/records/executions.ts'
import { listEnvironmentNames } from '../environments/environments.ts'
import { getExecution } from '../executions/executions.ts'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { EnterSends, FoldedRows, Rows } from '../pages/components/rows.tsx'
import { Notice } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { DIGEST_HINT } from '../pages/typed-texts.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { getWorkspace } from '../workspaces/workspaces.ts'
import { openGate, openProjectGate } from './opening.ts'
import { ARTIFACTS, atGateFields, CHECKS, GateForm, gateIn, LINKS, METRICS, QUESTIONS } from './opening-form.ts'
import { expiryOptions } from './policy-form.tsx'

const AS_POLICIES = 'As the policies say'

type Surroundings = { environments: string[]; required_approvals: number }

async function surroundingsOf(project: ResourceKey<'project'>, workspace_id: string): Promise<Surroundings> {
  const [environments, { gate_policy }] = await Promise.all([
    listEnvironmentNames(sql, project),
    getWorkspace(sql, resourceKey('workspace', workspace_id, project)),
  ])
  return { environments, required_approvals: gate_policy.required_approvals }
}

const OpeningForm = ({ action: path, of: { environments, required_approvals } }: { action: string; of: Surroundings }) => (
  <div class="card wide">
    <Form action={path}>
      <EnterSends />
      <Field name="name" label="Name" required maxLength={200} hint="What is to be decided, such as: Release v1.5.0." />
      <TextArea name="description" label="Description" maxLength={10_000} />
      <Field
        name="environment"
        label="Environment"
        maxLength={64}
        list="environments"
        hint="The approval triggers the hooks of this environment. Empty: those of all."
      />
      <datalist id="environments">
        {environments.map((each) => (
          <option value={each} />
        ))}
      </datalist>
      <fieldset class="group">
        <legend>Subject</legend>
        <p class="hint">What exactly is approved. Policies of environments can require it, and attestations name it.</p>
        <Field
          name="subject_uri"
          label="Address"
          maxLength={2048}
          hint="https:, git+https:, pkg: or oci:, such as pkg:oci/checkout?repository_url=ghcr.io/acme/checkout."
        />
        <Field name="subject_digest" label="Digest" maxLength={200} hint={DIGEST_HINT} />
        <Field name="subject_version" label="Version" maxLength={120} hint="Such as v1.5.0." />
      </fieldset>
      <fieldset class="group">
        <legend>Evidence</legend>
        <p class="hint">What approvers should know. It never changes.</p>
        <TextArea
          name="summary"
          label="Summary"
          rows={5}
          maxLength={10_000}
          hint="What was done and what to look at, in Markdown."
        />
      </fieldset>
      <Rows of={CHECKS} />
      <Rows of={LINKS} />
      <FoldedRows of={METRICS} />
      <FoldedRows of={ARTIFACTS} />
      <FoldedRows of={QUESTIONS} />
      <fieldset class="group">
        <legend>Rules</legend>
        <p class="hint">They come from the policies of the workspace and the environment. Here they can be made stricter.</p>
        <Field
          name="required_approvals"
          label="Approvals required"
          type="number"
          hint={`Empty: ${AS_POLICIES.toLowerCase()}. The workspace requires ${required_approvals}.`}
        />
        <Select
          name="prevent_self_approval"
          label="People cannot approve what they opened or started"
          required
          options={[
            ['', AS_POLICIES],
            ['true', 'Yes'],
          ]}
        />
        <Select name="expires_in_seconds" label="Expires" required options={expiryOptions(null, AS_POLICIES)} />
      </fieldset>
      <Submit>Open the gate</Submit>
    </Form>
  </div>
)

const projectPath = ({ id }: { id: string }): string => `/app/projects/${id}/gates/new`

const projectOpening = page('/app/projects/:project_id/gates/new', { project: 'member' }, async ({ project }) => ({
  title: 'Open a gate',
  crumbs: [tabCrumb(project.id, 'gates')],
  main: (
    <>
      <p>Nothing waits for this gate. To make an agent wait, open it on the page of its execution.</p>
      <OpeningForm action={projectPath(project)} of={await surroundingsOf(project, project.workspace_id)} />
    </>
  ),
}))

const openInProject = actionOn(projectOpening, '', { project: 'member' }, GateForm, ({ caller, project, change }, form) =>
  atGateFields(form, async () => {
    const input = gateIn(form)
    const { id } = await change((tx) => openProjectGate(tx, caller, project, input))
    return { to: `/app/gates/${id}`, notice: 'The gate is open.' }
  }),
)

const executionPath = ({ id }: { id: string }): string => `/app/executions/${id}/gates/new`

const projectOf = (execution: Resource<'execution'>): ResourceKey<'project'> =>
  resourceKey('project', execution.project_id, execution)

const executionOpening = page('/app/executions/:execution_id/gates/new', { execution: 'member' }, async ({ execution }) => {
  const [{ agent, status }, surroundings] = await Promise.all([
    getExecution(sql, execution),
    surroundingsOf(projectOf(execution), execution.workspace_id),
  ])
  const canOpen = status === 'awaiting_gate' || isTransition(status, 'awaiting_gate')
  return {
    title: 'Open a gate',
    crumbs: [{ href: `/app/executions/${execution.id}`, text: `Execution by ${agent}` }],
    main: (
      <>
        {canOpen ? (
          <p>The execution waits until the gate is decided.</p>
        ) : (
          <Notice tone="warn">The execution is {status}: only one that runs, or waits for a gate, can get another.</Notice>
        )}
        <OpeningForm action={executionPath(execution)} of={surroundings} />
      </>
    ),
  }
})

const openInExecution = actionOn(executionOpening, '', { execution: 'member' }, GateForm, ({ caller, execution, change }, form) =>
  atGateFields(form, async () => {
    const input = gateIn(form)
    const { id } = await change((tx) => openGate(tx, caller, execution, input))
    return { to: `/app/gates/${id}`, notice: 'The gate is open, and the execution waits for it.' }
  }),
)

export const gateOpeningPages = pageRoutes('gate-opening-pages', projectOpening, openInProject, executionOpening, openInExecution)
