/** A thread whose tasks end with an answer, a problem or an error, or not at all. */
import { serveThread } from '../../api/plugins/thread.ts'
import { invalidField } from '../../api/problems.ts'

serveThread((task: string) => {
  if (task === 'refuse') throw invalidField('/name', 'malformed', 'is wrong')
  if (task === 'fail') throw new Error('unexpected')
  while (task === 'endless');
  return `${task} done`
})
