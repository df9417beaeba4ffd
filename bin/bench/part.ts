import type { Row } from './figures.ts'
import type { Stage } from './stage.ts'

/** One thing that is measured: `bun run bench <name>` runs it alone. */
export interface Part {
  name: string
  /** Measured only where it is named: it is for capacity planning, and takes long. */
  apart?: true
  /** `--quick` leaves it out, unless it is named. */
  thorough?: boolean
  /** What is compared with what, and how: it stands below the table. */
  conditions: (quick: boolean) => string
  /** @param quick a run that shows that the bench works, and whose figures are rough */
  run: (stage: Stage, quick: boolean) => Promise<Measured>
}

export interface Measured {
  rows: Row[]
  /** The same for machines, under names that stay. */
  figures: Record<string, unknown>
}
