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

/** A result code (domain/codes.ts): -1 is success. */
export const ResultCode = z.int().meta({ id: 'ResultCode' })

/** An item as one caller sees it: all fields of [R109]. */
export const ItemRecord = z
  .strictObject({
    fId: z.int(),
    fid: z.string(),
    fName: z.string(),
    fType: z.union([z.literal(1), z.literal(2)]),
    extName: z.string(),
    version: z.int(),
    rights: z.int(),
    itemStatus: z.int(),
    itemIdStr: z.string(),
    pathItemIdStr: z.string(),
    path: z.string(),
    pathString: z.string(),
    ownerId: z.int(),
    serverId: z.int(),
    secretLevel: z.int(),
    secretName: z.string(),
    secretInfo: z.strictObject({ secretLevel: z.int() }),
    processId: z.int(),
    externalId: z.int(),
    externalNum: z.int(),
    /**
     * Not 0: this row is a link to the item `fId`, and this is the link's own id ([R121]). Name, location, times and
     * size are those of the link; rights and states are those of the target. fId 0 means that the target is missing.
     */
    linkId: z.int(),
    /** Not in the spec, for links only: the rights on the link itself, to move, rename or delete it. */
    linkRights: z.int().optional(),
    emailId: z.int(),
    /** State of the check for sensitive words: 0 none, 1 in progress, 2 found some ([R134]). */
    sensitive: z.int(),
    docFlag: z.int(),
    editorId: z.int(),
    editorName: z.string(),
    editorNames: z.string(),
    editorList: z.array(z.strictObject({ userId: z.int(), name: z.string() })),
    parentFolderId: z.int(),
    parentFolderName: z.string(),
    parentItemIdStr: z.string(),
    fileSize: z.int(),
    lastOperatorName: z.string(),
    /** Not in the spec: creation and modification time, creator, and the sort key of the name. */
    createTime: Time,
    modifyTime: Time,
    creatorName: z.string(),
    nameSort: z.string(),
    /** Not in the spec: modification time of the file on its original disk; 0 if the uploader did not send it. */
    diskTime: Time,
    /**
     * Not in the spec: content hash of a file, only in lists requested with it, and only if the caller may read the
     * content.
     */
    sha256: z.string().optional(),
    /** Not in the spec: the library is read-only; only its managers change its content. Absent otherwise. */
    libraryReadOnly: z.literal(true).optional(),
    /**
     * Not in the spec: the item is in a colleague's personal library that the caller does not manage. Absent otherwise.
     */
    colleague: z.literal(true).optional(),
    /** Not in the spec: bits of `OperationBit`. Absent if none is set. */
    operations: z.int().optional(),
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
