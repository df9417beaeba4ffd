/** `bun run docs:screenshots`: pictures of the main pages with the data of `bun run seed`, in docs/screenshots. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Clients, signInAll } from '../../bin/scenario/stage.ts'
import type { Resource } from '../../bin/support/api-client.ts'
import { answerHelp } from '../../bin/support/command.ts'
import { startThrowawaySignalbox } from '../../bin/support/find-signalbox.ts'
import { stopSignal } from '../../cli/support/stop-signal.js'
import { openBrowser } from '../support/browser.ts'
import { playFirstHour } from './first-hour.ts'
import { playGates } from './gate-states.ts'
import { type Look, openWindow, signIn } from './person.ts'
import { SlackRoom, slackPage } from './slack-room.ts'

answerHelp(`npx --yes bun run docs:screenshots

Starts a Signalbox with the data of bun run seed, and writes pictures of its main pages to docs/screenshots: light, dark, and as on
a phone. Needs Chromium.`)

const FOLDER = join(import.meta.dir, '../../docs/screenshots')

const LOOKS: Record<string, Look> = {
  light: { width: 1280 },
  dark: { width: 1280, dark: true },
  phone: { width: 390 },
}

interface Item extends Resource {
  name?: string
  title?: string
  status?: string
  rollout?: { state: string } | null
}

interface PageOf {
  items: Item[]
}

interface Mail {
  subject: string
  html: string
}

/** The name of the gates that have pictures. */
const GATE = 'Release 1.13.0'

async function joinSlack({ ada }: Clients, workspace: Item, room: SlackRoom): Promise<void> {
  const config = { bot_token: 'xoxb-picture', slack_channel: 'C0123456789', api_url: room.url }
  const channel = { name: 'Release room', channel_type: 'slack', config }
  const { id } = await ada.post(`/workspaces/${workspace.id}/notification-channels`, channel)
  await ada.post(`/notification-channels/${id}/subscriptions`, { event_pattern: 'gate.*' })
}

/** The mail that asks someone to decide the gate, as soon as it is there. */
async function mailOf(mailUrl: string): Promise<Mail> {
  for (;;) {
    const mails = (await (await fetch(`${mailUrl}/messages`)).json()) as Mail[]
    // The newest is the first.
    const found = mails.find(({ subject, html }) => subject.includes(GATE) && html.includes('/decide?'))
    if (found) return found
    await Bun.sleep(100)
  }
}

/** The paths of the main pages, by name. */
async function mainPages(clients: Clients, room: SlackRoom): Promise<Record<string, string>> {
  const { ada } = clients
  const [organization] = (await ada.get<Item[]>('/organizations')) as [Item]
  const workspaces = await ada.get<Item[]>(`/organizations/${organization.id}/workspaces`)
  const lists = await Promise.all(workspaces.map(({ id }) => ada.get<Item[]>(`/workspaces/${id}/projects`)))
  const project = lists.flat().find(({ name }) => name?.includes('Checkout')) as Item
  for (const workspace of workspaces) await joinSlack(clients, workspace, room)
  const gates = await playGates(clients, organization, project, GATE)
  const hooks = await ada.get<Item[]>(`/projects/${project.id}/deployment-hooks`)
  const hookNamed = (part: string) => hooks.find(({ name }) => name?.includes(part)) ?? hooks[0]
  const { items } = await ada.get<PageOf>(`/deployment-hooks/${hookNamed('Deploy to production')?.id}/dispatches`)
  const dispatch = items.find(({ rollout }) => rollout?.state === 'failed') ?? items[0]
  const comparisons = await Promise.all(lists.flat().map(({ id }) => ada.get<Item[] | PageOf>(`/projects/${id}/dual-track`)))
  const comparison = comparisons.flatMap((list) => (Array.isArray(list) ? list : list.items))[0]
  return {
    'needs-you': '/app',
    ...gates,
    project: `/app/projects/${project.id}`,
    environment: `/app/projects/${project.id}/environment?name=production`,
    organization: `/app/organizations/${organization.id}`,
    hook: `/app/deployment-hooks/${hookNamed('Deploy to production')?.id}`,
    'pull-hook': `/app/deployment-hooks/${hookNamed('stores')?.id}`,
    preview: `/app/deployment-hooks/${hookNamed('staging')?.id}/preview`,
    dispatch: `/app/dispatches/${dispatch?.id}`,
    comparison: `/app/dual-track/${comparison?.id}`,
    budget: `/app/organizations/${organization.id}/budget`,
    'audit-log': `/app/organizations/${organization.id}/audit-log`,
  }
}

const picture = (page: Page, name: string, fullPage = false) => page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })

const room = new SlackRoom()
await using started = new AsyncDisposableStack()
const signalbox = await startThrowawaySignalbox(started, stopSignal(), { SLACK_SIGNING_SECRET: 'picture' })
const browser = await openBrowser()
await playFirstHour({
  browser,
  origin: signalbox.url,
  look: { width: 1280 },
  team: 'Acme',
  picture: (page, name) => picture(page, `first-hour-${name}`),
})
const { PORT, DATA_DIR, mailUrl } = signalbox
const seeding = Bun.spawn([process.execPath, 'bin/seed.ts'], { env: { ...process.env, PORT, DATA_DIR }, stdout: 'ignore' })
if ((await seeding.exited) !== 0) throw new Error('The seed failed.')
const pages = await mainPages(await signInAll(signalbox.url), room)
const [mail, message] = await Promise.all([mailOf(mailUrl ?? ''), room.question(GATE)])
for (const [look, options] of Object.entries(LOOKS)) {
  const window = await openWindow(browser, signalbox.url, options)
  const page = await signIn(window, 'ada')
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path)
    // On a phone, the decision is below what it is about.
    await picture(page, `${name}-${look}`, look === 'phone' && name.startsWith('gate-'))
  }
  await page.setViewportSize({ width: options.width === 390 ? 390 : 680, height: 500 })
  await page.goto('about:blank')
  for (const [name, html] of [
    ['mail-decision', mail.html],
    ['slack-gate', slackPage(message)],
  ] as const) {
    await page.setContent(html)
    await picture(page, `${name}-${look}`, true)
  }
  await window.close()
}
await browser.close()
await room.stop()
console.log(`Wrote the pictures to ${FOLDER}.`)
