// Libraries, the top level of the tree ([R110]), and their administration (decisions E3).
import { Right, selectableRights } from '@cloudoc/domain'
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, ItemName, Nothing, pageOf, Time, text } from '../fields.ts'

/** Kind of library. The personal library is created with the user. */
const Kind = z.enum(['company', 'department', 'personal', 'project', 'archive'])
const MadeKind = z.enum(['company', 'department', 'project', 'archive'])
const Bytes = z.int().min(0)

/** A grant on a whole library; folders inside can override it. */
const entry = {
  subjectType: z.enum(['user', 'group', 'role']),
  subjectId: Id,
  rights: Count.pipe(z.int().max(selectableRights | Right.deny)),
}

/** Settings of a library that an administrator edits. */
const libraryFields = {
  /** 0: no owner. The owner of a personal library cannot change. */
  ownerId: Id,
  managerIds: z.array(Id).max(50),
  /** Bytes; 0: no limit. */
  quota: Bytes,
  fileLimit: Bytes,
  /** Number of versions retained per file; 0: all; null: the server's setting applies. */
  keptVersions: z.int().min(0).max(10_000).nullable(),
  /** Old versions are deleted after this many days; 0: never; null: the server's setting applies. */
  keptDays: z.int().min(0).max(3650).nullable(),
  /** Deleted items are purged after this many days; 0: never; null: the server's setting applies. */
  binDays: z.int().min(0).max(3650).nullable(),
  /** Only managers of the library can change its content. */
  readOnly: z.boolean(),
  /** Replaces the grants on the library itself. */
  entries: z.array(z.strictObject(entry)).max(200),
}

const Library = z.strictObject({
  libraryId: z.int(),
  name: z.string(),
  kind: Kind,
  /** The owning department; 0 and an empty name for none. */
  groupId: z.int(),
  groupName: z.string(),
  ownerId: z.int(),
  ownerName: z.string(),
  managers: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })),
  used: z.int(),
  quota: z.int(),
  fileLimit: z.int(),
  keptVersions: z.int().nullable(),
  keptDays: z.int().nullable(),
  binDays: z.int().nullable(),
  readOnly: z.boolean(),
  /** 0: the library is open. */
  closeTime: z.int(),
  createTime: Time,
  entries: z.array(z.strictObject({ ...entry, rights: z.int(), subjectName: z.string() })),
})

const administrators = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

const libraryCalls = {
  getRootFolderSetting: call({
    summary: 'Lists the libraries that the caller may see',
    kind: 'read',
    method: 'GET',
    path: '/services2/setting/getRootFolderSetting',
    auth: 'required',
    payload: 'none',
    needs: 'files',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fName: z.string(),
          /** The name in its sorting form, with pinyin, as of any item. */
          nameSort: z.string(),
          fType: z.literal(2),
          itemIdStr: z.string(),
          rights: z.int(),
          kind: Kind,
          /** Not in the spec: the personal library of a colleague. */
          colleague: z.literal(true).optional(),
        }),
      ),
    }),
  }),
  /** Personal libraries are listed only when requested by kind. */
  getLibraries: call({
    summary: 'Lists libraries as their administrator sees them',
    ...administrators,
    kind: 'read',
    method: 'GET',
    path: '/services2/library/getLibraries',
    payload: 'query',
    input: z.strictObject({
      kind: Kind.optional(),
      /** `nearly`: libraries that are nearly full. */
      state: z.enum(['all', 'open', 'readOnly', 'closed', 'nearly']).default('all'),
      /** Part of the name, the owner's name, or pinyin. */
      keyword: text(100).default(''),
      libraryId: Id.optional(),
      ...pageOf(100, 500),
    }),
    data: z.strictObject({
      list: z.array(Library),
      total: z.int(),
      /** Totals of all personal libraries. */
      personal: z.strictObject({ count: z.int(), used: z.int() }),
    }),
  }),
  createLibrary: call({
    summary: 'Makes a library that people share',
    title: { zh: '新建文档库', en: 'Created a library' },
    audits: ['groupId'],
    ...administrators,
    kind: 'write',
    method: 'POST',
    path: '/services2/library/createLibrary',
    payload: 'json',
    input: z.strictObject({
      name: ItemName,
      kind: MadeKind,
      /** Id of the owning department. */
      groupId: Id.optional(),
      ownerId: libraryFields.ownerId.default(0),
      managerIds: libraryFields.managerIds.default([]),
      quota: libraryFields.quota.default(0),
      fileLimit: libraryFields.fileLimit.default(0),
      keptVersions: libraryFields.keptVersions.default(null),
      keptDays: libraryFields.keptDays.default(null),
      binDays: libraryFields.binDays.default(null),
      readOnly: libraryFields.readOnly.default(false),
      entries: libraryFields.entries.default([]),
    }),
    sample: () => ({ name: '新库', kind: 'project' }),
    data: z.strictObject({ libraryId: z.int() }),
    codes: ['notFound', 'alreadyExists', 'illegalName', 'nameTooLong', 'workspaceCountExceeded'],
  }),
  /**
   * Absent fields stay unchanged. A closed library is inaccessible to everybody until it is reopened; its content is
   * retained.
   */
  changeLibrary: call({
    summary: 'Changes a library: its name, its people, what it may hold and keeps, whether it is open',
    title: { zh: '修改文档库', en: 'Changed a library' },
    audits: ['libraryId'],
    ...administrators,
    kind: 'write',
    method: 'POST',
    path: '/services2/library/changeLibrary',
    payload: 'json',
    input: z
      .strictObject({ libraryId: Id, name: ItemName.optional(), ...libraryFields, closed: Flag })
      .partial()
      .required({ libraryId: true }),
    sample: (ids) => ({ libraryId: ids.libraryId }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'illegalName', 'nameTooLong', 'noPermission', 'workspaceCountExceeded'],
  }),
}

export const libraries = feature({
  about: { name: 'libraries', text: 'Where the tree begins' },
  calls: libraryCalls,
  settings: {
    beside: {
      /** Number of versions retained per file, if the library does not override it; 0: all. */
      version_count: z.int().min(0).max(10_000).default(0),
      /**
       * Days after which old versions are deleted, if the library does not override it; 0: never. Named versions and
       * the newest are retained.
       */
      version_days: z.int().min(0).max(3650).default(0),
      /** Days after which deleted items are purged, if the library does not override it; 0: never. */
      recycle_days: z.int().min(0).max(3650).default(0),
    },
    administered: {
      version_count: {
        label: { zh: '保留的版本数', en: 'Versions kept' },
        note: {
          zh: '每个文件保留几个版本；多出的旧版本在保存后、以及每次有新版本时马上清理，命名版本始终保留。文档库可以单独设置，0 表示全部保留。',
          en: 'Of each file. Older ones go as soon as this is saved, and with each new version; those with a name always stay. A library may say otherwise; 0 keeps all of them.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      version_days: {
        label: { zh: '旧版本保留天数', en: 'Days that old versions stay' },
        note: {
          zh: '更旧的版本每小时清理一次，当前版本和命名版本始终保留；文档库可以单独设置，0 表示不按时间清理。',
          en: 'Older ones are removed once an hour; the current one and those with a name always stay. Libraries may say otherwise; 0 sets no limit.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
      recycle_days: {
        label: { zh: '回收站保留天数', en: 'Days in the recycle bin' },
        note: {
          zh: '删除后过几天彻底删除；文档库可以单独设置，0 表示一直保留。',
          en: 'After so many days what was deleted is gone for good; a library may say otherwise. 0: never.',
        },
        power: 'system',
        group: 'space',
        as: 'number',
      },
    },
  },
})
