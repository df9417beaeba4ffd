/** UUIDs as text, in either case. */

/** For JSON Schema, which has no flags. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID = new RegExp(UUID_PATTERN)

/** Whether a value is a UUID. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)
