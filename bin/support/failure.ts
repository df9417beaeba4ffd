/** An error whose message tells the user what to change. Commands print it without a stack trace. */
export class Failure extends Error {}
