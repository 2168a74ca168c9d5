// The libraries that a person meets first ([R110]), and how the administrator keeps them (admin.md E3).
import { Right, selectableRights } from '@cloudoc/domain'
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, ItemName, Nothing, rows, Time, text } from '../fields.ts'

/** Whose a library is; that of a person is made with the person. */
const Kind = z.enum(['company', 'department', 'personal', 'project', 'archive'])
const MadeKind = z.enum(['company', 'department', 'project', 'archive'])
const Bytes = z.int().min(0)

/** What somebody may do in all of a library, unless a folder in it says otherwise. */
const entry = {
  subjectType: z.enum(['user', 'group', 'role']),
  subjectId: Id,
  rights: Count.pipe(z.int().max(selectableRights | Right.deny)),
}

/** What an administrator sets of a library. */
const libraryFields = {
  /** Nobody where it is 0. The library of a person stays theirs. */
  ownerId: Id,
  managerIds: z.array(Id).max(50),
  /** Bytes; 0 sets no limit. */
  quota: Bytes,
  fileLimit: Bytes,
  /** So many versions of each file; 0: all of them; null: as the server's setting says. */
  keptVersions: z.int().min(0).max(10_000).nullable(),
  /** Old versions go after so many days; 0: never; null: as the server's setting says. */
  keptDays: z.int().min(0).max(3650).nullable(),
  /** After so many days what was deleted is gone for good; 0: never; null: as the server's setting says. */
  binDays: z.int().min(0).max(3650).nullable(),
  /** Nobody but its managers changes anything in it. */
  readOnly: z.boolean(),
  /** Replaces what was given on the library itself. */
  entries: z.array(z.strictObject(entry)).max(200),
}

const Library = z.strictObject({
  libraryId: z.int(),
  name: z.string(),
  kind: Kind,
  /** The department whose it is; 0 and no name for none. */
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
  /** 0: it is open. */
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
          fType: z.literal(2),
          itemIdStr: z.string(),
          rights: z.int(),
          kind: Kind,
          /** Ours: it is a colleague's own library. */
          colleague: z.literal(true).optional(),
        }),
      ),
    }),
  }),
  /** Those of people only where they are asked for by their kind. */
  getLibraries: call({
    summary: 'Lists libraries as their administrator sees them',
    ...administrators,
    kind: 'read',
    method: 'GET',
    path: '/services2/library/getLibraries',
    payload: 'query',
    input: z.strictObject({
      kind: Kind.optional(),
      /** `nearly`: those that are nearly full. */
      state: z.enum(['all', 'open', 'readOnly', 'closed', 'nearly']).default('all'),
      /** Part of a name, of its owner's too, or pinyin. */
      keyword: text(100).default(''),
      libraryId: Id.optional(),
      from: Count.default(0),
      rows: rows(100, 500),
    }),
    data: z.strictObject({
      list: z.array(Library),
      total: z.int(),
      /** The libraries of people, together. */
      personal: z.strictObject({ count: z.int(), used: z.int() }),
    }),
  }),
  createLibrary: call({
    summary: 'Makes a library that people share',
    ...administrators,
    kind: 'write',
    method: 'POST',
    path: '/services2/library/createLibrary',
    payload: 'json',
    input: z.strictObject({
      name: ItemName,
      kind: MadeKind,
      /** Of which department it is. */
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
    data: z.strictObject({ libraryId: z.int() }),
    codes: ['notFound', 'alreadyExists', 'illegalName', 'nameTooLong', 'workspaceCountExceeded'],
  }),
  /** What is left out stays as it is. A closed library is not there for anybody until it is opened again; nothing in it is lost. */
  changeLibrary: call({
    summary: 'Changes a library: its name, its people, what it may hold and keeps, whether it is open',
    ...administrators,
    kind: 'write',
    method: 'POST',
    path: '/services2/library/changeLibrary',
    payload: 'json',
    input: z
      .strictObject({ libraryId: Id, name: ItemName.optional(), ...libraryFields, closed: Flag })
      .partial()
      .required({ libraryId: true }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'illegalName', 'nameTooLong', 'noPermission', 'workspaceCountExceeded'],
  }),
}

export const libraries = feature({
  about: { name: 'libraries', text: 'Where the tree begins' },
  calls: libraryCalls,
  settings: {
    beside: {
      /** Versions of each file that are kept, where the library does not say; 0: all of them. */
      version_count: z.int().min(0).max(10_000).default(0),
      /** Days after which old versions go, where the library does not say; 0: never. Named ones stay, and the newest. */
      version_days: z.int().min(0).max(3650).default(0),
      /** Days after which what was deleted is gone for good, where the library does not say; 0: never. */
      recycle_days: z.int().min(0).max(3650).default(0),
    },
    administered: {
      version_count: { power: 'system', group: 'space', as: 'number' },
      version_days: { power: 'system', group: 'space', as: 'number' },
      recycle_days: { power: 'system', group: 'space', as: 'number' },
    },
  },
})
