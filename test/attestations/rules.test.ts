/** Which rules of a decided gate do not hold: each of them, one at a time. */
import { describe, expect, test } from 'bun:test'
import { brokenRules, type DecidedGate } from '../../core/clearance/verification.ts'
import { bindingOf } from '../../core/gates/binding.ts'

const [OPENER, STARTER, ADA, GRACE] = ['opener', 'starter', 'ada', 'grace']

type Given = DecidedGate['attested_approvals'][number]

const approval = (user_id: string, more: Partial<Given> = {}): Given => ({
  user_id,
  via: 'app',
  proof: null,
  at: '2026-01-01T12:00:00.000Z',
  ...more,
})

const check = (state: 'passed' | 'failed' | 'skipped') => ({ name: state, state, url: null, detail: null })
const evidence = (...states: Parameters<typeof check>[0][]) => ({
  summary: null,
  metrics: {},
  checks: states.map(check),
  links: [],
  artifacts: [],
})

/** A gate that was approved as its rules require. */
function gate(rules: Partial<DecidedGate['rules']> = {}, more: Partial<DecidedGate> = {}): DecidedGate {
  const decided = {
    id: 'gate',
    decided_via: 'app',
    decided_at: '2026-01-01T12:00:00.000Z',
    override_proof: null,
    created_by: OPENER,
    started_by: STARTER,
    asked_by: [],
    attested_approvals: [approval(ADA)],
    project_id: 'project',
    environment: 'production',
    subject: { uri: 'git+https://git.example.com/acme/checkout', digest: { gitCommit: '7'.repeat(40) }, version: null },
    evidence: evidence('passed'),
    fields: [],
    rules: {
      required_approvals: 1,
      prevent_self_approval: false,
      expires_at: null,
      decide_via: ['api', 'app', 'mail', 'slack'],
      approvers: [],
      require_subject: true,
      require_checks: false,
      require_passkey: false,
      gate_required: false,
      ...rules,
    },
    ...more,
  } as unknown as DecidedGate
  return { ...decided, binding: bindingOf(decided) }
}

const proven = { attested_approvals: [approval(ADA, { proof: 'passkey' })] }
const TWO = { attested_approvals: [approval(ADA), approval(GRACE)] }
const group = (count: number) => ({ group_id: `group of ${count}`, count })
const override = (override_proof: 'passkey' | null) =>
  ({ decided_via: 'override', override_proof, attested_approvals: [] }) as Partial<DecidedGate>

describe('All rules hold', () => {
  test.each<[string, DecidedGate]>([
    ['of a gate that one person approved', gate()],
    ['with two approvals', gate({ required_approvals: 2 }, TWO)],
    ['with an approval for each group', gate({ approvers: [group(1), group(1)] }, TWO)],
    ['without self-approval', gate({ prevent_self_approval: true })],
    ['with a self-approval that the rules allow', gate({}, { attested_approvals: [approval(OPENER)] })],
    ['with a passkey', gate({ require_passkey: true }, proven)],
    ['with checks that passed', gate({ require_checks: true })],
    ['in the one way that they allow', gate({ decide_via: ['app'] })],
    ['at the last moment', gate({ expires_at: '2026-01-01T12:00:00.000Z' })],
    ['of an override, which needs no approvals', gate({ required_approvals: 5, decide_via: ['api'] }, override(null))],
    ['of an override with a passkey', gate({ require_passkey: true }, override('passkey'))],
  ])('%s', (_, decided) => {
    expect(brokenRules(decided)).toEqual([])
  })
})

const SELF = 'The gate was approved by a person who asked for it, which its rules prevent.'
const UNCHECKED = 'The gate requires that all checks passed, and they did not.'
const missing = (required: number, counted: number) =>
  `The approvals that the gate requires: ${required}. Those that counted: ${counted}.`

describe('A rule does not hold', () => {
  test.each<[string, DecidedGate, string]>([
    ['without approvals', gate({}, { attested_approvals: [] }), missing(1, 0)],
    ['with too few approvals', gate({ required_approvals: 2 }), missing(2, 1)],
    ['with fewer approvals than its groups require', gate({ approvers: [group(2), group(1)] }, TWO), missing(3, 2)],
    ['with that of the opener', gate({ prevent_self_approval: true }, { attested_approvals: [approval(OPENER)] }), SELF],
    [
      'with that of a person whose work it is about',
      gate({ prevent_self_approval: true }, { created_by: null, asked_by: [ADA] }),
      SELF,
    ],
    ['with that of the starter', gate({ prevent_self_approval: true }, { attested_approvals: [approval(STARTER)] }), SELF],
    [
      'with one approval of two that has no passkey',
      gate({ require_passkey: true }, { attested_approvals: [approval(ADA, { proof: 'passkey' }), approval(GRACE)] }),
      'The gate requires passkeys, and was approved without one.',
    ],
    [
      'of an override without a passkey',
      gate({ require_passkey: true }, override(null)),
      'The gate requires passkeys, and was overridden without one.',
    ],
    ['with a failed check', gate({ require_checks: true }, { evidence: evidence('passed', 'failed') }), UNCHECKED],
    ['with a skipped check', gate({ require_checks: true }, { evidence: evidence('passed', 'skipped') }), UNCHECKED],
    ['without checks', gate({ require_checks: true }, { evidence: evidence() }), UNCHECKED],
    ['without evidence', gate({ require_checks: true }, { evidence: null }), UNCHECKED],
    [
      'with an approval by mail, where only the app is allowed',
      gate({ decide_via: ['app'] }, { attested_approvals: [approval(ADA, { via: 'mail' })] }),
      'The gate was approved in a way that its rules do not allow.',
    ],
    ['after it had expired', gate({ expires_at: '2026-01-01T11:59:59.999Z' }), 'The gate was approved after it had expired.'],
  ])('%s', (_, decided, reason) => {
    expect(brokenRules(decided)).toEqual([reason])
  })

  test.each<[string, Partial<DecidedGate>]>([
    ['the environment', { environment: 'staging' }],
    ['the project', { project_id: 'another' }],
    ['the subject', { subject: null }],
    ['the evidence', { evidence: evidence('passed', 'passed') }],
    ['the questions', { fields: [{ name: 'why', label: 'Why?', type: 'text', choices: null, required: true }] }],
    ['the rules', { rules: { ...gate().rules, required_approvals: 0 } }],
  ])('if %s changed after the approval, also of an override', (_, changed) => {
    const reason = 'What the gate asks for was changed after its approval: its binding does not match.'
    for (const decided of [gate(), gate({}, override(null))]) expect(brokenRules({ ...decided, ...changed })).toEqual([reason])
  })
})
