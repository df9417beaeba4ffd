/**
 * Preloaded by the API and worker processes of tests: prints each statement that uses tables of all tenants and does not say so (`sql/reach.ts`),
 * or says so and does not. `Box.close` then fails the file. A statement is checked as it is sent, with all its parts.
 */
import { connect } from '../../sql/index.ts'
import { reachOf } from '../../sql/reach.ts'
import { looseTables } from '../sql/loose-tables.ts'
import { FAULT } from './statement-faults.ts'

interface Sent {
  /** The text, once it is sent. */
  string?: string
  executed: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

const tenants = new Map((process.env.TEST_TENANT_TABLES ?? '').split(' ').map((name) => [name, keyOf(name)]))
function keyOf(name: string): string {
  return name === 'organizations' ? 'id' : 'organization_id'
}

const checked = new Set<string>()

function check(statement: Sent): void {
  const reach = reachOf(statement)
  const text = statement.string ?? ''
  const key = `${reach?.kind} ${text}`
  if (checked.has(key)) return
  checked.add(key)
  const loose = looseTables(text, tenants)
  if (loose.length > 0 && !reach) console.log(`${FAULT} names no organization of ${loose.join(', ')}:`, JSON.stringify(text))
  if (loose.length === 0 && reach) console.log(`${FAULT} names its organizations, and is marked:`, JSON.stringify(text))
}

const any = connect('postgresql://127.0.0.1/', 'signalbox test', 1)
const prototype = Object.getPrototypeOf(any`select`) as { handle: (this: Sent) => Promise<void> }
const { handle } = prototype
prototype.handle = function () {
  if (!this.executed) {
    const { resolve, reject } = this
    this.resolve = (result) => {
      check(this)
      resolve(result)
    }
    this.reject = (error) => {
      if (this.string) check(this)
      reject(error)
    }
  }
  return handle.call(this)
}
