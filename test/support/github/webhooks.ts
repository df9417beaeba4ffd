/** Webhooks of apps: signed, recorded, and sent again on request, never by themselves. */
import { createHmac } from 'node:crypto'
import { sign } from '@octokit/webhooks-methods'
import { nodeId, organizationJson, repositoryJson, userJson } from './accounts-json.ts'
import { type Account, type App, type Installation, type Person, type Repository, reaches, type World } from './world.ts'

/** One attempt to deliver an event to an app. */
export interface Delivery {
  /** Larger than what a JavaScript number holds exactly, as those of GitHub are since February 2026. */
  id: bigint
  /** Shared with redeliveries. */
  guid: string
  app: App
  event: string
  action: string | null
  installationId: number | null
  repositoryId: number | null
  isRedelivery: boolean
  /** The JSON as it was sent. */
  payload: string
  headers: Record<string, string>
  at: number
  /** In seconds; null while it is under way. */
  duration: number | null
  status: string
  statusCode: number
  response: { headers: Record<string, string>; body: string } | null
}

/** An event, before it is known which apps receive it. */
export interface Emission {
  event: string
  action: string | null
  body: object
  /** null: nobody did it. */
  sender: Person | null
  /** The account where it happened, if not that of the repository. */
  account?: Account
  repository?: Repository
  /** To one app alone, subscribed or not: events about its own installations. */
  app?: App
  installation?: Installation
}

/** Deliveries are kept for three days. */
const KEPT_MS = 3 * 86_400_000

export class Webhooks {
  /** The oldest first. */
  readonly deliveries: Delivery[] = []
  #lastId = 3_804_004_623_172_239_366n
  #held: (() => Promise<void>)[] | null = null
  #queue: Promise<void> = Promise.resolve()
  #underWay = 0

  constructor(
    private readonly world: World,
    /** How long a receiver may take. */
    private readonly timeoutMs: number,
  ) {}

  /** Sends an event to each app that is installed there and subscribed to it. */
  emit(emission: Emission): void {
    const { event, app, installation, repository } = emission
    if (app) {
      this.#deliver(app, emission, installation ?? null)
      return
    }
    for (const each of this.world.installations) {
      const isSubscribed = each.events.includes(event) && each.suspendedAt === null
      if (repository && isSubscribed && reaches(each, repository)) this.#deliver(each.app, emission, each)
    }
  }

  #deliver(app: App, { event, action, body, sender, repository, account }: Emission, installation: Installation | null): void {
    if (!app.hook?.isActive) return
    const { world } = this
    const owner = account ?? repository?.owner
    const payload = {
      ...(action === null ? {} : { action }),
      ...body,
      ...(repository ? { repository: repositoryJson(world, repository) } : {}),
      ...(owner?.kind === 'Organization' ? { organization: organizationJson(world, owner) } : {}),
      ...(installation && !('installation' in body)
        ? { installation: { id: installation.id, node_id: nodeId('IntegrationInstallation', installation.id) } }
        : {}),
      ...(sender ? { sender: userJson(world, sender) } : {}),
    }
    const ids = { installationId: installation?.id ?? null, repositoryId: repository?.id ?? null }
    this.#enqueue(this.#record({ app, event, action, ...ids, guid: crypto.randomUUID(), payload: JSON.stringify(payload) }))
  }

  #record(
    given: Pick<Delivery, 'app' | 'event' | 'action' | 'installationId' | 'repositoryId' | 'guid' | 'payload'>,
    isRedelivery = false,
  ): Delivery {
    this.#lastId += BigInt(1 + Math.floor(Math.random() * 1_000_000))
    const state = { duration: null, status: 'pending', statusCode: 0, response: null, headers: {} }
    const delivery: Delivery = { ...given, id: this.#lastId, isRedelivery, at: this.world.clock.now(), ...state }
    this.deliveries.push(delivery)
    return delivery
  }

  #enqueue(delivery: Delivery): void {
    this.#underWay += 1
    const send = () => this.#send(delivery)
    if (this.#held) this.#held.push(send)
    else this.#queue = this.#queue.then(send)
  }

  async #send(delivery: Delivery): Promise<void> {
    const { app, event, guid, payload } = delivery
    const { hook, webhookSecret } = app
    const started = performance.now()
    const outcome = (status: string, statusCode: number, response: Delivery['response'] = null) =>
      Object.assign(delivery, { status, statusCode, response, duration: (performance.now() - started) / 1000 })
    try {
      if (!hook) return void outcome('no webhook', 0)
      delivery.headers = {
        Accept: '*/*',
        'Content-Type': 'application/json',
        'User-Agent': 'GitHub-Hookshot/044aadd',
        'X-GitHub-Delivery': guid,
        'X-GitHub-Event': event,
        'X-GitHub-Hook-ID': String(hook.id),
        'X-GitHub-Hook-Installation-Target-ID': String(app.id),
        'X-GitHub-Hook-Installation-Target-Type': 'integration',
        ...(this.world.isEnterprise
          ? { 'X-GitHub-Enterprise-Host': new URL(this.world.origin).host, 'X-GitHub-Enterprise-Version': '3.19.0' }
          : {}),
        ...(webhookSecret === null
          ? {}
          : {
              'X-Hub-Signature': `sha1=${createHmac('sha1', webhookSecret).update(payload).digest('hex')}`,
              'X-Hub-Signature-256': await sign(webhookSecret, payload),
            }),
      }
      const signal = AbortSignal.timeout(this.timeoutMs)
      const { headers } = delivery
      const answer = await fetch(hook.url, { method: 'POST', body: payload, headers, redirect: 'manual', signal })
      const body = await answer.text()
      const text = answer.ok ? 'OK' : `Invalid HTTP Response: ${answer.status}`
      outcome(text, answer.status, { headers: Object.fromEntries(answer.headers), body })
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      outcome(isLate ? 'timed out' : 'failed to connect to host', isLate ? 504 : 502)
    } finally {
      this.#underWay -= 1
      this.world.onChange()
    }
  }

  /** The deliveries that GitHub still lists, the latest first. */
  recent(app: App): Delivery[] {
    const oldest = this.world.clock.now() - KEPT_MS
    return this.deliveries.filter((each) => each.app === app && each.duration !== null && each.at > oldest).toReversed()
  }

  /** Sends the same payload again, with the same GUID and a signature by the present secret. */
  redeliver(delivery: Delivery): void {
    this.#enqueue(this.#record(delivery, true))
  }

  /** Holds deliveries back, as GitHub does when it is late. */
  pause(): void {
    this.#held ??= []
  }

  /** Sends what was held back, in the order in which it happened, in another, or all at once: GitHub promises none. */
  resume(order: 'kept' | 'reversed' | 'together' = 'kept'): void {
    const held = this.#held ?? []
    this.#held = null
    if (order === 'together') {
      this.#queue = Promise.all([this.#queue, ...held.map((send) => send())]).then(() => {})
      return
    }
    for (const send of order === 'reversed' ? held.toReversed() : held) this.#queue = this.#queue.then(send)
  }

  /** The deliveries of an event, the oldest first. */
  of(event: string, action?: string): Delivery[] {
    return this.deliveries.filter((each) => each.event === event && (action === undefined || each.action === action))
  }

  /** Whether each delivery that is not held back was answered. */
  get isSettled(): boolean {
    return this.#underWay === (this.#held?.length ?? 0)
  }
}
