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
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'secretLevel'],
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
      secret_manage: { power: 'security', group: 'levels', as: 'switch' },
      secret_colours: { power: 'security', group: 'levels', as: 'colours' },
      secret_at_upload: { power: 'security', group: 'levels', as: 'switch' },
      restricted_from_level: { power: 'security', group: 'levels', as: 'number' },
    },
  },
})
