// The tables of fetched mail: folders, mails, trusted senders, and changes that the mail server does not know yet.
import type { MailRole } from '@cloudoc/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { MailSummary, ReadAttachment } from './mime.ts'

export type MailPeople = Pick<MailSummary, 'to' | 'cc' | 'bcc' | 'replyTo'>

declare module '../../core/db/schema.ts' {
  interface Schema {
    mail_folder: {
      id: Generated<number>
      mailbox_id: number
      path: string
      name: string
      role: MailRole
      /** The numbering of the folder at its server; another one makes all numbers invalid. */
      uid_validity: Generated<string>
      /** Mails up to this number were seen, and all from `uid_low` on are stored. 0: none yet. */
      uid_high: Generated<number>
      uid_low: Generated<number>
      /** Of Exchange: what has changed is asked for since this state. */
      sync_state: Generated<string>
    }
    mail: {
      id: Generated<number>
      account_id: number
      mailbox_id: number
      folder_id: number
      /** Its number in the folder at the server (IMAP UID, POP3 UIDL, id of Exchange); `pending-…` while it is being moved there. */
      remote_key: string
      blob_id: number
      message_id: string
      thread: string
      refs: JSONColumnType<string[]>
      from_name: string
      from_address: string
      people: JSONColumnType<MailPeople>
      subject: string
      sent_at: number
      received_at: number
      size: number
      is_read: boolean
      is_starred: boolean
      is_answered: boolean
      attachments: JSONColumnType<ReadAttachment[]>
      summary: string
      words: string[]
      search_text: string
      problem: string
      /** When the person last changed its flags; the server's older flags do not overwrite them. */
      changed_at: Generated<number>
    }
    mail_trust: { account_id: number; address: string }
    mail_change: {
      id: Generated<number>
      mailbox_id: number
      folder_id: number
      uid_validity: string
      mail_id: number
      remote_key: string
      action: 'read' | 'unread' | 'star' | 'unstar' | 'answered' | 'move' | 'delete'
      target_id: number | null
    }
  }
}

export const mailTables = {
  mail_folder: { backup: 'kept' },
  mail: { backup: 'kept', accounts: { account_id: 'ends' }, contents: ['blob_id'] },
  mail_trust: { backup: 'kept', accounts: { account_id: 'ends' } },
  mail_change: { backup: 'kept' },
} as const satisfies Tables
