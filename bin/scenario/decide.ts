/** How people approve: in the browser, and by the link in a mail. */
import { out } from '../../cli/support/terminal.js'
import type { Resource } from '../support/api-client.ts'
import { Failure } from '../support/command.ts'
import { PASSWORD, type Person, type Stage, waitFor } from './stage.ts'

/** `binding` names what the forms show: they repeat it. */
type Asked = Resource & { binding: string }
type Gate = Asked & { status: string; approvals: { name: string; via: string }[] }

/** Posts a form as a browser does. @param expected the status of the answer */
async function post(url: string, expected: number, fields: Record<string, string>, cookie = ''): Promise<Response> {
  const headers = { Origin: new URL(url).origin, ...(cookie && { Cookie: cookie }) }
  const body = new URLSearchParams(fields)
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  if (response.status !== expected)
    throw new Failure(`The form for ${url} was answered ${response.status} instead of ${expected}.`)
  return response
}

/** Signs in as a person does in a browser, and approves on the page of the gate. @returns the page */
export async function approveInBrowser({ url, clients }: Stage, gate: Asked, person: Person, comment: string): Promise<string> {
  const signedIn = await post(`${url}/sign-in`, 303, { email: clients[person].email, password: PASSWORD })
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const page = `${url}/app/gates/${gate.id}`
  await post(`${page}/approve`, 303, { comment, binding: gate.binding }, cookie)
  return page
}

/** Waits for the mail about the gate, and returns its link; null if the mails cannot be read here. */
async function mailedLink(stage: Stage, gate: Gate, person: Person): Promise<string | null> {
  const { email } = stage.clients[person]
  const link = new RegExp(`https?://\\S+/decide\\?token=${gate.id}\\.[\\w-]+`)
  return waitFor(stage, `No mail about the gate came to ${email}`, async () => {
    const response = stage.mailUrl ? await fetch(`${stage.mailUrl}/messages`).catch(() => null) : null
    if (!response?.ok) return null
    const mails = (await response.json()) as { to: string[]; text: string }[]
    return mails.filter(({ to }) => to.includes(email)).flatMap(({ text }) => link.exec(text)?.[0] ?? [])[0]
  })
}

/** Ada approves the gate in the browser and Grace by the link in her mail, which approves the gate. */
export async function approveByTwo(stage: Stage, { id }: Resource, comment: string): Promise<void> {
  const { clients, say } = stage
  const gateNow = () => clients.ada.get<Gate>(`/gates/${id}`)
  const page = await approveInBrowser(stage, await gateNow(), 'ada', comment)
  const first = await gateNow()
  say('ada', `signs in with a browser and approves for Account security ${out.dim(page)}`)

  const link = await mailedLink(stage, first, 'grace')
  if (link === null) {
    await approveInBrowser(stage, first, 'grace', 'Fine with me.')
    say('grace', `approves in the browser too ${out.dim('the mail catcher of bun start does not run here')}`)
  } else {
    await fetch(link)
    say('grace', `gets a mail and opens its link ${out.dim(link)}`)
    await post(link, 200, { decision: 'approve', comment: 'Fine with me.', binding: first.binding })
    say('grace', 'presses Approve there, without signing in')
  }
  const { status, approvals } = await gateNow()
  const ways = approvals.map(({ via }) => via).join(' and ')
  if (status !== 'approved' || ways !== (link === null ? 'app and app' : 'app and mail'))
    throw new Failure(`The gate is ${status}, with approvals by ${ways}.`)
  say('signalbox', `approves the gate: ${approvals.map(({ name, via }) => `${name} (${via})`).join(', ')}`)
}
