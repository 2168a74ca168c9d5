// The item of a comment.
import type { Access } from '../../core/access.ts'
import type { Context } from '../../core/call/context.ts'

type Named = { fileId?: number | undefined; folderId?: number | undefined }
export const accessIn = (context: Context, { fileId, folderId }: Named): Access =>
  context.item(fileId === undefined ? { fType: 2, fId: folderId ?? 0 } : { fType: 1, fId: fileId })
