import { sql } from '../../core/platform/database.ts'
import { notificationPath } from '../../core/tenants/links.ts'
import { pageQuery, Shape } from '../../core/values/schema.ts'
import { AccountField, Button } from '../pages/components/forms.tsx'
import { Empty, Pager, Rows } from '../pages/components/structure.tsx'
import { Dot, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { listNotifications, readAllNotifications, readNotification } from './notifications.ts'
import { Nothing, type Notification, ReadAllInput } from './schema.ts'

/** Where a notification leads within the app: an invitation to its own page, since this one may be the first page. */
const linkOf = (notification: Notification): string | undefined =>
  notification.resource_type === 'invitation'
    ? `/app/invitations/${notification.resource_id}`
    : (notificationPath(notification) ?? undefined)

export const NotificationList = ({ items }: { items: Notification[] }) => (
  <Rows
    label="Notifications"
    of={items}
    row={(notification) => ({
      state: notification.is_read ? undefined : <Dot tone="run" text="unread" />,
      href: linkOf(notification),
      what: notification.title,
      below: notification.body.replaceAll(/\n+/g, ' · '),
      end: <Time at={notification.created_at} />,
      actions: !notification.is_read && (
        <Button action={`/app/notifications/${notification.id}/read`}>
          Mark read<span class="unseen">: {notification.title}</span>
        </Button>
      ),
    })}
  />
)

/** Marks those as read that the page shows, not those that have arrived since. */
export function ReadAllButton({ items, from }: { items: Notification[]; from?: 'app' }) {
  const newest = items[0]?.created_at
  if (newest === undefined) return null
  return (
    <form method="post" action={`/app/notifications/read-all${from ? `?from=${from}` : ''}`} class="inline">
      <AccountField />
      <input type="hidden" name="before" value={newest} />
      <button type="submit" class="quiet">
        Mark all read
      </button>
    </form>
  )
}

const InboxQuery = Shape(pageQuery)

const inbox = page(
  '/app/notifications',
  { signedIn: true },
  async ({ caller, url, query }) => {
    const { items, total, unread_count } = await listNotifications(sql, caller, { ...query, unread_only: false })
    return {
      title: 'Inbox',
      aside: unread_count > 0 ? <ReadAllButton items={items} /> : undefined,
      main:
        items.length === 0 ? (
          <Empty>No notifications yet. You get one when a gate waits for you, or an execution that you started ends.</Empty>
        ) : (
          <>
            <NotificationList items={items} />
            <Pager url={url} {...query} total={total} />
          </>
        ),
    }
  },
  InboxQuery,
)

const read = actionOn(inbox, '/:notification_id/read', { signedIn: true }, Nothing, async ({ caller, params, change }) => {
  await change((tx) => readNotification(tx, caller, params.notification_id ?? ''))
  return {}
})

const readAll = actionOn(inbox, '/read-all', { signedIn: true }, ReadAllInput, async ({ caller, url, change }, body) => {
  const { updated } = await change((tx) => readAllNotifications(tx, caller, body))
  const notice = updated === 1 ? '1 notification marked as read.' : `${updated} notifications marked as read.`
  return { notice, to: url.searchParams.get('from') === 'app' ? '/app' : '/app/notifications' }
})

export const inboxPages = pageRoutes('inbox-pages', inbox, read, readAll)
