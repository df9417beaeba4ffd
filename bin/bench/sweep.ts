/** Sweeps of promotions, as a process. Prints the milliseconds of PostgreSQL's processor time that each takes. */
import { sql } from '../../core/platform/database.ts'
import { promoteDue } from '../../worker/promotions/sweep.ts'
import { costOf, postmasterOf } from './costs.ts'

const SWEEPS = 500

await promoteDue()
const { postgres } = await costOf({ postgres: [await postmasterOf(sql)] }, async () => {
  for (let sweep = 0; sweep < SWEEPS; sweep++) await promoteDue()
  return SWEEPS
})
console.log(postgres)
process.exit()
