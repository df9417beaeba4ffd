/** An error of the API, as an exception. */
export class SignalboxError extends Error {
  /**
   * @param {number} status
   * @param {import('./index.js').Problem | undefined} problem
   */
  constructor(status, problem) {
    super(problem?.detail ?? `Signalbox answered ${status}`)
    this.name = 'SignalboxError'
    this.status = status
    this.problem = problem
  }
}
