/** What the approval of a gate will do, and what is missing until then: for pages, mails and Slack. */
import { heldUntilOf } from '../freezes/held-until.ts'
import { type Gate, shortDigest, shortGate } from '../gates/gates.ts'
import { lackOfPromotion, notRunningText, type Promotion, soaksUntil } from '../promotions/promotion.ts'
import { minuteText } from '../values/instants.ts'
import { line } from '../values/plain-text.ts'
import type { Circumstances, ListeningHook } from './circumstances.ts'
import { isTriggered } from './filters.ts'

/** The event that the approval would emit, as far as it is known now. */
const approvalOf = (gate: Gate, { now, execution, requirement }: Circumstances) => ({
  id: gate.id,
  name: 'gate.approved',
  created_at: now,
  data: {
    gate: { ...shortGate(gate), status: 'approved', triggers_hooks: true },
    execution: execution && { ...execution, status: 'running' },
    requirement,
  },
})

const policyOf = ({ policies }: Circumstances, environment: string) =>
  policies.find((policy) => policy.environment === environment)

/** Whether hooks of an environment get only what a gate for it approved. */
export const requiresGate = (circumstances: Circumstances, { environment }: Pick<ListeningHook, 'environment'>): boolean =>
  policyOf(circumstances, environment)?.gate_required ?? false

/** Whether a hook of its environment is sent what the approval triggers, as far as approvals decide that. */
function isApprovedFor(gate: Gate, circumstances: Circumstances, hook: ListeningHook): boolean {
  const { is_overruled, sibling_revoked } = circumstances
  if (hook.trigger_on === 'workflow_done') return requiresGate(circumstances, hook) && !is_overruled
  return !requiresGate(circumstances, hook) || (gate.environment !== null && !sibling_revoked)
}

/** Whether what the approval triggers is sent to a hook. One that is paused gets it when it is resumed. */
const isAllowed = (gate: Gate, circumstances: Circumstances, hook: ListeningHook): boolean =>
  isApprovedFor(gate, circumstances, hook) && promotionFor(gate, circumstances, hook.environment)?.since !== null

/** The hooks that listen to the approval, or to the completion of its workflow: its event is not known yet, nor what filters say to it. */
function listening(gate: Gate, circumstances: Circumstances): ListeningHook[] {
  const { hooks, others, scope } = circumstances
  if (others.length > 0) return []
  const event = approvalOf(gate, circumstances)
  return hooks.filter((hook) => hook.trigger_on === 'workflow_done' || isTriggered(event, scope, hook))
}

/**
 * The hooks that the approval of a pending gate sends to, at once or, where they listen to workflows and their environment requires a
 * gate, when its workflow is completed.
 */
export const triggeredHooks = (gate: Gate, circumstances: Circumstances): ListeningHook[] =>
  listening(gate, circumstances).filter((hook) => isAllowed(gate, circumstances, hook))

/** Environments whose hooks the approval is not sent to, because it is not for them. */
export function closedEnvironments(gate: Gate, circumstances: Circumstances): string[] {
  if (gate.environment !== null) return []
  const closed = listening(gate, circumstances).filter((hook) => !isApprovedFor(gate, circumstances, hook))
  return [...new Set(closed.map(({ environment }) => environment))]
}

/** Until when freezes hold back what the approval sends: all of it, also where a gate is for several environments. Null if none does. */
export function frozenUntil(gate: Gate, circumstances: Circumstances): string | null {
  if (passes(gate, circumstances)) return null
  return latest(concerned(gate, circumstances).map((environment) => freezeAt(circumstances, environment, circumstances.now)))
}

const latest = (instants: (string | null)[]): string | null =>
  instants
    .filter((each) => each !== null)
    .sort()
    .at(-1) ?? null

/** Until when a freeze holds back what would be sent to an environment at a time; null if none does. */
function freezeAt(circumstances: Circumstances, environment: string, now: string): string | null {
  const policy = policyOf(circumstances, environment)
  return policy ? heldUntilOf({ ...policy, now }) : null
}

/** The environment of a gate, or else those whose hooks its approval is for. */
const concerned = (gate: Gate, circumstances: Circumstances): string[] => {
  if (gate.environment !== null) return [gate.environment]
  const hooks = listening(gate, circumstances).filter((hook) => isApprovedFor(gate, circumstances, hook))
  return [...new Set(hooks.map(({ environment }) => environment))]
}

/** Whether an override makes what the approval sends pass freezes, and the environment before. */
const passes = (gate: Gate, { sibling_overridden }: Circumstances): boolean =>
  gate.decided_via === 'override' || sibling_overridden

/** What the subject must have done before it comes to an environment; null if nothing, or an override passes it. */
const promotionFor = (gate: Gate, circumstances: Circumstances, environment: string): Promotion | null =>
  passes(gate, circumstances) ? null : (policyOf(circumstances, environment)?.promotion ?? null)

