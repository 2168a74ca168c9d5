// The field types that calls and pushes share.
import { itemName } from '@cloudoc/domain'
import { z } from 'zod'

/** A whole number sent as a number or, in paths, queries and forms, as its digits. */
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

/** A count or position that starts at zero. */
export const Count = integer(0, 1_000_000_000)
/** The id of an item, account, group or role. Virtual folders are negative ([R110]). */
export const Id = integer(-3, Number.MAX_SAFE_INTEGER)
/** A kind of client: 6 is the web client ([R045]); any small number is accepted. */
export const ClientType = integer(0, 255)
/** 1 a file, 2 a folder ([R109]). */
export const FType = z
  .union([z.literal(1), z.literal(2), z.enum(['1', '2']).transform(Number)])
  .pipe(z.union([z.literal(1), z.literal(2)]))
/** Milliseconds since 1970 UTC. */
export const Time = z.int()
/** The time that a file has on the disk that it comes from, as browsers tell it: milliseconds since 1970. */
export const DiskTime = integer(0, 253_402_300_799_999)
/** true, false, or their texts in forms and queries. */
export const Flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .pipe(z.boolean())
/** A list of item ids in a batch call; at most 10,000 in one call. */
export const IdArray = z.array(Id).max(10_000)
/**
 * A text of a person: trimmed by nobody, no longer than `max` UTF-16 units. A null character or half a surrogate pair
 * is no text: PostgreSQL keeps neither.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'characters that are no text')

/**
 * The name of a file or folder under the one rule for names (domain/names.ts). Refused names answer -6 or -256, not
 * "bad parameters": the code travels as the issue's message.
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
     * Not 0: this row is a link to the item `fId`, and this is the link's own id ([R121]). Name, place, times and size are
     * the link's, rights and states those of what it leads to; fId 0 says that it leads nowhere.
     */
    linkId: z.int(),
    /** Ours, of links alone: the rights on the link itself, to move, rename or delete it. */
    linkRights: z.int().optional(),
    emailId: z.int(),
    /** The badge of the check for sensitive words: 0 none, 1 it is under way, 2 it found some ([R134]). */
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
    /** Ours: when the item was made and last changed, who made it, and the bytes its name sorts by. */
    createTime: Time,
    modifyTime: Time,
    creatorName: z.string(),
    nameSort: z.string(),
    /** Ours: the time that a file had on the disk that it came from; 0 where whoever sent it did not say. */
    diskTime: Time,
    /** Ours: the hash of a file's content, in lists that were asked for it, where the caller may read the content. */
    sha256: z.string().optional(),
    /** Ours: the library that it is in is kept as it is; only its managers change anything. Absent where it is not. */
    libraryReadOnly: z.literal(true).optional(),
    /** Ours: it lies in a colleague's own library, which the caller does not manage. Absent where it does not. */
    colleague: z.literal(true).optional(),
  })
  .meta({ id: 'ItemRecord' })
export type ItemRecord = z.output<typeof ItemRecord>

/** What a write answers of the item that it made or changed: how it is stored now. */
const stored = {
  /** The name as it is kept; it may be a numbered one, or another writing of the one that was sent. */
  fName: z.string(),
  /** 0: the caller may not see the folder. */
  parentFolderId: z.int(),
  /** 0 of folders and links. */
  version: z.int(),
  createTime: Time,
  modifyTime: Time,
}
/** The same by itself. */
export const StoredItem = z.strictObject(stored).meta({ id: 'StoredItem' })
export type StoredItem = z.output<typeof StoredItem>

/** One item's answer in a batch (X, "Batch answer"). */
const BatchItem = z
  .strictObject({
    id: z.string().describe('`f12` is the file 12, `f-12` the folder 12, `l12` the link 12.'),
    fType: z.union([z.literal(1), z.literal(2)]),
    name: z.string(),
    result: ResultCode,
    msg: z.string(),
    /** Ours: the item's id after the change, where the change made or kept one (copy, restore). */
    fId: z.int().optional(),
    /** Ours: the same for a link. */
    linkId: z.int().optional(),
    /** Ours: where it lies after the change, as which version and since when, where it was put somewhere. */
    parentFolderId: z.int().optional(),
    version: z.int().optional(),
    createTime: Time.optional(),
    modifyTime: Time.optional(),
    /** Ours: what the change is called in the history of its rights. */
    changeId: z.int().optional(),
  })
  .meta({ id: 'BatchItem' })
export const BatchAnswer = z.array(BatchItem)
export type BatchAnswer = z.output<typeof BatchAnswer>

/** An answer that carries nothing. */
export const Nothing = z.strictObject({}).meta({ id: 'Nothing' })
