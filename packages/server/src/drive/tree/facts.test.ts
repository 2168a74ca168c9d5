// The server decides by facts from its rows, the client displays by facts from the record it received. They must be
// equal.
import { factsOfLink, factsOfRecord, type ItemRecord } from '@cloudoc/contract'
import { denial, gates, ItemStatusBit, isVirtualFolder, VirtualFolder } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, type Person } from '../../../test/harness.ts'
import { createInvalidations } from '../../core/db/invalidations.ts'
import { createSettings } from '../../core/settings.ts'
import { createSessions } from '../../people/auth/index.ts'
import { accessTo } from './index.ts'

test('[R142] the facts from a record are the facts from the rows, for whoever meets whatever', async () => {
  const world = await openWorld({ elected: false })
  const { db } = world.app
  const { groupId, library } = await world.group('研发部')
  const anna = await world.person('anna', { groupId, secretLevel: 2 })
  const ben = await world.person('ben', { groupId })
  const boss = await world.person('boss', { secretLevel: 1 })
  const guest = await world.person('guest')
  await db.insertInto('library_manager').values({ library_id: library, account_id: boss.userId }).execute()
  await db.updateTable('session').set({ guest: true }).where('account_id', '=', guest.userId).execute()
  await db
    .updateTable('account')
    .set({ visitor_until: Date.now() + 3_600_000 })
    .where('id', '=', guest.userId)
    .execute()

  const make = async (who: Person, parentId: number, folderName: string): Promise<number> =>
    (await who.call('folderCreate', { parentId, folderName })).folderId
  const shared = await make(anna, library, '共享')
  const hidden = await make(anna, anna.library, '机密')
  const below = await make(anna, hidden, '下面')
  const files = [
    await anna.upload(shared, '合同.docx'),
    await ben.upload(shared, '无扩展名'),
    await anna.upload(below, 'x.tar.gz'),
    await anna.upload(anna.library, '签.pdf'),
  ]
  await anna.shares({ folderId: below }, [
    { to: ben, rights: 270 },
    { to: guest, rights: 1022 },
  ])
  const bits = Object.values(ItemStatusBit).filter((bit) => bit !== ItemStatusBit.deleted)
  for (const [i, id] of [...files, shared, below].entries()) {
    const some = bits.filter((_, n) => n % 6 === i).reduce((mask, bit) => mask | bit, 0)
    const stored = some & ~(ItemStatusBit.documentManager | ItemStatusBit.authorized | ItemStatusBit.secret)
    await db
      .updateTable('item')
      .set({ status: stored, doc_flag: i, secret_level: i % 4 })
      .where('id', '=', id)
      .execute()
  }

  const sessions = createSessions(db, createSettings(db), createInvalidations(db))
  const folders = [shared, below, hidden, library, anna.library, ...Object.values(VirtualFolder)]
  let compared = 0
  for (const person of [anna, ben, boss, guest]) {
    const actor = (await sessions.byToken(person.token, Date.now())) ?? expect.fail('no session')
    const settings = {
      print_rights: actor.settings.setting.print_rights,
      export_sub_file: actor.settings.setting.export_sub_file,
      pdf_compression: actor.settings.setting.pdf_compression,
      download_watermark: actor.settings.setting.download_watermark,
      secret_manage: actor.settings.setting.secret_manage,
      authorization_menu: actor.settings.setting.authorization_menu,
      file_folder_comment: actor.settings.setting.file_folder_comment,
      temp_file_folder_notify: actor.settings.setting.temp_file_folder_notify,
      tag: actor.settings.setting.tag,
      useGL: actor.settings.setting.useGL,
      colleague_files: actor.settings.setting.colleague_files,
      show_shared_links: actor.settings.setting.show_shared_links,
      online_edit: actor.settings.setting.online_edit,
      force_unlock_file: actor.settings.setting.force_unlock_file,
      process_level: actor.settings.setting.process_level,
      signing: actor.settings.setting.signing,
      email: actor.settings.setting.email,
      operation_application: actor.settings.setting.operation_application,
      exchange_file_enabled: actor.settings.setting.exchange_file_enabled,
    }
    const { capabilities } = actor
    const who = {
      userId: actor.accountId,
      capabilities,
      secretLevel: actor.secretLevel,
      isGuest: actor.isGuest,
      settings,
    }
    const infos = await Promise.all([
      ...files.map((fileId) => person.wire('getFileInfo', { fileId })),
      ...folders.map((folderId) => person.wire('getFolderInfo', { folderId })),
    ])
    const lists = await Promise.all(folders.map((folderId) => person.wire('getSubItemList3', { folderId })))
    const records = [
      ...infos.filter(({ code }) => code === 'success').map(({ data }) => data as ItemRecord),
      ...lists.filter(({ code }) => code === 'success').flatMap(({ data }) => (data as { list: ItemRecord[] }).list),
    ]
    for (const record of records) {
      const access = await accessTo(db, actor, { fType: record.fType, fId: record.fId }, Date.now())
      expect(factsOfRecord(record, who), `${person.account} ${record.fName}`).toEqual(access?.facts)
      compared += isVirtualFolder(record.fId) ? 0 : 1
    }
  }
  expect(compared).toBeGreaterThan(30)
})

