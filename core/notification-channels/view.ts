/** A channel as the API and events show it. */
import type { Fragment } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { CHANNEL_TYPES, CHANNELS } from './types.ts'

/** SQL: the values of fields of a type that are shown although they are not set. */
const defaultsOf = (type: (typeof CHANNEL_TYPES)[number]): Fragment[] =>
  Object.entries(CHANNELS[type].defaults ?? {}).map(
    ([field, { with: other, value }]) => sql`
      case
        when channel_type = ${type} and config ? ${other}::text then jsonb_build_object(${field}::text, ${value}::text)
        else '{}'
      end ||
    `,
  )

/** The columns of a channel in the API and events. */
export const channelColumns = sql`
  id, workspace_id, name, channel_type, ${CHANNEL_TYPES.flatMap(defaultsOf)} config as config,
  enabled, disabled_reason, created_at, updated_at
`
