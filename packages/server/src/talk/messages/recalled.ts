/*
 * What recalled messages said, for an export with two approvals (X75): encrypted, so that nothing that reads the table
 * or a backup shows it. What was recalled before is stored as it is, until the company's retention removes it.
 */
import { type Secrets, seal, unseal } from '../../core/secrets.ts'
import type { StoredTalkData } from './records.ts'

export interface RecalledContent {
  readonly value: string
  readonly data: Pick<StoredTalkData, 'name'>
  readonly fileId: number | null
}

/** As it is stored. */
export type SealedContent = { readonly box: string } | RecalledContent

const purpose = 'talk.recalled'

export const sealRecalled = (secrets: Pick<Secrets, 'signingKey'>, content: RecalledContent): SealedContent => ({
  box: seal(secrets, purpose, JSON.stringify(content)),
})

export const unsealRecalled = (secrets: Pick<Secrets, 'signingKey'>, stored: SealedContent): RecalledContent =>
  'box' in stored ? (JSON.parse(unseal(secrets, purpose, stored.box)) as RecalledContent) : stored
