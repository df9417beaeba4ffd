/**
 * answer_slack_click: answers a click on a button of a gate, at the address that Slack gave for it. The decision was made when the
 * click arrived; here the message is changed to show it, or the person sees why it did not change.
 */
import { isResponseUrl } from '../../../core/notification-channels/slack/buttons.ts'
import { apiUrlOf, type BotConfig, type SlackConfig, takesClicks } from '../../../core/notification-channels/slack/channel.ts'
import { decryptConfig } from '../../../core/notification-channels/types.ts'
import { config } from '../../../core/platform/config.ts'
import { sql, transaction } from '../../../core/platform/database.ts'
import { log } from '../../../core/platform/log.ts'
import { decrypt } from '../../../core/security/secrets.ts'
import { newToken, tokenHash } from '../../../core/security/tokens.ts'
import { secondText } from '../../../core/values/instants.ts'
import { line } from '../../../core/values/plain-text.ts'
import { envelopeOf, namedEvent, type StoredEvent } from '../../event-messages/people.ts'
import { type OutboundResult, post } from '../../outbound/outbound.ts'
import { jsonOf } from '../outcome.ts'
import { cardOf, digestOf, rootCardOf } from './cards.ts'
import { topicOfGate } from './shown-gates.ts'
import { readThread } from './threads.ts'
import { escaped, type SlackMessage } from './webhook.ts'

/** Slack accepts answers to a click for half an hour, and five of them. */
const RESPONSE_WINDOW_MINUTES = 30
const MAX_CORRECTIONS = 3

interface Click {
  id: string
  organization_id: string
  channel_id: string
  event_id: string
  gate_id: string
  answer: 'gate' | 'refusal' | 'link'
  detail: string | null
  team_id: string
  external_id: string
  user_name: string | null
  team_domain: string | null
  response_url: Uint8Array
}

async function findClick(organization_id: string, click_id: string): Promise<Click | null> {
  const [click] = await sql<Click[]>`
    select
      id, organization_id, channel_id, event_id, gate_id, answer, detail, team_id, external_id, user_name, team_domain,
      response_url
    from slack_clicks
    where id = ${click_id}
      and organization_id = ${organization_id}
      and answered_at is null
      and response_url is not null
      and created_at > now() - ${RESPONSE_WINDOW_MINUTES} * interval '1 minute'
  `
  return click ?? null
}

const ephemeral = (text: string) => ({ response_type: 'ephemeral', replace_original: false, text })

/** A link by which the person who clicked claims their Slack account. It replaces earlier ones. */
async function linkMessage(click: Click): Promise<object> {
  const { team_id, external_id } = click
  const { user_name, team_name, email } = await personOf(click)
  const token = newToken()
  const expires_at = await transaction(async (tx) => {
    await tx`delete from slack_link_tokens where team_id = ${team_id} and external_id = ${external_id}`
    const [link] = await tx<[{ expires_at: string }]>`
      insert into slack_link_tokens (hash, team_id, external_id, user_name, team_name, email, expires_at)
      values (
        ${tokenHash(token)}, ${team_id}, ${external_id}, ${user_name}, ${team_name}, ${email},
        now() + interval '10 minutes'
      )
      returning expires_at
    `
    return link.expires_at
  })
  const url = `${config.PUBLIC_URL}/link/slack?token=${token}`
  return ephemeral(
    `Your Slack account is not linked to a Signalbox account. <${url}|Link it>, then click again. The link is for you alone and works once, until ${secondText(expires_at)}.`,
  )
}

