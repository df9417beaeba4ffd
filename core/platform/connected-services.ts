/** The settings for the services that Signalbox is connected to: Slack and GitHub. */
import { setting } from './setting-errors.ts'
import { baseUrl, integer, listOf, nonEmpty, operator, seconds, text } from './setting-values.ts'

export const CONNECTED_SERVICES = {
  SLACK_SIGNING_SECRET: setting((value) => nonEmpty(listOf(text)(value)), {
    about:
      'Signing secret of the Slack app whose bot tokens the channels use. With it, messages about gates have buttons, and `/slack/interactions` accepts clicks. A comma-separated list: each verifies.',
  }),
  SLACK_CLIENT_ID: setting(text, {
    about:
      'Client id of the Slack app, for "Add to Slack" and for linking Slack accounts by Sign in with Slack. Requires `SLACK_CLIENT_SECRET`.',
  }),
  SLACK_CLIENT_SECRET: setting(text, { about: 'Client secret of the Slack app.' }),
  SLACK_API_URL: setting(baseUrl, {
    fallback: 'https://slack.com/api',
    about: "Base URL of Slack's API, at which codes of authorizations are exchanged.",
  }),
  OPERATORS: setting(listOf(operator), {
    fallback: '',
    about:
      'E-mail addresses, separated by commas, of the accounts that set up the GitHub App of the service (`/app/github`). Their addresses must be verified.',
  }),
  GITHUB_RETRY_SECONDS: setting((value) => nonEmpty(listOf(seconds)(value)), {
    about:
      'Delays between the attempts to answer GitHub, without jitter; the last one goes on for 30 days. Default: 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, each ± 20%.',
  }),
  GITHUB_REDELIVER_SECONDS: setting(integer(1, 86_400), {
    fallback: '300',
    about: 'How often GitHub is asked for deliveries of the last three days that did not arrive.',
  }),
}
