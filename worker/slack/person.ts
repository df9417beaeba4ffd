/** Who clicked in Slack, for the page that links the account. */
import { apiUrlOf, type BotConfig, takesClicks } from '../../core/notification-channels/slack.ts'
import { line } from '../../core/values/plain-text.ts'
import { jsonOf } from '../notification-channels/outcome.ts'
import { post } from '../outbound/outbound.ts'
import { readSlackConfig } from './channel-config.ts'

/** A click by someone who is not linked. */
interface Clicker {
  organization_id: string
  channel_id: string
  team_id: string
  external_id: string
  user_name: string | null
  team_domain: string | null
}

/** What Slack says of a person; null where it says nothing. */
interface Person {
  user_name: string | null
  team_name: string | null
  email: string | null
}

const textOf = (value: unknown, limit: number): string | null => (typeof value === 'string' ? line(value, limit) || null : null)

/** Asks Slack (https://docs.slack.dev/reference/methods/users.info). Without the scopes `users:read` and `users:read.email` it says less. */
async function ask(config: BotConfig, { channel_id, team_id, external_id }: Clicker): Promise<Omit<Person, 'team_name'>> {
  const headers = { Authorization: `Bearer ${config.bot_token}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ user: external_id }).toString()
  const result = await post(`${apiUrlOf(config)}/users.info`, headers, body, channel_id)
  const { ok, user } = result.status === 200 ? jsonOf(result) : {}
  const found = Object(ok === true ? user : null)
  const isPerson = found.id === external_id && [found.team_id, found.enterprise_user?.enterprise_id].includes(team_id)
  if (!isPerson) return { user_name: null, email: null }
  return { user_name: textOf(found.real_name, 120) ?? textOf(found.name, 120), email: textOf(found.profile?.email, 320) }
}

/** The person who clicked. A tenant can set the API of its channel: only Slack's own says who someone is. */
export async function personOf(click: Clicker): Promise<Person> {
  const config = await readSlackConfig(click.organization_id, click.channel_id)
  const told = takesClicks(config) ? await ask(config, click) : { user_name: null, email: null }
  return {
    user_name: told.user_name ?? click.user_name,
    team_name: click.team_domain && `${click.team_domain}.slack.com`,
    email: told.email,
  }
}
