import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { COMMANDS } from '../../cli/commands.js'
import { Home } from './support.ts'

/** What bash offers after these words. */
async function offered(script: string, words: string[]): Promise<string[]> {
  const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`
  const child = Bun.spawn(['bash', '--norc', '-c', `source '${script}'; ${call}`], { stdout: 'pipe', stderr: 'pipe' })
  expect(await new Response(child.stderr).text()).toBe('')
  return (await new Response(child.stdout).text()).trim().split('\n').filter(Boolean)
}

test('bash completes commands, options and what they take', async () => {
  await using home = await Home.make()
  const script = join(home.path, 'signalbox.bash')
  await Bun.write(script, (await home.run(['completions', 'bash'])).stdout)
  const firsts = await offered(script, ['signalbox', ''])
  expect(firsts).toEqual([...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')), 'help'])
  expect(await offered(script, ['signalbox', 'wh'])).toEqual(['whoami'])
  expect(await offered(script, ['signalbox', 'gate', ''])).toEqual(['open', 'show'])
  expect(await offered(script, ['signalbox', 'gate', 'open', '--e'])).toEqual(['--execution', '--environment', '--evidence'])
  expect(await offered(script, ['signalbox', 'report', 'x', '--state', ''])).toEqual(['in_progress', 'succeeded', 'failed'])
  expect(await offered(script, ['signalbox', 'wait', 'x', '--'])).toEqual(['--timeout', '--decided', '--url', '--json', '--help'])
})

test.each(['bash', 'zsh', 'fish'])('completions of %s name every command and option, and are valid', async (shell) => {
  await using home = await Home.make()
  const { code, stdout } = await home.run(['completions', shell])
  expect(code).toBe(0)
  for (const { name, options } of COMMANDS) {
    for (const word of [...name.split(' '), ...Object.keys(options)]) expect(stdout).toContain(word)
  }
  const script = join(home.path, 'script')
  await Bun.write(script, stdout)
  if (Bun.which(shell)) expect(Bun.spawnSync([shell, '-n', script]).stderr.toString()).toBe('')
  expect((await home.run(['completions', 'csh'])).code).toBe(1)
})
