/*
 * Fields of item records that the item's row does not hold ([R109]): who edits a file together with others, the id of an
 * external link, and the mail that a file comes from. Their features stand on the drive, so they contribute them (ADR 0199). The status of an item
 * says whether there is anything to ask for, so that lists without such items cost nothing more.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { ItemStatusBit } from '@cloudoc/domain'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import type { Services } from '../../core/services.ts'

/** Returns the fields that one feature knows of these items, by item id. */
export type RecordFields = (
  db: Db,
  actor: Account,
  records: readonly ItemRecord[],
  now: number,
) => Promise<ReadonlyMap<number, Partial<ItemRecord>>>

/** The features that know such fields. */
export const recordFields = extensionPoint<RecordFields>('fields of item records')

const { externalLinkSingle, externalLinkMulti, editMulti } = ItemStatusBit

/** Whether an item with this status has fields that other features know. */
export function hasFieldsElsewhere(status: number): boolean {
  return (status & (externalLinkSingle | externalLinkMulti | editMulti)) !== 0
}

const isAsked = ({ itemStatus, emailId }: ItemRecord): boolean => emailId !== 0 || hasFieldsElsewhere(itemStatus)

/** Adds those fields to records. */
export type CompleteRecords = <R extends ItemRecord>(actor: Account, records: readonly R[]) => Promise<R[]>

export function createCompleteRecords({
  db,
  now,
  contributed,
}: Pick<Services, 'db' | 'now' | 'contributed'>): CompleteRecords {
  return async (actor, records) => {
    const asked = records.filter(isAsked)
    if (asked.length === 0) return [...records]
    const parts = await Promise.all(contributed(recordFields).map((fieldsOf) => fieldsOf(db, actor, asked, now())))
    return records.map((record) =>
      isAsked(record) ? parts.reduce((made, fields) => ({ ...made, ...fields.get(record.fId) }), record) : record,
    )
  }
}
