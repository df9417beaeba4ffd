/** What of the config of every type is secret, and that it stays so. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelDeclaration } from '../../core/notification-channels/declaration.ts'
import { CHANNEL_TYPES, CHANNELS, type ChannelType } from '../../core/notification-channels/types.ts'
import { maskOf } from '../../core/security/masking.ts'
import { CONFIGS } from './configs.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 0 })
})
afterAll(() => bench.close())

const URL_OF_CHANNEL = 'http://127.0.0.1:9'

const secretOf = (field: string): string => `${field.replaceAll('_', '-')}-5ecret-9d1e77`

/** The secrets that a config contains. */
const secretsIn = (config: object): string[] =>
  Object.keys(config)
    .map(secretOf)
    .filter((secret) => JSON.stringify(config).includes(secret))

type Config = Record<string, unknown>

/** The configs of a type. */
const every = (type: ChannelType, url = URL_OF_CHANNEL): Config[] => CONFIGS[type](url, secretOf)

describe.each(CHANNEL_TYPES)('%s', (type) => {
  const { config: schema, secrets, masks, serverOf } = CHANNELS[type] as unknown as ChannelDeclaration<Config>

  test('has every field in a config of these tests, and a secret in each config', () => {
    const fields = new Set(every(type).flatMap((config) => Object.keys(config)))
    expect([...fields].toSorted()).toEqual(Object.keys(schema.properties).toSorted())
    for (const config of every(type)) expect(secretsIn(config)).not.toEqual([])
  })

  test('documents as write-only what is secret', () => {
    const documented = Object.entries(schema.properties).filter(([, field]) =>
      /write-only/i.test(String(Object(field).description)),
    )
    expect(documented.map(([name]) => name).toSorted()).toEqual([...secrets].toSorted())
  })

  test('shows and stores no secret in clear text', async () => {
    for (const config of every(type)) {
      const created = await bench.channel(type, config)
      const [stored] = await bench.box.sql<[{ text: string }]>`
        select channel::text as text from notification_channels as channel where id = ${created.id}
      `
      for (const secret of secretsIn(config)) {
        expect(JSON.stringify(created)).not.toContain(secret)
        expect(stored.text).not.toContain(secret)
        expect(stored.text).not.toContain(Buffer.from(secret).toString('hex'))
      }
    }
  })

  test('masks its secrets in answers, and names the server that gets each', () => {
    const elsewhere = every(type, 'http://127.0.0.1:10')
    for (const [index, config] of every(type).entries()) {
      const mask = maskOf(masks(config))
      for (const secret of secretsIn(config)) expect(mask(`It said: ${secret}!`)).not.toContain(secret)
      for (const field of secrets.filter((name) => name in config)) {
        const server = serverOf(config, field)
        expect([field, server]).toEqual([field, expect.stringMatching(/./)])
        expect([field, server]).not.toEqual([field, serverOf(elsewhere[index] ?? {}, field)])
      }
    }
  })
})
