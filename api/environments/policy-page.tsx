/** The policy of an environment: what it says, a form, and a review of what a change concerns before it is saved. */

import { sql } from '../../core/platform/database.ts'
import { Maybe, Name, Shape } from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'
import { listHooks, MAX_HOOKS } from '../deployment-hooks/hooks.ts'
import { expectedFreezes } from '../freezes/current.ts'
import { editRows, rowsIn } from '../freezes/form.tsx'
import { ExpectedFreezes } from '../freezes/notice.tsx'
import { listPendingNames } from '../gates/lists.ts'
import { listGroups, MAX_GROUPS } from '../groups/groups.ts'
import { Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import { REDISPLAY } from '../pages/forms.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import { bodyInput } from '../plugins/validation.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { environmentPath, policyPath } from './environments.ts'
import { deletePolicy, findPolicy, reviewPolicy, updatePolicy } from './policies.ts'
import { atFields, entriesOf, inputOf, PolicyChanges, PolicyFacts, PolicyFields, PolicyForm } from './policy-fields.tsx'
import { listSources } from './promotion.ts'
import { EnvironmentPolicyInput } from './schema.ts'
import { PolicyFinder } from './tables.tsx'
import { findUnderstaffed } from './ways.ts'

async function groupNames(db: Queryable, { organization_id }: ResourceKey<'project'>): Promise<[id: string, name: string][]> {
  const groups = await listGroups(db, organization_id, { limit: MAX_GROUPS, after: null })
  return groups.map(({ id, name }) => [id, name])
}

const policyPage = page(
  '/app/projects/:project_id/environment/policy',
  { project: 'member' },
  async ({ project, refused, query }) => {
    const back = tabCrumb(project.id, 'environments')
    const environment = refused?.values.get('environment') ?? query.name ?? ''
    // A form for no environment could only be refused.
    if (environment === '')
      return { title: 'Policy of an environment', crumbs: [back], main: <PolicyFinder project_id={project.id} /> }
    if (refused?.again) editRows(refused.values, refused.again)
    const [policy, groups, sources] = await Promise.all([
      findPolicy(sql, project, environment),
      groupNames(sql, project),
      listSources(sql, project, environment),
    ])
    const freezes = await expectedFreezes(policy?.freezes ?? [], new Date())
    return {
      title: `Policy of ${environment}`,
      crumbs: policy ? [back, { href: environmentPath(project.id, environment), text: environment }] : [back],
      main: (
        <>
          {policy ? (
            <PolicyFacts of={policy} groups={new Map(groups)} workspace_id={project.workspace_id} />
          ) : (
            <Empty>No policy yet. Gates for this environment follow the policy of the workspace.</Empty>
          )}
          {freezes.length > 0 && (
            <Section title="Freezes" count={freezes.length}>
              <ExpectedFreezes of={freezes} />
            </Section>
          )}
          {project.role === 'admin' && (
            <details class="change" open={!policy || refused !== null}>
              <summary>{policy ? 'Edit the policy…' : 'Make a policy…'}</summary>
              {groups.length === 0 && (
                <p class="hint">
                  To require the approval of a group, <a href={`/app/organizations/${project.organization_id}/groups`}>make it</a>{' '}
                  first.
                </p>
              )}
              <PolicyForm
                path={policyPath(project.id)}
                environment={environment}
                of={policy}
                groups={groups}
                sources={sources}
                rows={refused?.values.has('require_checks') ? rowsIn(refused.values) : undefined}
                isFocused={refused?.again?.startsWith('add')}
              />
            </details>
          )}
          {project.role === 'admin' && policy && (
            <Section title="Delete">
              <Form action={`${policyPath(project.id)}/delete`} inline>
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
  entriesOf(fields).map(([name, text]) => <input type="hidden" name={name} value={text} />)

const MAX_GATES = 50

const Concerned = ({ path, rows }: { path: string; rows: { id: string; name: string }[] }) => (
  <ul>
    {rows.map(({ id, name }) => (
      <li>
        <a href={`${path}/${id}`}>{name}</a>
      </li>
    ))}
  </ul>
)

const admin = { project: 'admin' } as const

const review = actionOn(policyPage, '', admin, PolicyFields, async ({ request, project, change }, fields) => {
  const { environment } = fields
  const { before, after, changed, now, updated_at } = await atFields(fields, async () => {
    const input = validated(fields)
    return change((tx) => reviewPolicy(tx, project, environment, input, request))
  })
  const [gates, hooks, groups, freezes] = await Promise.all([
    listPendingNames(sql, project, environment, MAX_GATES + 1),
    listHooks(sql, project, { limit: MAX_HOOKS, after: null }),
    groupNames(sql, project),
    expectedFreezes(after.freezes, new Date(now)),
  ])
  const named = new Map(groups)
  const understaffed = await findUnderstaffed(
    sql,
    project,
    after.approvers.map((rule) => ({ ...rule, name: named.get(rule.group_id) ?? 'a group' })),
  )
  const concerned = hooks.filter((hook) => hook.environment === environment)
  return {
    title: `Review the policy of ${environment}`,
    crumbs: [
      tabCrumb(project.id, 'environments'),
      { href: policyPath(project.id, environment), text: `Policy of ${environment}` },
    ],
    main: (
      <>
        <Notice tone="warn">Not saved yet.</Notice>
        <Section title="Changes">
          {changed.length === 0 ? (
            <Empty>Nothing changes.</Empty>
          ) : (
            <PolicyChanges changed={changed} before={before} after={after} groups={named} />
          )}
          {understaffed.length > 0 && (
            <Notice tone="warn">
              {understaffed.join(' ')} <a href={`/app/workspaces/${project.workspace_id}/members/add`}>Add people to it</a>
            </Notice>
          )}
        </Section>
        {freezes.length > 0 && (
          <Section title="When freezes hold" count={freezes.length}>
            <ExpectedFreezes of={freezes} />
          </Section>
        )}
        <Section title="Pending gates" count={Math.min(gates.length, MAX_GATES)}>
          <p class="hint">
            {gates.length === 0
              ? 'None. Gates that are opened from now on have the new rules.'
              : 'They keep the rules that they were opened with; gates that are opened from now on have the new ones.'}
          </p>
          <Concerned path="/app/gates" rows={gates.slice(0, MAX_GATES)} />
          {gates.length > MAX_GATES && <p class="hint">The oldest {MAX_GATES} are shown.</p>}
        </Section>
        <Section title="Hooks" count={concerned.length}>
          <p class="hint">{concerned.length === 0 ? 'None deploys to this environment.' : 'They deploy to this environment.'}</p>
          <Concerned path="/app/deployment-hooks" rows={concerned} />
        </Section>
        <Form action={`${policyPath(project.id)}/save`} updated_at={updated_at ?? ''}>
          <Hidden fields={fields} />
          <div class="buttons">
            <Submit>Save the policy</Submit>
            <SubmitTo action={policyPath(project.id)} name={REDISPLAY} value="">
              Change it again
            </SubmitTo>
          </div>
        </Form>
        <p class="more">
          <a href={policyPath(project.id, environment)}>Leave it as it is</a>
        </p>
      </>
    ),
  }
})

const save = actionOn(policyPage, '/save', admin, PolicyFields, async ({ request, caller, project, change }, fields) => {
  await atFields(fields, async () => {
    const input = validated(fields)
    await change((tx) => updatePolicy(tx, caller, project, fields.environment, input, request))
  })
  return { notice: 'The policy was saved.', to: policyPath(project.id, fields.environment) }
})

const remove = actionOn(
  policyPage,
  '/delete',
  admin,
  Shape({ environment: Name(64) }),
  async ({ request, caller, project, change }, { environment }) => {
    await change((tx) => deletePolicy(tx, caller, project, environment, request))
    return { notice: 'The policy was deleted.', to: policyPath(project.id, environment) }
  },
)

export const environmentPolicyPages = pageRoutes('environment-policy-pages', policyPage, review, save, remove)
