/** Events of hooks and notification channels themselves, some of which go to one of them alone. */
import { pagePath } from '../tenants/links.ts'
import { declare } from './declaration.ts'
import { prose, quoted, text } from './words.ts'

interface Sent {
  hook?: { id?: unknown }
  channel?: { id?: unknown }
}

const hookPage = ({ hook }: Sent) => pagePath('deployment_hook', hook?.id)
const channelPage = ({ channel }: Sent) => pagePath('notification_channel', channel?.id)

const hook = { name: 'Deploy to production', url: 'https://ci.example.com/hooks/signalbox', headers: {}, disabled_reason: null }
const gone = 'The receiver answered 410 Gone.'
const deleted = 'The channel was deleted in Slack.'

export const destinationEvents = {
  'hook.disabled': declare({
    when: 'Signalbox disables a hook because its receiver fails.',
    data: { hook: 'hook', reason: 'text' },
    scope: 'project',
    sample: { hook: { ...hook, enabled: false, disabled_reason: gone }, reason: gone },
    page: hookPage,
    hooks: null,
    message: {
      title: 'Deployment hook disabled',
      severity: 'bad',
      next: 'Fix the receiver, enable the hook again, and resend what it missed.',
      describe: ({ hook, reason }) => ({
        sentence: `${quoted('deployment hook', hook.name)} was disabled.`,
        subject: text(hook.name),
        facts: [
          ['Hook', text(hook.name)],
          ['Environment', text(hook.environment)],
        ],
        quote: prose(reason),
      }),
    },
    slack: 'reply',
    // The admins get a mail, which they cannot turn off.
    notifies: null,
  }),
  'hook.enabled': declare({
    when: 'A hook that Signalbox disabled is enabled again.',
    data: { hook: 'hook' },
    scope: 'project',
    sample: { hook },
    page: hookPage,
    hooks: null,
    message: {
      title: 'Deployment hook enabled',
      severity: 'good',
      next: 'Resend what it missed.',
      describe: ({ hook }) => ({
        sentence: `${quoted('deployment hook', hook.name)} is enabled again.`,
        subject: text(hook.name),
        facts: [
          ['Hook', text(hook.name)],
          ['Environment', text(hook.environment)],
        ],
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
  'channel.disabled': declare({
    when: 'Signalbox disables a notification channel because it fails.',
    data: { channel: 'channel', reason: 'text' },
    scope: 'workspace',
    sample: {
      channel: { name: 'Releases', channel_type: 'slack', enabled: false, disabled_reason: deleted },
      reason: deleted,
    },
    page: channelPage,
    hooks: null,
    message: {
      title: 'Notification channel disabled',
      severity: 'bad',
      next: 'Fix the error in its log, test it, then enable it again.',
      describe: ({ channel, reason }) => ({
        sentence: `${quoted('notification channel', channel.name)} was disabled.`,
        subject: text(channel.name),
        facts: [
          ['Channel', text(channel.name)],
          ['Type', text(channel.channel_type)],
        ],
        quote: prose(reason),
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
}

/** Events that go directly to one hook or channel, and cannot be subscribed to. The request that causes them creates their dispatch or message. */
export const directEvents = {
  'test.ping': declare({
    when: 'A hook or a notification channel is tested.',
    data: { hook: 'hook', channel: 'channel' },
    eitherKey: true,
    scope: 'project',
    sample: { hook },
    page: (data) => hookPage(data) ?? channelPage(data),
    hooks: 'The tested hook; `data` then holds `hook`. The test of a channel goes to that channel, with `channel`.',
    message: {
      title: 'Test',
      severity: 'info',
      next: 'Subscribe it to events.',
      describe: ({ channel }) => ({
        sentence: `${quoted('notification channel', channel.name)} works. This is what messages look like.`,
        subject: text(channel.name),
        facts: [],
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
  'manual.trigger': declare({
    when: 'A user triggers a hook.',
    data: { hook: 'hook' },
    scope: 'project',
    sample: { hook },
    page: hookPage,
    hooks: 'The triggered hook.',
    // It goes to hooks only.
    message: {
      title: 'Hook triggered',
      severity: 'info',
      next: null,
      describe: ({ hook }) => ({
        sentence: `${quoted('deployment hook', hook.name)} was triggered.`,
        subject: text(hook.name),
        facts: [],
      }),
    },
    slack: 'reply',
    notifies: null,
  }),
}
