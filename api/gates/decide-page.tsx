/**
 * The page behind the mailed link of a gate. It decides as the person to whom it was mailed, and does not sign them in.
 * Opening the page changes nothing, since mail scanners follow links. The token stays in the URL: the HTML does not contain it.
 */

import type { Gate } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { gateInToken } from '../../core/security/mail-tokens.ts'
import { pagePath } from '../../core/tenants/links.ts'
import { Account, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice, State } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { tokenOf } from '../pages/urls.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import type { WorkspaceRole } from '../roles.ts'
import { getCircumstances } from './clearance.ts'
import { Consequences, Outcome, obstacleToApproval, obstacleToDecision, Question } from './components.tsx'
import { type GateContext, getGateContext } from './context.ts'
import { decidableGate, deciderOf, visibleGate } from './deciders.ts'
import { decisionLinkExpired, findDecisionLink, isLiveLink, spendDecisionLink } from './decision-links.ts'
import { approveGate, rejectGate, requestChanges } from './decisions.ts'
import { getGate } from './gates.ts'
import { DecisionFields } from './page.tsx'
import { LinkedDecision } from './schema.ts'
import { approvedText, changesRequestedText, decisionText, isOpen, rejectedText, stateOf } from './words.ts'

/** A link that decides nothing any more. */
function deadLink(token: string, why: string): View {
  const path = pagePath('gate', gateInToken(token))
  return {
    title: 'This link no longer works',
    status: 410,
    narrow: true,
    main: (
      <>
        <p>{why}</p>
        <p>{path === null ? <a href="/app">Go to what needs you</a> : <a href={path}>Go to the page of the gate</a>}</p>
      </>
    ),
  }
}

interface DecideProps {
  gate: Gate
  context: GateContext
  person: FoundCaller<'gate'>
  role: WorkspaceRole
  url: URL
}

/** The first button decides nothing: programs that look into mails press the first one, and so does the Enter key. */
const Buttons = ({ canApprove }: { canApprove: boolean }) => (
  <div class="buttons">
    <Submit kind="quiet" name="decision" value="later" bare>
      Decide later
    </Submit>
    {canApprove && (
      <Submit name="decision" value="approve">
        Approve
      </Submit>
    )}
    <Submit kind="quiet" name="decision" value="request_changes" bare>
      Request changes
    </Submit>
    <Submit kind="danger" name="decision" value="reject" bare>
      Reject
    </Submit>
  </div>
)

function Decide({ gate, context, person, role, url }: DecideProps) {
  const noApproval = obstacleToApproval(gate, context, { id: person.user_id })
  const recipient = (
    <p>
      This link is for <strong>{person.user_name}</strong> ({person.email}). It decides once, as this person.
    </p>
  )
  const hindered = obstacleToDecision(context, role)
  if (hindered !== null) {
    return (
      <>
        {recipient}
        <p>{hindered}</p>
      </>
    )
  }
  return (
    // The form decides as the person of the link, no matter who is signed in.
    <Account.Provider value={null}>
      <Form action={url.pathname + url.search} here>
        {recipient}
        {noApproval !== null && <p>{noApproval}</p>}
        <DecisionFields gate={gate} canApprove={noApproval === null} />
        <TextArea name="comment" label="Comment" maxLength={10_000} hint="Everyone who sees the gate can read it." />
        <Buttons canApprove={noApproval === null} />
        <Consequences gate={gate} canApprove={noApproval === null} />
      </Form>
    </Account.Provider>
  )
}

const decidePage = page('/decide', { open: 'requests', apart: true }, async ({ url }) => {
  const token = tokenOf(url)
  const person = await findDecisionLink(token)
  if (!person) return deadLink(token, 'It has expired, or is not complete.')
  const gate = visibleGate(person)
  const [shown, context, isLive] = await Promise.all([
    getGate(sql, gate),
    getGateContext(sql, gate, person.user_id),
    isLiveLink(sql, person, gate, token),
  ])
  const decided = decisionText(shown, person.user_id)
  if (!isOpen(shown, context.now)) {
    const why = `The gate ${shown.name} no longer needs a decision: it is ${stateOf(shown, context.now)}.`
    return deadLink(token, decided === null ? why : `${decided} ${why}`)
  }
  if (!isLive) return deadLink(token, decided ?? 'It has expired. Nothing was decided with it.')
  const circumstances = await getCircumstances(sql, gate)
  return {
    title: shown.name,
    aside: <State of="pending" />,
    narrow: true,
    main: (
      <>
        <Question gate={shown} context={context} circumstances={circumstances} />
        <Section title="Your decision" live="decision">
          <Decide gate={shown} context={context} person={person} role={gate.role} url={url} />
        </Section>
      </>
    ),
  }
})

/** What is shown after a decision, also if it left the gate pending. */
async function decidedView(gate: Resource<'gate'>, decided: Gate, by: Caller): Promise<View> {
  const { decided_by_name, now } = await getGateContext(sql, gate, by.id)
  const { status } = decided
  const notice =
    status === 'rejected'
      ? rejectedText(decided.execution_id)
      : status === 'changes_requested'
        ? changesRequestedText(decided.execution_id)
        : approvedText(decided)
  return {
    title: decided.name,
    aside: <State of={stateOf(decided, now)} />,
    narrow: true,
    main: (
      <>
        <div role="status">
          <Notice tone="good">{notice}</Notice>
        </div>
        {status === 'pending' ? (
          <p>Your approval is recorded. Others have to approve as well.</p>
        ) : (
          <Outcome gate={decided} decided_by_name={decided_by_name} now={now} />
        )}
        <p>
          <a href={pagePath('gate', decided.id) ?? '/app'}>Go to the page of the gate</a>
        </p>
      </>
    ),
  }
}

const decide = actionOn(
  decidePage,
  '',
  { open: 'requests', apart: true },
  LinkedDecision,
  async ({ request, url, visitor }, { decision, ...given }) => {
    const token = tokenOf(url)
    const person = await findDecisionLink(token)
    if (!person) throw decisionLinkExpired()
    const { gate, required_role } = await decidableGate(person)
    if (decision === 'later') return { to: pagePath('gate', gate.id) ?? '/app' }
    const { request_id, span } = contextOf(request)
    const by = deciderOf(person, { visitor, request_id, traceparent: traceparentOf(span) })
    const decided = await transactionWith({ caller: by, resource: gate, required_role }, async (tx) => {
      await spendDecisionLink(tx, by, gate, token)
      const { comment } = given
      if (decision === 'approve') return approveGate(tx, by, gate, given, 'mail')
      return decision === 'reject'
        ? rejectGate(tx, by, gate, { comment }, 'mail')
        : requestChanges(tx, by, gate, { comment }, 'mail')
    })
    return decidedView(gate, decided, by)
  },
)

export const decidePages = pageRoutes('decide-pages', decidePage, decide)
