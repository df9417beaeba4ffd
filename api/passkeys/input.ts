import { Name, Shape } from '../../core/values/schema.ts'
import { PROOF } from '../auth/recent-sign-in.ts'
import { NewCredential } from './fields.ts'

export const PasskeyInput = Shape({ name: Name(120, { examples: ['Laptop'] }), credential: NewCredential, ...PROOF })
