// What binds an item beside rights: secret levels ([R232]-[R235]), restricted documents ([R206]), read-only folders ([R215]).
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
  /** Sets the level of files and how long it holds; from its end on the level is 0. Nobody sets one above their own. */
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
  /** What the level of a file is until when, and who could not open it any more with another one. */
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
      /** From then on it is 0; null: never. */
      until: z.int().nullable(),
      /** How many lose preview, download and edit. */
      count: z.int(),
      /** There are more; no more were looked at. */
      more: z.boolean(),
      list: z.array(z.strictObject({ userId: z.int(), accountName: z.string(), secretLevel: z.int() })),
    }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  /** Folders that nobody but managers renames, cuts or deletes; what is in them goes on as before. */
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
  /** Documents that only those who may change them take away; on a folder or library it holds for all documents in it. */
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
      /** Files are given secret levels. Those that have one keep it, whatever this says. */
      secret_manage: z.boolean().default(true),
    },
    beside: {
      /** The colours of the secret levels, from 1 on. */
      secret_colours: z.array(z.enum(secretColours)).max(100).default(['blue', 'amber', 'red', 'dark']),
      /** Whoever has a level is asked for that of what they upload. */
      secret_at_upload: z.boolean().default(false),
    },
    inner: {
      /** From this level on every document is restricted ([R206]); 0: by their own and their folders' rule alone. */
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
