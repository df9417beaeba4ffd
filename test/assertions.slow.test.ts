/** What the sources of all tests have to keep to, so that their assertions can fail, and fail for one reason alone. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from 'typescript-5'

const root = join(import.meta.dir, '..')
/** Their subject is a clock that jumps or is off. */
const ABOUT_CLOCKS = ['faults/clock-steps.test.ts', 'faults/pull-hooks.test.ts']

const UPPER_BOUNDS = new Set(['toBeLessThan', 'toBeLessThanOrEqual', 'toBeWithin', 'toBeCloseTo'])

/** The whole chain that begins with a call of `expect`, and the names in it. */
function chainOf(call: ts.CallExpression): { chain: ts.Node; names: string[] } {
  const names: string[] = []
  let chain: ts.Node = call
  for (;;) {
    const { parent } = chain
    if (ts.isPropertyAccessExpression(parent)) names.push(parent.name.text)
    else if (!ts.isCallExpression(parent) || parent.expression !== chain) return { chain, names }
    chain = parent
  }
}

function faultOf(call: ts.CallExpression): string | null {
  const { chain, names } = chainOf(call)
  if (ts.isExpressionStatement(chain.parent)) {
    if (!ts.isCallExpression(chain) || chain === call) return 'has no matcher'
    if (names.includes('rejects') || names.includes('resolves')) return 'is not awaited'
  }
  const isElapsed = /\b(Date|performance)\.now\(\)/.test(call.arguments.map((each) => each.getText()).join())
  return isElapsed && UPPER_BOUNDS.has(names.at(-1) ?? '') ? 'limits the time that has passed' : null
}

/** The faulty assertions of a file, as `path:line fault`. */
function faultsIn(path: string, text: string): string[] {
  const source = ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'expect') {
      const fault = faultOf(node)
      if (fault) found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${fault}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('faulty assertions are found', () => {
  const sample = [
    'expect(1)',
    'expect(1).toBe',
    'expect(later).rejects.toThrow()',
    'await expect(later).rejects.toThrow()',
    'const refused = (later) => expect(later).rejects',
    'expect(Date.now() - before).toBeLessThan(10)',
    'expect(Date.now() - before).toBeGreaterThan(10)',
    'expect(time).toBeWithin(before, Date.now())',
  ]
  expect(faultsIn('a.ts', sample.join('\n'))).toEqual([
    'a.ts:1 has no matcher',
    'a.ts:2 has no matcher',
    'a.ts:3 is not awaited',
    'a.ts:6 limits the time that has passed',
  ])
})

test('every assertion has a matcher and is awaited, and none limits the time that has passed', async () => {
  const found: string[] = []
  let files = 0
  for await (const path of new Bun.Glob('{faults,test}/**/*.{ts,tsx}').scan(root)) {
    files += 1
    const faults = faultsIn(path, await Bun.file(join(root, path)).text())
    found.push(...faults.filter((fault) => !(ABOUT_CLOCKS.includes(path) && fault.endsWith('has passed'))))
  }
  expect(files).toBeGreaterThan(500)
  expect(found.sort()).toEqual([])
})
