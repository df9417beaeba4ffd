/** A channel as the API and events show it. */
import { sql } from '../platform/database.ts'
import { SLACK_API_URL } from './slack.ts'

/** The columns of a channel in the API and events. A bot posts to Slack's own API unless another one is set. */
export const channelColumns = sql`
  id, workspace_id, name, channel_type,
  case when config ? 'bot_token' then jsonb_build_object('api_url', ${SLACK_API_URL}::text) || config else config end as config,
  enabled, disabled_reason, created_at, updated_at
`
