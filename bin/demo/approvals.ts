/**
 * The demo's gates: production needs one person of Security and one of Release. An agent asks for a commit and then for another one. Two
 * people approve that, one in the browser and one by the link in a mail.
 */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { dim, printStep } from '../support/timeline.ts'
import { type Account, PASSWORD } from './people.ts'
import { PRODUCTION } from './rollouts.ts'

/** A mail takes as long as a job of the worker. */
const TIMEOUT_MS = 10_000

/** What the agent asks for. @param commit the id of the commit */
const release = (commit: string, detail: string) => ({
  name: 'Release review',
  environment: PRODUCTION,
  subject: { uri: 'git+https://git.example.com/acme/checkout', digest: { gitCommit: commit }, version: 'v1.5.0' },
  evidence: {
    summary: 'Invoices are sent within a minute of the order.',
    metrics: { tests_passed: 42, tests_failed: 0 },
    checks: [{ name: 'Unit tests', state: 'passed', detail }],
  },
})

const FIRST_COMMIT = '7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b'
const SECOND_COMMIT = 'c0ffee254729296a45a3885639ac7e10b8d9f3a1'

interface Gate extends Resource {
  status: string
  /** Names what the forms show: they repeat it. */
  binding: string
  approvals: { name: string; via: string }[]
  superseded_by: string | null
}

interface Mail {
  to: string[]
  text: string
}

/** Where the demo acts. */
export interface Surroundings {
  /** The origin of the web app. */
  url: string
  /** The origin of the mail catcher; null if there is none that the demo can read. */
  mailUrl: string | null
  stopping: AbortSignal
}

/** Posts a form as a browser does. */
const post = (url: string, fields: Record<string, string>, cookie = ''): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { Origin: new URL(url).origin, ...(cookie && { Cookie: cookie }) },
    body: new URLSearchParams(fields),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })

function requireStatus({ status }: Response, expected: number, what: string): void {
  if (status !== expected) throw new Failure(`${what} was answered ${status} instead of ${expected}.`)
}

/** Signs in as a person does in a browser, and approves on the page of the gate. */
async function approveInBrowser(url: string, gate: Gate, { email }: Account, comment: string): Promise<string> {
  const signedIn = await post(`${url}/sign-in`, { email, password: PASSWORD })
  requireStatus(signedIn, 303, 'Signing in')
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const page = `${url}/app/gates/${gate.id}`
  requireStatus(await fetch(page, { headers: { Cookie: cookie } }), 200, 'The page of the gate')
  requireStatus(await post(`${page}/approve`, { comment, binding: gate.binding }, cookie), 303, 'Approving in the browser')
  return page
}

/** Waits for the mail about the gate, and returns its link; null if the mails cannot be read here. */
async function mailedLink({ mailUrl, stopping }: Surroundings, gate: Gate, { email }: Account): Promise<string | null> {
  if (mailUrl === null) return null
  const link = new RegExp(`https?://\\S+/decide\\?token=${gate.id}\\.[\\w-]+`)
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await Bun.sleep(50)) {
    stopping.throwIfAborted()
    const response = await fetch(`${mailUrl}/messages`).catch(() => null)
    if (!response?.ok) return null
    const mails = (await response.json()) as Mail[]
    const found = mails.filter(({ to }) => to.includes(email)).map(({ text }) => link.exec(text)?.[0])
    const [first] = found.filter((each) => each !== undefined)
    if (first) return first
  }
  throw new Failure(`No mail about the gate came to ${email} within ${TIMEOUT_MS / 1000} seconds. Is a worker running?`)
}

/** Opens the link of the mail and presses its button, without signing in. */
async function approveByMail(link: string, { binding }: Gate): Promise<void> {
  requireStatus(await fetch(link), 200, 'The page of the mailed link')
  requireStatus(await post(link, { decision: 'approve', comment: 'Fine with me.', binding }), 200, 'Approving by the mailed link')
}

/** Requires one approval from each group for production. */
export async function requireTwoGroups(
  api: ApiClient,
  { organization, project }: Record<'organization' | 'project', Resource>,
  members: Record<string, Account>,
): Promise<void> {
  const approvers: { group_id: string; count: number }[] = []
  for (const [name, { user_id }] of Object.entries(members)) {
    const group = await api.post(`/organizations/${organization.id}/groups`, { name })
    await api.put(`/groups/${group.id}/members/${user_id}`, {})
    approvers.push({ group_id: group.id, count: 1 })
  }
  await api.put(`/projects/${project.id}/environments/${PRODUCTION}/policy`, {
    approvers,
    require_subject: true,
    require_checks: true,
  })
  printStep('ada', `requires one approval each from ${Object.keys(members).join(' and ')} for production`)
}

/** The agent opens a gate for a commit, and pushes another one: its gate replaces the first. @returns the second gate */
export async function askTwice(api: ApiClient, execution_id: string): Promise<Resource> {
  const path = `/executions/${execution_id}/gates`
  const first = await api.post(path, release(FIRST_COMMIT, '41 of 41 passed'))
  printStep('agent', `opens the gate Release review for commit ${FIRST_COMMIT.slice(0, 7)} in production, with its checks`)
  const second = await api.post(path, release(SECOND_COMMIT, '42 of 42 passed'))
  printStep('agent', `pushes commit ${SECOND_COMMIT.slice(0, 7)} and opens the gate again`)
  const { status, superseded_by } = await api.get<Gate>(`/gates/${first.id}`)
  if (status !== 'cancelled' || superseded_by !== second.id) throw new Failure(`The first gate is ${status}.`)
  printStep('signalbox', 'cancels the first gate: an approval is for one commit')
  return second
}

/** Ada approves the gate in the browser and Grace by the link in her mail, which approves the gate. */
export async function approveByTwo(
  api: ApiClient,
  surroundings: Surroundings,
  { id }: Resource,
  ada: Account,
  grace: Account,
): Promise<void> {
  const gateNow = () => api.get<Gate>(`/gates/${id}`)
  const page = await approveInBrowser(surroundings.url, await gateNow(), ada, 'The tests are green.')
  const first = await gateNow()
  printStep('ada', `signs in with a browser and approves for Security ${dim(page)}`)

  const link = await mailedLink(surroundings, first, grace)
  if (link === null) {
    await approveInBrowser(surroundings.url, first, grace, 'Fine with me.')
    printStep('grace', `approves in the browser too ${dim('the mail catcher of bun start does not run here')}`)
  } else {
    printStep('grace', `gets a mail and opens its link ${dim(link)}`)
    await approveByMail(link, first)
    printStep('grace', 'presses Approve there, without signing in')
  }
  const { status, approvals } = await gateNow()
  const ways = approvals.map(({ via }) => via).join(' and ')
  if (status !== 'approved' || ways !== (link === null ? 'app and app' : 'app and mail')) {
    throw new Failure(`The gate is ${status}, with approvals by ${ways}.`)
  }
  printStep('signalbox', `approves the gate: ${approvals.map(({ name, via }) => `${name} (${via})`).join(', ')}`)
}
