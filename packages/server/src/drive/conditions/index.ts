// Conditions on an item besides rights, as set by users: the secret level of a file, whether it is restricted, and
// whether a folder is read-only. The gates define what each condition forbids.
import { features, type ItemRef } from '@cloudoc/contract'
import { closedToLinks, fail, ItemStatusBit, secretLevelNow, secretUntil } from '@cloudoc/domain'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { itemEvent } from '../tree/index.ts'
import { peopleLosingAccess } from './effect.ts'

/** The call handlers of conditions. */
export function conditionHandlers({ settings }: Pick<Services, 'settings'>) {
  /** Sets or clears a bit of an item's row. Does nothing if the bit already has that value. */
  const setBit = async (
    context: WriteContext,
    item: ItemRef,
    column: 'status' | 'doc_flag',
    bit: number,
    on: boolean,
  ) => {
    const { row } = context.item(item)
    const value = on ? row[column] | bit : row[column] & ~bit
    if (value === row[column]) return { fId: row.id }
    await context.tx
      .updateTable('item')
      .set({ [column]: value })
      .where('id', '=', row.id)
      .execute()
    context.event(itemEvent(row, 'rights', actorOf(context).name))
    return { fId: row.id }
  }

  return implement(features.conditions.calls, {
    async setSecretLevel(context, { secretLevel, duration, unit }, item) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { row } = context.item(item)
      if (secretLevel > actor.secretLevel) return fail('secretLevel')
      const from = secretLevelNow(row.secret_level, row.secret_until, now)
      const until = secretLevel === 0 ? null : secretUntil(now, duration, unit)
      await tx
        .updateTable('item')
        .set({ secret_level: secretLevel, secret_until: until })
        .where('id', '=', row.id)
        .execute()
      context.event(itemEvent(row, 'rights', actor.name))
      context.audit({ from, to: secretLevel, until })
      return { fId: row.id }
    },

    async getSecretEffect(context, { fileId, secretLevel, rows }) {
      const { db, now } = context
      const { row, library } = context.item({ fType: 1, fId: fileId })
      const level = secretLevelNow(row.secret_level, row.secret_until, now)
      const until = level === 0 ? null : row.secret_until
      const losing = await peopleLosingAccess(db, settings, {
        id: row.id,
        libraryId: library.id,
        from: level,
        to: secretLevel,
        now,
      })
      return {
        secretLevel: level,
        until,
        count: losing.list.length,
        more: losing.more,
        list: losing.list.slice(0, rows),
      }
    },

    async setFolderReadOnly(context, { readOnly }, item) {
      context.audit({ readOnly })
      return setBit(context, item, 'status', ItemStatusBit.folderReadOnly, readOnly)
    },

    async setDocRestricted(context, { restricted }, item) {
      context.audit({ restricted })
      return setBit(context, item, 'doc_flag', 1, restricted)
    },

    async setExternalLinkDisabled(context, { disabled }, item) {
      context.audit({ linksDisabled: disabled })
      return setBit(context, item, 'doc_flag', closedToLinks, disabled)
    },
  })
}
