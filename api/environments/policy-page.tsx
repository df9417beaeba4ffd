/** The policy of an environment: what it says, a form, and a review of what a change concerns before it is saved. */
import { WAYS } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Name, Shape } from '../../core/values/schema.ts'
import { describeChanges } from '../audit-logs/changes.ts'
import { listHooks, MAX_HOOKS } from '../deployment-hooks/hooks.ts'
import { listProjectGates } from '../gates/lists.ts'
import { listGroups, MAX_GROUPS } from '../groups/groups.ts'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { bodyInput } from '../plugins/validation.ts'
import { environmentPath, policyPath } from './paths.ts'
import { deletePolicy, findPolicy, reviewPolicy, updatePolicy } from './policies.ts'
import { atFields, inputOf, lineOf, PolicyFields } from './policy-form.ts'
import { type EnvironmentPolicy, EnvironmentPolicyInput } from './policy-schema.ts'

const AS_WORKSPACE = 'As the workspace says'
const WAY_NAMES = { api: 'API', app: 'App', slack: 'Slack', mail: 'Mail' }
const HOURS = [1, 4, 8, 24, 48, 72, 168, 336, 720]
const ROWS = [1, 2, 3, 4, 5, 6]

const yesNo = (value: boolean | null): string => (value === null ? AS_WORKSPACE : value ? 'Yes' : 'No')

/** @param groups names by id */
function PolicyFacts({ of, groups }: { of: EnvironmentPolicy; groups: Map<string, string> }) {
  const approvers = of.approvers.map(({ group_id, count }) => `${count} of ${groups.get(group_id) ?? 'a group'}`)
  return (
    <Facts
      of={[
        ['Approvals', of.required_approvals === null ? AS_WORKSPACE : `${of.required_approvals} required`],
        ['Approvers', approvers.join(', ') || 'Admins of the workspace'],
        ['Self-approval prevented', yesNo(of.prevent_self_approval)],
        [
          'Expires',
          of.expires_in_seconds === null ? AS_WORKSPACE : `after ${of.expires_in_seconds.toLocaleString('en')} seconds`,
        ],
        ['Decided via', of.decide_via?.map((way) => WAY_NAMES[way]).join(', ') ?? AS_WORKSPACE],
        ['Subject required', yesNo(of.require_subject)],
        ['Passed checks required', yesNo(of.require_checks)],
        ['Gate required', yesNo(of.gate_required)],
        ['Freezes', of.freezes.map(({ name }) => name).join(', ') || 'None'],
      ]}
    />
  )
}

const path = (project_id: string) => `/app/projects/${project_id}/environment/policy`

function expiryOptions(current: number | null): [string, string][] {
  const seconds = new Set([...HOURS.map((hours) => hours * 3600), ...(current === null ? [] : [current])])
  const sorted = [...seconds].sort((one, other) => one - other)
  const text = (each: number) => (each % 3600 === 0 ? `After ${each / 3600} h` : `After ${each.toLocaleString('en')} s`)
  return [['', AS_WORKSPACE], ...sorted.map((each): [string, string] => [String(each), text(each)])]
}

interface FormProps {
  project_id: string
  environment: string
  of: EnvironmentPolicy | undefined
  groups: [id: string, name: string][]
}

