/** What a personal token allows. */

/** Each scope includes those before it. */
export const TOKEN_SCOPES = ['read', 'write', 'decide'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]
