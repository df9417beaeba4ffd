/** The receivers and tools that the data of a release leads to. Its addresses are encrypted in the data, so the ports are fixed. */
import { type MailServer, mailServer, refusal } from '../../test/notification-channels/mail-server.ts'
import { feishu, slack, teams } from '../../test/notification-channels/stand-ins.ts'
import { Mailbox } from '../../test/support/mailbox.ts'
import { ModelServer, settingsFor } from '../../test/support/model-server.ts'
import { Receiver } from '../../test/support/receiver.ts'
import { SIGNING_SECRET, SlackServer } from '../../test/support/slack.ts'

const PORT = { hooks: 23171, slack: 23172, teams: 23173, feishu: 23174, mail: 23175, bot: 23176 }

export class Outside {
  /** Receives from hooks and webhook channels. */
  readonly hooks = new Receiver(PORT.hooks)
  readonly rooms = { slack: slack(PORT.slack), teams: teams(PORT.teams), feishu: feishu(null, PORT.feishu) }
  readonly bot = new SlackServer(PORT.bot)
  readonly model = new ModelServer()
  /** While false, everybody answers that they are not available. */
  isUp = true

  private constructor(
    readonly mail: MailServer,
    readonly mailbox: Mailbox,
  ) {
    for (const receiver of [this.hooks, ...Object.values(this.rooms)]) {
      const { answer } = receiver
      receiver.answer = (request, number) => (this.isUp ? answer(request, number) : new Response('no', { status: 503 }))
    }
  }

  static async open(): Promise<Outside> {
    const options = {
      onConnect: (_: unknown, done: (error?: Error) => void) =>
        done(outside.isUp ? undefined : refusal('450 4.2.0 Come back later')),
    }
    const outside = new Outside(await mailServer(options, { port: PORT.mail }), await Mailbox.open())
    return outside
  }

  /** The settings of processes. */
  get environment(): Record<string, string> {
    return {
      ...this.mailbox.environment,
      ...settingsFor(this.model),
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      SLACK_CLIENT_ID: 'client',
      SLACK_CLIENT_SECRET: 'client-secret',
      SLACK_API_URL: this.bot.url,
      // Limits that are never reached, but are counted.
      RATE_LIMIT: '1000000',
    }
  }

  /** A configuration for each type of channel. */
  get configs(): Record<string, object> {
    const { slack, teams, feishu } = this.rooms
    return {
      webhook: { url: `${this.hooks.url}/channel` },
      slack: { webhook_url: slack.url },
      teams: { webhook_url: teams.url },
      feishu: { webhook_url: feishu.url },
      email: {
        smtp_host: '127.0.0.1',
        smtp_port: this.mail.port,
        from_address: 'box@example.com',
        to_addresses: ['team@example.com'],
      },
    }
  }

  /** How many messages each channel has got. */
  get received(): Record<string, number> {
    const rooms = Object.entries(this.rooms).map(([type, { requests }]) => [type, requests.length])
    const webhook = this.hooks.requests.filter(({ path }) => path === '/channel').length
    return { ...Object.fromEntries(rooms), webhook, email: this.mail.mails.length }
  }

  async close(): Promise<void> {
    await Promise.all([this.hooks, ...Object.values(this.rooms), this.bot, this.model, this.mail].map((each) => each.stop()))
  }
}
