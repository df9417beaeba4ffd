/** The format of what OAuth clients have: as that of personal tokens, with beginnings of their own. */
import { isIntact, newTokenWith } from './personal-token.ts'

const BEGINNINGS = { code: 'sbx_oac_', access: 'sbx_oat_', refresh: 'sbx_ort_' }

type Kind = keyof typeof BEGINNINGS

export const newClientSecret = (kind: Kind): string => newTokenWith(BEGINNINGS[kind])

/** Whether a text begins as one of these. */
export const isClientSecret = (kind: Kind, text: string): boolean => text.startsWith(BEGINNINGS[kind])

/** Whether it also has the right length and checksum. */
export const isIntactSecret = (kind: Kind, text: string): boolean =>
  isClientSecret(kind, text) && isIntact(text, BEGINNINGS[kind].length)