function PolicyForm({ project_id, environment, of, groups }: FormProps) {
  return (
    <div class="card">
      <Form action={path(project_id)}>
        <input type="hidden" name="environment" value={environment} />
        <Field
          name="required_approvals"
          label="Approvals required"
          type="number"
          value={of?.required_approvals == null ? '' : String(of.required_approvals)}
          hint="1 to 10 people; empty: as the workspace says."
        />
        <Select
          name="prevent_self_approval"
          label="People cannot approve what they asked for"
          options={[
            ['', AS_WORKSPACE],
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
          value={of?.prevent_self_approval == null ? '' : String(of.prevent_self_approval)}
        />
        <Select
          name="expires_in_seconds"
          label="Expires"
          options={expiryOptions(of?.expires_in_seconds ?? null)}
          value={of?.expires_in_seconds == null ? '' : String(of.expires_in_seconds)}
        />
        <Checkboxes
          name="decide_via"
          label="Can be decided via (none: as the workspace says)"
          options={WAYS.map((way) => [way, WAY_NAMES[way]])}
          checked={of?.decide_via ?? []}
        />
        {ROWS.map((row) => (
          <div key={row}>
            <Select
              name={`approver_${row}`}
              label={`Approving group ${row}`}
              options={[['', 'None'], ...groups]}
              value={of?.approvers[row - 1]?.group_id ?? ''}
            />
            <Field
              name={`count_${row}`}
              label={`Members of group ${row}`}
              type="number"
              value={String(of?.approvers[row - 1]?.count ?? 1)}
            />
          </div>
        ))}
        <Checkbox name="require_subject" label="Gates must name what is deployed" checked={of?.require_subject ?? false} />
        <Checkbox name="require_checks" label="Gates need checks, all of them passed" checked={of?.require_checks ?? false} />
        <Checkbox
          name="gate_required"
          label="Nothing is deployed without an approved gate"
          checked={of?.gate_required ?? false}
        />
        <TextArea
          name="freezes"
          label="Freezes"
          rows={5}
          value={of?.freezes.map(lineOf).join('\n') ?? ''}
          hint="One a line: “Holidays | 2026-12-20T00:00:00Z | 2027-01-02T00:00:00Z”, or “Weekend | FREQ=WEEKLY;BYDAY=FR;BYHOUR=16 | 230400 | Europe/Berlin” with seconds and time zone."
        />
        <Submit>Review</Submit>
        <p class="hint">Nothing is saved yet: the next page shows what the change concerns.</p>
      </Form>
    </div>
  )
}

const policyPage = page(
  '/app/projects/:project_id/environment/policy',
  { project: 'member' },
  async ({ project, refused, query }) => {
    const environment = refused?.values.get('environment') ?? query.name ?? ''
    const [policy, groups] = await Promise.all([
      findPolicy(sql, project, environment),
      listGroups(sql, project.organization_id, { limit: MAX_GROUPS, after: null }),
    ])
    const names = groups.map(({ id, name }): [string, string] => [id, name])
    return {
      title: `Policy of ${environment}`,
      crumbs: [{ href: environmentPath(project.id, environment), text: environment }],
      main: (
        <>
          {policy ? (
            <PolicyFacts of={policy} groups={new Map(names)} />
          ) : (
            <Empty>No policy yet. Gates for this environment follow the policy of the workspace.</Empty>
          )}
          {project.role === 'admin' && (
            <Section title="Change it">
              <PolicyForm project_id={project.id} environment={environment} of={policy} groups={names} />
            </Section>
          )}
          {project.role === 'admin' && policy && (
            <Section title="Delete">
              <Form action={`${path(project.id)}/delete`} inline>
                <input type="hidden" name="environment" value={environment} />
                <Submit kind="danger" confirm={`Delete the policy of ${environment}? New gates then follow the workspace alone.`}>
                  Delete the policy
                </Submit>
              </Form>
            </Section>
          )}
        </>
      ),
    }
  },
  Shape({ name: Maybe(Name(64)) }),
)

const validated = (fields: PolicyFields) => bodyInput(EnvironmentPolicyInput)['~standard'].validate(inputOf(fields)).value

/** What the form contained, to be posted again. */
const Hidden = ({ fields }: { fields: PolicyFields }) =>
  Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? ['', ...value] : [value ?? '']).map((each, index) => (
      <input key={`${name} ${index}`} type="hidden" name={name} value={String(each)} />
    )),
  )

/** Gates that the review looks at. */
const PENDING = { limit: 1000, after: null }

const review = action(
  '/app/projects/:project_id/environment/policy',
  { project: 'admin' },
  { on: policyPage, body: PolicyFields },
  async ({ project, change }, fields) => {
    const { environment } = fields
    const changes = await atFields(fields, async () => {
      const input = validated(fields)
      return change((tx) => reviewPolicy(tx, project, environment, input))
    })
    const [pending, hooks] = await Promise.all([
      listProjectGates(sql, project, 'pending', PENDING),
      listHooks(sql, project, { limit: MAX_HOOKS, after: null }),
    ])
    const gates = pending.filter((gate) => gate.environment === environment)
    const concerned = hooks.filter((hook) => hook.environment === environment)
    return {
      title: `Review the policy of ${environment}`,
      crumbs: [{ href: policyPath(project.id, environment), text: `Policy of ${environment}` }],
      main: (
        <>
          <Notice tone="warn">Not saved yet.</Notice>
          <Section title="Changes">
            {changes.length === 0 ? <Empty>Nothing changes.</Empty> : <p>{describeChanges(changes)}</p>}
          </Section>
          <Section title="Pending gates" count={gates.length}>
            <p class="hint">
              They keep the rules that they were opened with; gates that are opened from now on have the new ones.
            </p>
            <ul>
              {gates.map(({ id, name }) => (
                <li key={id}>
                  <a href={`/app/gates/${id}`}>{name}</a>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Hooks" count={concerned.length}>
            <p class="hint">They deploy to this environment.</p>
            <ul>
              {concerned.map(({ id, name }) => (
                <li key={id}>
                  <a href={`/app/deployment-hooks/${id}`}>{name}</a>
                </li>
              ))}
            </ul>
          </Section>
          <Form action={`${path(project.id)}/save`}>
            <Hidden fields={fields} />
            <Submit>Save the policy</Submit>
          </Form>
          <p>
            <a href={policyPath(project.id, environment)}>Leave it as it is</a>
          </p>
        </>
      ),
    }
  },
)

const save = action(
  '/app/projects/:project_id/environment/policy/save',
  { project: 'admin' },
  { on: policyPage, body: PolicyFields },
  async ({ request, caller, project, change }, fields) => {
    await atFields(fields, async () => {
      const input = validated(fields)
      await change((tx) => updatePolicy(tx, caller, project, fields.environment, input, request))
    })
    return { notice: 'The policy was saved.', to: policyPath(project.id, fields.environment) }
  },
)

const remove = action(
  '/app/projects/:project_id/environment/policy/delete',
  { project: 'admin' },
  { on: policyPage, body: Shape({ environment: Name(64) }) },
  async ({ request, caller, project, change }, { environment }) => {
    await change((tx) => deletePolicy(tx, caller, project, environment, request))
    return { notice: 'The policy was deleted.', to: policyPath(project.id, environment) }
  },
)

export const environmentPolicyPages = pageRoutes('environment-policy-pages', policyPage, review, save, remove)
