import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Thread } from '../../api/plugins/thread.ts'
import { Problem } from '../../api/problems.ts'

const module = new URL('./endless-thread.ts', import.meta.url)

/** What a task ends with. */
const outcome = (thread: Thread<string, string>, task: string, caller = 'ada') =>
  thread.run(caller, task).catch((error: unknown) => (error instanceof Problem ? [error.code, error.errors] : String(error)))

const tooSlow = () => new Problem('validation_failed', 'too slow', [])

describe('A thread', () => {
  let thread: Thread<string, string>
  beforeEach(() => {
    thread = new Thread(module, 5_000, tooSlow)
  })
  afterEach(() => thread.end())

  test('answers, and hands over problems and errors', async () => {
    expect(await Promise.all(['one', 'refuse', 'fail', 'two'].map((task) => outcome(thread, task)))).toEqual([
      'one done',
      ['validation_failed', [{ pointer: '/name', code: 'malformed', detail: 'is wrong' }]],
      'Error: unexpected',
      'two done',
    ])
  })

  test('ends a task that takes too long, and goes on with the next', async () => {
    const slow = new Thread<string, string>(module, 1_000, tooSlow)
    const [endless, next] = [outcome(slow, 'endless'), outcome(slow, 'next', 'grace')]
    expect(await endless).toEqual(['validation_failed', []])
    expect(await next).toBe('next done')
    slow.end()
  })

  test('is given the time to load its module', async () => {
    const late = new Thread<string, string>(new URL('./late-thread.ts', import.meta.url), 500, tooSlow)
    expect(await outcome(late, 'one')).toBe('one done')
    late.end()
  })

  test('does not hold up the thread that uses it', async () => {
    const slow = new Thread<string, string>(module, 1_000, tooSlow)
    const endless = outcome(slow, 'endless')
    let turns = 0
    let isRunning = true
    void endless.finally(() => {
      isRunning = false
    })
    for (; isRunning; turns++) await Bun.sleep(1)
    expect(turns).toBeGreaterThan(10)
    slow.end()
  })
})
