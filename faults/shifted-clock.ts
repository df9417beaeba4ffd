/** Loaded before a process: its `Date` is off by the seconds in the file `CLOCK_OFFSET`, as they are at that moment. */
import { readFileSync } from 'node:fs'

const TrueDate = Date

const shifted = (): number => TrueDate.now() + Number(readFileSync(process.env.CLOCK_OFFSET ?? '', 'utf8')) * 1000

class ShiftedDate extends TrueDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    super(...((given.length === 0 ? [shifted()] : given) as [number]))
  }

  static override now = shifted
}

globalThis.Date = ShiftedDate as DateConstructor
