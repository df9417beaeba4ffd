/** `bun run docs:screenshots`: pictures of the main pages with the data of `bun run seed`, in docs/screenshots. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Clients, signInAll } from '../../bin/seed/accounts.ts'
import type { Resource } from '../../bin/support/api-client.ts'
import { answerHelp } from '../../bin/support/help.ts'
import { startThrowawaySignalbox } from '../../bin/support/own-signalbox.ts'
import { stopSignal } from '../../bin/support/stop-signal.ts'
import { openBrowser } from '../support/browser.ts'
import { type Look, openWindow, signIn } from './person.ts'

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

/** The paths of the main pages, by name. */
async function mainPages({ ada }: Clients): Promise<Record<string, string>> {
  const [organization] = (await ada.get<Item[]>('/organizations')) as [Item]
  const workspaces = await ada.get<Item[]>(`/organizations/${organization.id}/workspaces`)
  const lists = await Promise.all(workspaces.map(({ id }) => ada.get<Item[]>(`/workspaces/${id}/projects`)))
  const project = lists.flat().find(({ name }) => name?.includes('Checkout')) as Item
  const gates = await ada.get<Item[]>(`/projects/${project.id}/gates`)
  const gate = gates.find(({ status }) => status === 'pending') ?? gates[0]
  const hooks = await ada.get<Item[]>(`/projects/${project.id}/deployment-hooks`)
  const dispatches = await Promise.all(hooks.map(({ id }) => ada.get<PageOf>(`/deployment-hooks/${id}/dispatches`)))
  const all = dispatches.flatMap(({ items }) => items)
  const dispatch = all.find(({ rollout }) => rollout?.state === 'failed') ?? all[0]
  const hookNamed = (part: string) => hooks.find(({ name }) => name?.includes(part)) ?? hooks[0]
  const comparisons = await Promise.all(lists.flat().map(({ id }) => ada.get<Item[] | PageOf>(`/projects/${id}/dual-track`)))
  const comparison = comparisons.flatMap((list) => (Array.isArray(list) ? list : list.items))[0]
  return {
    'needs-you': '/app',
    gate: `/app/gates/${gate?.id}`,
    project: `/app/projects/${project.id}`,
    hook: `/app/deployment-hooks/${hookNamed('production')?.id}`,
    'pull-hook': `/app/deployment-hooks/${hookNamed('stores')?.id}`,
    preview: `/app/deployment-hooks/${hookNamed('staging')?.id}/preview`,
    dispatch: `/app/dispatches/${dispatch?.id}`,
    comparison: `/app/dual-track/${comparison?.id}`,
    budget: `/app/organizations/${organization.id}/budget`,
    'audit-log': `/app/organizations/${organization.id}/audit-log`,
  }
}

const picture = (page: Page, name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) })

await using signalbox = await startThrowawaySignalbox(await stopSignal())
const { PORT, DATA_DIR } = { PORT: String(signalbox.port), DATA_DIR: signalbox.dataDir }
const seeding = Bun.spawn([process.execPath, 'bin/seed.ts'], { env: { ...process.env, PORT, DATA_DIR }, stdout: 'ignore' })
if ((await seeding.exited) !== 0) throw new Error('The seed failed.')
const pages = await mainPages(await signInAll(signalbox.url))
const browser = await openBrowser()
for (const [look, options] of Object.entries(LOOKS)) {
  const window = await openWindow(browser, signalbox.url, options)
  const page = await signIn(window, 'ada')
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path)
    await picture(page, `${name}-${look}`)
  }
  await window.close()
}
await browser.close()
console.log(`Wrote the pictures to ${FOLDER}.`)
