/** Invitations as their recipient reads and answers them: a list for the first page of the app, and a page of each. */
import { sql } from '../../core/platform/database.ts'
import { OneOf, Shape } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { asRole } from '../roles.ts'
import { invitationNotFound } from './invitations.ts'
import { acceptInvitation, declineInvitation, listReceivedInvitations } from './received-invitations.ts'
import type { Invitation } from './schema.ts'

export const Answers = ({ to }: { to: string }) => (
  <div class="buttons">
    <Submit name="answer" value="accept">
      Accept<span class="unseen"> the invitation to {to}</span>
    </Submit>
    <Submit kind="quiet" name="answer" value="decline" bare>
      Decline<span class="unseen"> the invitation to {to}</span>
    </Submit>
  </div>
)

const pathOf = ({ id }: Pick<Invitation, 'id'>): string => `/app/invitations/${id}`

export function ReceivedInvitations({ invitations }: { invitations: Invitation[] }) {
  if (invitations.length === 0) return null
  return (
    <Section title="Invitations" count={invitations.length} live="invitations">
      <Rows
        label="Invitations"
        of={invitations}
        row={({ id, actor, organization_name, role, expires_at }) => ({
          href: pathOf({ id }),
          what: organization_name,
          beside: `${actor.name} invites you as ${asRole(role)}`,
          end: (
            <>
              expires <Time at={expires_at} />
            </>
          ),
          actions: (
            <Form action={pathOf({ id })}>
              <Answers to={organization_name} />
            </Form>
          ),
        })}
      />
    </Section>
  )
}

const invitationPage = page('/app/invitations/:invitation_id', { signedIn: true }, async ({ caller, params }) => {
  const [invitation] = await listReceivedInvitations(sql, caller.id, { id: params.invitation_id, limit: 1 })
  if (!invitation) throw invitationNotFound()
  const { actor, organization_name, role, expires_at } = invitation
  return {
    title: 'Invitation',
    main: (
      <div class="card">
        <p>
          {actor.name} invites you to <strong>{organization_name}</strong> as {asRole(role)}. The invitation is valid until{' '}
          <Time at={expires_at} exact />.
        </p>
        <Form action={pathOf(invitation)}>
          <Answers to={organization_name} />
        </Form>
      </div>
    ),
  }
})

const answer = actionOn(
  invitationPage,
  '',
  { signedIn: true },
  Shape({ answer: OneOf(['accept', 'decline']) }),
  async ({ caller, params, change }, body) => {
    const reference = { invitation_id: params.invitation_id ?? '' }
    if (body.answer === 'decline') {
      const { organization_name } = await change((tx) => declineInvitation(tx, caller, reference))
      return { to: '/app', notice: `You declined the invitation to ${organization_name}.` }
    }
    const { organization_id, role } = await change((tx) => acceptInvitation(tx, caller, reference))
    return { to: `/app/organizations/${organization_id}`, notice: `You joined as ${asRole(role)}.` }
  },
)

export const receivedInvitationPages = pageRoutes('received-invitation-pages', invitationPage, answer)
