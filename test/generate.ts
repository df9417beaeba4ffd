/** `bun run generate`: writes the files that are made from the code. */
import { answerHelp } from '../bin/support/command.ts'

answerHelp(`npx --yes bun run generate

Writes every file that is made from the code: docs/settings.md and .env.example, the types of the SDK
(sdk/openapi.d.ts), and the messages, documents and transcripts that tests compare with. Review the difference. The test of each
file fails until then.`)

/** The tests of these files: they write what they otherwise compare. */
const tests: string[] = []
for (const path of new Bun.Glob('test/**/*.test.ts').scanSync('.')) {
  if ((await Bun.file(path).text()).includes('process.env.UPDATE_GOLDEN')) tests.push(`./${path}`)
}
const run = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...tests.toSorted()], {
  stdio: ['inherit', 'inherit', 'inherit'],
  env: { ...process.env, UPDATE_GOLDEN: '1' },
})
process.exitCode = await run.exited
