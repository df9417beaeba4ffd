/** Statements of the processes of tests that use tables of all tenants and do not say so, or the other way round. */
export const FAULT = 'signalbox test: a statement'

const faults = new Set<string>()

/** @param line that a process has printed */
export function noteFault(line: string): void {
  if (line.startsWith(FAULT)) faults.add(line)
}

/** @throws Error if there were any since the last call */
export function throwFaults(): void {
  const found = [...faults]
  faults.clear()
  if (found.length > 0) throw new Error(`Mark statements as sql/reach.ts says, or do not:\n${found.join('\n')}`)
}
