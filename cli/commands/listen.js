import { wrongUsage } from '../support/failure.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run(invocation) {
  const { project, forward } = invocation.options
  if (!project !== !forward) throw wrongUsage('--project and --forward belong together.')
  if (!forward) return (await import('../listen/receive.js')).receive(invocation)
  return (await import('../listen/forward.js')).forward(invocation)
}
