/** `bun run docs:samples`: the documents of the seed data's project Checkout, in docs/samples. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clients, signInAll } from '../../bin/seed/accounts.ts'
import type { Resource } from '../../bin/support/api-client.ts'
import { answerHelp } from '../../bin/support/help.ts'
import { startThrowawaySignalbox } from '../../bin/support/own-signalbox.ts'
import { stopSignal } from '../../cli/support/stop-signal.js'
import { openBrowser } from '../support/browser.ts'

answerHelp(`npx --yes bun run docs:samples

Starts a Signalbox with the data of bun run seed, and writes the five documents of its project Checkout to docs/samples: as Markdown,
and as pictures of its beginning on a screen, on a phone and printed. Needs Chromium.`)

const FOLDER = join(import.meta.dir, '../../docs/samples')
const TYPES = ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual']
/** The origin in the samples, instead of that of the Signalbox that made them. */
const ORIGIN = 'https://signalbox.example.com'

interface Item extends Resource {
  name?: string
  title?: string
  content?: string
}

const LOOKS = {
  screen: { viewport: { width: 1280, height: 1500 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  print: { viewport: { width: 794, height: 1123 } },
}

async function checkout({ ada }: Clients): Promise<Item> {
  const [organization] = (await ada.get<Item[]>('/organizations')) as [Item]
  const workspaces = await ada.get<Item[]>(`/organizations/${organization.id}/workspaces`)
  const lists = await Promise.all(workspaces.map(({ id }) => ada.get<Item[]>(`/workspaces/${id}/projects`)))
  return lists.flat().find(({ name }) => name === 'Checkout') as Item
}

await using signalbox = await startThrowawaySignalbox(stopSignal())
const { PORT, DATA_DIR } = { PORT: String(signalbox.port), DATA_DIR: signalbox.dataDir }
const seeding = Bun.spawn([process.execPath, 'bin/seed.ts'], { env: { ...process.env, PORT, DATA_DIR }, stdout: 'pipe' })
const printed = await new Response(seeding.stdout).text()
if ((await seeding.exited) !== 0) throw new Error(`The seed failed:\n${printed}`)
const clients = await signInAll(signalbox.url)
const project = await checkout(clients)
const { items } = await clients.ada.get<{ items: Item[] }>(`/projects/${project.id}/requirements?page_size=100`)
const story = items.find(({ title }) => title === 'Pay by invoice') as Item

await mkdir(FOLDER, { recursive: true })
const browser = await openBrowser()

/** Writes a document as Markdown and as pictures. */
async function write(name: string, input: object): Promise<void> {
  const { id, content = '' } = await clients.ada.post<Item>(`/projects/${project.id}/deliverables/generate`, input, {
    Prefer: 'wait=20',
  })
  await Bun.write(join(FOLDER, `${name}.md`), content.replaceAll(signalbox.url, ORIGIN))
  const response = await fetch(`${signalbox.url}/api/v1/deliverables/${id}`, {
    headers: { Authorization: clients.ada.authorization ?? '', Accept: 'text/html' },
  })
  const html = (await response.text()).replaceAll(signalbox.url, ORIGIN)
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    if (look === 'print') await page.emulateMedia({ media: 'print' })
    await page.setContent(html)
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) })
    await context.close()
  }
}

for (const deliverable_type of TYPES) await write(deliverable_type, { deliverable_type })
await write('requirement', { deliverable_type: 'project_summary', requirement_id: story.id })
await browser.close()
console.log(`Wrote the documents to ${FOLDER}.`)
