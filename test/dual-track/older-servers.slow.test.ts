import { afterAll, expect, test } from 'bun:test'
import { type Asked, ModelServer, refusal, says, settingsFor } from '../support/model-server.ts'
import { signalbox } from '../support/signalbox.ts'
import { compare, comparison } from './tracks.ts'

const server = new ModelServer()
afterAll(() => server.stop())

/** Request fields that a server may not support, with the error messages that servers use. */
const REFUSED: [(body: Asked['body']) => boolean, string][] = [
  [({ max_tokens }) => max_tokens !== undefined, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."],
  [({ temperature }) => temperature !== undefined, "'temperature' does not support 0 with this model."],
  [({ response_format }) => response_format?.type === 'json_schema', "'response_format' of type json_schema is not supported."],
  [({ response_format }) => response_format !== undefined, 'Unknown field: response_format.'],
]

test('a field that the server refuses is not sent again', async () => {
  server.reset(({ body }) => {
    const [, message] = REFUSED.find(([isIn]) => isIn(body)) ?? []
    return message ? refusal(400, { message }) : says()
  })
  const { AI_API_KEY: _, ...keyless } = settingsFor(server)
  const box = await signalbox({ environment: { ...keyless, AI_MAX_TOKENS: '512' } })
  try {
    const ada = await box.user('Ada')
    const site = await box.site(ada)
    const { id } = await comparison(ada, site.project.id)
    expect((await compare(ada, id)).result.judge.kind).toBe('model')
    server.asked.length = 0
    expect((await compare(ada, id)).result.judge.kind).toBe('model')
    expect(server.asked).toHaveLength(2)
    for (const { body } of server.asked) {
      expect(Object.keys(body).sort()).toEqual(['max_completion_tokens', 'messages', 'model'])
      expect(body.max_completion_tokens).toBe(512)
      expect(body.messages[0].content).toContain('The JSON schema of the answer:')
    }
  } finally {
    await box.close()
  }
})
