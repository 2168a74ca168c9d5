import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Capability, capabilityNames } from './capabilities.ts'
import type { CodeName } from './codes.ts'
import { effectiveRights } from './effective-rights.ts'
import { blockedDocument, type Facts, type GateName, gates, infectedDocument, right, setting } from './gates.ts'
import { itemStatus } from './item-status.ts'
import { Right, rights } from './rights.ts'
import { all, any, denial, fact } from './rules.ts'

interface Change extends Partial<Omit<Facts, 'rights' | 'status' | 'actor' | 'settings'>> {
  readonly rights?: number
  readonly status?: number
  readonly actor?: Partial<Facts['actor']>
  readonly settings?: Partial<Facts['settings']>
}

/** Facts of a plain file that the user may edit; all settings that permit something are on. */
function facts(change: Change = {}): Facts {
  return {
    isFolder: false,
    isLibraryRoot: false,
    isVirtual: false,
    extName: 'pdf',
    docFlag: 0,
    secretLevel: 0,
    inReadOnlyLibrary: false,
    inColleagueFiles: false,
    downloadByApplication: false,
    downloadGranted: false,
    linkByApplication: false,
    isHeld: false,
    inProcess: false,
    ...change,
    rights: rights(change.rights ?? 510),
    status: itemStatus(change.status ?? 0),
    actor: {
      isGuest: false,
      isManager: false,
      isOwner: false,
      secretLevel: 0,
      capabilities: new Set(capabilityNames),
      ...change.actor,
    },
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
      ...change.settings,
    },
  }
}

const restricted = { docFlag: 1 }
const infected = { docFlag: infectedDocument, rights: 2046 }
const secret = { secretLevel: 2, actor: { secretLevel: 1 } }
const cleared = { secretLevel: 2, actor: { secretLevel: 2 } }
const manager = { rights: Right.full, actor: { isManager: true } }
const guest = { actor: { isGuest: true } }
const readOnly = { isFolder: true, status: itemStatus('folderReadOnly') }
const root = { isFolder: true, isLibraryRoot: true }
const virtual = { isFolder: true, isVirtual: true }
const signing = { status: itemStatus('signing') }
const held = { isHeld: true }
const edited = { status: itemStatus('editAlone') }
const may = (...names: Capability[]) => ({ actor: { capabilities: new Set(names) } })
const binned = { status: itemStatus('deleted') }
const without = (...names: (keyof typeof Right)[]) => ({ rights: names.reduce((mask, n) => mask & ~Right[n], 2046) })

const sufficient: Partial<Record<GateName, Change>> = {
  downloadMarked: restricted,
  forceUnlock: edited,
  downloadPdf: { extName: 'docx' },
}

type Row = readonly [why: string, change: Change, code: CodeName | undefined]
const heldBack: Row = [
  '[R256] what is held back from them',
  { docFlag: blockedDocument, rights: 2046 },
  'sensitiveFile',
]
const sensitive: Row = [
  '[R256] in which something sensitive was found',
  { status: itemStatus('fileAudit'), rights: 2046 },
  'sensitiveFile',
]
const harmful: Row = ['[R386] what something harmful was found in', infected, 'virusFile']

