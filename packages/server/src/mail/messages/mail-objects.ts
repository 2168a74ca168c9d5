// Received mails as objects with rules: a person has those of their own mailboxes.
import { features } from '@cloudoc/contract'
import { sql } from 'kysely'
import { ownObjects } from '../boxes/index.ts'
import type { ReadAttachment } from './mime.ts'

/** A stored mail, as its calls read it. */
export interface MailRow {
  readonly id: number
  readonly accountId: number
  readonly boxId: number
  readonly mailFolderId: number
  readonly blobId: number
  readonly subject: string
  readonly messageId: string
  readonly refs: readonly string[]
  readonly attachments: readonly ReadAttachment[]
}

export const mailObjects = ownObjects(
  features.mails.objects.mail,
  sql`mail`,
  sql`b.id, b.account_id as "accountId", b.mailbox_id as "boxId", b.folder_id as "mailFolderId", b.blob_id as "blobId",
    b.subject, b.message_id as "messageId", b.refs, b.attachments`,
  (_row: MailRow, facts) => facts,
)
