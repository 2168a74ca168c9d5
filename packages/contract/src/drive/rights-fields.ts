// Shared fields of calls about rights.
import { z } from 'zod'
import type { ItemRef } from '../authority.ts'
import { Count, Id, Time } from '../fields.ts'
import { file, folder } from './items.ts'

export const SubjectType = z.enum(['user', 'group', 'role'])
export const Subject = { subjectType: SubjectType, subjectId: Id }
export const RightsMask = Count.pipe(z.int().max(0x1fffff))

interface FileOrFolder {
  fileId?: number | undefined
  folderId?: number | undefined
}

/** A file or a folder; exactly one of the two. */
export const fileOrFolder = { fileId: Id.optional(), folderId: Id.optional() }
export const oneOf = 'exactly one of fileId and folderId'
export const exactlyOne = ({ fileId, folderId }: FileOrFolder): boolean =>
  (fileId === undefined) !== (folderId === undefined)
/** Checks that no item is named twice. */
export const areUnique = (list: readonly FileOrFolder[]): boolean =>
  new Set(list.map(({ fileId, folderId }) => `${fileId} ${folderId}`)).size === list.length
export const uniqueItems = 'each item once'
export const itemOf = ({ fileId, folderId }: FileOrFolder): ItemRef =>
  fileId === undefined ? folder(folderId ?? 0) : file(fileId)

/** For an entry from an approved request: the approver and the time. */
export const Approval = { approvedBy: z.string().optional(), approvedAt: Time.optional() }

const Source = z.strictObject({ folderId: z.int(), fName: z.string() })

/** One step in the derivation of a user's rights. A location that the caller may not see has the id 0. */
export const Step = z
  .strictObject({
    step: z.enum(['entry', 'deny', 'expired', 'replaced', 'closed', 'restricted', 'dependencies', 'manager', 'owner']),
    subjectType: SubjectType.optional(),
    subjectId: z.int().optional(),
    subjectName: z.string().optional(),
    rights: z.int().optional(),
    kind: z.enum(['independent', 'application']).optional(),
    expireTime: Time.nullable().optional(),
    ...Approval,
    source: Source.optional().describe('Where the entry was set.'),
    at: Source.optional().describe('Where it ended, was replaced or stopped.'),
  })
  .meta({ id: 'RightsStep' })