/** [R144]: create, upload and paste require the upload right on the folder. */
const intoFolder: readonly Row[] = [
  ['[R144] with the upload right', { isFolder: true, rights: 2 + 16 }, undefined],
  ['[R144] without it', { isFolder: true, ...without('upload') }, 'noPermission'],
  ['into a library root', root, undefined],
  ['into a read-only folder', readOnly, undefined],
  ['[R110] into a virtual folder, even as a manager', { ...virtual, ...manager }, 'noPermission'],
  ['into a file', {}, 'notFound'],
  ['into a folder in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
  ['[R348] what is not seen, by who may not upload at all', { isFolder: true, rights: 0, ...may() }, 'notFound'],
]

/** [R150] and X51. */
const grantRows: readonly Row[] = [
  ['[R150] with the grant right', { rights: 2 + 512 }, undefined],
  ['[R150] without it', without('grant'), 'noPermission'],
  ['on a library root', { ...root, rights: 1022 }, undefined],
  ['as a guest (X51)', { rights: 1022, ...guest }, 'noPermission'],
  ['[R110] on a virtual folder', { ...virtual, rights: 1022 }, 'noPermission'],
  ['in the recycle bin', { rights: 1022, ...binned }, 'notFound'],
]
const sharingRows: readonly Row[] = [
  ...grantRows,
  ['[R216] among the documents of a colleague', { rights: 2 + 512, inColleagueFiles: true }, undefined],
  [
    '[R150] among them where they are not shared on',
    { rights: 2 + 512, inColleagueFiles: true, settings: { colleague_files: false } },
    'noPermission',
  ],
]

const clearingRows: readonly Row[] = [
  ...sharingRows,
  [
    '[R150] with rules of its own, without the grant right',
    { ...without('grant'), status: itemStatus('authorized') },
    undefined,
  ],
  ['[R150] with rules of its own, as a guest', { status: itemStatus('authorized'), ...guest }, 'noPermission'],
]

const deleteRows: readonly Row[] = [
  ['[R155] with the delete right', { rights: 2 + 128 }, undefined],
  ['[R155] without it', without('delete'), 'noPermission'],
  ['[R155] while being signed', signing, 'fileLocked'],
  ['while a process runs on it', { inProcess: true }, 'alreadyInProcess'],
  ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
  ['a library root, even as a manager', { ...root, ...manager }, 'noPermission'],
  ['[R142] a read-only folder', readOnly, 'readOnlyFolder'],
  ['[R142] a read-only folder as its manager', { ...readOnly, ...manager }, undefined],
  ['[R142] a file inside a read-only folder', { status: itemStatus('folderReadOnly') }, undefined],
  ['while somebody else edits it', held, 'fileLocked'],
  ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
]

const editRows: readonly Row[] = [
  ['with the modify right', { rights: 2 + 64 }, undefined],
  ['without it', without('modify'), 'noPermission'],
  ['of a folder', { isFolder: true }, 'notFound'],
  ['while being signed', signing, 'fileLocked'],
  ['while a process runs on it', { inProcess: true }, 'alreadyInProcess'],
  ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
  ['[R233] below the level of the file', secret, 'secretLevel'],
  ['[R142] of a file in a read-only folder', { status: itemStatus('folderReadOnly') }, undefined],
  ['in the recycle bin', binned, 'notFound'],
  ['[R110] of what is virtual', { isVirtual: true }, 'noPermission'],
]

const table: Readonly<Record<GateName, readonly Row[]>> = {
  see: [
    ['with the display right', { rights: 2 }, undefined],
    ['as a manager', { rights: Right.full }, undefined],
    ['without display', { rights: 4 }, 'notFound'],
    ['denied', { rights: 1 }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['a virtual folder', { ...virtual, rights: 2 }, undefined],
  ],
  launchSign: [
    ['[R157] of a PDF that the person may change and move', { extName: 'pdf' }, undefined],
    ['[R157] of a document of Word', { extName: 'docx' }, undefined],
    ['[R157] of another kind of file', { extName: 'xlsx' }, 'noPermission'],
    ['[R157] without the download right', { extName: 'pdf', ...without('download') }, 'noPermission'],
    ['[R157] without the modify right', { extName: 'pdf', ...without('modify') }, 'noPermission'],
    ['[R157] without the move right', { extName: 'pdf', ...without('move') }, 'noPermission'],
    ['[R157] below the level of the file', { extName: 'pdf', ...secret }, 'secretLevel'],
    ['[R157] while signing is off', { extName: 'pdf', settings: { signing: false } }, 'noPermission'],
    ['while being signed', { extName: 'pdf', ...signing }, 'alreadyInProcess'],
    ['locked by somebody else', { extName: 'pdf', isHeld: true }, 'fileLocked'],
    ['while a process runs on it', { extName: 'pdf', inProcess: true }, 'alreadyInProcess'],
    ['archived by a process', { extName: 'pdf', status: itemStatus('singleArchive') }, 'noPermission'],
    ['in which a virus was found', { extName: 'pdf', docFlag: 65536 }, 'virusFile'],
    ['of a folder', { isFolder: true }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['of what is virtual', { isVirtual: true }, 'noPermission'],
    ['[R162] as a guest', { extName: 'pdf', ...guest }, 'noPermission'],
  ],
  launchProcess: [
    ['in the recycle bin', binned, 'notFound'],
    ['of what is virtual', { isVirtual: true }, 'noPermission'],
    ['[R268] of a file that the person may change', {}, undefined],
    ['without the download right', without('download'), 'noPermission'],
    ['without the modify right', without('modify'), 'noPermission'],
    ['below the level of the file', secret, 'secretLevel'],
    ['in which a virus was found', { docFlag: 65536 }, 'virusFile'],
    ['while being signed', signing, 'alreadyInProcess'],
    ['locked by somebody else', { isHeld: true }, 'fileLocked'],
    ['while a process runs on it', { inProcess: true }, 'alreadyInProcess'],
    ['a draft of a process', { status: itemStatus('workflowUnsubmitted') }, 'alreadyInProcess'],
    ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
    ['of a folder', { isFolder: true }, 'notFound'],
    ['[R156] below workflow level 2', { settings: { process_level: 1 } }, 'noPermission'],
    ['[R162] as a guest', guest, 'noPermission'],
    ['without the modify right', { rights: 14 }, 'noPermission'],
    ['[R268] in a running process', { inProcess: true }, 'alreadyInProcess'],
    ['[R268] in a draft', { status: itemStatus('workflowUnsubmitted') }, 'alreadyInProcess'],
    ['after it was approved', { status: itemStatus('approved') }, undefined],
    ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
    ['while somebody else edits it', held, 'fileLocked'],
    ['while being signed', signing, 'alreadyInProcess'],
    ['while a process runs on it', { inProcess: true }, 'alreadyInProcess'],
    ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
  ],
  measure: [
    ['[R119] with the display right', { isFolder: true, rights: 2 }, undefined],
    ['of a library', root, undefined],
    ['a file', {}, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  arrange: [
    ['[R119] with the modify right', { isFolder: true, rights: 2 + 64 }, undefined],
    ['[R119] without it', { isFolder: true, ...without('modify') }, 'noPermission'],
    ['a library', root, undefined],
    ['a file', {}, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  preview: [
    heldBack,
    harmful,
    ['with the preview right', { rights: 6 }, undefined],
    ['without it', { rights: 2 }, 'noPermission'],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['[R233] below the level, even as a manager', { ...secret, ...manager, actor: secret.actor }, 'secretLevel'],
    ['[R233] at the level of the file', cleared, undefined],
    ['in the recycle bin', binned, 'notFound'],
  ],
  download: [
    heldBack,
    harmful,
    ['[R145] with the download right', { rights: 14 }, undefined],
    ['[R145] without it', without('download'), 'noPermission'],
    ['[R206] a restricted document without modify', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['[R206] a restricted document with modify', restricted, undefined],
    ['[R206] a document with another flag', { docFlag: 2, rights: 14 }, undefined],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['[R233] below the level, even as a manager', { ...manager, ...secret }, 'secretLevel'],
    ['a folder', { isFolder: true }, undefined],
    ['[R145] where a rule makes it need an application', { downloadByApplication: true }, 'noPermission'],
    ['[R251] where an application granted counted downloads', { rights: 6, downloadGranted: true }, 'noPermission'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  takeDownload: [
    harmful,
    ['[R145] with the download right', { rights: 14 }, undefined],
    ['[R145] without it', without('download'), 'noPermission'],
    ['[R145] where a rule makes it need an application', { downloadByApplication: true }, 'noPermission'],
    ['[R251] without the right, by an application', { rights: 6, downloadGranted: true }, undefined],
    [
      '[R251] where a rule applies, by an application',
      { downloadByApplication: true, downloadGranted: true },
      undefined,
    ],
    [
      '[R206] a restricted document by an application',
      { ...restricted, rights: 6, downloadGranted: true },
      'restrictedDocument',
    ],
    ['[R233] above the level, by an application', { ...secret, rights: 6, downloadGranted: true }, 'secretLevel'],
    ['in the recycle bin', { ...binned, downloadGranted: true }, 'notFound'],
  ],
  downloadCompressed: [
    harmful,
    ['[R146] a PDF with the download right', { rights: 14 }, undefined],
    ['[R146] a PDF without it', without('download'), 'noPermission'],
    ['[R146] while the server does not offer it', { settings: { pdf_compression: false } }, 'noPermission'],
    ['[R203] what is no PDF', { extName: 'docx' }, 'noPermission'],
    ['[R203] a folder', { isFolder: true, extName: '' }, 'notFound'],
    ['[R206] a restricted document without modify', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['[R206] a restricted document with modify', restricted, undefined],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['[R233] below the level, even as a manager', { ...manager, ...secret }, 'secretLevel'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  downloadPdf: [
    ['what is harmful', { ...infected, extName: 'docx' }, 'virusFile'],
    ['[R145] a document with the download right', { extName: 'docx', rights: 14 }, undefined],
    ['[R145] a sheet and a presentation', { extName: 'xls' }, undefined],
    ['[R145] a document without it', { extName: 'docx', ...without('download') }, 'noPermission'],
    ['[R145] without the capability', { extName: 'docx', ...may() }, 'noPermission'],
    ['[R145] what is a PDF', { extName: 'pdf' }, 'noPermission'],
    ['[R145] a folder', { isFolder: true, extName: '' }, 'notFound'],
    ['[R206] a restricted document', { ...restricted, extName: 'docx', ...without('modify') }, 'restrictedDocument'],
    ['[R233] below the level of the file', { ...secret, extName: 'docx' }, 'secretLevel'],
    [
      '[R251] where an application is needed',
      { extName: 'docx', rights: 14, downloadByApplication: true },
      'noPermission',
    ],
    ['[R251] with an approved one', { extName: 'docx', rights: 6, downloadGranted: true }, undefined],
    ['in the recycle bin', { ...binned, extName: 'docx' }, 'notFound'],
  ],
  downloadMarked: [
    ['what is harmful', { ...infected, docFlag: infectedDocument | 1, extName: 'pdf' }, 'virusFile'],
    ['[R146] [R281] a restricted document without modify', { ...restricted, extName: 'pdf', rights: 14 }, undefined],
    ['[R146] one that is not restricted', { extName: 'pdf', rights: 14 }, 'noPermission'],
    ['[R281] without the download right', { ...restricted, extName: 'pdf', ...without('download') }, 'noPermission'],
    [
      '[R281] while the server has none',
      { ...restricted, extName: 'pdf', settings: { download_watermark: false } },
      'noPermission',
    ],
    ['what bears none', { ...restricted, extName: 'zip' }, 'noPermission'],
    ['a folder', { ...restricted, isFolder: true, extName: '' }, 'notFound'],
    ['[R233] below the level of the file', { ...restricted, extName: 'pdf', ...secret }, 'secretLevel'],
    ['in the recycle bin', { ...binned, ...restricted, extName: 'pdf' }, 'notFound'],
  ],
  downloadPacked: [
    harmful,
    ['[R145] with the download right', { rights: 14 }, undefined],
    ['[R145] without it', without('download'), 'noPermission'],
    ['[R281] a restricted document', { ...restricted, extName: 'pdf', rights: 14 }, undefined],
    ['[R281] one that bears none', { ...restricted, extName: 'zip', rights: 14 }, 'restrictedDocument'],
    ['[R206] one that bears none, with modify', { ...restricted, extName: 'zip' }, undefined],
    ['[R281] a restricted folder', { ...restricted, isFolder: true, extName: '', rights: 14 }, undefined],
    [
      '[R281] while the server has none',
      { ...restricted, extName: 'pdf', rights: 14, settings: { download_watermark: false } },
      'restrictedDocument',
    ],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  printItem: [
    harmful,
    ['with download, while print is no right (X62)', { rights: 14 }, undefined],
    ['with preview alone, while print is no right (X62)', { rights: 6 }, 'noPermission'],
    ['with the print bit alone, while it is no right', { rights: 6 + 1024 }, 'noPermission'],
    ['without preview', { rights: 2 }, 'noPermission'],
    ['with print_rights on and no print right', { rights: 510, settings: { print_rights: true } }, 'noPermission'],
    ['with print_rights on and the right', { rights: 6 + 1024, settings: { print_rights: true } }, undefined],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  upload: intoFolder,
  edit: [
    ...editRows,
    harmful,
    ['[R178] while somebody else edits it: who may have the lock is asked later', held, undefined],
  ],
  editHere: [
    ...editRows.map(
      ([words, change, code]): Row => [
        words,
        words === 'with the modify right' ? { rights: 2 + 8 + 64 } : change,
        code,
      ],
    ),
    harmful,
    ['[R171] while somebody else edits it: what is then possible is asked later', held, undefined],
    ['[R147] without the right to download', without('download'), 'noPermission'],
    // [R147] Editing a file takes the rights to download and to change, and online_edit.
    ['[R147] with online_edit off', { settings: { online_edit: false } }, 'noPermission'],
  ],
  editTogether: [
    ...editRows,
    harmful,
    ['[R172] while somebody else edits it: what is then possible is asked later', held, undefined],
    ['[R172] without the right to download', without('download'), undefined],
    ['[R147] with online_edit off', { settings: { online_edit: false } }, 'noPermission'],
  ],
  openTogether: [
    ['[R172] with the right to download alone', { rights: 2 + 8 }, undefined],
    ['[R172] with the modify right', { rights: 2 + 64 }, undefined],
    ['[R172] with neither', without('modify', 'download'), 'noPermission'],
    [
      '[R206] a restricted document, without the right to change it',
      { rights: 2 + 8, ...restricted },
      'restrictedDocument',
    ],
    ['by who may not download at all', { rights: 2 + 8, ...may('files') }, 'noPermission'],
    ['of a folder', { isFolder: true }, 'notFound'],
    ['[R233] below the level of the file', secret, 'secretLevel'],
    ['in the recycle bin', binned, 'notFound'],
    harmful,
    ['[R147] with online_edit off', { settings: { online_edit: false } }, 'noPermission'],
  ],
  newVersion: [
    ...editRows,
    ['while somebody else edits it', held, 'fileLocked'],
    ['in the place of what something harmful was found in', infected, undefined],
  ],
  rename: [
    ['while a process runs on it', { rights: 2 + 64, inProcess: true }, 'alreadyInProcess'],
    ['archived by a process', { rights: 2 + 64, status: itemStatus('singleArchive') }, 'noPermission'],
    ['while somebody else edits it', held, 'fileLocked'],
    ['[R155] with the modify right', { rights: 2 + 64 }, undefined],
    ['[R155] without it', without('modify'), 'noPermission'],
    ['[R155] an associated folder', { isFolder: true, status: itemStatus('associateFolder') }, 'associatedRename'],
    [
      '[R155] one that inherits',
      { isFolder: true, status: itemStatus('inheritAssociationFolder') },
      'associatedRename',
    ],
    ['[R142] a read-only folder', readOnly, 'readOnlyFolder'],
    ['[R155] a read-only folder as its manager', { ...readOnly, ...manager }, undefined],
    ['a library root, even as a manager', { ...root, ...manager }, 'noPermission'],
    ['while being signed', signing, undefined],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  move: [
    ['while somebody else edits it', held, 'fileLocked'],
    ['[R155] with move and delete', { rights: 2 + 32 + 128 }, undefined],
    ['[R155] without move', without('move'), 'noPermission'],
    ['[R155] without delete', without('delete'), 'noPermission'],
    ['[R155] while being signed', signing, 'fileLocked'],
    ['while a process runs on it', { inProcess: true }, 'alreadyInProcess'],
    ['archived by a process', { status: itemStatus('singleArchive') }, 'noPermission'],
    ['[R142] a read-only folder', readOnly, 'readOnlyFolder'],
    ['[R142] a read-only folder as its manager', { ...readOnly, ...manager }, undefined],
    ['a library root, even as a manager', { ...root, ...manager }, 'noPermission'],
    ['[R206] a restricted document without modify', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  copy: [
    heldBack,
    harmful,
    ['[R155] with the move right (X7)', { rights: 2 + 32 }, undefined],
    ['[R155] without it', without('move'), 'noPermission'],
    ['[R206] a restricted document without modify', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['[R206] a restricted document with modify', restricted, undefined],
    ['while being signed', signing, undefined],
    ['[R142] a read-only folder', readOnly, undefined],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  link: [
    ['[R121] with the display right alone', { rights: 2 }, undefined],
    ['to a library', root, undefined],
    ['to what is secret, which it opens to nobody', secret, undefined],
    ['without display', { rights: 4 }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] to a virtual folder', virtual, 'noPermission'],
  ],
  delete: [...deleteRows, ['what lies in the recycle bin', binned, 'notFound']],
  completeDelete: [
    ...deleteRows,
    ['what lies in the recycle bin', binned, undefined],
    ['as a guest (X51)', guest, 'noPermission'],
  ],
  restore: [
    ['with the delete right', { rights: 2 + 128, ...binned }, undefined],
    ['without it', { ...without('delete'), ...binned }, 'noPermission'],
    ['[R110] what is virtual', { ...virtual, ...manager }, 'noPermission'],
  ],
  follow: [
    ['[R239] with the display right alone', { rights: 2 }, undefined],
    ['of a library', root, undefined],
    ['without display', { rights: 4 }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  followDownloads: grantRows,
  grant: sharingRows,
  clearRights: clearingRows,
  viewShares: sharingRows,
  uploadSecret: [
    ['[R234] with a level and the upload right', { isFolder: true, actor: { secretLevel: 1 } }, undefined],
    ['[R234] without a level', { isFolder: true }, 'noPermission'],
    ['without the upload right', { isFolder: true, actor: { secretLevel: 1 }, ...without('upload') }, 'noPermission'],
    [
      'with the setting off',
      { isFolder: true, actor: { secretLevel: 1 }, settings: { secret_manage: false } },
      'noPermission',
    ],
    ['of a file', { actor: { secretLevel: 1 } }, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  setSecret: [
    ['[R152] with GRANT and a level', { rights: 2 + 512, actor: { secretLevel: 1 } }, undefined],
    ['[R235] with the right of its own', { rights: 2 + Right.secretLevel, actor: { secretLevel: 1 } }, undefined],
    ['[R152] without GRANT', { actor: { secretLevel: 1 } }, 'noPermission'],
    ['[R152] with the level zero', { rights: 2 + 512 }, 'noPermission'],
    [
      '[R152] with the setting off',
      { rights: 2 + 512, actor: { secretLevel: 1 }, settings: { secret_manage: false } },
      'noPermission',
    ],
    ['[X51] as a guest', { rights: 2 + 512, actor: { secretLevel: 1, isGuest: true } }, 'noPermission'],
    ['[R233] of a file above the own level, even as a manager', { ...secret, rights: Right.full }, 'secretLevel'],
    ['of a folder', { isFolder: true, rights: 2 + 512, actor: { secretLevel: 1 } }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...manager, isVirtual: true }, 'noPermission'],
  ],
  limitSpace: [
    ['[R119] as a manager', { isFolder: true, ...manager }, undefined],
    ['[R119] with every right but no manager', { isFolder: true, rights: 2046 }, 'noPermission'],
    ['as a guest', { isFolder: true, rights: Right.full, actor: { isManager: true, isGuest: true } }, 'noPermission'],
    ['[R119] of a library', { ...root, ...manager }, 'noPermission'],
    ['of a file', manager, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  rollBack: [
    ['as a manager', { isFolder: true, ...manager }, undefined],
    ['of a library, as a manager', { ...root, ...manager }, undefined],
    ['with every right but no manager', { isFolder: true, rights: 2046 }, 'noPermission'],
    ['as a guest', { isFolder: true, rights: Right.full, actor: { isManager: true, isGuest: true } }, 'noPermission'],
    ['of a file', manager, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  forceUnlock: [
    ['[R149] as a manager, of what somebody edits', { ...manager, ...edited }, undefined],
    ['[R149] as the owner', { actor: { isOwner: true }, ...edited }, undefined],
    ['[R149] of what several edit', { ...manager, status: itemStatus('editMulti') }, undefined],
    ['[R149] of what nobody edits', manager, 'noEditLock'],
    ['[R149] as neither', { rights: 2046, ...edited }, 'noPermission'],
    ['[R149] without MODIFY', { ...without('modify'), actor: { isOwner: true }, ...edited }, 'noPermission'],
    ['[R149] with the setting off', { ...manager, ...edited, settings: { force_unlock_file: false } }, 'noPermission'],
    ['[R233] above the own level', { ...secret, actor: { isOwner: true, secretLevel: 1 }, ...edited }, 'secretLevel'],
    ['[X51] as a guest', { ...edited, actor: { isOwner: true, isGuest: true } }, 'noPermission'],
    ['of a folder', { isFolder: true, ...manager }, 'notFound'],
    ['in the recycle bin', { ...manager, ...binned }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  setReadOnly: [
    ['[R151] as a manager', { isFolder: true, ...manager }, undefined],
    [
      '[R151] as the owner of a personal library',
      { isFolder: true, actor: { isManager: true, isOwner: true } },
      'noPermission',
    ],
    ['[R151] with every right but no manager', { isFolder: true, rights: 2046 }, 'noPermission'],
    [
      '[X51] as a guest',
      { isFolder: true, rights: Right.full, actor: { isManager: true, isGuest: true } },
      'noPermission',
    ],
    ['of a library', { ...root, ...manager }, 'noPermission'],
    ['of a file', manager, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  restrict: [
    ['[R206] as a manager', manager, undefined],
    ['[R206] of a folder, as the owner', { isFolder: true, actor: { isOwner: true } }, undefined],
    ['[R206] as anybody else', { rights: 2046 }, 'noPermission'],
    ['above the own level', { ...secret, actor: { isManager: true, secretLevel: 1 } }, 'secretLevel'],
    ['as a guest', { actor: { isOwner: true, isGuest: true } }, 'noPermission'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  closeToLinks: [
    ['[R231] as a manager', manager, undefined],
    ['[R231] of a folder, as the owner', { isFolder: true, actor: { isOwner: true } }, undefined],
    ['[R231] as anybody else', { rights: 2046 }, 'noPermission'],
    ['where there are no links', { ...manager, settings: { show_shared_links: false } }, 'noPermission'],
    ['as a guest', { actor: { isOwner: true, isGuest: true } }, 'noPermission'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  applyAuthorization: [
    ['[R153] of what is open to requests', { status: itemStatus('applyAuthorization') }, undefined],
    ['[R153] of what is not', {}, 'noPermission'],
    ['[R153] with GRANT', { status: itemStatus('applyAuthorization'), rights: 1022 }, 'noPermission'],
    [
      '[R153] with the setting off',
      { status: itemStatus('applyAuthorization'), settings: { authorization_menu: false } },
      'noPermission',
    ],
    ['[R153] as a guest', { status: itemStatus('applyAuthorization'), ...guest }, 'noPermission'],
    ['of what one does not see', { status: itemStatus('applyAuthorization'), ...without('display') }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  applyDownload: [
    ['[R386] what something harmful was found in', { ...infected, downloadByApplication: true }, 'virusFile'],
    ['[R145] without DOWNLOAD', { rights: 6 }, undefined],
    ['[R145] a folder without DOWNLOAD', { isFolder: true, rights: 6 }, undefined],
    ['[R145] with DOWNLOAD', { rights: 270 }, 'noPermission'],
    ['[R145] with DOWNLOAD where a rule applies', { rights: 270, downloadByApplication: true }, undefined],
    ['[R145] with GRANT', { rights: 6 | Right.grant }, undefined],
    ['[R145] with the setting off', { rights: 6, settings: { operation_application: false } }, 'noPermission'],
    ['[R145] as a guest', { rights: 6, ...guest }, 'noPermission'],
    ['who may not download at all', { rights: 6, ...may('files') }, 'noPermission'],
    ['[R206] a restricted document that can bear a watermark', { ...restricted, rights: 6 }, undefined],
    ['[R206] a restricted document that cannot', { ...restricted, rights: 6, extName: 'zip' }, 'restrictedDocument'],
    [
      '[R206] a restricted document without watermarks',
      { ...restricted, rights: 6, settings: { download_watermark: false } },
      'restrictedDocument',
    ],
    ['[R233] above the own level', { ...secret, rights: 6 }, 'secretLevel'],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', { ...binned, rights: 6 }, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  sendOut: [
    ['[R159] with the download right', { rights: 2 + 8 }, undefined],
    ['[R159] without it', without('download'), 'noPermission'],
    ['[R159] a folder', { isFolder: true }, 'notFound'],
    ['[R256] while its content is checked', { status: itemStatus('auditDetecting') }, 'sensitiveFile'],
    ['a restricted document without MODIFY', { ...restricted, rights: 14 }, 'restrictedDocument'],
    ['above the own level', secret, 'secretLevel'],
    ['not seen', { rights: 0 }, 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    sensitive,
    heldBack,
    harmful,
  ],
  createLink: [
    sensitive,
    heldBack,
    ['[R256] while its content is checked', { status: itemStatus('auditDetecting'), rights: 270 }, undefined],
    ['[R154] with EXTERNAL', { rights: 270 }, undefined],
    ['[R154] a folder', { isFolder: true, rights: 270 }, undefined],
    ['[R154] without EXTERNAL', without('externalLink'), 'noPermission'],
    ['[R154] with the setting off', { settings: { show_shared_links: false } }, 'noPermission'],
    ['[R154] as a guest', guest, 'noPermission'],
    ['[R231] where it is switched off', { status: itemStatus('externalLinkCreationDisabled') }, 'noPermission'],
    ['a library', { ...root, ...manager }, 'noPermission'],
    [
      'of a colleague, where that is off',
      { inColleagueFiles: true, settings: { colleague_files: false } },
      'noPermission',
    ],
    ['a restricted document without MODIFY', { ...restricted, rights: 270 }, 'restrictedDocument'],
    ['above the own level', secret, 'secretLevel'],
    harmful,
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  giveEdit: [
    ['[R222] with the right to modify', { rights: 2 + 64 }, undefined],
    ['[R222] without it', without('modify'), 'noPermission'],
    ['a folder', { isFolder: true, rights: 2 + 64 }, undefined],
    ['above the own level', secret, 'secretLevel'],
    harmful,
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of what is virtual', { isVirtual: true }, 'noPermission'],
  ],
  keepLink: [
    sensitive,
    heldBack,
    ['of who need not be there', guest, undefined],
    ['a library', { ...root, ...manager }, 'noPermission'],
    [
      'of a colleague, where that is off',
      { inColleagueFiles: true, settings: { colleague_files: false } },
      'noPermission',
    ],
    ['a restricted document without MODIFY', { ...restricted, rights: 270 }, 'restrictedDocument'],
    harmful,
    ['without EXTERNAL', without('externalLink'), 'noPermission'],
    ['[R154] with the setting off', { settings: { show_shared_links: false } }, 'noPermission'],
    ['[R231] where it is switched off', { status: itemStatus('externalLinkCreationDisabled') }, 'noPermission'],
    ['above the own level', secret, 'secretLevel'],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  urge: [
    ['[R156] with DISPLAY', { rights: 2 }, undefined],
    ['[R156] a folder', { isFolder: true, rights: 2 }, undefined],
    ['[R156] with the setting off', { settings: { temp_file_folder_notify: false } }, 'noPermission'],
    ['[R156] as a guest (X51)', guest, 'noPermission'],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  comment: [
    ['[R158] with PREVIEW', { rights: 6 }, undefined],
    ['[R158] a folder', { isFolder: true, rights: 6 }, undefined],
    ['[R158] without PREVIEW', without('preview'), 'noPermission'],
    ['[R158] with the setting off', { settings: { file_folder_comment: false } }, 'noPermission'],
    ['above the own level', secret, 'secretLevel'],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  tag: [
    ['[R158] with DISPLAY', { rights: 2 }, undefined],
    ['[R158] with the setting off', { settings: { tag: false } }, 'noPermission'],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  remember: [
    ['[R249] with DISPLAY', { rights: 2 }, undefined],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  favorite: [
    ['[R238] with DISPLAY', { rights: 2 }, undefined],
    ['of what one does not see', without('display'), 'notFound'],
    ['in the recycle bin', binned, 'notFound'],
    ['[R110] of a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  createAssociated: [
    ['[R162] in a folder with UPLOAD', { isFolder: true }, undefined],
    ['[R162] without UPLOAD', { isFolder: true, ...without('upload') }, 'noPermission'],
    ['[R162] with the setting off', { isFolder: true, settings: { useGL: false } }, 'noPermission'],
    ['[R162] as a guest (X51)', { isFolder: true, ...guest }, 'noPermission'],
    ['in a file', {}, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...binned }, 'notFound'],
    ['[R110] in a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  associate: [
    ['[R248] as the owner', { isFolder: true, actor: { isOwner: true } }, undefined],
    ['[R248] as a manager', { isFolder: true, ...manager }, undefined],
    ['[R248] as anybody else', { isFolder: true }, 'noPermission'],
    ['[R248] without MODIFY', { isFolder: true, ...without('modify'), actor: { isOwner: true } }, 'noPermission'],
    ['[R248] with the setting off', { isFolder: true, ...manager, settings: { useGL: false } }, 'noPermission'],
    ['[R248] a library', { ...root, ...manager }, 'noPermission'],
    ['as a guest (X51)', { isFolder: true, actor: { isOwner: true, isGuest: true } }, 'noPermission'],
    ['a file', manager, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...manager, ...binned }, 'notFound'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
  sendMail: [
    ['in which a virus was found', { docFlag: 65536 }, 'virusFile'],
    ['[R159] with the download right', {}, undefined],
    ['[R159] without it', without('download'), 'noPermission'],
    ['[R159] with e-mail switched off', { settings: { email: false } }, 'noPermission'],
    ['[R256] a file in which something sensitive was found', { status: itemStatus('fileAudit') }, 'sensitiveFile'],
    ['[R256] while it is being checked', { status: itemStatus('auditDetecting') }, 'sensitiveFile'],
    ['a restricted document without the modify right', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['below the level of the file', secret, 'secretLevel'],
    ['of a folder', { isFolder: true }, 'notFound'],
    ['as a guest', { actor: { isGuest: true } }, 'noPermission'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  exchange: [
    ['[R161] with the download right', {}, undefined],
    ['[R161] a folder', { isFolder: true }, undefined],
    ['[R161] without the download right', without('download'), 'noPermission'],
    ['[R161] with exchange switched off', { settings: { exchange_file_enabled: false } }, 'noPermission'],
    ['[R161] where downloads need an application', { downloadByApplication: true }, 'noPermission'],
    ['[R162] as a guest (X51)', { actor: { isGuest: true } }, 'noPermission'],
    ['[R256] a file in which something sensitive was found', { status: itemStatus('fileAudit') }, 'sensitiveFile'],
    ['[R256] while it is being checked', { status: itemStatus('auditDetecting') }, 'sensitiveFile'],
    ['in which a virus was found', { docFlag: 65536 }, 'virusFile'],
    ['a restricted document without the modify right', { ...restricted, ...without('modify') }, 'restrictedDocument'],
    ['below the level of the file', secret, 'secretLevel'],
    ['a whole library', root, 'noPermission'],
    ['[R110] a virtual folder', virtual, 'noPermission'],
    ['by who may not download at all', may('files'), 'noPermission'],
    ['in the recycle bin', binned, 'notFound'],
  ],
  exportFolder: [
    ['[R160] as the owner', { isFolder: true, actor: { isOwner: true } }, undefined],
    ['[R160] as a manager', { isFolder: true, ...manager }, undefined],
    ['[R160] as anybody else', { isFolder: true, rights: 2046 }, 'noPermission'],
    [
      '[R160] with the setting off',
      { isFolder: true, ...manager, settings: { export_sub_file: false } },
      'noPermission',
    ],
    ['a file', manager, 'notFound'],
    ['in the recycle bin', { isFolder: true, ...manager, ...binned }, 'notFound'],
    ['as a guest (X51)', { isFolder: true, actor: { isOwner: true, isGuest: true } }, 'noPermission'],
    ['[R110] a virtual folder', { ...virtual, ...manager }, 'noPermission'],
  ],
}

const names = Object.keys(gates) as GateName[]

/** For a gate: the passing facts, each time without one of the capabilities ([R348]). */
function incapable(name: GateName): readonly Row[] {
  const [, passes] = table[name].find(([, , code]) => code === undefined) ?? ['', {}, undefined]
  return capabilityNames
    .filter((missing) => conditions(name).some((condition) => condition.includes(`"capability ${missing}"`)))
    .map((missing) => {
      const actor = { ...passes.actor, capabilities: new Set(capabilityNames.filter((each) => each !== missing)) }
      return [`[R348] by who may not ${missing} at all`, { ...passes, actor }, 'noPermission']
    })
}

/** For a gate: the passing facts of a user who is no manager, in a read-only library. */
function kept(name: GateName): readonly Row[] {
  if (!conditions(name).some((condition) => condition.includes('"not in a read-only library"'))) return []
  const [, passes] = table[name].find(([, { actor }, code]) => code === undefined && actor?.isManager !== true) ?? [
    '',
    {},
  ]
  return [['in a read-only library', { ...passes, inReadOnlyLibrary: true }, 'readOnlyLibrary']]
}

describe('gates', () => {
  describe.each(names)('%s', (name) => {
    test.each([...table[name], ...incapable(name), ...kept(name)])('%s', (_why, change, code) => {
      expect(denial(gates[name], facts(change))).toBe(code)
    })

    test('has a row that passes and one that is refused', () => {
      const codes = table[name].map(([, , code]) => code)
      expect(codes).toContain(undefined)
      expect(codes.some((code) => code !== undefined)).toBe(true)
    })

    test('every one of its conditions is refused by some row', () => {
      const rows = [...[...table[name], ...incapable(name), ...kept(name)].map(([, change]) => change), { rights: 0 }]
      const refused = new Set(rows.map((change) => firstRefusal(name, facts(change))))
      for (const condition of conditions(name)) expect(refused).toContain(condition)
    })

    test('what cannot be seen does not exist, whatever else holds', () => {
      for (const mask of [0, 1, 1023, 2046 & ~Right.display]) {
        const everything = { isFolder: true, isVirtual: true, isLibraryRoot: true, ...signing, ...restricted }
        expect(denial(gates[name], facts({ ...everything, rights: mask, secretLevel: 9 }))).toBe('notFound')
      }
    })

    test('every right is enough where nothing but rights stands in the way', () => {
      for (const isFolder of [true, false]) {
        // A user with all rights has nothing to request.
        if (name === 'applyAuthorization' || name === 'applyDownload') continue
        // An unrestricted file has no watermarked copy, a file that nobody edits no lock to end, a PDF no PDF.
        const closed = sufficient[name] ?? {}
        const everything = { ...manager, ...closed, actor: { ...manager.actor, secretLevel: 1 } }
        const code = denial(gates[name], facts({ isFolder, ...everything }))
        expect([undefined, 'notFound']).toContain(code)
      }
    })

    test('more rights never lead to a refusal', () => {
      fc.assert(
        fc.property(fc.nat(1023), fc.nat(1023), fc.boolean(), fc.nat(), (a, b, isFolder, status) => {
          const fewer = facts({ rights: a << 1, isFolder, status })
          const more = facts({ rights: (a | b) << 1, isFolder, status })
          if (name === 'applyAuthorization' || name === 'applyDownload') return
          if (denial(gates[name], fewer) === undefined) expect(denial(gates[name], more)).toBeUndefined()
        }),
      )
    })
  })

  test('example 8: a manager below the level of a file has every right and is refused its content', () => {
    const who = { userId: 1, groupIds: new Set<number>(), roleIds: new Set<number>() }
    const { rights: mask } = effectiveRights([], who, { printRights: false, isManager: true, now: 0 })
    const file = facts({ rights: mask, secretLevel: 3, actor: { isManager: true, secretLevel: 1 } })
    expect(mask).toBe(2048)
    for (const name of ['preview', 'download', 'newVersion'] as const) {
      expect(denial(gates[name], file)).toBe('secretLevel')
    }
    for (const name of ['see', 'rename', 'delete', 'grant'] as const) {
      expect(denial(gates[name], file)).toBeUndefined()
    }
  })

  test('example 10: in a read-only folder a file can be changed, the folder itself cannot', () => {
    const file = facts({ rights: 510 })
    for (const name of ['newVersion', 'rename', 'move', 'delete'] as const) {
      expect(denial(gates[name], file)).toBeUndefined()
    }
    for (const name of ['rename', 'move', 'delete'] as const) {
      expect(denial(gates[name], facts({ ...readOnly, rights: 510 }))).toBe('readOnlyFolder')
    }
  })
})

describe('rules', () => {
  const yes = fact('yes', () => true)
  const no = fact('no', () => false, 'fileLocked')
  const never = fact('never', () => false, 'virusFile')

  test('all refuses with the first code, any with the last', () => {
    expect(denial(all(yes, no, never), facts())).toBe('fileLocked')
    expect(denial(all(yes, yes), facts())).toBeUndefined()
    expect(denial(any(no, never), facts())).toBe('virusFile')
    expect(denial(any(no, yes), facts())).toBeUndefined()
  })

  test('a right and a setting refuse with -4', () => {
    expect(denial(right('grant'), facts({ rights: 510 }))).toBe('noPermission')
    expect(denial(setting('print_rights'), facts())).toBe('noPermission')
    expect(denial(setting('export_sub_file'), facts())).toBeUndefined()
  })
})

/** The top-level conditions of a gate, by name. */
function conditions(name: GateName): readonly string[] {
  const rule = gates[name]
  return 'all' in rule ? rule.all.map((part) => JSON.stringify(part)) : [JSON.stringify(rule)]
}

function firstRefusal(name: GateName, f: Facts): string | undefined {
  const rule = gates[name]
  const parts = 'all' in rule ? rule.all : [rule]
  const first = parts.find((part) => denial(part, f) !== undefined)
  return first === undefined ? undefined : JSON.stringify(first)
}
