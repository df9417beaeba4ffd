/** Which notifications a user gets, and how. */
import { isMailed, NOTIFICATION_TYPES, type NotificationType, notificationTypes } from '../../core/notifications/types.ts'
import { sql } from '../../core/platform/database.ts'
import { Checkbox, EmptyList, Tick } from '../pages/components/checkboxes.tsx'
import { Form, Submit } from '../pages/components/forms.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { tokenOf } from '../pages/urls.ts'
import { AccountTabs } from '../users/tabs.tsx'
import { getPreferences, unsubscribe, updatePreferences } from './preferences.ts'
import { Nothing, type Preferences, PreferencesInput } from './schema.ts'

const PATH = '/app/account/notifications'

const tick = (name: 'types' | 'email_types', label: string, preferences: Preferences) => (type: NotificationType) => (
  <Tick name={name} value={type} label={`${label}: ${NOTIFICATION_TYPES[type]}`} checked={preferences[name].includes(type)} />
)

/** The choice of what is never mailed stays as it is: the form has it, but does not show it. */
const mailTick = (preferences: Preferences) => {
  const shown = tick('email_types', 'Also by mail', preferences)
  return (type: NotificationType) => {
    if (isMailed(type)) return shown(type)
    return preferences.email_types.includes(type) && <input type="hidden" name="email_types" value={type} />
  }
}

const columnsFor = (preferences: Preferences): Column<NotificationType>[] => [
  { head: 'When', main: true, cell: (type) => NOTIFICATION_TYPES[type] },
  { head: 'In the inbox', cell: tick('types', 'In the inbox', preferences) },
  { head: 'Also by mail', cell: mailTick(preferences) },
]

const preferencesPage = page('/app/account/notifications', { signedIn: true }, async ({ caller }) => {
  const preferences = await getPreferences(sql, caller.id)
  return {
    title: 'Notifications',
    main: (
      <>
        <AccountTabs path={PATH} />
        <Form action={PATH} updated_at={preferences.updated_at}>
          <EmptyList name="types" />
          <EmptyList name="email_types" />
          <Table label="Which notifications you get" columns={columnsFor(preferences)} rows={notificationTypes} />
          <p class="hint">What is not in the inbox is not sent by mail either. Only verified addresses get mail.</p>
          <Checkbox name="email_enabled" label="Send mail" checked={preferences.email_enabled} />
          <Checkbox
            name="desktop_enabled"
            label="Let clients of the notification stream show desktop notifications"
            checked={preferences.desktop_enabled}
          />
          <Submit>Save</Submit>
        </Form>
      </>
    ),
  }
})

const save = actionOn(preferencesPage, '', { signedIn: true }, PreferencesInput, async ({ request, caller, change }, body) => {
  await change((tx) => updatePreferences(tx, caller, body, request))
  return { notice: 'Your preferences were saved.' }
})

export const preferencePages = pageRoutes('preference-pages', preferencesPage, save)

/** Its form posts to another path than mail clients do, whose requests have no `Origin` (`POST /unsubscribe` in `routes.ts`). */
const unsubscribePage = page('/unsubscribe', { open: 'requests' }, ({ url }) => ({
  title: 'Unsubscribe',
  narrow: true,
  main: (
    <Form action={`/unsubscribe/confirm?token=${encodeURIComponent(tokenOf(url))}`}>
      <p>Press the button to stop mails of this type. Notifications in the app are not affected.</p>
      <Submit>Unsubscribe</Submit>
    </Form>
  ),
}))

const unsubscribeAction = actionOn(unsubscribePage, '/confirm', { open: 'requests' }, Nothing, async ({ url, change }) => {
  const { type } = await change((tx) => unsubscribe(tx, tokenOf(url)))
  return {
    title: 'Unsubscribed',
    narrow: true,
    main: <p>You will not receive mails of the type {type} any more. Your notification preferences show all types.</p>,
  }
})

export const unsubscribePages = pageRoutes('unsubscribe-pages', unsubscribePage, unsubscribeAction)
