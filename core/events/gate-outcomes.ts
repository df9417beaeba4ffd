/** Events of outcomes of gates beyond approval and rejection. */
import { quotedName } from '../values/plain-text.ts'
import { declare, type MessageSpec, type NotificationSpec, type ToldEvent } from './declaration.ts'
import { RUNNING } from './executions.ts'
import { decided, decision, type GateData, message } from './gates.ts'
import { excerpt, joined, nameIn, notificationText, ofRequirement, person, prose, text, verbatim } from './words.ts'

const REVIEW =
  'Read the reason, and review it. Another owner or admin of the organization than the one who overrode the gate can.'

function overrideMessage(title: string, what: string): MessageSpec<GateData> {
  const spec = message(title, 'warning', what, REVIEW)
  return {
    ...spec,
    describe: (data, people, asked) => {
      const described = spec.describe(data, people, asked)
      return { ...described, facts: [...described.facts, ['Incident', verbatim(data.gate.incident_url, 300)]] }
    },
  }
}

const MAX_NAMED = 5

/** The dispatches of a revoked approval that may still arrive; null if there are none, or if an earlier version wrote the event. */
function mayArrive({ revoked_in_flight }: GateData['gate']): string | null {
  const dispatches = revoked_in_flight ?? []
  const more = dispatches.length - MAX_NAMED
  return joined(
    ', ',
    ...dispatches.slice(0, MAX_NAMED).map(({ id, hook_name }) => `${text(hook_name)} (dispatch ${id})`),
    more > 0 && `${more} more`,
  )
}

/** The message about a revocation: its reason, and not the comment of the approval. */
function revocationMessage(): MessageSpec<GateData> {
  const next = 'Open another gate if it may be approved again, and roll back what was deployed.'
  const spec = message('Gate approval revoked', 'bad', 'is approved no more: the approval was revoked', next)
  return {
    ...spec,
    describe: (data, people, asked) => {
      const described = spec.describe(data, people, asked)
      return {
        ...described,
        facts: [
          ...described.facts,
          ['Revoked by', person(people, data.gate.revoked_by)],
          ['May still arrive', mayArrive(data.gate)],
        ],
        quote: prose(data.gate.revocation_reason),
      }
    },
  }
}

/** Tells of an override. @param to which people; with the admins of the workspace, the members of the groups that could have approved */
const tells =
  (what: string, to: { admins: true } | { organizationAdmins: true }) =>
  ({ data: { gate, requirement }, ...at }: ToldEvent<GateData>): NotificationSpec => ({
    type: 'gate_overridden',
    resource: ['gate', gate.id],
    data: { gate_name: gate.name, execution_id: gate.execution_id },
    text: (_, people) => {
      const by = nameIn(people, gate.decided_by)
      const incident = verbatim(gate.incident_url, 300)
      return notificationText(
        `The gate ${quotedName(gate.name)} ${what}${ofRequirement(requirement)}`,
        at,
        joined(' ', by && `${by} approved it although its requirements were not met.`, incident && `Incident: ${incident}`),
        excerpt(gate.comment),
      )
    },
    mentions: [gate.decided_by],
    except: gate.decided_by === null ? [] : [gate.decided_by],
    ...to,
    // Events that were written by an earlier version have no rules.
    groups: 'admins' in to ? (gate.rules?.approvers.map(({ group_id }) => group_id) ?? []) : [],
  })

const overridden = {
  ...decided,
  status: 'approved',
  decided_via: 'override',
  answers: {},
  triggers_hooks: true,
  comment: 'The checkout is down, and both approvers are on a plane.',
  incident_url: 'https://status.acme.example/incidents/42',
} as const

export const gateOutcomeEvents = {
  'gate.changes_requested': declare({
    ...decision,
    when: 'Changes are requested at a gate. Its execution is running again once no other gate of it is pending.',
    sample: {
      gate: {
        ...decided,
        status: 'changes_requested',
        answers: null,
        triggers_hooks: null,
        comment: 'Split the migration, so that it locks the table for a moment only.',
      },
      execution: RUNNING,
    },
    message: message(
      'Gate changes requested',
      'warning',
      'was decided: changes are requested',
      'Read the comment, make the changes, and open another gate.',
    ),
    notifies: ({ data: { gate, requirement, execution }, ...at }): NotificationSpec => ({
      type: 'changes_requested',
      resource: ['gate', gate.id],
      data: { gate_name: gate.name, execution_id: gate.execution_id },
      text: (_, people) => {
        const by = nameIn(people, gate.decided_by)
        return notificationText(
          `Changes are requested at the gate ${quotedName(gate.name)}${ofRequirement(requirement)}`,
          at,
          by && `${by} requested them.`,
          excerpt(gate.comment),
        )
      },
      mentions: [gate.decided_by],
      people: [execution ? execution.started_by : gate.created_by],
      except: gate.decided_by === null ? [] : [gate.decided_by],
    }),
    hooks: null,
    slack: 'reply',
  }),
  'gate.overridden': declare({
    ...decision,
    when: 'An owner or admin of the organization approves a gate regardless of what it still requires. `gate.approved` is emitted as well.',
    sample: { gate: overridden, execution: RUNNING },
    message: overrideMessage('Gate overridden', 'was overridden: it is approved although its requirements were not met'),
    notifies: tells('was overridden', { admins: true }),
    hooks: null,
    slack: 'reply',
  }),
  'gate.review_due': declare({
    ...decision,
    when: 'A gate was overridden 24 hours ago, and the override has not been reviewed.',
    sample: { gate: overridden, execution: RUNNING },
    message: overrideMessage('Gate review due', 'was overridden, and was not reviewed within 24 hours'),
    notifies: tells('was overridden and is not reviewed', { organizationAdmins: true }),
    hooks: null,
    slack: 'reply',
  }),
  'gate.revoked': declare({
    ...decision,
    when: 'The approval of a gate is revoked. Nothing more is sent because of it but what was in flight: `gate.revoked_in_flight` names the dispatches that may still arrive.',
    sample: {
      gate: {
        ...decided,
        status: 'approved',
        answers: {},
        triggers_hooks: true,
        comment: 'Ship it.',
        revoked_at: '2026-11-21T10:15:00.000Z',
        revocation_reason: 'The image contains a vulnerable library.',
        revoked_in_flight: [
          {
            id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b60',
            hook_id: '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b61',
            hook_name: 'Deploy to production',
          },
        ],
      },
      execution: RUNNING,
    },
    message: revocationMessage(),
    hooks: null,
    slack: 'reply',
    notifies: null,
  }),
}