test('[R121] what may be done with a link is the same for page and server, whoever manages either place', async () => {
  const world = await openWorld({ elected: false })
  const { db } = world.app
  const anna = await world.person('anna', { secretLevel: 1 })
  const ben = await world.person('ben')
  const make = async (who: Person, parentId: number, folderName: string): Promise<number> =>
    (await who.call('folderCreate', { parentId, folderName })).folderId
  const source = await make(anna, anna.library, 'source')
  const targets = [await anna.upload(source, 'a.txt'), await anna.upload(source, 'b.txt')]
  const inner = await make(anna, source, 'inner')
  const status = ItemStatusBit.signing | ItemStatusBit.folderReadOnly
  await db
    .updateTable('item')
    .set({ status, doc_flag: 1, secret_level: 1 })
    .where('id', 'in', [targets[0] ?? 0, inner])
    .execute()
  const sessions = createSessions(db, createSettings(db), createInvalidations(db))
  for (const rights of [6, 270, 510, 1022]) {
    const place = await make(ben, ben.library, `place ${rights}`)
    await anna.shares({ folderId: source }, [{ to: ben, rights: rights === 6 ? 1022 : 6 }])
    await ben.shares({ folderId: place }, [{ to: anna, rights }])
    await ben.call('fileOrFolderLink', { fileIdArray: targets, folderIdArray: [inner], targetFolderId: place })
    for (const person of [anna, ben]) {
      const actor = (await sessions.byToken(person.token, Date.now())) ?? expect.fail('no session')
      const { print_rights, export_sub_file, pdf_compression, secret_manage, authorization_menu, colleague_files } =
        actor.settings.setting
      const {
        file_folder_comment,
        tag,
        useGL,
        show_shared_links,
        online_edit,
        download_watermark,
        force_unlock_file,
        process_level,
        signing,
        email,
        operation_application,
        exchange_file_enabled,
      } = actor.settings.setting
      const settings = {
        print_rights,
        export_sub_file,
        pdf_compression,
        download_watermark,
        secret_manage,
        authorization_menu,
        file_folder_comment,
        temp_file_folder_notify: actor.settings.setting.temp_file_folder_notify,
        tag,
        useGL,
        colleague_files,
        show_shared_links,
        online_edit,
        force_unlock_file,
        process_level,
        signing,
        email,
        operation_application,
        exchange_file_enabled,
      }
      const { capabilities } = actor
      const who = { userId: actor.accountId, capabilities, secretLevel: actor.secretLevel, isGuest: false, settings }
      const { list } = await person.call('getSubItemList3', { folderId: place })
      expect(list).toHaveLength(3)
      for (const record of list) {
        const own = await accessTo(db, actor, { fType: 0, fId: record.linkId }, Date.now())
        const target = await accessTo(db, actor, { fType: record.fType, fId: record.fId }, Date.now())
        if (own === undefined || target === undefined) throw new Error('a link leads nowhere')
        for (const action of ['copy', 'move', 'rename', 'delete', 'completeDelete'] as const) {
          const told = denial(gates[action], factsOfLink(record, who))
          expect(told, `${action} ${record.fName} of ${person.account} with ${rights}`).toBe(
            denial(gates[action], own.facts),
          )
        }
        for (const action of ['see', 'preview', 'download'] as const) {
          expect(denial(gates[action], factsOfRecord(record, who))).toBe(denial(gates[action], target.facts))
        }
      }
    }
  }
})
