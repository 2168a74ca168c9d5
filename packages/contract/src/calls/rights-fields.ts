// The fields that calls about rights share.
import { z } from 'zod'
import type { ItemRef } from '../authority.ts'
import { Count, Id } from '../fields.ts'
import { file, folder } from './items.ts'

export const SubjectType = z.enum(['user', 'group', 'role'])
export const Subject = { subjectType: SubjectType, subjectId: Id }
export const RightsMask = Count.pipe(z.int().max(0x1fffff))

interface FileOrFolder {
  fileId?: number | undefined
  folderId?: number | undefined
}

/** A file or a folder, exactly one of the two. */
export const fileOrFolder = { fileId: Id.optional(), folderId: Id.optional() }
export const oneOf = 'exactly one of fileId and folderId'
export const exactlyOne = ({ fileId, folderId }: FileOrFolder): boolean =>
  (fileId === undefined) !== (folderId === undefined)
export const itemOf = ({ fileId, folderId }: FileOrFolder): ItemRef =>
  fileId === undefined ? folder(folderId ?? 0) : file(fileId)
