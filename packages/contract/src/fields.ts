// Field types shared by calls and pushes.
import { itemName } from '@cloudoc/domain'
import { z } from 'zod'

/** An integer, sent as a number or, in paths, queries and forms, as a digit string. */
export const integer = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?\d{1,15}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(min).max(max))

/** A count or zero-based position. */
export const Count = integer(0, 1_000_000_000)
/** Id of an item, account, group or role. Virtual folders have negative ids ([R110]). */
export const Id = integer(-3, Number.MAX_SAFE_INTEGER)
/** Client type: 6 is the web client ([R045]); any small number is accepted. */
export const ClientType = integer(0, 255)
/** 1 a file, 2 a folder ([R109]). */
export const FType = z
  .union([z.literal(1), z.literal(2), z.enum(['1', '2']).transform(Number)])
  .pipe(z.union([z.literal(1), z.literal(2)]))
/** Milliseconds since 1970 UTC. */
export const Time = z.int()
/** Modification time of the file on the user's disk as reported by the browser, in milliseconds since 1970. */
export const DiskTime = integer(0, 253_402_300_799_999)
/** true, false, or the same as text in forms and queries. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .pipe(z.boolean())
/** A list of item ids in a batch call; at most 10,000 per call. */
export const IdArray = z.array(Id).max(10_000)
/**
 * Free text of a user: not trimmed, at most `max` UTF-16 units (X34); `max()` of Zod counts code points. Rejects null
 * characters and lone surrogates, which PostgreSQL cannot store.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.length <= max, `at most ${max} UTF-16 units`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'characters that are no text')

/**
 * Name of a file or folder, validated by the common name rule (domain/names.ts). Invalid names answer -6 or -256
 * instead of "bad parameters"; the code is passed as the message of the issue.
 */
export const ItemName = z.string().transform((raw, context) => {
  const checked = itemName(raw)
  if ('name' in checked) return checked.name
  context.issues.push({ code: 'custom', message: checked.code, input: raw, params: { resultCode: checked.code } })
  return z.NEVER
})

/** A page size. */
export const rows = (fallback: number, max: number) => integer(1, max).default(fallback)

/** Which part of a list is asked for: from a position on, so many rows. */
export const pageOf = (fallback: number, max: number) => ({ from: Count.default(0), rows: rows(fallback, max) })

/** Name of a time zone, such as Asia/Shanghai. */
export const TimeZone = text(64).refine((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}, 'the name of a time zone')

/** A result code (domain/codes.ts): -1 is success. */
export const ResultCode = z.int().meta({ id: 'ResultCode' })

