/** Validation of the `config` of channels. Every error names its field. */
import { CHANNELS, type ChannelType, type ConfigOf, isSecret } from '../../core/notification-channels/types.ts'
import { MASK } from '../../core/security/secrets.ts'
import { isObject } from '../../core/values/json.ts'
import { requireReadable, requireResent, UNREADABLE } from '../credentials/unreadable-secrets.ts'
import { bodyInput } from '../plugins/validation.ts'
import { atOtherFields, escapePointer, type FieldError, invalidFields } from '../problems.ts'

/** A config as JSON, of any type of channel. */
type Fields = Record<string, unknown>

const INPUTS = Object.fromEntries(Object.entries(CHANNELS).map(([type, { config }]) => [type, bodyInput(config)]))

const pointerTo = (...path: string[]): string => ['', 'config', ...path].map(escapePointer).join('/')

/** Validates the schema of a `config`; pointers are relative to the request body. */
function requireShape<Type extends ChannelType>(type: Type, config: Fields): ConfigOf<Type> {
  try {
    return INPUTS[type]?.['~standard'].validate(config).value as ConfigOf<Type>
  } catch (error) {
    return atOtherFields(error, (each) => ({ ...each, pointer: `/config${each.pointer}` }))
  }
}

const nothingToKeep = (...path: string[]): FieldError => ({
  pointer: pointerTo(...path),
  code: 'nothing_to_keep',
  detail: 'is the placeholder for the stored secret, but no secret is stored',
})

/** Replaces masked values of a secret object, such as headers, by the stored ones. Names compare case-insensitively. */
function unmasked(field: string, given: Fields, stored: unknown, errors: FieldError[]): Fields {
  const values = new Map(Object.entries(isObject(stored) ? stored : {}).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== MASK) return [name, value]
      const kept = values.get(name.toLowerCase())
      if (kept === undefined) errors.push(nothingToKeep(field, name))
      return [name, kept ?? '']
    }),
  )
}

/**
 * Merges the input into the stored config field by field: `null` clears a field, a mask keeps it. A field that the type does not
 * know stays in the result, and is refused with its schema.
 */
function merged(type: ChannelType, given: Fields, stored: Fields): Fields {
  const errors: FieldError[] = []
  // A map: a field named `__proto__` would not become one of an object.
  const result = new Map(Object.entries(stored))
  for (const [field, value] of Object.entries(given)) {
    if (value === null && Object.hasOwn(CHANNELS[type].config.properties, field)) result.delete(field)
    else if (!isSecret(type, field)) result.set(field, value)
    else if (isObject(value)) result.set(field, unmasked(field, value, stored[field], errors))
    else if (value !== MASK) result.set(field, value)
    else if (stored[field] === undefined) errors.push(nothingToKeep(field))
  }
  if (errors.length > 0) throw invalidFields(errors)
  return Object.fromEntries(result)
}

/** A stored config whose secrets no key decrypts. @param masked the config as the API shows it */
export const unreadableConfig = (type: ChannelType, masked: Fields): Fields =>
  Object.fromEntries(
    Object.entries(masked).map(([field, value]) => {
      if (!isSecret(type, field)) return [field, value]
      return [field, isObject(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, UNREADABLE])) : UNREADABLE]
    }),
  )

/** Pointers to values in a config and in its objects. */
const pointersTo = (wanted: string, config: Fields): string[] =>
  Object.entries(config).flatMap(([field, value]) => {
    if (!isObject(value)) return value === wanted ? pointerTo(field) : []
    return Object.keys(value).flatMap((name) => (value[name] === wanted ? pointerTo(field, name) : []))
  })

/** @throws Problem `secrets_must_be_resent` if a config keeps a secret that no key decrypts */
export const requireReadableConfig = (config: Fields): void => requireReadable(pointersTo(UNREADABLE, config))

/** Prevents editors of a channel from reading its secrets by pointing it to a server of their own. */
function requireSecretsResent<Type extends ChannelType>(
  type: Type,
  given: Fields,
  stored: ConfigOf<Type>,
  config: ConfigOf<Type>,
): void {
  const { secrets, serverOf } = CHANNELS[type]
  const kept = secrets.flatMap((field) => {
    if (stored[field] === undefined || serverOf(stored, field) === serverOf(config, field)) return []
    return given[field] === undefined ? pointerTo(field) : pointersTo(MASK, { [field]: given[field] })
  })
  requireResent(kept, 'The config has another scheme, host or port, where stored secrets are not sent')
}

/** Sets the defaults of fields, and clears those that go with another one. */
function complete(type: ChannelType, whole: Fields, given: Fields): void {
  const { config, clearedWith = {} } = CHANNELS[type]
  for (const [field, schema] of Object.entries(config.properties)) {
    if ('default' in schema) whole[field] ??= schema.default
  }
  for (const [field, other] of Object.entries(clearedWith)) {
    if (whole[other] === undefined && (given[field] ?? '') === '') delete whole[field]
  }
}

/**
 * Validates a `config` and merges it with the stored one.
 * @param given the config of the request
 * @param stored the config of the channel to be changed, with decrypted secrets; null for a new one
 * @throws Problem `validation_failed` with every error; `secrets_must_be_resent`
 */
export function checkConfig<Type extends ChannelType>(type: Type, given: Fields, stored: ConfigOf<Type> | null): ConfigOf<Type> {
  const whole = merged(type, given, stored ?? {})
  requireReadableConfig(whole)
  complete(type, whole, given)
  const config = requireShape(type, whole)
  const errors = CHANNELS[type].errors(config, stored)
  if (errors.length > 0)
    throw invalidFields(errors.map(({ path, flaw: [code, detail] }) => ({ pointer: pointerTo(...path), code, detail })))
  // Of what cannot be decrypted, nothing is kept.
  if (stored && pointersTo(UNREADABLE, stored).length === 0) requireSecretsResent(type, given, stored, config)
  return config
}
