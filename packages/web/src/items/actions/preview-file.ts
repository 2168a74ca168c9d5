// A file as the previewer takes it.
import type { ItemRecord } from '@cloudoc/contract'
import { type ActionContext, evaluate, rules } from './actions.ts'

/** The properties of a file that the previewer needs. */
export type PreviewFile = Pick<ItemRecord, 'serverId' | 'fId' | 'fName' | 'fileSize'> & {
  readonly canPreview: boolean
  readonly canDownload: boolean
  readonly canPrint: boolean
  /** The version, if not the newest. */
  readonly version?: number
  /** The review in which the version is looked at. */
  readonly reviewId?: number
}

/** Returns an item as a file for the previewer, with what the user may do with it. */
export function previewFile(item: ItemRecord, context: ActionContext): PreviewFile {
  const may = (rule: 'preview' | 'download' | 'print'): boolean => evaluate(rules[rule], [item], context).enabled
  const { serverId, fId, fName, fileSize } = item
  const allowed = { canPreview: may('preview'), canDownload: may('download'), canPrint: may('print') }
  return { serverId, fId, fName, fileSize, ...allowed }
}
