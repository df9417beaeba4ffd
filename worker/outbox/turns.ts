/** Whose turn it is: a batch may be too small for an event of each tenant. */
export class Turns {
  /** Those whose turn was longest ago first. */
  readonly #served = new Set<string>()

  order(tenants: string[]): string[] {
    const wanted = new Set(tenants)
    return [...wanted.difference(this.#served), ...[...this.#served].filter((id) => wanted.has(id))]
  }

  note(served: string[]): void {
    for (const id of served) {
      this.#served.delete(id)
      this.#served.add(id)
    }
  }
}
