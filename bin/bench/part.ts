import type { Row } from './figures.ts'
import type { Stage } from './stage.ts'

/** One measurement of the benchmark: `bun run bench <name>` runs it alone. */
export interface Part {
  name: string
  /** Runs only when it is named: it takes minutes and serves capacity planning. */
  onlyByName?: true
  /** Left out by `--quick`, unless it is named. */
  slow?: true
  /** What is measured and against what; printed below the table. */
  describe(quick: boolean): string
  /** @param quick small amounts, to check that the benchmark works; its figures are rough */
  run(stage: Stage, quick: boolean): Promise<Row[]>
}