/** The message that the button belongs to, as it is now; null if it cannot be rendered any more. */
async function currentCard({ organization_id, channel_id, event_id, gate_id }: Click): Promise<SlackMessage | null> {
  const [found] = await sql<(StoredEvent & { execution_id: string | null })[]>`
    select ${namedEvent(organization_id)}, gate.execution_id
    from channel_events as event
    join gates as gate on gate.id = ${gate_id} and gate.organization_id = event.organization_id
    where event.id = ${event_id} and event.organization_id = ${organization_id}
  `
  if (!found) return null
  const envelope = envelopeOf(found)
  const topic = topicOfGate({ id: gate_id, execution_id: found.execution_id })
  const [state, config] = await Promise.all([
    readThread({ organization_id, channel_id, topic }),
    readSlackConfig(organization_id, channel_id),
  ])
  // Without a recorded root this message is the root: the worker was killed before it was recorded.
  const isRoot = state.root === null || state.root.event_id === event_id
  return (isRoot ? rootCardOf : cardOf)(envelope, state, { id: channel_id, config })
}

/** @throws Error if it may succeed later, so that the job is retried */
async function answer(click: Click, url: string, message: object): Promise<void> {
  const result = await post(url, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(message))
  if (result.status === 200) return
  if (isTransient(result)) throw new Error(`Slack did not accept the answer to a click: ${result.status ?? result.error?.code}`)
  log.warn({ click: click.id, status: result.status, error: result.error?.code }, 'slack rejected the answer to a click')
}

const isTransient = ({ status, error }: OutboundResult): boolean =>
  status === null ? error?.code !== 'blocked_address' : status >= 500 || status === 429 || status === 408

/** Shows the gate as it is, and again if it was changed meanwhile: this answer may have overtaken an update. */
async function showGate(click: Click, url: string): Promise<void> {
  let shown: Buffer | null = null
  for (let count = 0; count < MAX_CORRECTIONS; count += 1) {
    const card = await currentCard(click)
    if (!card) return answer(click, url, ephemeral('This gate is no longer shown here. Open it in Signalbox.'))
    const digest = digestOf(card)
    if (shown?.equals(digest)) return
    await answer(click, url, { replace_original: true, ...card })
    shown = digest
  }
}

/** Answers a click, once, unless it is older than Slack accepts. */
export async function answerClick({ organization_id, click_id }: { organization_id: string; click_id: string }): Promise<void> {
  const click = await findClick(organization_id, click_id)
  if (!click) return
  const url = await decrypt(click.response_url)
  if (isResponseUrl(url)) {
    if (click.answer === 'gate') await showGate(click, url)
    else if (click.answer === 'link') await answer(click, url, await linkMessage(click))
    else await answer(click, url, ephemeral(escaped(line(click.detail ?? '', 1_000))))
  }
  await sql`
    update slack_clicks set answered_at = now() where id = ${click.id} and organization_id = ${click.organization_id}
  `
}

/** The config of a channel as it is now; an empty one if the channel was deleted. */
async function readSlackConfig(organization_id: string, channel_id: string): Promise<SlackConfig> {
  const [channel] = await sql<{ channel_type: 'slack'; config: object; secrets: Uint8Array }[]>`
    select channel_type, config, secrets
    from notification_channels
    where id = ${channel_id}
      and organization_id = ${organization_id}
      and channel_type = 'slack'
  `
  return channel ? decryptConfig(channel) : {}
}

type Person = { user_name: string | null; team_name: string | null; email: string | null }

const textOf = (value: unknown, limit: number): string | null => (typeof value === 'string' ? line(value, limit) || null : null)

/** Asks Slack (https://docs.slack.dev/reference/methods/users.info). Without the scopes `users:read` and `users:read.email` it says less. */
async function ask(config: BotConfig, { channel_id, team_id, external_id }: Click): Promise<Omit<Person, 'team_name'>> {
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
async function personOf(click: Click): Promise<Person> {
  const config = await readSlackConfig(click.organization_id, click.channel_id)
  const profile = takesClicks(config) ? await ask(config, click) : { user_name: null, email: null }
  return {
    user_name: profile.user_name ?? click.user_name,
    team_name: click.team_domain && `${click.team_domain}.slack.com`,
    email: profile.email,
  }
}
