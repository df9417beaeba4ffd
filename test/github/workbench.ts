/** The fixture of tests with GitHub: an app that an operator has made, an installation, and a linked repository. */
import { expect } from 'bun:test'
import { type Github, startGithub } from '../support/github/github.ts'
import type { App, Installation, Organization, Person, Repository } from '../support/github/world.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import type { Actor, Answer, Box, Options, Site } from '../support/signalbox.ts'
import { BaseWorkbench } from '../support/workbench.ts'

export const OPERATOR = 'operator@example.com'

/** What boxes of these tests share. */
export const SETTINGS = { OPERATORS: OPERATOR, GITHUB_RETRY_SECONDS: '0.3', GITHUB_REDELIVER_SECONDS: '1' }

/** Where GitHub answers a run. */
export const ANSWER = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/deployment_protection_rule'
export const STATUS = 'POST /repos/{owner}/{repo}/statuses/{sha}'

export class GithubBench extends BaseWorkbench {
  readonly github: Github
  readonly octocat: Person
  readonly acme: Organization
  /** The browser of the admin, who is an operator too. */
  browser!: PageClient
  app!: App
  installation!: Installation

  constructor(box: Box, admin: Actor, site: Site) {
    super(box, admin, site)
    this.github = startGithub()
    this.with({ stop: () => this.github[Symbol.asyncDispose]() })
    this.octocat = this.github.createPerson('octocat')
    this.acme = this.github.createOrganization('acme', { owners: [this.octocat] })
  }

  /** A service with an app that is connected. */
  static async connected(options: Options = {}): Promise<GithubBench> {
    const bench = await GithubBench.open({ ...options, environment: { ...SETTINGS, ...options.environment } })
    await bench.signIn()
    await bench.makeApp()
    await bench.connect()
    return bench
  }

  /** Makes the admin an operator, and signs them in in a browser. */
  async signIn(): Promise<void> {
    await this.box.sql`update users set email = ${OPERATOR} where id = ${this.admin.id}`
    this.browser = await PageClient.signedIn(this.box, { ...this.admin, email: OPERATOR } as Actor)
  }

  /** The path of where GitHub leads back to. */
  pathOf(address: string): string {
    const { pathname, search } = new URL(address)
    return pathname + search
  }

  /** Presses a button that leads away. @returns where to */
  async leave(page: Visit, button: string): Promise<string> {
    const form = [...page.document.querySelectorAll('button')]
      .find((each) => each.textContent?.startsWith(button))
      ?.closest('form')
    if (!form) throw new Error(`${page.path} has no button ${button}: ${page.text}`)
    const fields = [...form.querySelectorAll('input')].map((each) => [
      each.getAttribute('name') ?? '',
      each.getAttribute('value') ?? '',
    ])
    const answer = await this.browser.send('POST', form.getAttribute('action') ?? '', new URLSearchParams(fields).toString())
    expect(answer.status).toBe(303)
    return answer.headers.get('location') ?? ''
  }

  /** The operator makes the app by a manifest. */
  async makeApp(parameters = ''): Promise<void> {
    const page = await this.browser.open(`/app/github?url=${encodeURIComponent(this.github.url)}&organization=acme${parameters}`)
    const form = page.document.querySelector('form[action*="/settings/apps/new"]')
    const manifest = form?.querySelector('input[name="manifest"]')?.getAttribute('value') ?? ''
    const back = await this.github.createApp(this.octocat, form?.getAttribute('action') ?? '', manifest)
    const done = await this.browser.open(this.pathOf(back))
    expect(done.text).toContain('GitHub has made the app')
    this.app = this.github.world.apps.at(-1) as App
  }

  /** An owner installs the app, and the admin connects it. */
  async connect(person = this.octocat, account: Organization | Person = this.acme): Promise<Visit> {
    this.installation = this.github.install(this.app, account, { by: person })
    const path = `/app/organizations/${this.site.organization.id}/github`
    const away = await this.leave(await this.browser.open(path), 'Connect an installation')
    const offered = await this.browser.open(this.pathOf(await this.github.authorize(person, away)))
    const done = await this.browser.press(offered, 'Connect')
    expect(done.text).toContain(`The installation of ${account.login} is connected`)
    return done
  }

  /** A project that is linked to a new repository with a guarded environment. */
  async linked({ isPrivate = true, environment = 'production' } = {}) {
    const project = await this.project()
    const repository = this.github.createRepository(this.acme, `shop-${project.id.slice(-6)}`, { isPrivate })
    await this.admin.put(`/api/v1/projects/${project.id}/github`, { repository: `acme/${repository.name}` })
    this.github.protect(repository, environment, this.app)
    return { project, repository }
  }

  gates = async (project_id: string): Promise<Answer['body'][]> =>
    (await this.admin.get(`/api/v1/projects/${project_id}/gates`)).body

  /** The gates of a project, once there are so many. */
  async gatesOf(project_id: string, count = 1): Promise<Answer['body'][]> {
    let found: Answer['body'][] = []
    await this.box.until(`${count} gates`, async () => {
      found = await this.gates(project_id)
      return found.length >= count
    })
    return found
  }

  /** The gate that a run has opened. */
  async gateOf(project_id: string): Promise<Answer['body']> {
    const [gate] = await this.gatesOf(project_id)
    return gate
  }

  /** Approves what a gate asks for as it is now. A gate with a subject is approved by its binding. */
  async approval({ id }: { id: string }, actor = this.admin): Promise<Answer> {
    const { body } = await this.admin.get(`/api/v1/gates/${id}`)
    return actor.post(`/api/v1/gates/${id}/approve`, { binding: body.binding })
  }

  async approve(gate: { id: string }): Promise<void> {
    expect((await this.approval(gate)).status).toBe(200)
  }

  answersFor = ({ name }: Repository) =>
    this.github.callsOf(ANSWER).filter(({ path, body }) => path.includes(`/${name}/`) && body?.state)
}
