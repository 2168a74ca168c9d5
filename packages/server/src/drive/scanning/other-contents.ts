// Contents beside those of files of the drive that are scanned too, such as files of conversations.
import type { RawBuilder } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'

/** A content under a name in a conversation, and who sent it. */
export interface ContentPlace {
  readonly name: string
  readonly conversationId: number
  readonly accountId: number
  readonly accountName: string
}

/** How a feature holds contents. It asks `scan` itself whether one of its contents may be used. */
export interface OtherContents {
  /** The condition that it holds the content of the row `b` of `blob`. */
  readonly holds: RawBuilder<unknown>
  /** Selects `blob_id` of contents that are closed until they are inspected. */
  readonly closed: RawBuilder<unknown>
  /** Where it holds a content in which malware was found, for the audit and for those who brought it. */
  places(tx: Tx, blobId: number): Promise<readonly ContentPlace[]>
}

export const otherContents = extensionPoint<OtherContents>('scanned contents')
