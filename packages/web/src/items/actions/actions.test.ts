import { capabilityNames, ItemStatusBit, OperationBit, rightsGroup } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { sampleItem } from '../item/sample-item.ts'
import { type ActionContext, evaluate, rules } from './actions.ts'

const context: ActionContext = {
  userId: 9,
  secretLevel: 0,
  isGuest: false,
  capabilities: new Set(capabilityNames),
  settings: {
    print_rights: false,
    export_sub_file: false,
    pdf_compression: false,
    download_watermark: false,
    secret_manage: false,
    authorization_menu: false,
    file_folder_comment: false,
    temp_file_folder_notify: false,
    tag: false,
    useGL: false,
    colleague_files: true,
    show_shared_links: true,
    online_edit: true,
    force_unlock_file: true,
    process_level: 2,
    signing: true,
    email: true,
    operation_application: true,
    exchange_file_enabled: true,
  },
  offline: false,
  clipboard: true,
}
const file = sampleItem({ fId: 1 })
const folder = sampleItem({ fId: 2, fType: 2, fName: '合同' })

describe('what may be done', () => {
  test.each<[string, number, (keyof typeof rules)[]]>([
    ['preview', rightsGroup.preview, ['open', 'preview']],
    ['download', rightsGroup.download, ['open', 'preview', 'download']],
    ['edit', rightsGroup.edit, ['open', 'preview', 'download', 'copy', 'cut', 'move', 'rename', 'delete']],
  ])('with the group %s exactly its actions are shown', (_, rights, shown) => {
    const all: (keyof typeof rules)[] = ['open', 'preview', 'download', 'copy', 'cut', 'move', 'rename', 'delete']
    const item = sampleItem({ fId: 1, rights })
    expect(all.filter((action) => evaluate(rules[action], [item], context).show)).toEqual(shown)
  })

  // [R138] A multi-selection allows what every item allows.
  test('several items may what the least of them may [R138]', () => {
    const weak = sampleItem({ fId: 3, rights: rightsGroup.preview })
    expect(evaluate(rules.delete, [file], context).enabled).toBe(true)
    expect(evaluate(rules.delete, [file, weak], context)).toEqual({
      show: false,
      enabled: false,
      reason: 'noPermission',
    })
  })

  test('several items that differ only in whether a download needs an application may not be downloaded', () => {
    const own = { rights: rightsGroup.download }
    const bound = sampleItem({ fId: 4, ...own, operations: OperationBit.downloadByApplication })
    for (const items of [
      [sampleItem({ fId: 3, ...own }), bound],
      [bound, sampleItem({ fId: 3, ...own })],
    ])
      expect(evaluate(rules.download, items, context)).toMatchObject({ enabled: false, reason: 'noPermission' })
  })

  test('what is missing a right is hidden, what something else stops is shown with the reason', () => {
    const signing = sampleItem({ fId: 4, itemStatus: ItemStatusBit.signing })
    expect(evaluate(rules.delete, [signing], context)).toEqual({
      show: true,
      enabled: false,
      reason: 'fileLocked',
    })
    const readOnly = sampleItem({ ...folder, itemStatus: ItemStatusBit.folderReadOnly })
    expect(evaluate(rules.rename, [readOnly], context).reason).toBe('readOnlyFolder')
  })

  test('a library itself is not renamed, moved or deleted', () => {
    const library = sampleItem({ fId: 5, fType: 2, parentFolderId: -1 })
    for (const action of ['rename', 'cut', 'delete'] as const) {
      expect(evaluate(rules[action], [library], context).enabled, action).toBe(false)
    }
    expect(evaluate(rules.upload, [library], context).enabled).toBe(true)
  })

  test('one item at a time is renamed, only files are previewed, only folders take uploads', () => {
    expect(evaluate(rules.rename, [file, folder], context).reason).toBe('tooMany')
    expect(evaluate(rules.preview, [folder], context).reason).toBe('wrongKind')
    expect(evaluate(rules.upload, [file], context).reason).toBe('wrongKind')
    expect(evaluate(rules.upload, [folder], context).enabled).toBe(true)
  })

  test('without a connection what writes is stopped with the reason, reading is not', () => {
    const offline = { ...context, offline: true }
    expect(evaluate(rules.rename, [file], offline)).toEqual({ show: true, enabled: false, reason: 'offline' })
    expect(evaluate(rules.copy, [file], offline).enabled).toBe(true)
  })

  // [R146] The entry 压缩下载 is shown beside 下载 under exactly the same conditions.
  test('a single PDF can be downloaded compressed where the server offers it and it may be downloaded [R146]', () => {
    const offered = { ...context, settings: { ...context.settings, pdf_compression: true } }
    const pdf = sampleItem({ fId: 6, fName: '合同.pdf', extName: 'pdf' })
    const preview = sampleItem({ ...pdf, rights: rightsGroup.preview })
    const folderOfPdf = sampleItem({ ...folder, extName: 'pdf' })
    const shown = (items: readonly (typeof pdf)[], where = offered) =>
      evaluate(rules.downloadCompressed, items, where).show
    expect([shown([pdf]), shown([pdf], context), shown([file]), shown([preview])]).toEqual([true, false, false, false])
    expect([shown([pdf, sampleItem({ ...pdf, fId: 7 })]), shown([folderOfPdf])]).toEqual([false, false])
  })

  // [R146] The entry 带水印下载 is shown beside 下载 under exactly these conditions.
  test('a restricted document can be downloaded with a watermark, where the server gives such [R146] [R281]', () => {
    const offered = { ...context, settings: { ...context.settings, download_watermark: true } }
    const pdf = sampleItem({ fId: 6, fName: '合同.pdf', extName: 'pdf', docFlag: 1, rights: rightsGroup.download })
    const shown = (item: typeof pdf, where = offered) => evaluate(rules.downloadMarked, [item], where).show
    expect([shown(pdf), shown(pdf, context), shown(sampleItem({ ...pdf, docFlag: 0 }))]).toEqual([true, false, false])
    expect(shown(sampleItem({ ...pdf, fName: '包.zip', extName: 'zip' }))).toBe(false)
    expect(evaluate(rules.download, [pdf], offered)).toEqual({
      show: true,
      enabled: false,
      reason: 'restrictedDocument',
    })
  })

  // [R281] 下载 is offered for several items under exactly these conditions, with a note that copies are watermarked.
  test('several restricted documents, or others with one, are downloaded together where the server gives watermarks [R281]', () => {
    const offered = { ...context, settings: { ...context.settings, download_watermark: true } }
    const pdf = sampleItem({ fId: 6, fName: '合同.pdf', extName: 'pdf', docFlag: 1, rights: rightsGroup.download })
    const plain = sampleItem({ fId: 7, fName: '清单.zip', extName: 'zip', rights: rightsGroup.download })
    const shown = (items: readonly (typeof pdf)[], where = offered) => evaluate(rules.download, items, where).enabled
    expect([shown([pdf, plain]), shown([pdf, sampleItem({ ...pdf, fId: 8 })])]).toEqual([true, true])
    expect(shown([pdf, plain], context)).toBe(false)
    expect(shown([pdf, sampleItem({ ...plain, docFlag: 1 })])).toBe(false)
    expect(shown([sampleItem({ ...folder, docFlag: 1, rights: rightsGroup.download })])).toBe(true)
  })

  // [R128] The entry 导出目录 is shown where its gate allows it.
  // [R160] Exporting folders takes the setting and an owner or manager; visitors are refused.
  test('owners and managers export folders where the server offers it [R128] [R160]', () => {
    const offered = { ...context, settings: { ...context.settings, export_sub_file: true } }
    const own = sampleItem({ ...folder, ownerId: context.userId })
    const shown = (items: readonly (typeof own)[], where = offered) => evaluate(rules.exportFolder, items, where).show
    expect([shown([own]), shown([own, own]), shown([own], context)]).toEqual([true, true, false])
    expect([shown([sampleItem({ ...folder, ownerId: -1 })]), shown([file])]).toEqual([false, false])
  })

  test('paste waits for something copied', () => {
    expect(evaluate(rules.paste, [folder], { ...context, clipboard: false }).reason).toBe('nothingCopied')
  })
})
