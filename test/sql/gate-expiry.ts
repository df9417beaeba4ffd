import { moveExpiry } from '../support/fixed-gates.ts'
import type { Box } from '../support/signalbox.ts'

/** Makes the reminder of a gate due, then its expiry, and waits until a worker has handled both. */
export async function letExpire(box: Box, gate_id: string): Promise<void> {
  const wait = (name: string) =>
    box.until(name, async () => {
      const [event] = await box.sql`select from outbox where name = ${name} and data -> 'gate' ->> 'id' = ${gate_id}`
      return event !== undefined
    })
  await box.sql`update gates set remind_at = now() where id = ${gate_id}`
  await wait('gate.expiring')
  await moveExpiry(box.sql, gate_id)
  await wait('gate.expired')
}
