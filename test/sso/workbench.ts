/** An organization with a provider of its own, for tests. */
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp } from '../support/second-factors.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { Provider, SECRET, signOn } from './provider.ts'
import { TextServer } from './text-server.ts'

let domains = 0

export class SsoBench {
  private constructor(
    readonly box: Box,
    readonly mail: Mailbox,
    readonly provider: Provider,
    readonly names: TextServer,
  ) {}

  static async open(environment: Record<string, string> = {}): Promise<SsoBench> {
    const [mail, provider, names] = [await Mailbox.open(), await Provider.open(), await TextServer.open()]
    const box = await signalbox({
      own: true,
      environment: { ...mail.environment, DNS_SERVERS: names.address, SSO_DOMAIN_SECONDS: '1', ...environment },
    })
    return new SsoBench(box, mail, provider, names)
  }

  async close(): Promise<void> {
    await this.box.close()
    await Promise.all([this.provider.stop(), this.names.stop()])
  }

  /** The connection of an organization. */
  async connect(owner: Actor, org_id: string, more: object = {}): Promise<Answer['body']> {
    const input = { issuer: this.provider.url, client_id: this.provider.client_id, client_secret: SECRET, ...more }
    const { status, body } = await owner.put(`/api/v1/organizations/${org_id}/sso`, input)
    if (status !== 200) throw new Error(`PUT sso answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  newDomain(): string {
    domains += 1
    return `acme-${domains}.example`
  }

  /** Adds and verifies a domain. */
  async domain(owner: Actor, org_id: string, domain = this.newDomain()): Promise<Answer['body']> {
    const path = `/api/v1/organizations/${org_id}/sso/domains`
    const claimed = await owner.make(path, { domain })
    this.names.records.set(claimed.record.name, [...(this.names.records.get(claimed.record.name) ?? []), claimed.record.value])
    return owner.make(`${path}/${claimed.id}/verify`)
  }

  /** An organization whose owner has a second factor and has signed on. */
  async company(more: object = {}): Promise<Company> {
    const owner = await this.box.user('Olga Owner')
    const site = await this.box.site(owner)
    const connection = await this.connect(owner, site.organization.id, more)
    const { domain } = await this.domain(owner, site.organization.id)
    return new Company(this, owner, site, connection, domain)
  }
}

let people = 0

export class Company {
  constructor(
    private readonly bench: SsoBench,
    readonly owner: Actor,
    readonly site: Site,
    readonly connection: Answer['body'],
    readonly domain: string,
  ) {}

  /** Of the authenticator app of the owner. */
  secret = { secret: '' }

  get path(): string {
    return `/sign-in/sso/${this.connection.id}`
  }

  get api(): string {
    return `/api/v1/organizations/${this.site.organization.id}/sso`
  }

  /** Claims of a new person with an address of the company. */
  person(more: object = {}) {
    people += 1
    const sub = `staff-${people}`
    return { sub, email: `${sub}@${this.domain}`, email_verified: true, name: `Staff ${people}`, ...more }
  }

  /** Signs on. */
  enter(claims: object, browser = new PageClient(this.bench.box)) {
    return signOn(browser, this.bench.provider, { claims }, this.path)
  }

  /** Connects the account of a member who is signed in. @returns their browser */
  async linked(actor: Actor, claims: object = this.person()): Promise<PageClient> {
    const browser = await PageClient.signedIn(this.bench.box, actor)
    await this.linkIn(browser, claims)
    return browser
  }

  async linkIn(browser: PageClient, claims: object): Promise<void> {
    const page = await this.enter(claims, browser)
    const done = await browser.press(page, 'Connect')
    if (done.status !== 200) throw new Error(`Connecting answered ${done.status}: ${done.text}`)
  }

  /** Makes the sign-on required. @returns the browser of the owner, who has signed on */
  async require(required: 'domains' | 'everyone'): Promise<PageClient> {
    const browser = await this.linked(this.owner)
    this.secret = await addTotp(this.bench.box, this.owner)
    const { status, body } = await this.owner.put(this.api, { required })
    if (status !== 200) throw new Error(`PUT sso answered ${status}: ${JSON.stringify(body)}`)
    return browser
  }
}

/** Makes a personal token in the session of a browser. */
export const tokenIn = async (browser: PageClient, scope = 'write'): Promise<string> => {
  const page = await browser.post('/app/account/tokens', { name: 'Script', scope })
  return /sbx_pat_\w+/.exec(page.html)?.[0] ?? ''
}
