// Restrictions on items beside rights: secret levels ([R232]-[R235]), restricted documents ([R206]), read-only folders
// ([R215]).
import { maxSecretDuration, SecretUnit, secretColours } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Count, Flag, Id, IdArray, rows } from '../fields.ts'
import { file, folder } from './items.ts'

const Level = Count.pipe(z.int().max(100))
const files = { fileIdArray: IdArray }
const both = { fileIdArray: IdArray.default([]), folderIdArray: IdArray.default([]) }
const itemsOf = (input: { fileIdArray: number[]; folderIdArray: number[] }) => [
  ...input.fileIdArray.map(file),
  ...input.folderIdArray.map(folder),
]

const conditionCalls = {
  /**
   * Sets the secret level of files and its duration. After that the level is 0. No user sets a level above their own.
   */
  setSecretLevel: call({
    summary: 'Sets the secret level of files',
    kind: 'batch',
    audit: 'rights',
    log: 'secretChange',
    method: 'POST',
    path: '/services2/file/setSecretLevel',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ fileIdArray }) => fileIdArray.map(file),
      gate: (item) => [{ item, action: 'setSecret', lock: 'change' }],
    },
    input: z.strictObject({
      ...files,
      secretLevel: Level,
      duration: Count.pipe(z.int().max(maxSecretDuration)).default(0),
      unit: Count.pipe(z.enum(SecretUnit)).default(0),
    }),
    sample: (ids) => ({ fileIdArray: [ids.fileId], secretLevel: 0 }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  /** Returns the secret level of a file with its expiry, and the users who would lose access with a different level. */
  getSecretEffect: call({
    summary: 'Tells the secret level of a file and whom another one would keep from it',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/getSecretEffect',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: ({ fileId }) => [{ item: file(fileId), action: 'setSecret' }],
    input: z.strictObject({ fileId: Id, secretLevel: Level, rows: rows(100, 100) }),
    sample: (ids) => ({ fileId: ids.fileId, secretLevel: 0 }),
    data: z.strictObject({
      secretLevel: z.int(),
      /** When the level expires and becomes 0; null: never. */
      until: z.int().nullable(),
      /** Number of users who lose preview, download and edit. */
      count: z.int(),
      /** True when there are more users than were checked. */
      more: z.boolean(),
      list: z.array(z.strictObject({ userId: z.int(), accountName: z.string(), secretLevel: z.int() })),
    }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  /** Folders that only managers can rename, cut or delete. The content of the folder is not affected. */
  setFolderReadOnly: call({
    summary: 'Makes folders read-only, or ends that',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/folder/setFolderReadOnly',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ folderIdArray }) => folderIdArray.map(folder),
      gate: (item) => [{ item, action: 'setReadOnly', lock: 'change' }],
    },
    input: z.strictObject({ folderIdArray: IdArray, readOnly: Flag }),
    sample: (ids) => ({ folderIdArray: [ids.folderId], readOnly: true }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission'],
  }),
  /**
   * Restricted documents: only users with the right to change them can download, copy, move or link them. Set on a
   * folder or library, it applies to all documents in it.
   */
  setDocRestricted: call({
    summary: 'Makes documents restricted, or ends that',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/file/setDocRestricted',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: itemsOf,
      gate: (item) => [{ item, action: 'restrict', lock: 'change' }],
    },
    input: z.strictObject({ ...both, restricted: Flag }),
    sample: (ids) => ({ restricted: true, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  /**
   * Closes items to external links ([R231]): none can be created, and existing ones do not open meanwhile. Set on a
   * folder or library, it applies to everything in it.
   */
  setExternalLinkDisabled: call({
    summary: 'Closes items to external links, or opens them again',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/file/setExternalLinkDisabled',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: itemsOf,
      gate: (item) => [{ item, action: 'closeToLinks', lock: 'change' }],
    },
    input: z.strictObject({ ...both, disabled: Flag.describe('Whether external links of the items are forbidden.') }),
    sample: (ids) => ({ disabled: true, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission'],
  }),
}

export const conditions = feature({
  about: { name: 'conditions', text: 'Secret levels, restricted documents, read-only folders' },
  calls: conditionCalls,
  settings: {
    setting: {
      /** Users may set secret levels on files. Existing levels stay effective when this is off. */
      secret_manage: z.boolean().default(true),
    },
    beside: {
      /** Colours of the secret levels, starting with level 1. */
      secret_colours: z.array(z.enum(secretColours)).max(100).default(['blue', 'amber', 'red', 'dark']),
      /** Users who have a level are asked for the level of their uploads. */
      secret_at_upload: z.boolean().default(false),
    },
    inner: {
      /**
       * Every document from this level on is restricted ([R206]); 0: only the rule of the document and its folders
       * applies.
       */
      restricted_from_level: z.int().min(0).max(100).default(0),
    },
    administered: {
      secret_manage: {
        label: { zh: '密级管理', en: 'Secret levels' },
        note: {
          zh: '给文件设置密级；关闭后不能再设置，已有的密级照常有效。',
          en: 'Files are given levels. Off, none are set any more; those that are set keep holding.',
        },
        power: 'security',
        group: 'levels',
        as: 'switch',
      },
      secret_colours: {
        label: { zh: '密级颜色', en: 'Colours of secret levels' },
        note: { zh: '列表和窗口里每一级的标记。', en: 'The sign of each level in lists and windows.' },
        power: 'security',
        group: 'levels',
        as: 'colours',
      },
      secret_at_upload: {
        label: { zh: '上传时选择密级', en: 'Ask for the level at upload' },
        note: {
          zh: '有密级的人每次上传先选密级；关闭时，从“选择密级后上传”进入。',
          en: 'Whoever has a level chooses that of what they upload. Off, “Upload with a secret level” asks for it.',
        },
        power: 'security',
        group: 'levels',
        as: 'switch',
      },
      restricted_from_level: {
        label: { zh: '自动受限的密级', en: 'Restricted from level' },
        note: {
          zh: '从这一级起，没有编辑权限的人不能下载、复制和移动；0 表示不按密级。',
          en: 'From this level on nobody downloads, copies or moves without the right to edit; 0: not by level.',
        },
        power: 'security',
        group: 'levels',
        as: 'number',
      },
    },
  },
})