/**
 * What the subject must have done before it comes where the approval is for: what holds it back longest first. Empty if nothing, or an override
 * passes it.
 */
export function requiredPromotions(gate: Gate, circumstances: Circumstances): Promotion[] {
  const required = concerned(gate, circumstances).flatMap((environment) => promotionFor(gate, circumstances, environment) ?? [])
  const until = ({ soak_until }: Promotion): number => (soak_until === null ? Number.POSITIVE_INFINITY : Date.parse(soak_until))
  return required.sort((a, b) => until(b) - until(a) || 0)
}

/** What the subject lacks, as sentences. */
export const lacksOfPromotion = (gate: Gate, circumstances: Circumstances): string[] => {
  const lacks = requiredPromotions(gate, circumstances).map((each) => lackOfPromotion(each, circumstances.now))
  return [...new Set(lacks.filter((each) => each !== null))]
}

/** Until when a soak holds back what the approval sends, or a freeze that ends later: all of it. Null if nothing does. */
export function heldUntil(gate: Gate, circumstances: Circumstances): string | null {
  if (passes(gate, circumstances)) return null
  const { now } = circumstances
  return latest(
    concerned(gate, circumstances).map((environment) => {
      const promotion = promotionFor(gate, circumstances, environment)
      const soaks_until = promotion && soaksUntil(promotion, now)
      return freezeAt(circumstances, environment, soaks_until ?? now) ?? soaks_until
    }),
  )
}

/** Which hooks of its environment the approval is not sent to, because of other gates. */
export function closedByOthers({ environment }: Gate, circumstances: Circumstances): { revoked: boolean; overruled: boolean } {
  const { hooks, sibling_revoked, is_overruled } = circumstances
  const closed = (trigger_on: ListeningHook['trigger_on']): boolean =>
    hooks.some((hook) => hook.trigger_on === trigger_on && hook.environment === environment && requiresGate(circumstances, hook))
  return { revoked: sibling_revoked && closed('gate_approved'), overruled: is_overruled && closed('workflow_done') }
}

/** The version that hooks get, as people know it. */
export const sentText = ({ subject }: Pick<Gate, 'subject'>): string | null =>
  subject && (subject.version ?? shortDigest(subject.digest))

const MAX_NAMED = 3

function namesOf(hooks: ListeningHook[]): string {
  const names = hooks.slice(0, MAX_NAMED).map(({ name, environment }) => `${line(name, 80)} for ${line(environment, 64)}`)
  const more = hooks.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What is sent to whom, as sentences. */
function sentTo(gate: Gate, hooks: ListeningHook[]): string {
  const [atOnce, later] = [hooks.filter(isAtOnce), hooks.filter((hook) => !isAtOnce(hook))]
  const sent = sentText(gate)
  const sentences = [
    atOnce.length > 0 && `Its approval sends ${sent === null ? 'the approval' : line(sent, 120)} to ${namesOf(atOnce)}.`,
    later.length > 0 && `With its approval, the completed workflow is sent to ${namesOf(later)}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

export const isAtOnce = ({ trigger_on }: ListeningHook): boolean => trigger_on === 'gate_approved'

/** What the approval of a pending gate sends to whom, as sentences. */
export function approvalText(gate: Gate, circumstances: Circumstances): string {
  if (circumstances.others.length > 0) return 'Its approval sends nothing yet: other gates for the same environment are pending.'
  const promotions = requiredPromotions(gate, circumstances)
  const hooks = triggeredHooks(gate, circumstances)
  const missing = promotions.find(({ since }) => since === null)
  if (missing && (hooks.length === 0 || gate.environment !== null))
    return `Its approval sends nothing: ${notRunningText(missing)}.`
  if (hooks.length === 0) return 'Its approval sends nothing: no enabled hook of the project would be triggered.'
  const promotion = promotions.find((each) => soaksUntil(each, circumstances.now) !== null)
  const held_until = heldUntil(gate, circumstances)
  const what = promotion ? `Its soak in ${line(promotion.from, 64)}` : 'A freeze'
  return `${sentTo(gate, hooks)}${held_until === null ? '' : ` ${what} holds it back until ${minuteText(held_until)}.`}`
}

/** What runs in the environment of a pending gate, and what its approval sends to whom. */
export function effectsText(gate: Gate, circumstances: Circumstances): string {
  const { running } = circumstances
  const sent = approvalText(gate, circumstances)
  if (gate.environment === null) return sent
  const environment = line(gate.environment, 64)
  if (running === null) return `Nothing was reported to run in ${environment}. ${sent}`
  const version = running.version === null ? 'An unknown version' : line(running.version, 120)
  return `${version} has run in ${environment} since ${minuteText(running.since)}. ${sent}`
}
