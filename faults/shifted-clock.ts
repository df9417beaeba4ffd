/** Preloaded into a process: shifts its `Date` by the current number of seconds in the file `CLOCK_OFFSET`. */
import { readFileSync } from 'node:fs'

const TrueDate = Date

const shiftedNow = (): number => TrueDate.now() + Number(readFileSync(process.env.CLOCK_OFFSET ?? '', 'utf8')) * 1000

class ShiftedDate extends TrueDate {
  constructor(...args: ConstructorParameters<typeof Date> | []) {
    super(...((args.length === 0 ? [shiftedNow()] : args) as [number]))
  }

  static override now = shiftedNow
}

globalThis.Date = ShiftedDate as DateConstructor
