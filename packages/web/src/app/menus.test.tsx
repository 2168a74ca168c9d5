// @vitest-environment happy-dom
/*
 * The item menus, entry by entry, as the requirements gate them ([R144]-[R162], X51). Each entry is in every list it
 * belongs to while all its conditions hold. Without any one of them it is hidden, or disabled with a reason. The table
 * is written from the requirements, independently of the gates.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { capabilityNames, ItemStatusBit, OperationBit, Right } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInAs } from '../../test/session.ts'
import { actionsIn } from '../core/area/area.ts'
import type { MenuEntry, MenuItem } from '../core/menu/menu.ts'
import { sessionStore } from '../core/session/session.ts'
import { useRightsClipboard } from '../drive/rights/rights-clipboard.ts'
import type { ActionContext } from '../items/actions/actions.ts'
import { type ItemAction, menuOf, verdictOf } from '../items/actions/item-action.tsx'
import { sampleItem } from '../items/item/sample-item.ts'
import { loadSignedIn } from './join-areas.ts'
import { prepare } from './start.ts'

const me = 9
const context: ActionContext = {
  userId: me,
  secretLevel: 2,
  isGuest: false,
  capabilities: new Set(capabilityNames),
  settings: {
    print_rights: false,
    export_sub_file: true,
    pdf_compression: true,
    download_watermark: true,
    secret_manage: true,
    authorization_menu: true,
    file_folder_comment: true,
    temp_file_folder_notify: true,
    tag: true,
    useGL: true,
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

interface Scene {
  readonly item: ItemRecord
  readonly context: ActionContext
}
type Change = (scene: Scene) => Scene

const { display, preview, download, upload, move, modify, externalLink, grant } = Right
const look = display | preview
const take = look | download
const carry = take | move
const change = carry | modify
/** The item with some fields changed. */
const item =
  (fields: Partial<ItemRecord>): Change =>
  (scene) => ({ ...scene, item: { ...scene.item, ...fields } })
const rights = (mask: number): Change => item({ rights: mask })
const without =
  (name: keyof ActionContext['settings']): Change =>
  ({ context: before, ...scene }) => ({
    ...scene,
    context: { ...before, settings: { ...before.settings, [name]: false } },
  })
const as =
  (who: Partial<ActionContext>): Change =>
  ({ context: before, ...scene }) => ({ ...scene, context: { ...before, ...who } })
const guest = as({ isGuest: true })
const below = as({ secretLevel: 0 })
const secret = item({ secretLevel: 1 })
const both =
  (...changes: readonly Change[]): Change =>
  (scene) =>
    changes.reduce((to, one) => one(to), scene)
const status = (...names: (keyof typeof ItemStatusBit)[]): Partial<ItemRecord> => ({
  itemStatus: names.reduce((mask, name) => mask | ItemStatusBit[name], 0),
})

const file = sampleItem({ fId: 1, fName: '合同.txt', extName: 'txt', ownerId: 5 })
const folder = sampleItem({ fId: 2, fType: 2, fName: '合同', ownerId: 5 })
const pdf: Partial<ItemRecord> = { fName: '合同.pdf', extName: 'pdf' }

interface Row {
  readonly row: string
  readonly ids: readonly string[]
  readonly of: ItemRecord
  /** The lists that contain the entry. Default: all item lists. */
  readonly lists?: readonly string[]
  /** In the background menu of a folder. */
  readonly ground?: true
  /** Minimal sufficient conditions, one alternative each. */
  readonly enough: readonly Partial<ItemRecord>[]
  /** Changes that remove the entry, by name. */
  readonly gone: Readonly<Record<string, Change>>
}