/** An item as one caller sees it: all fields of [R109]. */
export const ItemRecord = z
  .strictObject({
    fId: z
      .int()
      .describe(
        'The id; files and folders each have their own. For a shortcut that of its target, 0 if it is missing.',
      ),
    fid: z.string().describe('The id with the server: `server/id`.'),
    fName: z.string().describe('The name.'),
    fType: z.union([z.literal(1), z.literal(2)]).describe('1 a file, 2 a folder.'),
    extName: z.string().describe('The extension of a file in lower case, without a dot.'),
    version: z.int().describe('The number of the newest version of a file.'),
    rights: z.int().describe('The rights of the caller: a mask of the documented bits.'),
    itemStatus: z.int().describe('States: a mask of the documented bits.'),
    itemIdStr: z.string().describe('The written id, which names server, type and id.'),
    pathItemIdStr: z
      .string()
      .describe('The written ids of the folders above, from the top, as far as the caller may see them.'),
    path: z.string().describe('The ids of the folders above.'),
    pathString: z.string().describe('The names of the folders above.'),
    ownerId: z.int().describe('The account to which its library belongs; 0 for a shared library.'),
    serverId: z.int().describe('The server; 0 is the main one.'),
    secretLevel: z.int().describe('The secret level; 0 is public.'),
    secretName: z.string().describe('The name of the secret level; empty for public.'),
    secretInfo: z.strictObject({ secretLevel: z.int() }).describe('The secret level again, in the documented form.'),
    processId: z.int().describe('The workflow in which it is; 0 for none.'),
    externalId: z.int().describe('The newest external link that the caller may manage; 0 for none.'),
    externalNum: z.int().describe('The number of its external links: 0, 1, or 2 for several.'),
    /**
     * Not 0: this row is a link to the item `fId`, and this is the link's own id ([R121]). Name, location, times and
     * size are those of the link; rights and states are those of the target. fId 0 means that the target is missing.
     */
    linkId: z.int().describe('Not 0: this row is a shortcut to the item `fId`, and this is its own id.'),
    /** Not in the spec, for links only: the rights on the link itself, to move, rename or delete it. */
    linkRights: z.int().optional().describe('For shortcuts only: the rights on the shortcut itself.'),
    emailId: z.int().describe('The mail that it is attached to; 0 for none.'),
    /** State of the check for sensitive words: 0 none, 1 in progress, 2 found some ([R134]). */
    sensitive: z.int().describe('The check for sensitive words: 0 none, 1 in progress, 2 found some.'),
    docFlag: z.int().describe('1 if its rights are restricted to those who are listed.'),
    editorId: z.int().describe('The account that edits it alone; -1 for nobody.'),
    editorName: z.string().describe('The name of whoever edits it alone.'),
    editorNames: z.string().describe('The names of everybody who edits it, alone or with others.'),
    editorList: z
      .array(z.strictObject({ userId: z.int(), name: z.string() }))
      .describe('Everybody who edits it, alone or with others.'),
    parentFolderId: z.int().describe('The folder that it is in; 0 if the caller may not see that.'),
    parentFolderName: z.string().describe('The name of that folder.'),
    parentItemIdStr: z.string().describe('The written id of that folder.'),
    fileSize: z.int().describe('The size of a file in bytes.'),
    lastOperatorName: z.string().describe('The name of whoever changed it last.'),
    /** Not in the spec: creation and modification time, creator, and the sort key of the name. */
    createTime: Time.describe('When it was created.'),
    modifyTime: Time.describe('When its content was last changed.'),
    creatorName: z.string().describe('The name of whoever created it.'),
    nameSort: z.string().describe('The key by which names are ordered.'),
    /** Not in the spec: modification time of the file on its original disk; 0 if the uploader did not send it. */
    diskTime: Time.describe('When the file was last changed on the disk it came from; 0 if unknown.'),
    /**
     * Not in the spec: content hash of a file, only in lists requested with it, and only if the caller may read the
     * content.
     */
    sha256: z.string().optional().describe('The hash of the content, only in lists requested with it.'),
    /** Not in the spec: the library is read-only; only its managers change its content. Absent otherwise. */
    libraryReadOnly: z.literal(true).optional().describe('Present if only managers of the library change its content.'),
    /**
     * Not in the spec: the item is in a colleague's personal library that the caller does not manage. Absent otherwise.
     */
    colleague: z
      .literal(true)
      .optional()
      .describe("Present if it is in a colleague's library that the caller does not manage."),
    operations: z.int().optional().describe('Bits of `OperationBit`; absent if none is set.'),
  })
  .meta({ id: 'ItemRecord' })
export type ItemRecord = z.output<typeof ItemRecord>

/** Returned by writes: the stored state of the created or changed item. */
const stored = {
  /** The stored name; it can be numbered or normalized and differ from the name sent. */
  fName: z.string(),
  /** 0 when the caller may not see the folder. */
  parentFolderId: z.int(),
  /** 0 for folders and links. */
  version: z.int(),
  createTime: Time,
  modifyTime: Time,
}
/** The same as a separate schema. */
export const StoredItem = z.strictObject(stored).meta({ id: 'StoredItem' })
export type StoredItem = z.output<typeof StoredItem>

/** The answer for one item of a batch (X, "Batch answer"). */
const BatchItem = z
  .strictObject({
    id: z.string().describe('`f12` is the file 12, `f-12` the folder 12, `l12` the link 12.'),
    fType: z.union([z.literal(1), z.literal(2)]),
    name: z.string(),
    result: ResultCode,
    msg: z.string(),
    /** Not in the spec: id of the created or preserved item (copy, restore). */
    fId: z.int().optional(),
    /** Not in the spec: the id of the created or preserved link, where the item is a link. */
    linkId: z.int().optional(),
    /** Not in the spec: location, version and time of an item that was put somewhere. */
    parentFolderId: z.int().optional(),
    version: z.int().optional(),
    createTime: Time.optional(),
    modifyTime: Time.optional(),
    /** Not in the spec: id of the change in the item's rights history. */
    changeId: z.int().optional(),
  })
  .meta({ id: 'BatchItem' })
export const BatchAnswer = z.array(BatchItem)
export type BatchAnswer = z.output<typeof BatchAnswer>

/** An empty answer. */
export const Nothing = z.strictObject({}).meta({ id: 'Nothing' })
