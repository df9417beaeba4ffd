import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { SECRETS } from '../support/server.ts'
import { RolloutWorkbench } from './workbench.ts'

const OLD = SECRETS.SECRETS_KEY
const NEW = Buffer.alloc(32, 7).toString('base64')

/** The report token of a dispatch by a key, derived as documented in the code. */
const tokenBy = (key: string, dispatch_id: string): string => {
  const derived = createHmac('sha256', Buffer.from(key, 'base64')).update('signalbox report token').digest()
  return `sbx_rep_${createHmac('sha256', derived).update(dispatch_id).digest('base64url')}`
}

test('report tokens are made with the first key of SECRETS_KEY and accepted with any of them', async () => {
  const bench = await RolloutWorkbench.open({ environment: { SECRETS_KEY: `${NEW},${OLD}` }, own: true })
  try {
    const { hook, receiver } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    expect(await bench.tokenOf(receiver, dispatch)).toBe(tokenBy(NEW, dispatch.id))
    const report = (key: string) => bench.reportWith(tokenBy(key, dispatch.id), dispatch, { state: 'in_progress' })
    expect((await report(NEW)).status).toBe(200)
    expect((await report(OLD)).status).toBe(200)
    expect((await report(Buffer.alloc(32, 8).toString('base64'))).status).toBe(401)
  } finally {
    await bench.close()
  }
})