const allLists = ['files', 'tree', 'search', 'interest', 'shared', 'favorite', 'recent', 'tag']
const table: readonly Row[] = [
  {
    ...{ row: '[R144] create, upload, paste', of: folder, lists: ['files'], ground: true },
    ids: ['create', 'upload', 'uploadFolder', 'paste'],
    enough: [{ rights: display | upload }],
    gone: { 'without UPLOAD': rights(change), 'in a read-only library': item({ libraryReadOnly: true }) },
  },
  {
    ...{ row: '[R145] download', of: file, ids: ['download'] },
    enough: [{ rights: take }, { rights: change, docFlag: 1 }],
    gone: {
      'without DOWNLOAD': rights(look),
      'restricted, without MODIFY': item({ docFlag: 1, rights: take }),
      'below its level': both(secret, below),
    },
  },
  {
    ...{ row: '[R146] compressed', of: file, ids: ['downloadCompressed'] },
    enough: [{ ...pdf, rights: take }],
    gone: {
      'where it is off': without('pdf_compression'),
      'no PDF': item({ extName: 'txt' }),
      'without DOWNLOAD': rights(look),
    },
  },
  {
    ...{ row: '[R145] as PDF', of: file, ids: ['downloadPdf'] },
    enough: [
      { fName: '合同.docx', extName: 'docx', rights: take },
      { extName: 'xls', rights: take },
    ],
    gone: {
      'of a linked server': item({ serverId: 2 }),
      'no office document': item({ extName: 'txt' }),
      'without DOWNLOAD': rights(look),
      'below its level': both(secret, below),
    },
  },
  {
    ...{ row: '[R146] with a watermark', of: file, ids: ['downloadMarked'] },
    enough: [{ ...pdf, rights: take, docFlag: 1 }],
    gone: { 'no restricted document': item({ docFlag: 0 }), 'without DOWNLOAD': rights(look) },
  },
  {
    ...{ row: '[R147] edit', of: file, ids: ['edit'] },
    enough: [{ rights: change }],
    gone: {
      'without MODIFY': rights(carry),
      'without a level that reaches': both(secret, below),
      'in a read-only library': item({ libraryReadOnly: true }),
    },
  },
  {
    ...{ row: '[R149] force unlock', of: file, ids: ['forceUnlock'] },
    enough: [
      { rights: change, ...status('editAlone', 'documentManager') },
      { rights: change, ...status('editAlone'), ownerId: me },
    ],
    gone: {
      'where it is off': without('force_unlock_file'),
      'not edited': item(status('documentManager')),
      'without MODIFY': rights(carry),
      'neither owner nor manager': item({ ...status('editAlone'), ownerId: 5 }),
      'below its level': both(secret, below),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R150] permission management, sharing, copy, paste, clear', of: file },
    ids: ['permission', 'share', 'copyRights', 'pasteRights', 'clearRights'],
    enough: [{ rights: display | grant }, { rights: display | grant, colleague: true }],
    gone: {
      'without GRANT': rights(change),
      'a colleague’s, where the setting is off': both(item({ colleague: true }), without('colleague_files')),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R150] clearing by the flag “authorized”', of: file, ids: ['clearRights'] },
    enough: [{ rights: display, ...status('authorized') }],
    gone: { 'without the flag': item(status()), 'a guest': guest },
  },
  {
    ...{ row: '[R151] read-only', of: folder, ids: ['read-only'] },
    enough: [{ rights: display, ...status('documentManager') }],
    gone: {
      'no manager': item(status()),
      'one’s own': item({ ownerId: me }),
      'a file': item({ fType: 1 }),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R152] secret level', of: file, ids: ['secret'] },
    enough: [{ rights: display | grant }],
    gone: {
      'where it is off': without('secret_manage'),
      'without a level': below,
      'without GRANT': rights(change),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R145] ask for the download', of: file, ids: ['apply-download'] },
    enough: [{ rights: look }, { rights: take, operations: OperationBit.downloadByApplication }],
    gone: {
      'with DOWNLOAD': item({ rights: take, operations: 0 }),
      'with an approval that is in force': item({ operations: OperationBit.downloadGranted }),
      'where it is off': without('operation_application'),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R153] ask for rights', of: file, ids: ['apply-authorization'] },
    enough: [{ rights: look, ...status('applyAuthorization') }],
    gone: {
      'not open to requests': item(status()),
      'where it is off': without('authorization_menu'),
      'with GRANT': rights(look | grant),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R154] external link', of: file, ids: ['create-link'] },
    enough: [{ rights: take | externalLink }],
    gone: {
      'without EXTERNAL': rights(change),
      'where it is off': without('show_shared_links'),
      'closed to links': item(status('externalLinkCreationDisabled')),
      'a guest': guest,
    },
  },
  {
    ...{ row: '[R155] cut', of: file, ids: ['cut'], lists: ['files'] },
    enough: [{ rights: carry | Right.delete }],
    gone: {
      'without MOVE': rights(take | Right.delete),
      'without DELETE': rights(carry),
      'being signed': item(status('signing')),
    },
  },
  {
    ...{ row: '[R155] copy', of: file, ids: ['copy'] },
    enough: [{ rights: carry }],
    gone: { 'without MOVE': rights(take) },
  },
  {
    ...{ row: '[R155] delete', of: file, ids: ['delete'] },
    enough: [{ rights: display | Right.delete }],
    gone: { 'without DELETE': rights(change), 'being signed': item(status('signing')) },
  },
  {
    ...{ row: '[R155] rename', of: folder, ids: ['rename'], lists: ['files'] },
    enough: [{ rights: change }, { rights: change, ...status('folderReadOnly', 'documentManager') }],
    gone: {
      'without MODIFY': rights(carry),
      associated: item(status('associateFolder')),
      'read-only, no manager': item(status('folderReadOnly')),
    },
  },
  {
    ...{ row: '[R158] comment', of: file, ids: ['comment'] },
    enough: [{ rights: look }],
    gone: { 'without PREVIEW': rights(display), 'where it is off': without('file_folder_comment') },
  },
  {
    ...{ row: '[R158] tags', of: file, ids: ['tag'] },
    enough: [{ rights: display }],
    gone: { 'where it is off': without('tag') },
  },
  {
    ...{ row: '[R160] export a folder', of: folder, ids: ['exportFolder'] },
    enough: [
      { rights: display, ownerId: me },
      { rights: display, ...status('documentManager') },
    ],
    gone: {
      'where it is off': without('export_sub_file'),
      'neither owner nor manager': item({ ...status(), ownerId: 5 }),
      'a guest': guest,
    },
  },
  {
    ...{
      row: '[R162] make an associated folder',
      of: folder,
      ids: ['createAssociated'],
      lists: ['files'],
      ground: true,
    },
    enough: [{ rights: display | upload }],
    gone: { 'where it is off': without('useGL'), 'without UPLOAD': rights(change), 'a guest': guest },
  },
]

