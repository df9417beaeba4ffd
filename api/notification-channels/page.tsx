/** The page of a notification channel: its state and health, its subscriptions and its log. */
import type { ComponentChildren } from 'preact'
import { channelTitle } from '../../core/notification-channels/types.ts'
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { getHealth, type Health } from '../lanes/health.ts'
import { Failing, HealthSection } from '../lanes/health-section.tsx'
import { Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { partAfter, shownOf } from '../pages/components/lists.tsx'
import { Milliseconds } from '../pages/components/measures.tsx'
import { CursorPager, Facts, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { cursorAfter, NEWEST_FIRST } from '../plugins/lists.ts'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { installUrl } from '../slack/exchange.ts'
import { getChannel, testChannel, updateChannel } from './channels.ts'
import { endOfMessage, listLog } from './logs.ts'
import { type Channel, type LogEntry, LogQuery } from './schema.ts'
import { listNamedSubscriptions, MAX_SUBSCRIPTIONS, type NamedSubscription } from './subscriptions.ts'

const PAGE_SIZE = 25
/** How long a test is waited for, in seconds: most receivers respond within a moment. */
const TEST_SECONDS = 3

function Obstacle({ channel, health }: { channel: Channel; health: Health }) {
  if (channel.enabled) return <Failing {...health} />
  return (
    <Notice tone={channel.disabled_reason === null ? 'warn' : 'bad'}>
      {channel.disabled_reason ?? 'A user disabled this channel.'} The channel sends only tests until it is enabled.
    </Notice>
  )
}

function Actions({ channel, addToSlack }: { channel: Channel; addToSlack: string | null }) {
  const path = `/app/notification-channels/${channel.id}`
  return (
    <>
      <Form action={`${path}/test`} others={[`${path}/enable`]}>
        <div class="buttons">
          <Submit kind={channel.enabled ? 'primary' : 'quiet'}>Send a test</Submit>
          {!channel.enabled && (
            <SubmitTo action={`${path}/enable`} kind="primary">
              Enable
            </SubmitTo>
          )}
        </div>
      </Form>
      {addToSlack !== null && (
        <p class="more">
          <a href={addToSlack} rel="noreferrer">
            Add to Slack
          </a>
          <span class="hint">Stores a bot token in this channel.</span>
        </p>
      )}
    </>
  )
}

/** A value of the config; secrets are masked already. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (value !== null && typeof value === 'object') return Object.keys(value).join(', ')
  return String(value)
}

function Settings({ channel }: { channel: Channel }) {
  const config = Object.entries(channel.config).filter(([, value]) => value !== null)
  return (
    <Section title="Settings">
      <Facts
        of={[
          ['Type', channelTitle(channel.channel_type)],
          ...config.map(([name, value]): [string, ComponentChildren] => [
            name.replaceAll('_', ' '),
            <code>{shownValue(value)}</code>,
          ]),
          ['Created', <Time at={channel.created_at} exact />],
        ]}
      />
    </Section>
  )
}

const subscriptionRow = ({ event_pattern, filter_project_id, project_name, created_at }: NamedSubscription): RowParts => ({
  what: <code>{event_pattern}</code>,
  beside: filter_project_id === null ? 'all projects' : <a href={`/app/projects/${filter_project_id}`}>{project_name}</a>,
  end: <Time at={created_at} />,
})

const Subscriptions = ({ of: subscriptions, path }: { of: NamedSubscription[]; path: string | null }) => (
  <Section title="Subscriptions" count={subscriptions.length} aside={path && <a href={path}>Choose events</a>}>
    <Rows label="Subscriptions" of={subscriptions} row={subscriptionRow}>
      This channel subscribes to no events, so it sends nothing but tests.
    </Rows>
  </Section>
)

const logRow = ({ event, status, error, attempt_count, response_status, duration_ms, created_at }: LogEntry): RowParts => ({
  state: <State of={status} />,
  what: event,
  beside: (
    <>
      {attempt_count === 1 ? '1 attempt' : `${attempt_count} attempts`}
      {response_status !== null && ` · answer ${response_status}`}
      {duration_ms !== null && (
        <>
          {' '}
          · <Milliseconds of={duration_ms} />
        </>
      )}
    </>
  ),
  below: error?.detail,
  end: <Time at={created_at} />,
})

function Log({ of: entries, url }: { of: LogEntry[]; url: URL }) {
  const shown = shownOf(entries, PAGE_SIZE)
  const last = shown.at(-1)
  const isOlder = url.searchParams.has('after')
  return (
    <Section title="Log">
      <Rows label="Log" of={shown} row={logRow}>
        {isOlder ? 'There are no older entries.' : 'Nothing was sent yet. Send a test to see whether the channel works.'}
      </Rows>
      <CursorPager
        url={url}
        after={entries.length > PAGE_SIZE && last ? cursorAfter({ path: url.pathname, name: 'after' }, NEWEST_FIRST, last) : null}
      />
    </Section>
  )
}

const channelPage = page(
  '/app/notification-channels/:channel_id',
  { channel: 'member' },
  async ({ caller, channel, url, query }) => {
    const [shown, health, subscriptions, log] = await Promise.all([
      getChannel(sql, channel),
      getHealth(sql, channel),
      listNamedSubscriptions(sql, channel, { limit: MAX_SUBSCRIPTIONS, after: null }),
      listLog(sql, channel, partAfter(url, query, 'after', NEWEST_FIRST, PAGE_SIZE)),
    ])
    const isAdmin = channel.role === 'admin'
    return {
      title: shown.name,
      aside: (
        <>
          <State of={shown.enabled ? 'enabled' : 'disabled'} />
          {isAdmin && <a href={`/app/notification-channels/${shown.id}/edit`}>Edit</a>}
        </>
      ),
      main: (
        <>
          <Obstacle channel={shown} health={health} />
          <div class="columns">
            <div>
              <Subscriptions of={subscriptions} path={isAdmin ? `/app/notification-channels/${shown.id}/subscriptions` : null} />
              <Log of={log} url={url} />
            </div>
            <div>
              {isAdmin && (
                <Section title="Actions">
                  <Actions channel={shown} addToSlack={shown.channel_type === 'slack' ? installUrl(caller, shown.id) : null} />
                </Section>
              )}
              <HealthSection of={health} sends={shown.enabled} nameOf={({ event }) => event} />
              <Settings channel={shown} />
            </div>
          </div>
        </>
      ),
    }
  },
  LogQuery,
)

const test = actionOn(channelPage, '/test', { channel: 'admin' }, Nothing, async ({ request, caller, channel, change }) => {
  const { id } = await change((tx) => testChannel(tx, caller, channel))
  await waitUntilFinished(request, TEST_SECONDS, endOfMessage(channel.organization_id, id))
  return { notice: 'A test was sent. The log shows its outcome.' }
})

const enable = actionOn(channelPage, '/enable', { channel: 'admin' }, Nothing, async ({ request, caller, channel, change }) => {
  await change((tx) => updateChannel(tx, caller, channel, { enabled: true }, request))
  return { notice: 'The channel is enabled.' }
})

export const channelPages = pageRoutes('channel-pages', channelPage, test, enable)
