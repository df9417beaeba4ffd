/** Joining an organization that is open to everyone with an account. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { getOpenOrganization } from '../organizations/organizations.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { action, page } from '../pages/page.tsx'
import { joinOrganization } from './members.ts'

export const joinPage = page('/app/organizations/:org_id/join', { signedIn: true }, async ({ params }) => {
  const { id, name, member_count } = await getOpenOrganization(sql, params.org_id ?? '')
  return {
    title: name,
    main: (
      <div class="card">
        <p>
          {name} is open to everyone with an account. It has {member_count.toLocaleString('en')}{' '}
          {member_count === 1 ? 'member' : 'members'}, who can see your name and e-mail address when you join.
        </p>
        <Form action={`/app/organizations/${id}/join`}>
          <Submit>Join {name}</Submit>
        </Form>
      </div>
    ),
  }
})

export const join = action(
  '/app/organizations/:org_id/join',
  { signedIn: true },
  { on: joinPage, body: Nothing },
  async ({ caller, params, change }) => {
    const { organization_id } = await change((tx) => joinOrganization(tx, caller, params.org_id ?? ''))
    return { to: `/app/organizations/${organization_id}`, notice: 'You are a member now.' }
  },
)