/** The menu entries, mapped to whether they are enabled. */
function entriesOf(list: string, { item: one, context: who }: Scene, ground = false): Map<string, boolean> {
  const able = {
    actions: actionsIn<ItemAction>(list),
    items: ground ? [] : [one],
    verdict: (action: ItemAction<never>) =>
      verdictOf(action, { items: [one], count: 1, folder: ground ? one : undefined, context: who }),
    run: () => undefined,
  }
  const all = (menu: readonly MenuEntry[]): MenuItem[] =>
    menu.flatMap((entry) => ('id' in entry ? (entry.children === undefined ? [entry] : all(entry.children)) : []))
  const entries = all(menuOf(able, ground ? 'folder' : 'items'))
  // A disabled entry states its reason.
  for (const { id, disabled, reason } of entries) if (disabled) expect(reason, id).toBeTruthy()
  return new Map(entries.map(({ id, disabled }) => [id, disabled !== true]))
}

function makesPdf(makes: boolean): void {
  sessionStore.setState(({ session }) => ({
    session: session && { ...session, serverSetting: { ...session.serverSetting, makes_pdf: makes } },
  }))
}

beforeAll(async () => {
  signInAs(me)
  makesPdf(true)
  prepare()
  await loadSignedIn()
  useRightsClipboard.setState({ from: folder })
})

// [R143] Every entry gated by the rows R144 to R162 is shown in each list of items it applies to when its conditions
// hold, and hidden when any is missing; a guest has the reduced menu.
describe('an entry of the menus [R143]', () => {
  test.each(table)(
    '$row: is there with what it needs, and not without [R143]',
    ({ ids, of, lists, ground, enough, gone }) => {
      for (const list of lists ?? allLists)
        for (const fields of enough) {
          const scene = item(fields)({ item: of, context })
          const there = entriesOf(list, scene, ground)
          expect(
            ids.filter((id) => there.get(id) !== true),
            `${list}: missing`,
          ).toEqual([])
          for (const [why, take] of Object.entries(gone)) {
            const left = entriesOf(list, take(scene), ground)
            expect(
              ids.filter((id) => left.get(id) === true),
              `${list}, ${why}: still there`,
            ).toEqual([])
          }
        }
    },
  )

  test('[R145] a PDF is offered only where the server makes one', () => {
    const scene = item({ extName: 'docx', rights: take })({ item: file, context })
    expect(entriesOf('files', scene).get('downloadPdf')).toBe(true)
    makesPdf(false)
    expect(entriesOf('files', scene).has('downloadPdf')).toBe(false)
    makesPdf(true)
  })

  test('goes nowhere that its page does not offer: lists of what lies in several places open, preview and locate', () => {
    for (const list of allLists.slice(3)) {
      const went: string[] = []
      const page = new Proxy({}, { get: (_, name) => () => void went.push(String(name)) })
      for (const action of actionsIn<ItemAction>(list))
        if (['open', 'preview', 'locate'].includes(action.id))
          action.run({ items: [file], withAll: () => undefined, folder: undefined, by: 'menu', page })
      expect(went.toSorted(), list).toEqual(['locate', 'open', 'preview'])
    }
  })

  test('of a guest is none of those that a visitor does not have, whatever the rights (X51) [R162]', () => {
    const owned = { ...status('editAlone', 'documentManager', 'applyAuthorization'), ownerId: me }
    const kept = [file, folder].flatMap((of) =>
      allLists.flatMap((list) => [...entriesOf(list, guest(item(owned)({ item: of, context }))).keys()]),
    )
    const hidden = [
      ...['create-link', 'apply-authorization', 'permission', 'share', 'copyRights', 'pasteRights', 'clearRights'],
      ...[
        'read-only',
        'secret',
        'forceUnlock',
        'exportFolder',
        'associate',
        'unassociate',
        'deleteForGood',
        'restrict',
        'close-to-links',
        'open-to-links',
      ],
    ]
    expect(hidden.filter((id) => kept.includes(id))).toEqual([])
    // The remaining entries follow the permissions.
    expect(['preview', 'download', 'copy', 'delete', 'why'].filter((id) => !kept.includes(id))).toEqual([])
  })
})
