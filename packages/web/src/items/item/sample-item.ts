// Items for tests.
import type { ItemRecord } from '@cloudoc/contract'
import { Right } from '@cloudoc/domain'
import { itemRecord } from './item-record.ts'

/** Returns a file with all rights, overridden by the given fields. */
export function sampleItem(fields: Partial<ItemRecord> & Pick<ItemRecord, 'fId'>): ItemRecord {
  const fName = fields.fName ?? `${fields.fId}.docx`
  return itemRecord({ fName, nameSort: fName, rights: Right.full, parentFolderId: 1, fileSize: 1000, ...fields })
}
