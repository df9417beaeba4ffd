/**
 * The first hour of a team: from signing up to a deployment that was approved, delivered and reported. People click and type; the agent has a key
 * that was made on a page; the CI system and Slack are stand-ins with real sockets. The guide shows the same steps.
 */
import type { Browser, Page } from 'playwright-core'
import { modern, recordOf } from '../mcp/agents.ts'
import { Receiver } from '../support/receiver.ts'
import { type Look, openWindow } from './person.ts'

const PASSWORD = 'correct horse battery staple'
const VERSION = 'v1.0.0'
const SCOPES = ['work:read', 'executions:write', 'usage:write', 'gates:open']

interface Surroundings {
  browser: Browser
  /** The address of a Signalbox on which nobody of the team has an account. */
  origin: string
  look: Look
  /** The name of the organization, which no other has. */
  team: string
  picture?: (page: Page, name: string) => Promise<unknown>
}

/** What the people and programs of the team saw at the end. */
export interface FirstHour {
  checklist: string
  gate: string
  project: string
  posted: string[]
}

/** A GitHub whose workflow deploys and reports, as that of the guide does. */
class Ci {
  readonly #receiver = new Receiver()
  readonly #deployed = Promise.withResolvers<void>()

  constructor() {
    this.#receiver.answer = ({ body }) => {
      const { client_payload } = JSON.parse(body)
      if (client_payload.event !== 'test.ping') this.#run(client_payload).then(this.#deployed.resolve, this.#deployed.reject)
      return new Response(null, { status: 204 })
    }
  }

  get repository(): string {
    return `${this.#receiver.url}/repos/acme/checkout/dispatches`
  }

  /** Resolves when a deployment was reported. */
  get deployed(): Promise<void> {
    return this.#deployed.promise
  }

  async #run({ report_url, report_token }: { report_url: string; report_token: string }): Promise<void> {
    for (const state of ['in_progress', 'succeeded']) {
      const response = await fetch(report_url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${report_token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ state, version: VERSION, url: 'https://github.com/acme/checkout/actions/runs/1' }),
      })
      if (!response.ok) throw new Error(`The report was answered ${response.status}: ${await response.text()}`)
    }
  }

  stop = () => this.#receiver.stop()
}

/** A person at a browser. */
class Person {
  private constructor(readonly page: Page) {}

  static async register({ browser, origin, look }: Surroundings, name: string, email: string): Promise<Person> {
    const window = await openWindow(browser, origin, look)
    const person = new Person(await window.newPage())
    await person.page.goto('/register')
    await person.fill({ name, email, password: PASSWORD })
    await person.press('Create account')
    return person
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(fields)) await this.page.locator(`main [name="${name}"]`).first().fill(text)
  }

  async #leaves(click: () => Promise<void>): Promise<void> {
    await Promise.all([this.page.waitForEvent('domcontentloaded'), click()])
  }

  press(button: string): Promise<void> {
    return this.#leaves(() => this.page.getByRole('button', { name: button }).first().click())
  }

  async follow(...links: string[]): Promise<void> {
    for (const link of links) {
      await this.#leaves(() => this.page.locator('main').getByRole('link', { name: link, exact: true }).first().click())
    }
  }

  /** Goes to the first page, with what needs the person. */
  async home(): Promise<void> {
    await this.#openMenu()
    return this.#leaves(() =>
      this.page
        .locator('.side')
        .getByRole('link', { name: /^Needs you/ })
        .click(),
    )
  }

  /** Opens the menu that the side bar is on a phone. */
  async #openMenu(): Promise<void> {
    const menu = this.page.locator('.side > summary')
    if (await menu.isVisible()) await menu.click()
  }

  async organization(name: string): Promise<void> {
    await this.#openMenu()
    await this.page.locator('.side .menu summary').first().click()
    await this.#leaves(() => this.page.locator('.side .menu').getByRole('link', { name, exact: true }).click())
  }

  /** Goes to a page of the organization by the side bar, and to the one behind its tab. */
  async organizationPage(name: string, tab: string): Promise<void> {
    await this.#openMenu()
    await this.#leaves(() => this.page.locator('.side nav').getByRole('link', { name, exact: true }).click())
    await this.#leaves(() => this.page.locator('main .tabs').getByRole('link', { name: tab, exact: true }).click())
  }

  // biome-ignore lint/performance/useDomNodeTextContent: what a person reads, as it is laid out.
  text = (): Promise<string> => this.page.locator('main').innerText()
}

