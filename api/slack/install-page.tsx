/** The page to which Slack sends a person who has authorized the app ("Add to Slack"). */
import { page, pageRoutes } from '../pages/page.tsx'
import { Problem } from '../problems.ts'
import { completeInstall } from './install.ts'
import { isVisit } from './visits.ts'

const oauth = page('/slack/oauth', { signedIn: true }, async ({ request, caller, url }) => {
  if (!isVisit(request)) throw new Problem('slack_not_added', 'Open this link in a browser.')
  if (url.searchParams.has('error')) {
    throw new Problem('slack_not_added', 'The authorization was cancelled in Slack. Start again from the page of the channel.')
  }
  const [code = '', state = ''] = ['code', 'state'].map((name) => url.searchParams.get(name) ?? '')
  const { id } = await completeInstall(caller, { code, state })
  return {
    to: `/app/notification-channels/${id}`,
    notice: 'Slack was added. The channel posts as a bot once its slack_channel is set, and its webhook_url cleared.',
  }
})

export const installPages = pageRoutes('slack-install-pages', oauth)
