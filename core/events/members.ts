/** Events of the members of an organization. */
import { quotedName } from '../values/plain-text.ts'
import { declare, type MessageSpec } from './declaration.ts'
import type { EventMember } from './subjects.ts'
import { actor, text } from './words.ts'

type Data = { member: EventMember; from?: string; to?: string }

const nameOf = ({ user_name, user_email }: EventMember): string => text(user_name) ?? text(user_email) ?? 'a member'

/** @param by what to call the person who caused the event */
const message = (title: string, what: (data: Data) => string, by: string): MessageSpec<Data> => ({
  title,
  severity: 'info',
  next: null,
  describe: (data, people) => ({
    sentence: `${nameOf(data.member)} ${what(data)}.`,
    subject: nameOf(data.member),
    facts: [
      ['Role', text(data.to) ?? text(data.member.role)],
      [by, actor(people)],
    ],
  }),
})

export const memberEvents = {
  'member.added': declare({
    when: 'A user becomes a member of the organization.',
    data: { member: 'member' },
    scope: 'organization',
    sample: { member: { role: 'member' } },
    message: message('Member added', () => 'joined the organization', 'Added by'),
    notifies: ({ data: { member }, ...at }) => ({
      type: 'member_added',
      resource: ['organization_member', member.user_id],
      data: { user_id: member.user_id, user_name: member.user_name, role: member.role },
      text: (user_id) =>
        user_id === member.user_id
          ? { title: `You are now a member of ${quotedName(at.organization_name)}`, body: `Your role is ${member.role}.` }
          : {
              title: `${quotedName(member.user_name)} is now a member of ${quotedName(at.organization_name)}`,
              body: `${member.user_email}, with the role ${member.role}.`,
            },
      people: [member.user_id],
      owner: true,
    }),
    hooks: null,
    slack: 'reply',
  }),
  'member.removed': declare({
    when: 'A member is removed or leaves, or the account is deleted.',
    data: { member: 'member' },
    scope: 'organization',
    sample: { member: { role: 'member' } },
    message: message('Member removed', () => 'left the organization', 'Removed by'),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
  'member.role_changed': declare({
    when: "A member's role changes, also by a transfer of ownership.",
    data: { member: 'member', from: 'role', to: 'role' },
    scope: 'organization',
    sample: { member: { role: 'admin' }, from: 'member', to: 'admin' },
    message: message(
      'Role changed',
      ({ from, to, member }) => {
        const [before, now] = [text(from), text(to) ?? text(member.role)]
        return before && now ? `is now ${now}; before: ${before}` : 'has a new role'
      },
      'Changed by',
    ),
    notifies: ({ data: { member, to }, ...at }) =>
      to === 'owner'
        ? {
            type: 'member_added',
            resource: ['organization_member', member.user_id],
            data: { user_id: member.user_id, user_name: member.user_name, role: to },
            text: () => ({
              title: `You are now the owner of ${quotedName(at.organization_name)}`,
              body: 'The ownership was transferred to you. The former owner is an admin now.',
            }),
            people: [member.user_id],
          }
        : null,
    hooks: null,
    slack: 'reply',
  }),
}
