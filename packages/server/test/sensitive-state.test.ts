// The sensitive-content check is a separate feature; this test adds a stand-in. It sets the two states of a file and
// tests what clients receive.
import { isFrame } from '@cloudoc/contract'
import { ItemStatusBit, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ItemRow } from '../src/core/access.ts'
import { feature } from '../src/core/feature.ts'
import type { Services } from '../src/core/services.ts'
import { commitEnded } from '../src/drive/tree/index.ts'
import { allFeatures } from '../src/installation.ts'
import { openWorld } from './harness.ts'

const { auditDetecting, fileAudit } = ItemStatusBit
const writes = new Set<number>([OperateType.add, OperateType.edit])

let services: Services
/** A feature that checks every version that a user brings in. */
const check = feature({
  open: (given) => {
    services = given
    return {
      reactions: [
        {
          to: 'item',
          async react(tx, heard) {
            const ids = heard.flatMap(({ change, actor }) =>
              actor !== undefined && change.fType === 1 && writes.has(change.operateType) ? [change.itemId] : [],
            )
            await sql`update item set status = status | ${auditDetecting}::int where id = any(${ids})`.execute(tx)
          },
        },
      ],
    }
  },
})

/** Sets the final result of the check for a file. */
const answer = (fileId: number, isSensitive: boolean): Promise<void> =>
  services.db.transaction().execute(async (tx) => {
    const { rows } = await sql<ItemRow>`
      update item set status = (status & ~${auditDetecting | fileAudit}::int) | ${isSensitive ? fileAudit : 0}::int
      where id = ${fileId} returning *`.execute(tx)
    await commitEnded(services.commit, tx, rows, { call: 'sensitiveCheck', now: Date.now(), detailOf: () => ({}) })
  })

// [R134] The check badge of a file follows from its state: none, just checked, found sensitive; records, lists and open
// pages show it.
test('[R134] the badge of a file is 1 while it is checked, 2 once it was found sensitive, else 0, in its record and in lists, and pages are told', async () => {
  const world = await openWorld({ features: [...allFeatures, check] })
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '报价')
  const page = await anna.listen()
  const badges = async (): Promise<Record<string, number>> => {
    const { list } = await anna.call('getSubItemList3', { folderId })
    const infos = await Promise.all(list.map(({ fId }) => anna.call('getFileInfo', { fileId: fId })))
    expect(infos.map(({ sensitive }) => sensitive)).toEqual(list.map(({ sensitive }) => sensitive))
    return Object.fromEntries(list.map(({ fName, sensitive }) => [fName, sensitive]))
  }
  const floor = await anna.upload(folderId, '底价.txt')
  const menu = await anna.upload(folderId, '菜单.txt')
  expect(await badges()).toEqual({ '底价.txt': 1, '菜单.txt': 1 })

  await answer(menu, false)
  await answer(floor, true)
  await page.next(
    (frame) => isFrame(frame, 'fileChange') && frame.data.fId === floor && frame.data.operateType === OperateType.edit,
  )
  expect(await badges()).toEqual({ '底价.txt': 2, '菜单.txt': 0 })

  // A new version is checked again, and is marked as under check until the result.
  await anna.upload(folderId, '底价.txt', 'more', { conflict: 'version' })
  expect(await badges()).toMatchObject({ '底价.txt': 1 })
  await answer(floor, false)
  expect(await badges()).toMatchObject({ '底价.txt': 0 })
})
