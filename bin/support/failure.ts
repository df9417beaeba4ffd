/** What keeps Signalbox from starting, in words for the person who started it: printed without a stack trace. */
export class Failure extends Error {}
