/** The demo's gate: two people approve it, one in the browser and one by the link in a mail. */
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { dim, printStep } from '../support/timeline.ts'
import { type Account, PASSWORD } from './people.ts'

/** A mail takes as long as a job of the worker. */
const TIMEOUT_MS = 10_000

/** What the gate is about. */
export const RELEASE = {
  environment: 'staging',
  subject: {
    uri: 'pkg:oci/checkout?repository_url=registry.example.com/checkout',
    digest: { sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    version: 'v1.5.0',
  },
  evidence: {
    summary: 'Invoices are sent within a minute of the order.',
    metrics: { tests_passed: 42, tests_failed: 0 },
    checks: [{ name: 'Unit tests', state: 'passed' }],
  },
}

interface Gate extends Resource {
  status: string
  /** Names what the forms show: they repeat it. */
  binding: string
  approvals: { name: string; via: string }[]
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
  printStep('ada', `signs in with a browser and approves, ${first.approvals.length} of 2 ${dim(page)}`)

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