/** An agent asks for approval of what it made, waits for it, and completes its work when it has it. */
async function work(origin: string, key: string, project_id: string): Promise<{ asked: Promise<string>; done: Promise<void> }> {
  const agent = await modern(origin, key)
  const asked = Promise.withResolvers<string>()
  const call = async (tool: string, args: object, record: string) => recordOf(await agent.call(tool, args), record)
  const run = async () => {
    const [requirement] = await call('list_work', { project_id }, 'requirements')
    const execution = await call('start_execution', { requirement_id: requirement.id, agent: 'claude-code' }, 'execution')
    const gate = await call(
      'open_gate',
      {
        execution_id: execution.id,
        name: `Release ${VERSION}`,
        description: 'Customers can pay by invoice. All 42 tests pass, and it has run in staging since yesterday.',
        environment: 'production',
        subject: {
          uri: 'git+https://github.com/acme/checkout',
          digest: { gitCommit: '7d3f1f0c5f5a4b6a9d1f2e3c4b5a69788796a5b4' },
          version: VERSION,
        },
        evidence: {
          checks: [
            { name: 'Unit tests', state: 'passed' },
            { name: 'Load test', state: 'passed' },
          ],
        },
      },
      'gate',
    )
    asked.resolve(gate.name)
    const decided = async (): Promise<string> => {
      const { status } = await call('wait_for_gate', { gate_id: gate.id }, 'gate')
      return status === 'pending' ? decided() : status
    }
    const status = await decided()
    if (status !== 'approved') throw new Error(`The gate is ${status}`)
    const result = { summary: 'Customers can pay by invoice.', cost_usd: 1.84, metrics: { tests_passed: 42, lines_added: 312 } }
    await call('complete_execution', { execution_id: execution.id, ...result }, 'execution')
    await agent[Symbol.asyncDispose]()
  }
  const done = run()
  done.catch(asked.reject)
  return { asked: asked.promise, done }
}

export async function playFirstHour(surroundings: Surroundings): Promise<FirstHour> {
  const { origin, team, picture = async () => {} } = surroundings
  const slack = new Receiver()
  const ci = new Ci()
  const address = (person: string) => `${person}@${team.toLowerCase()}.example.com`

  const ada = await Person.register(surroundings, 'Ada Lovelace', address('ada'))
  await ada.fill({
    name: team,
    invited: address('grace'),
    project: 'Checkout',
    slack_webhook_url: `${slack.url}/services/T0/B0/X`,
  })
  await ada.page.selectOption('[name=ci]', { label: 'GitHub Actions: repository_dispatch' })
  await picture(ada.page, 'welcome')
  await ada.press('Create the organization')

  await picture(ada.page, 'hook')
  await ada.fill({ url: ci.repository })
  await ada.press('Create the hook')
  await ada.follow('Back to the hook')
  await ada.press('Send a test')

  const grace = await Person.register(surroundings, 'Grace Hopper', address('grace'))
  await picture(grace.page, 'invitation')
  await grace.press('Accept')

  await ada.organization(team)
  await ada.follow('Main', 'Add a member')
  await ada.page.getByLabel('Grace Hopper').check()
  await ada.page.selectOption('[name=role]', 'admin')
  await ada.press('Add')

  await ada.home()
  await picture(ada.page, 'checklist')
  await ada.follow('Write the first requirement')
  await ada.fill({
    title: 'Pay by invoice',
    description: 'Companies can pay by invoice instead of by card.',
    acceptance_criteria: 'An invoice is mailed when the order is shipped.',
  })
  await ada.press('Create the requirement')
  await ada.page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Checkout' }).click()
  await ada.page.waitForURL('**/app/projects/*')
  const project_id = new URL(ada.page.url()).pathname.split('/')[3] ?? ''

  await ada.organization(team)
  await ada.organizationPage('Agents and machines', 'Service accounts')
  await ada.page.waitForURL('**/service-accounts')
  await ada.fill({ name: 'Coding agent' })
  for (const scope of SCOPES) await ada.page.locator(`[name=scopes][value="${scope}"]`).check()
  await ada.press('Create the service account')
  await ada.page.locator('form[action$="/keys"] [name=name]').fill('Laptop of Ada')
  await ada.press('Make a key')
  await picture(ada.page, 'key')
  const key = (await ada.page.locator('main code').first().textContent()) ?? ''

  const agent = await work(origin, key, project_id)
  const asked = await agent.asked
  await grace.home()
  await picture(grace.page, 'needs-you')
  await grace.follow(asked)
  await picture(grace.page, 'gate')
  await grace.fill({ comment: 'Looks right.' })
  await grace.press('Approve')

  await Promise.all([agent.done, ci.deployed])
  await grace.page.reload()
  await picture(grace.page, 'approved')
  await ada.home()
  const checklist = await ada.text()
  await picture(ada.page, 'done')
  await ada.press('Close')
  await ada.organization(team)
  await ada.follow('Main', 'Checkout')
  await picture(ada.page, 'project')
  const gate = await grace.text()
  const project = await ada.text()
  // The message about the approval may follow the deployment.
  const posted = await slack.waitFor(1, ({ body }) => body.includes(asked))

  await Promise.all([ada, grace].map(({ page }) => page.context().close()))
  await Promise.all([ci.stop(), slack.stop()])
  return { checklist, gate, project, posted: posted.map(({ body }) => body) }
}
