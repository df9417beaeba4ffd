/** Where resources were found before. A resource stays in its organization; access to it is read for every request. */
const MAX_ENTRIES = 10_000

export class Memory {
  readonly #organizations = new Map<string, string>()

  /** The organization of a resource; null if it is not known. */
  get(id: unknown): string | null {
    return this.#organizations.get(String(id)) ?? null
  }

  /** Remembers the organization of a resource, if it is one. When there is no room, the oldest entry is forgotten. */
  add({ id, organization_id }: { id?: unknown; organization_id?: unknown }): void {
    if (typeof id !== 'string' || typeof organization_id !== 'string' || this.#organizations.has(id)) return
    const [oldest] = this.#organizations.keys()
    if (this.#organizations.size >= MAX_ENTRIES && oldest !== undefined) this.#organizations.delete(oldest)
    this.#organizations.set(id, organization_id)
  }
}
